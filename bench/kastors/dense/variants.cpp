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

static void calledThread(TileTask T) {
  setTaskAffinity()(AffinityThread, T.Owner, 1);
#pragma omp task TILES
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
static void strictThread(TileTask T) {
#pragma omp task TILES affinity(thread : T.Owner, strict)
  T.run();
}

static void threadHint(TileTask T) {
#pragma omp task TILES affinity(thread : T.Owner)
  T.run();
}

static void strictData(TileTask T) {
#pragma omp task TILES affinity(data : T.Out[0], strict)
  T.run();
}

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
static constexpr Spawn strictThread = nullptr, threadHint = nullptr,
                       strictData = nullptr, dataHint = nullptr,
                       nextNode = nullptr;
#endif

//===-- The table ---------------------------------------------------------===//

// clang-format off
static constexpr bool Strict = true, Owned = true;

// Name, summary, needs; owned; first touch; computing.
const std::vector<TileVariant> kastors::TileVariants = {
    {{"seq", "sequential, tile by tile", Needs::Nothing},
     false, oneThread, atOnce, atOnce},
    {{"taskdep", "tasks with dependences, first touch too", Needs::OpenMP},
     false, tasks, dependent, dependent},
    {{"taskdep_inferred", "tasks with dependences; first touch thread after thread", Needs::OpenMP},
     false, cyclicThreads, atOnce, dependent},
    {{"taskdep_standard", "affinity(tile) of OpenMP 5; first touch thread after thread", Needs::OpenMP},
     false, cyclicThreads, atOnce, listed},
    {{"taskdep_affinity", "affinity(thread: owner, strict), first touch too", Needs::Clause, Strict},
     Owned, tasks, strictThread, strictThread},
    {{"taskdep_affinity_nonstrict", "affinity(thread: owner); strict first touch", Needs::Clause},
     Owned, tasks, strictThread, threadHint},
    {{"taskdep_affinity_data", "affinity(data: tile); first touch affinity(node: counter++, strict)", Needs::Clause},
     false, tasks, nextNode, dataHint},
    {{"taskdep_affinity_data_strict", "affinity(data: tile, strict); the same first touch", Needs::Clause},
     false, tasks, nextNode, strictData},
    {{"taskdep_call", "thread, strict, by omp_set_task_affinity, first touch too", Needs::Affinity, Strict},
     Owned, tasks, calledThread, calledThread},
    {{"taskdep_call_data", "the first touch and affinity_data by omp_set_task_affinity", Needs::Affinity},
     false, tasks, calledNextNode, calledData},
};
// clang-format on
