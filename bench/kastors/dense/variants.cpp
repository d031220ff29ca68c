//===-- variants.cpp - All ways to work on tiles --------------------------===//

#include "../common/runtime.h"
#include "tiles.h"

#include <omp.h>

using namespace kastors;

//===-- Sweeps for the first touch ----------------------------------------===//

static void oneThread(TileBenchmark &Program, Spawn Create) {
  for (size_t Index = 0; Index < Program.tiles(); ++Index)
    Create(Program.firstTouch(Index));
}

/// Tile after tile to the next thread: placement that any compiler can do.
static void cyclicThreads(TileBenchmark &Program, Spawn Create) {
#pragma omp parallel for schedule(static, 1)
  for (size_t Index = 0; Index < Program.tiles(); ++Index)
    Create(Program.firstTouch(Index));
}

static void tasks(TileBenchmark &Program, Spawn Create) {
#pragma omp parallel
#pragma omp single
  oneThread(Program, Create);
}

//===-- Spawns ------------------------------------------------------------===//

static void atOnce(TileTask T) { T.run(); }

#define TILES                                                                  \
  depend(in : *T.In[0], *T.In[1]) depend(inout : *T.Out[0], *T.Out[1])

static void dependent(TileTask T) {
#pragma omp task TILES
  T.run();
}

/// The clause as OpenMP 5 has it.
static void listed(TileTask T) {
  [[maybe_unused]] double *Out = T.Out[0]; // gcc ignores the clause.
  [[maybe_unused]] const size_t Elements = T.Order * T.Order;
#pragma omp task TILES affinity(Out[0 : Elements])
  T.run();
}

static void calledData(TileTask T) {
  setTaskAffinity()(AffinityData, reinterpret_cast<uintptr_t>(T.Out[0]), 0);
#pragma omp task TILES
  T.run();
}

/// Tile after tile to the next node.
static void calledNextNode(TileTask T) {
  static unsigned Next = 0;
  setTaskAffinity()(AffinityNode, Next++, 1);
#pragma omp task TILES
  T.run();
}

#ifdef KASTORS_AFFINITY_CLAUSE
static void dataHint(TileTask T) {
#pragma omp task TILES affinity(data : T.Out[0])
  T.run();
}

static void nextNode(TileTask T) {
  static unsigned Next = 0;
#pragma omp task TILES affinity(node : Next++, strict)
  T.run();
}
#else
// The driver refuses their variants.
static constexpr Spawn dataHint = nullptr, nextNode = nullptr;
#endif

//===-- The table ---------------------------------------------------------===//

// clang-format off
// Name, summary, needs; first touch; computing.
const std::vector<TileVariant> kastors::TileVariants = {
    {{"seq", "sequential, tile by tile", Needs::Nothing},
     oneThread, atOnce, atOnce},
    {{"taskdep", "tasks with dependences, first touch too", Needs::OpenMP},
     tasks, dependent, dependent},
    {{"taskdep_inferred", "tasks with dependences; first touch thread after thread", Needs::OpenMP},
     cyclicThreads, atOnce, dependent},
    {{"taskdep_standard", "affinity(tile) of OpenMP 5; first touch thread after thread", Needs::OpenMP},
     cyclicThreads, atOnce, listed},
    {{"taskdep_affinity_data", "affinity(data: tile); first touch affinity(node: counter++, strict)", Needs::Clause},
     tasks, nextNode, dataHint},
    {{"taskdep_call_data", "the same two by omp_set_task_affinity", Needs::Affinity},
     tasks, calledNextNode, calledData},
};
// clang-format on
