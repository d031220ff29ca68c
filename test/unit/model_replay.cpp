//===- model_replay.cpp - All interleavings of a graph's runs ---*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// replay/graph.h itself: thread 0 begins each run and waits for its end, and
// all threads end tasks. The graph runs twice, then thread 0 frees it: counters
// that are not reset, a task that is ready too early or twice, and a use of the
// graph behind its end show.
//
//===----------------------------------------------------------------------===//

#include "model.h"

#define std simulated
#include "locus/replay/graph.h"
#undef std

using namespace locus;
using namespace locus::test;

namespace locus {
/// Makes graphs without recording: its friend.
class Recorder {
public:
  static void build(Graph &G, uint32_t NumNodes, GraphNode **Roots,
                    uint32_t NumRoots, uint32_t NumLeaves) {
    G.NumNodes = NumNodes;
    G.Roots = Roots;
    G.NumRoots = NumRoots;
    G.NumLeaves = NumLeaves;
    G.Left.store(NumLeaves, simulated::memory_order_relaxed);
  }
};
} // namespace locus

namespace {

constexpr int MostNodes = 5;
constexpr int Runs = 2;

/// Steps::After[I] are the numbers of those that follow node I; each is run by
/// the thread that Steps::RunBy says.
template <class Steps, int NumThreads>
struct Again : rl::test_suite<Again<Steps, NumThreads>, NumThreads> {
  struct Job : GraphNode {
    GraphNode *Room[MostNodes];
    rl::var<int> Output;
    rl::atomic<int> IsReady; ///< the run that it is ready for
  };
  alignas(Graph) char Memory[sizeof(Graph)];
  alignas(Job) char JobMemory[MostNodes * sizeof(Job)];
  Graph *G;
  Job *Jobs;
  GraphNode *Roots[MostNodes];
  rl::atomic<int> Over; ///< the last run that is over: libomp's counters
  rl::var<int> IsAlive; ///< of the graph

  void before() {
    simulated::Watched.reset();
    G = new (Memory) Graph();
    Jobs = reinterpret_cast<Job *>(JobMemory);
    for (int I = 0; I < MostNodes; ++I)
      new (Jobs + I) Job();
    uint32_t Number = 0, NumRoots = 0, NumLeaves = 0;
    while (Steps::RunBy[Number])
      ++Number;
    for (uint32_t I = 0; I < Number; ++I) {
      Job &J = Jobs[I];
      J.Output($) = 0;
      J.IsReady.store(0, rl::mo_relaxed, $);
      J.After = J.Room;
      for (const char *At = Steps::After[I]; *At; ++At) {
        J.Room[J.NumAfter++] = &Jobs[*At - '0'];
        ++Jobs[*At - '0'].NumBefore;
      }
      NumLeaves += J.NumAfter == 0;
    }
    for (uint32_t I = 0; I < Number; ++I) {
      Jobs[I].Pending.store(Jobs[I].NumBefore, simulated::memory_order_relaxed);
      if (Jobs[I].NumBefore == 0)
        Roots[NumRoots++] = &Jobs[I];
    }
    Recorder::build(*G, Number, Roots, NumRoots, NumLeaves);
    IsAlive($) = 1;
    Over.store(0, rl::mo_relaxed, $);
  }

  void isReady(GraphNode &N, int Run) {
    Job &J = static_cast<Job &>(N);
    RL_ASSERT(J.IsReady.load(rl::mo_relaxed, $) == Run - 1);
    J.IsReady.store(Run, rl::mo_release, $);
  }

  /// What thread \p Self does of a run.
  void work(unsigned Self, int Run) {
    uint32_t NumLast = 0;
    for (int I = 0; Steps::RunBy[I]; ++I) {
      if (unsigned(Steps::RunBy[I] - '0') != Self)
        continue;
      Job &J = Jobs[I];
      while (J.IsReady.load(rl::mo_acquire, $) != Run)
        rl::yield(1, $);
      for (int F = 0; Steps::RunBy[F]; ++F)
        for (const char *At = Steps::After[F]; *At; ++At)
          if (*At - '0' == I)
            RL_ASSERT(int(Jobs[F].Output($)) == Run);
      RL_ASSERT(int(IsAlive($)) == 1);
      J.Output($) = Run;
      G->end(J, NumLast, [&](GraphNode &N) { isReady(N, Run); });
    }
    if (NumLast != 0) {
      RL_ASSERT(int(IsAlive($)) == 1);
      if (G->endLast(NumLast)) {
        RL_ASSERT(Over.load(rl::mo_relaxed, $) == Run - 1);
        Over.store(Run, rl::mo_release, $);
      }
    }
  }

  void thread(unsigned Self) {
    for (int Run = 1; Run <= Runs; ++Run) {
      if (Self == 0) {
        for (uint32_t I = 0; I < G->numRoots(); ++I)
          isReady(G->root(I), Run);
      }
      work(Self, Run);
      if (Self == 0) {
        while (Over.load(rl::mo_acquire, $) != Run)
          rl::yield(1, $);
        for (int I = 0; Steps::RunBy[I]; ++I)
          RL_ASSERT(int(Jobs[I].Output($)) == Run);
      }
    }
    if (Self == 0)
      IsAlive($) = 0; // freed: a race with a use shows
  }

  void after() {
    for (int I = 0; I < MostNodes; ++I)
      Jobs[I].~Job();
    G->~Graph();
    simulated::Watched.end();
  }
};

#define LOCUS_AGAIN(NAME, RUN_BY, ...)                                         \
  struct NAME {                                                                \
    [[maybe_unused]] static constexpr const char *RunBy = RUN_BY;              \
    [[maybe_unused]] static constexpr const char *After[] = {__VA_ARGS__};     \
  }
LOCUS_AGAIN(Chain, "01", "1", "");
LOCUS_AGAIN(Join, "012", "2", "2", "");
LOCUS_AGAIN(Diamond, "0120", "12", "3", "3", "");
LOCUS_AGAIN(Leaves, "012", "12", "", "");
LOCUS_AGAIN(Free, "0011", "", "", "", "");
LOCUS_AGAIN(Grid, "0101", "23", "23", "", "");

TEST(ModelReplayTest, chain) { checkAll<Again<Chain, 2>>(4); }
TEST(ModelReplayTest, join) { checkAll<Again<Join, 3>>(2); }
TEST(ModelReplayTest, diamond) { checkAll<Again<Diamond, 3>>(2); }
TEST(ModelReplayTest, leaves) { checkAll<Again<Leaves, 3>>(2); }
TEST(ModelReplayTest, free) { checkAll<Again<Free, 2>>(4); }
TEST(ModelReplayTest, grid) { checkAll<Again<Grid, 2>>(4); }

#ifdef LOCUS_MUTANTS
LOCUS_MUTANT(ReplayReadyNoRelease, 2, Again<Join, 3>)
LOCUS_MUTANT(ReplayReadyNoAcquire, 2, Again<Join, 3>)
LOCUS_MUTANT(ReplayLeavesNoRelease, 2, Again<Leaves, 3>)
LOCUS_MUTANT(ReplayLeavesNoAcquire, 2, Again<Leaves, 3>)
LOCUS_MUTANT(ReplayNoReset, 2, Again<Join, 3>)
LOCUS_MUTANT(ReplayLeavesNoReset, 2, Again<Leaves, 3>)
#endif

} // namespace
