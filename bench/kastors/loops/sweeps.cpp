//===-- sweeps.cpp - All ways to go over blocks in a loop -----------------===//

#include "sweeps.h"

using namespace kastors;

void kastors::runSweeps(const LoopVariant &Variant,
                        const std::function<void()> &Work) {
  if (Variant.Regions) {
    Work();
    return;
  }
#pragma omp parallel
#pragma omp single
  Work();
}

//===-- Sweeps ------------------------------------------------------------===//

static void oneThread(const BlockRow &Row, const BlockWork &Work) {
  for (size_t Block = 0; Block < Row.Count; ++Block)
    Row.run(Work, Block);
}

static void staticLoop(const BlockRow &Row, const BlockWork &Work) {
#pragma omp parallel for schedule(static)
  for (size_t Block = 0; Block < Row.Count; ++Block)
    Row.run(Work, Block);
}

/// Each thread touches eight blocks in turn: no part of the loop lies together.
static void inTurns(const BlockRow &Row, const BlockWork &Work) {
#pragma omp parallel for schedule(static, 8)
  for (size_t Block = 0; Block < Row.Count; ++Block)
    Row.run(Work, Block);
}

static void taskLoop(const BlockRow &Row, const BlockWork &Work) {
#pragma omp taskloop shared(Row, Work)
  for (size_t Block = 0; Block < Row.Count; ++Block)
    Row.run(Work, Block);
}

static void regionOfTaskLoop(const BlockRow &Row, const BlockWork &Work) {
#pragma omp parallel
#pragma omp single
  taskLoop(Row, Work);
}

#ifdef KASTORS_TASKLOOP_CLAUSE
static void onData(const BlockRow &Row, const BlockWork &Work) {
  char *Base = Row.Base;
  const size_t Stride = Row.Stride;
#pragma omp taskloop shared(Row, Work)                                         \
    affinity(data : Base[Block * Stride : Stride])
  for (size_t Block = 0; Block < Row.Count; ++Block)
    Row.run(Work, Block);
}

static void strictlyOnData(const BlockRow &Row, const BlockWork &Work) {
  char *Base = Row.Base;
  const size_t Stride = Row.Stride;
#pragma omp taskloop shared(Row, Work)                                         \
    affinity(data : Base[Block * Stride : Stride], strict)
  for (size_t Block = 0; Block < Row.Count; ++Block)
    Row.run(Work, Block);
}
#endif

//===-- The table ---------------------------------------------------------===//

// clang-format off
static constexpr bool Regions = true;

// Name, summary, needs; regions; first touch; computing.
const std::vector<LoopVariant> kastors::LoopVariants = {
    {{"seq", "sequential", Needs::Nothing},
     Regions, oneThread, oneThread},
    {{"for", "worksharing loops, first touch by such a loop", Needs::OpenMP},
     Regions, staticLoop, staticLoop},
    {{"taskloop", "taskloops, first touch by such a loop", Needs::OpenMP},
     false, regionOfTaskLoop, taskLoop},
    {{"taskloop_for", "taskloops, first touch by a worksharing loop", Needs::OpenMP},
     false, staticLoop, taskLoop},
    {{"taskloop_turns", "taskloops, first touch by the threads in turn", Needs::OpenMP},
     false, inTurns, taskLoop},
#ifdef KASTORS_TASKLOOP_CLAUSE
    {{"taskloop_data", "affinity(data: block), first touch by a worksharing loop", Needs::Clause},
     false, staticLoop, onData},
    {{"taskloop_data_turns", "affinity(data: block), first touch by the threads in turn", Needs::Clause},
     false, inTurns, onData},
    {{"taskloop_data_strict", "affinity(data: block, strict), the same first touch", Needs::Clause},
     false, inTurns, strictlyOnData},
#endif
};
// clang-format on

const std::vector<VariantInfo> &kastors::loopVariantInfos() {
  static const std::vector<VariantInfo> Infos = [] {
    std::vector<VariantInfo> All;
    for (const LoopVariant &Variant : LoopVariants)
      All.push_back(Variant.Info);
    return All;
  }();
  return Infos;
}
