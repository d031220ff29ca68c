//===- model_barrier.cpp - All interleavings of queue and barrier ---------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The queue's own source (see model.h); what libomp does around it is
// modelled here, each step named after its original. The bounds: how many
// threads, tasks and queues, and how many preemptions, stands at each test.
//
//===----------------------------------------------------------------------===//

#include "model.h"

using namespace locus;
using namespace locus::test;

namespace {

//===----------------------------------------------------------------------===//
// Barrier accounting, rules 1 to 4
//===----------------------------------------------------------------------===//

/// Thread 0 is the primary thread: it pushes tasks, and opens the barrier. The
/// others come idle, try to take \p Tries times, and are gone.
template <int NumThreads, int NumQueues, int NumTasks, int NumChildren,
          int Tries>
struct Barrier
    : rl::test_suite<
          Barrier<NumThreads, NumQueues, NumTasks, NumChildren, Tries>,
          NumThreads> {
  static constexpr int NumWorks = NumTasks + NumChildren;
  simulated::atomic<int32_t> Unfinished{NumThreads};
  TeamCounters Counters;
  TaskQueue Queues[NumQueues];
  Work Works[NumWorks];
  int Ran = 0, Created = 0, Running = 0; // of the checker, not of the program

  void before() {
    Counters.Unfinished = &Unfinished;
    for (TaskQueue &Queue : Queues)
      Queue.init(&Counters, 0);
  }

  void create(int Number) {
    ++Created;
    Works[Number].Input($) = 40 + Number;
    Queues[Number % NumQueues].push(Works[Number].task());
  }

  /// As __kmp_execute_tasks_template does: what it finds, it runs.
  bool runOne(int Self, int &Finished) {
    for (int I = 0; I < NumQueues; ++I) {
      TaskQueue &Queue = Queues[(I + Self) % NumQueues];
      const Take Found = Queue.take(Self ? End::Oldest : End::Newest,
                                    {always, nullptr, &Finished});
      RL_ASSERT(Found.Result != Outcome::Refused);
      if (!Found.hasTask())
        continue;
      RL_ASSERT(!Finished);
      ++Running;
      Work &Mine = Work::of(Found.Found);
      Mine.Output($) = int(Mine.Input($)) + 1;
      if (&Mine == &Works[0])
        for (int C = 0; C < NumChildren; ++C)
          create(NumTasks + C);
      ++Ran;
      --Running;
      return true;
    }
    return false;
  }

  void finish(int &Finished) {
    if (Finished)
      return;
    Finished = 1;
    Unfinished.fetch_sub(1); // KMP_ATOMIC_DEC
  }

  void thread(unsigned Self) {
    int Finished = 0;
    if (Self != 0) {
      for (int Try = 0; Try < Tries; ++Try)
        if (!runOne(int(Self), Finished))
          finish(Finished);
      finish(Finished);
      return;
    }
    for (int I = 0; I < NumTasks; ++I)
      create(I);
    for (;;) {
      if (runOne(0, Finished))
        continue;
      finish(Finished);
      if (Unfinished.load(rl::mo_acquire) == 0)
        break;
      rl::yield(1, $);
    }
    // The barrier opens.
    RL_ASSERT(Running == 0);
    RL_ASSERT(Ran == NumWorks);
    RL_ASSERT(Created == NumWorks);
    for (TaskQueue &Queue : Queues)
      RL_ASSERT(Queue.size() == 0);
    RL_ASSERT(Counters.NonEmpty.load(rl::mo_relaxed) == 0);
    for (int I = 0; I < NumWorks; ++I)
      RL_ASSERT(int(Works[I].Output($)) == 41 + I);
  }

  void after() {
    for (TaskQueue &Queue : Queues)
      RL_ASSERT(Queue.isValid());
  }
};

} // namespace

//===----------------------------------------------------------------------===//
// The source as it is
//===----------------------------------------------------------------------===//

#ifndef LOCUS_MUTANTS

// Barrier<threads, queues, tasks, children of the first, tries of a worker>.
TEST(ModelBarrierTest, oneTask) { checkAll<Barrier<2, 1, 1, 0, 2>>(5); }
TEST(ModelBarrierTest, twoTasks) { checkAll<Barrier<2, 1, 2, 0, 2>>(4); }
TEST(ModelBarrierTest, twoQueues) { checkAll<Barrier<2, 2, 2, 0, 2>>(3); }
TEST(ModelBarrierTest, child) { checkAll<Barrier<2, 1, 1, 1, 2>>(4); }
TEST(ModelBarrierTest, threeThreads) { checkAll<Barrier<3, 1, 2, 0, 2>>(2); }
TEST(ModelBarrierTest, threeThreadsAndChild) {
  checkAll<Barrier<3, 1, 1, 1, 1>>(2);
}

#else

//===----------------------------------------------------------------------===//
// The source with one fault each: the checker must notice
//===----------------------------------------------------------------------===//

TEST(ModelMutantTest, allAreInTheSource) {
  EXPECT_STREQ(MissingMutants, "") << "adapt test/unit/mutate to the source";
}

TEST(ModelMutantTest, noneIsFine) {
  checkAll<Barrier<2, 1, 2, 0, 2>>(3);
  checkAll<Barrier<3, 1, 1, 1, 1>>(2);
}

// Each with a test that passes above.
LOCUS_MUTANT(pushDoesNotCount, 3, Barrier<2, 1, 1, 0, 2>)
LOCUS_MUTANT(pushCountsUnlocked, 2, Barrier<3, 1, 1, 1, 1>)
LOCUS_MUTANT(finishedTakerDoesNotCount, 3, Barrier<2, 1, 2, 0, 2>)
LOCUS_MUTANT(finishedTakerKeepsItsMark, 3, Barrier<2, 1, 2, 0, 2>)
LOCUS_MUTANT(lastTaskLeavesTheQueueCounted, 3, Barrier<2, 1, 1, 0, 2>)
LOCUS_MUTANT(finishedTakerOfTheLastTaskUncounts, 3, Barrier<2, 1, 1, 0, 2>)
LOCUS_MUTANT(takeCountsUnlocked, 3, Barrier<2, 1, 2, 0, 2>)
LOCUS_MUTANT(lockDoesNotAcquire, 3, Barrier<2, 1, 1, 0, 2>)
LOCUS_MUTANT(unlockDoesNotRelease, 3, Barrier<2, 1, 1, 0, 2>)
LOCUS_MUTANT(lockIsNotAtomic, 3, Barrier<2, 1, 2, 0, 2>)
LOCUS_MUTANT(secondLookAtTheCountIsMissing, 3, Barrier<2, 1, 1, 0, 2>)

#endif
