//===- model_dist_barrier.cpp - All interleavings at a distributed barrier ===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Libomp's distributed barrier with the orders that fixes/0060 gives it. What
// is modelled is __kmp_dist_barrier_gather and __kmp_dist_barrier_release,
// without tasks and sleep. Both faults below were upstream's.
//
//===----------------------------------------------------------------------===//

#include "model.h"
#include <algorithm>

using namespace locus::test;

namespace {

enum class Fault { None, ArrivalIsRelaxed, FenceIsMissing };

/// Threads in groups of two, whose leaders are the even ones. Each writes, and
/// behind the barrier each reads what all have written, \p Rounds times.
template <int NumThreads, int Rounds, Fault Wrong = Fault::None>
struct DistBarrier
    : rl::test_suite<DistBarrier<NumThreads, Rounds, Wrong>, NumThreads> {
  static constexpr int Group = 2, NumIters = 3;
  rl::atomic<unsigned> StillNeed[NumIters][NumThreads];
  rl::atomic<unsigned> Go[(NumThreads + 1) / Group];
  rl::var<int> Data[Rounds][NumThreads], Sum[Rounds];

  void before() {
    for (auto &Iter : StillNeed)
      for (auto &Flag : Iter)
        Flag.store(1, rl::mo_relaxed, $);
    for (auto &Flag : Go)
      Flag.store(0, rl::mo_relaxed, $);
  }

  /// Polls with relaxed loads; one fence is behind them.
  void awaitArrivals(int Iter, int From, int To, int Step) {
    unsigned Pending;
    for (;;) {
      Pending = 0;
      for (int Thread = From; Thread < To; Thread += Step)
        Pending += StillNeed[Iter][Thread].load(rl::mo_relaxed, $);
      if (Pending == 0)
        break;
      rl::yield(1, $);
    }
    if (Wrong != Fault::FenceIsMissing)
      rl::atomic_thread_fence(rl::mo_acquire, $);
  }

  void arrive(int Self, int Iter) {
    StillNeed[(Iter + 1) % NumIters][Self].store(1, rl::mo_relaxed, $);
    StillNeed[Iter][Self].store(
        0, Wrong == Fault::ArrivalIsRelaxed ? rl::mo_relaxed : rl::mo_release,
        $);
  }

  void gather(int Self, int Iter) {
    if (Self % Group != 0)
      return arrive(Self, Iter);
    awaitArrivals(Iter, Self + 1, std::min(Self + Group, NumThreads), 1);
    arrive(Self, Iter);
    awaitArrivals(Iter, 0, NumThreads, Group);
  }

  void release(int Self, unsigned Round) {
    if (Self == 0)
      for (auto &Flag : Go)
        Flag.store(Round + 1, rl::mo_seq_cst, $);
    while (Go[Self / Group].load(rl::mo_acquire, $) != Round + 1)
      rl::yield(1, $);
  }

  void thread(unsigned Thread) {
    const int Self = int(Thread);
    for (int Round = 0; Round < Rounds; ++Round) {
      Data[Round][Self]($) = Self + 1;
      gather(Self, Round % NumIters);
      if (Self == 0) { // as a reduction does
        int All = 0;
        for (auto &Each : Data[Round])
          All += int(Each($));
        Sum[Round]($) = All;
      }
      release(Self, unsigned(Round));
      for (auto &Each : Data[Round])
        RL_ASSERT(int(Each($)) > 0);
      RL_ASSERT(int(Sum[Round]($)) == NumThreads * (NumThreads + 1) / 2);
    }
  }
};

} // namespace

#ifndef LOCUS_MUTANTS

// DistBarrier<threads, rounds>: four rounds use each set of flags, and one
// again.
TEST(ModelDistBarrierTest, twoThreads) { checkAll<DistBarrier<2, 4>>(3); }
TEST(ModelDistBarrierTest, threeThreads) { checkAll<DistBarrier<3, 4>>(1); }
TEST(ModelDistBarrierTest, twoGroups) { checkAll<DistBarrier<4, 1>>(1); }

#else

TEST(ModelMutantTest, distArrivalIsRelaxed) {
  checkFails<DistBarrier<2, 1, Fault::ArrivalIsRelaxed>>(1);
}
TEST(ModelMutantTest, distFenceIsMissing) {
  checkFails<DistBarrier<2, 1, Fault::FenceIsMissing>>(1);
}

#endif
