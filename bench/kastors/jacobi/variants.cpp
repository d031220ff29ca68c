//===-- variants.cpp - All ways to compute Jacobi -------------------------===//
//
// A variant is a row of the table at the end: how to go over the blocks (a
// sweep) and how to create the task of a block (a spawn), for the first touch
// and for computing.
//
//===----------------------------------------------------------------------===//

#include "jacobi.h"
#include "spawn.h"

#include <omp.h>

using namespace kastors;
using namespace kastors::spawn;

static BlockTask taskFor(const Jacobi &J, size_t Step, size_t Row,
                         size_t Column) {
  return {&J,
          Step,
          Row,
          Column,
          J.stencil(Step, Row, Column),
          J.expect(Row, Column)};
}

//===-- Sweeps ------------------------------------------------------------===//

static void oneThread(const Jacobi &J, size_t Begin, size_t End, Spawn Create) {
  for (size_t Step = Begin; Step < End; ++Step)
    for (size_t Row = 0; Row < J.rows(); ++Row)
      for (size_t Column = 0; Column < J.columns(); ++Column)
        Create(taskFor(J, Step, Row, Column));
}

/// Bounds, schedule and team are the same in each step: every thread computes
/// the blocks that it touched first.
static void staticLoop(const Jacobi &J, size_t Begin, size_t End,
                       Spawn Create) {
#pragma omp parallel
  for (size_t Step = Begin; Step < End; ++Step) {
#pragma omp for collapse(2) schedule(static)
    for (size_t Row = 0; Row < J.rows(); ++Row)
      for (size_t Column = 0; Column < J.columns(); ++Column)
        Create(taskFor(J, Step, Row, Column));
  }
}

/// Every thread takes its own blocks: placement that any compiler can do.
static void owners(const Jacobi &J, size_t Begin, size_t End, Spawn Create) {
#pragma omp parallel
  for (size_t Step = Begin; Step < End; ++Step) {
    for (size_t Row = 0; Row < J.rows(); ++Row)
      for (size_t Column = 0; Column < J.columns(); ++Column)
        if (J.owner(Row, Column) == static_cast<unsigned>(omp_get_thread_num()))
          Create(taskFor(J, Step, Row, Column));
#pragma omp barrier
  }
}

static void tasks(const Jacobi &J, size_t Begin, size_t End, Spawn Create) {
#pragma omp parallel
#pragma omp single
  oneThread(J, Begin, End, Create);
}

static void tasksWithWaits(const Jacobi &J, size_t Begin, size_t End,
                           Spawn Create) {
#pragma omp parallel
#pragma omp single
  for (size_t Step = Begin; Step < End; ++Step) {
    oneThread(J, Step, Step + 1, Create);
#pragma omp taskwait
  }
}

/// A loop of tasks, each of some blocks side by side, for each step.
static void taskLoop(const Jacobi &J, size_t Begin, size_t End, Spawn Create) {
#pragma omp parallel
#pragma omp single
  for (size_t Step = Begin; Step < End; ++Step) {
#pragma omp taskloop collapse(2) shared(J)
    for (size_t Row = 0; Row < J.rows(); ++Row)
      for (size_t Column = 0; Column < J.columns(); ++Column)
        Create(taskFor(J, Step, Row, Column));
  }
}

#ifdef KASTORS_TASKLOOP_CLAUSE
/// The same, each task where the blocks are that it writes.
static void taskLoopOnData(const Jacobi &J, size_t Begin, size_t End,
                           Spawn Create) {
#pragma omp parallel
#pragma omp single
  for (size_t Step = Begin; Step < End; ++Step) {
#pragma omp taskloop collapse(2) shared(J)                                     \
    affinity(data : J.stencil(Step, Row, Column).Out)
    for (size_t Row = 0; Row < J.rows(); ++Row)
      for (size_t Column = 0; Column < J.columns(); ++Column)
        Create(taskFor(J, Step, Row, Column));
  }
}
#endif

//===-- The table ---------------------------------------------------------===//

// clang-format off
static constexpr bool Strict = true;
static constexpr Mapping None = Mapping::None, Grid = Mapping::Grid, Loop = Mapping::Loop;

// Name, summary, needs; mapping; first touch; computing.
const std::vector<JacobiVariant> kastors::JacobiVariants = {
    {{"seq", "sequential", Needs::Nothing},
     None, oneThread, atOnce, oneThread, atOnce},
    {{"for", "worksharing loop, first touch by the same loop", Needs::OpenMP},
     None, staticLoop, atOnce, staticLoop, atOnce},
    {{"for_affinity", "the loop; first touch by strictly placed tasks", Needs::Clause, Strict},
     Loop, tasks, strictThread, staticLoop, atOnce},
    {{"task", "tasks and a taskwait after each step", Needs::OpenMP},
     None, tasks, plain, tasksWithWaits, plain},
    {{"taskloop", "taskloop, first touch by the same", Needs::OpenMP},
     None, taskLoop, atOnce, taskLoop, atOnce},
#ifdef KASTORS_TASKLOOP_CLAUSE
    {{"taskloop_data", "taskloop affinity(data: block); strict first touch by the owner", Needs::Clause},
     Grid, tasks, strictThread, taskLoopOnData, atOnce},
#endif
    {{"taskdep", "tasks with dependences, first touch too", Needs::OpenMP},
     None, tasks, dependent, tasks, dependent},
    {{"taskdep_inferred", "tasks with dependences; first touch by the owner", Needs::OpenMP},
     Grid, owners, atOnce, tasks, dependent},
    {{"taskdep_standard", "affinity(list) of OpenMP 5; first touch by the owner", Needs::OpenMP},
     Grid, owners, atOnce, tasks, listed},
    {{"taskdep_affinity", "affinity(thread: owner, strict), first touch too", Needs::Clause, Strict},
     Grid, tasks, strictThread, tasks, strictThread},
    {{"taskdep_affinity_nonstrict", "affinity(thread: owner); strict first touch", Needs::Clause},
     Grid, tasks, strictThread, tasks, threadHint},
    {{"taskdep_affinity_data", "affinity(data: block); strict first touch by the owner", Needs::Clause},
     Grid, tasks, strictThread, tasks, dataHint},
    {{"taskdep_affinity_cyclic", "affinity(data: block); first touch node after node", Needs::Clause},
     None, tasks, nextNode, tasks, dataHint},
    {{"taskdep_call", "thread, strict, by omp_set_task_affinity, first touch too", Needs::Affinity, Strict},
     Grid, tasks, calledThread, tasks, calledThread},
    {{"taskdep_call_data", "data by omp_set_task_affinity; strict first touch by the owner", Needs::Affinity},
     Grid, tasks, calledThread, tasks, calledData},
};
// clang-format on
