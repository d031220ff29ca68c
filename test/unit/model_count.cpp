//===- model_count.cpp - All interleavings of a task's children -----------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// task/child_count.h itself: a task and its children, as kmp/PROOF.md has them.
//
//===----------------------------------------------------------------------===//

#include "model.h"

#define std simulated
#include "locus/task/child_count.h"
#undef std

using namespace locus;
using namespace locus::test;

namespace {

/// Thread 0 runs a task that counts its children in advance, one more than it
/// has, gives that back, and perhaps waits for them. Each of the others is one
/// child. The task ends while children are there: the last one frees it.
template <int NumThreads, bool Waits>
struct Children : rl::test_suite<Children<NumThreads, Waits>, NumThreads> {
  static constexpr int NumChildren = NumThreads - 1;
  struct Counters : AllocatedChildren {
    int32_t incomplete() {
      return int32_t(Word.load(simulated::memory_order_acquire) >> 32);
    }
    /// As libomp counts one that is complete: KMP_ATOMIC_DEC.
    void complete() {
      Word.fetch_sub(uint64_t(1) << 32, simulated::memory_order_acq_rel);
    }
  } Counts;
  rl::atomic<int> Began;
  rl::var<int> Memory; ///< of the task: written by who frees it
  rl::var<int> Output[NumThreads];
  int Freed = 0; // of the checker, not of the program

  void before() { Began.store(0, rl::mo_relaxed, $); }

  void free() {
    Memory($) = 2;
    RL_ASSERT(++Freed == 1);
  }

  void thread(unsigned Self) {
    if (Self != 0) {
      while (!Began.load(rl::mo_acquire, $))
        rl::yield(1, $);
      RL_ASSERT(int(Memory($)) == 1);
      Output[Self]($) = 1;
      if (Waits)
        Counts.complete();
      if (Waits ? Counts.fetch_sub(1, simulated::memory_order_acq_rel) == 1
                : Counts.addToBoth(-1) == 0)
        free();
      return;
    }
    Counts.begin(1);
    Memory($) = 1;
    Counts.addToBoth(NumChildren + 1);
    Began.store(1, rl::mo_release, $);
    RL_ASSERT(int(Memory($)) == 1);
    Counts.addToBoth(-1);
    if (Waits) {
      while (Counts.incomplete() != 0)
        rl::yield(1, $);
      for (int C = 1; C <= NumChildren; ++C)
        RL_ASSERT(int(Output[C]($)) == 1);
    }
    if (Counts.isItselfAlone() ||
        Counts.fetch_sub(1, simulated::memory_order_acq_rel) == 1)
      free();
  }

  void after() { RL_ASSERT(Freed == 1); }
};

} // namespace

#ifndef LOCUS_MUTANTS

TEST(ModelCountTest, lastFrees) {
  checkAll<Children<2, false>>(4);
  checkAll<Children<3, false>>(2);
}
TEST(ModelCountTest, waits) {
  checkAll<Children<2, true>>(4);
  checkAll<Children<3, true>>(2);
}

#endif
