//===-- variants.cpp - All ways to compute Jacobi on several ranks --------===//

#include "variants.h"
#include "../jacobi/spawn.h"

using namespace kastors;
using namespace kastors::spawn;

static BlockTask taskFor(const RankStrip &J, size_t Step, size_t Row,
                         size_t Column) {
  J.blockWanted();
  return {&J,
          Step,
          Row,
          Column,
          J.stencil(Step, Row, Column),
          J.expect(Row, Column)};
}

/// One thread creates the tasks of all steps, a few steps ahead: where a
/// message is late, the next steps' blocks away from the edge go on.
static void tasks(const RankStrip &J, size_t Begin, size_t End, Spawn Create) {
  constexpr long StepsAhead = 4;
#pragma omp parallel
#pragma omp single
  {
    for (size_t Step = Begin; Step < End; ++Step) {
      J.runUntil(StepsAhead * J.tasksPerStep());
      if (Step > 0)
        J.createMessages(Step);
      for (size_t Row = 0; Row < J.rows(); ++Row)
        for (size_t Column = 0; Column < J.columns(); ++Column)
          Create(taskFor(J, Step, Row, Column));
    }
    J.runUntil(0);
  }
}

/// As programs of MPI and OpenMP mostly are: all exchange, then all compute.
static void inTurns(const RankStrip &J, size_t Begin, size_t End,
                    Spawn Create) {
#pragma omp parallel
  for (size_t Step = Begin; Step < End; ++Step) {
    if (Step > 0) {
#pragma omp single
      J.exchangeRows(Step);
    }
#pragma omp for collapse(2) schedule(static)
    for (size_t Row = 0; Row < J.rows(); ++Row)
      for (size_t Column = 0; Column < J.columns(); ++Column)
        Create(taskFor(J, Step, Row, Column));
  }
}

// clang-format off
static constexpr bool Strict = true, HasNoTasks = false;
static constexpr Mapping None = Mapping::None, Grid = Mapping::Grid;

// Name, summary, needs; mapping; sweep; first touch; computing.
const std::vector<RankVariant> kastors::RankVariants = {
    {{"for", "MPI_Sendrecv, then a worksharing loop, in turns", Needs::OpenMP},
     None, inTurns, atOnce, atOnce, HasNoTasks},
    {{"taskdep", "tasks with dependences on blocks and messages", Needs::OpenMP},
     None, tasks, dependent, dependent},
    {{"taskdep_affinity", "affinity(thread: owner, strict), first touch too", Needs::Clause, Strict},
     Grid, tasks, strictThread, strictThread},
    {{"taskdep_affinity_nonstrict", "affinity(thread: owner); strict first touch", Needs::Clause},
     Grid, tasks, strictThread, threadHint},
    {{"taskdep_affinity_data", "affinity(data: block); strict first touch by the owner", Needs::Clause},
     Grid, tasks, strictThread, dataHint},
    {{"taskdep_call", "thread, strict, by omp_set_task_affinity, first touch too", Needs::Affinity, Strict},
     Grid, tasks, calledThread, calledThread},
};
// clang-format on
