//===-- team.cpp - All ways to work on the parts --------------------------===//

#include "team.h"
#include "../common/runtime.h"

#include <omp.h>

using namespace kastors;

PartTask Team::task(const PartWork &Work, size_t Part,
                    const PartVector &Out) const {
  const Pages &Data = Matrix.pages(Part);
  return {&Work,
          Part,
          owner(Part),
          Out.part(Part),
          Layout.begin(Part + 1) - Layout.begin(Part),
          Data.begin(),
          Data.bytes(),
          Meter.expect(Data.begin(), Data.bytes(),
                       Variant.Owned ? static_cast<int>(owner(Part))
                                     : FirstToucher)};
}

void Team::run(const std::function<void()> &Work) const {
  if (Variant.Regions) {
    Work();
    return;
  }
#pragma omp parallel
#pragma omp single
  Work();
}

//===-- Sweeps ------------------------------------------------------------===//

static void oneThread(const Team &T, const PartWork &Work,
                      const PartVector &Out, Spawn Create) {
  for (size_t Part = 0; Part < T.parts(); ++Part)
    Create(T.task(Work, Part, Out));
}

static void staticLoop(const Team &T, const PartWork &Work,
                       const PartVector &Out, Spawn Create) {
#pragma omp parallel for schedule(static)
  for (size_t Part = 0; Part < T.parts(); ++Part)
    Create(T.task(Work, Part, Out));
}

/// Every thread takes its own parts: placement that any compiler can do.
static void owners(const Team &T, const PartWork &Work, const PartVector &Out,
                   Spawn Create) {
#pragma omp parallel
  for (size_t Part = 0; Part < T.parts(); ++Part)
    if (T.owner(Part) == static_cast<unsigned>(omp_get_thread_num()))
      Create(T.task(Work, Part, Out));
}

static void tasks(const Team &T, const PartWork &Work, const PartVector &Out,
                  Spawn Create) {
  oneThread(T, Work, Out, Create);
#pragma omp taskwait
}

/// A loop of tasks, each of some parts side by side.
static void taskLoop(const Team &T, const PartWork &Work, const PartVector &Out,
                     Spawn Create) {
#pragma omp taskloop shared(T, Work, Out)
  for (size_t Part = 0; Part < T.parts(); ++Part)
    Create(T.task(Work, Part, Out));
}

#ifdef KASTORS_TASKLOOP_CLAUSE
/// The same, each task where the parts are that it writes.
static void taskLoopOnData(const Team &T, const PartWork &Work,
                           const PartVector &Out, Spawn Create) {
#pragma omp taskloop shared(T, Work, Out) affinity(data : Out.part(Part))
  for (size_t Part = 0; Part < T.parts(); ++Part)
    Create(T.task(Work, Part, Out));
}
#endif

/// taskLoop, where nobody has opened a region.
static void regionOfTaskLoop(const Team &T, const PartWork &Work,
                             const PartVector &Out, Spawn Create) {
#pragma omp parallel
#pragma omp single
  taskLoop(T, Work, Out, Create);
}

/// tasks, where nobody has opened a region.
static void regionOfTasks(const Team &T, const PartWork &Work,
                          const PartVector &Out, Spawn Create) {
#pragma omp parallel
#pragma omp single
  tasks(T, Work, Out, Create);
}

void Team::init(const PartWork &Work, const PartVector &Out) const {
  Variant.Init(*this, Work, Out, Variant.InitTask);
}

//===-- Spawns ------------------------------------------------------------===//

static void atOnce(PartTask T) { T.run(); }

static void plain(PartTask T) {
#pragma omp task
  T.run();
}

static void dependent(PartTask T) {
#pragma omp task depend(out : *T.Out)
  T.run();
}

/// The clause as OpenMP 5 has it.
static void listed(PartTask T) {
  [[maybe_unused]] double *Out = T.Out; // gcc ignores the clause.
  [[maybe_unused]] const size_t Elements = T.Elements;
#pragma omp task affinity(Out[0 : Elements])
  T.run();
}

static void calledThread(PartTask T) {
  setTaskAffinity()(AffinityThread, T.Owner, 1);
#pragma omp task
  T.run();
}

static void calledData(PartTask T) {
  setTaskAffinity()(AffinityData, reinterpret_cast<uintptr_t>(T.Out), 0);
#pragma omp task
  T.run();
}

#ifdef KASTORS_AFFINITY_CLAUSE
static void strictThread(PartTask T) {
#pragma omp task affinity(thread : T.Owner, strict)
  T.run();
}

static void threadHint(PartTask T) {
#pragma omp task affinity(thread : T.Owner)
  T.run();
}

static void strictData(PartTask T) {
#pragma omp task affinity(data : T.Out, strict)
  T.run();
}

static void dataHint(PartTask T) {
#pragma omp task affinity(data : T.Out)
  T.run();
}

static void strictRows(PartTask T) {
#pragma omp task affinity(data : T.Rows[0 : T.Bytes], strict)
  T.run();
}

static void rowsHint(PartTask T) {
#pragma omp task affinity(data : T.Rows[0 : T.Bytes])
  T.run();
}
#else
// The driver refuses their variants.
static constexpr Spawn strictThread = nullptr, threadHint = nullptr,
                       strictData = nullptr, dataHint = nullptr,
                       strictRows = nullptr, rowsHint = nullptr;
#endif

//===-- The table ---------------------------------------------------------===//

// clang-format off
static constexpr bool Strict = true, Owned = true, Regions = true, Allocated = true;

// Name, summary, needs; owned, regions; first touch; computing; memory.
const std::vector<PartVariant> kastors::PartVariants = {
    {{"seq", "sequential", Needs::Nothing},
     false, Regions, oneThread, atOnce, oneThread, atOnce},
    {{"for", "worksharing loops, first touch by such a loop", Needs::OpenMP},
     false, Regions, staticLoop, atOnce, staticLoop, atOnce},
    {{"task", "tasks, first touch too", Needs::OpenMP},
     false, false, regionOfTasks, plain, tasks, plain},
    {{"taskloop", "taskloops, first touch by such a loop", Needs::OpenMP},
     false, false, regionOfTaskLoop, atOnce, taskLoop, atOnce},
#ifdef KASTORS_TASKLOOP_CLAUSE
    {{"taskloop_data", "taskloops with affinity(data: y[part]); strict first touch by the owner", Needs::Clause},
     Owned, false, regionOfTasks, strictThread, taskLoopOnData, atOnce},
#endif
    {{"task_inferred", "tasks with depend(out: y[part]); first touch by the owner", Needs::OpenMP},
     Owned, false, owners, atOnce, tasks, dependent},
    {{"task_standard", "affinity(y[part]) of OpenMP 5; first touch by the owner", Needs::OpenMP},
     Owned, false, owners, atOnce, tasks, listed},
    {{"task_affinity", "affinity(thread: owner, strict), first touch too", Needs::Clause, Strict},
     Owned, false, regionOfTasks, strictThread, tasks, strictThread},
    {{"task_affinity_nonstrict", "affinity(thread: owner); strict first touch", Needs::Clause},
     Owned, false, regionOfTasks, strictThread, tasks, threadHint},
    {{"task_affinity_data", "affinity(data: y[part]); strict first touch by the owner", Needs::Clause},
     Owned, false, regionOfTasks, strictThread, tasks, dataHint},
    {{"task_affinity_data_strict", "affinity(data: y[part], strict); the same first touch", Needs::Clause},
     Owned, false, regionOfTasks, strictThread, tasks, strictData},
    {{"task_alloc_data", "affinity(data: rows), which omp_alloc has put near their owner; the same strict first", Needs::Clause},
     Owned, false, regionOfTasks, strictRows, tasks, rowsHint, Allocated},
    {{"task_call_data", "data by omp_set_task_affinity; strict first touch by the owner", Needs::Affinity},
     Owned, false, regionOfTasks, calledThread, tasks, calledData},
};
// clang-format on

std::vector<VariantInfo> kastors::partVariantInfos() {
  std::vector<VariantInfo> Infos;
  for (const PartVariant &Variant : PartVariants)
    Infos.push_back(Variant.Info);
  return Infos;
}
