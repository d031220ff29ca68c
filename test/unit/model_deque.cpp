//===- model_deque.cpp - All interleavings of a thread's deque ------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// queue/work_deque.cpp itself: its owner, and thieves that ask for tasks or
// publish them themselves. With full fences on both sides, and with the owner's
// left to membarrier(). The bounds: what the owner does, how many thieves, how
// often each tries, and how many preemptions, stands at each test.
//
//===----------------------------------------------------------------------===//

#include "model.h"

using namespace locus;
using namespace locus::test;

namespace {

/// What a thief does that finds nothing published; TakesHalf forces, too.
enum class Thief { Asks, Forces, TakesHalf };
enum class Fences { Full, Asymmetric, Refused };

/// Thread 0 goes through Steps::Of: '+' pushes, '-' pops, '!' is refused by a
/// pop, '<' takes from behind the newest task. Then it pops until its deque is
/// empty, and waits in the barrier. The others try \p Tries times to steal.
template <class Steps, Thief How, Fences Which, int NumThieves = 1,
          int Tries = 1>
struct Deque : rl::test_suite<Deque<Steps, How, Which, NumThieves, Tries>,
                              1 + NumThieves> {
  static constexpr int MaxWorks = 4;

  simulated::atomic<int32_t> Unfinished{1};
  WorkDeque Tasks;
  CombineSlot Slots[1 + NumThieves];
  Work Works[MaxWorks];
  // Of the checker, not of the program.
  int Pushed = 0, Ran[MaxWorks] = {};

  void before() {
    simulated::Line = {};
    simulated::Membarrier.reset(1 + NumThieves);
    simulated::Membarrier.Refused = Which == Fences::Refused;
    AsymmetricFences = Which != Fences::Full;
    Tasks.init(-1, /*FirstCapacity=*/2);
  }

  static bool always(void *, void *) { return true; }
  static bool never(void *, void *) { return false; }
  /// Not the newest one.
  static bool older(void *Self, void *Task) {
    auto &Of = *static_cast<Deque *>(Self);
    return Task != &Of.Works[Of.Pushed - 1];
  }

  void run(void *Task) {
    RL_ASSERT(Task);
    Work &Mine = *static_cast<Work *>(Task);
    ++Ran[&Mine - Works];
    Mine.Output($) = int(Mine.Input($));
  }

  Outcome pop() {
    void *Task = nullptr;
    const Outcome Got = Tasks.pop(always, nullptr, Task);
    RL_ASSERT(Got != Outcome::Refused);
    if (Got == Outcome::Taken)
      run(Task);
    return Got;
  }

  /// As __kmp_execute_tasks_template does, and then the barrier's primary
  /// thread.
  void finish() {
    Unfinished.fetch_sub(1);
    while (Unfinished.load(rl::mo_acquire) != 0)
      rl::yield(1, $);
    for (int I = 0; I < Pushed; ++I) {
      RL_ASSERT(Ran[I] == 1);
      RL_ASSERT(int(Works[I].Output($)) == I);
    }
  }

  void own() {
    void *Task = nullptr;
    for (const char *Step = Steps::Of; *Step; ++Step) {
      if (*Step == '+') {
        Works[Pushed].Input($) = Pushed;
        RL_ASSERT(Tasks.push(&Works[Pushed++]));
      } else if (*Step == '-') {
        pop();
      } else if (*Step == '!') {
        RL_ASSERT(Tasks.pop(never, nullptr, Task) != Outcome::Taken);
      } else if (Tasks.popBehind(older, this, Task) == Outcome::Taken) {
        run(Task);
      }
    }
    while (pop() == Outcome::Taken)
      ;
    RL_ASSERT(Tasks.sizeForOwner() == 0);
    finish();
  }

  void steal(unsigned Self) {
    for (int I = 0; I < Tries; ++I) {
      int Finished = 1;
      void *Task = nullptr;
      const Taker Who = {&Finished, always, nullptr, &Slots[Self]};
      WorkDeque::Batch More;
      if (Tasks.steal(Who, true, Unfinished, Task,
                      How == Thief::TakesHalf ? &More : nullptr) ==
          Outcome::Taken) {
        RL_ASSERT(!Finished);
        run(Task);
        for (int J = 0; J < More.Count; ++J)
          run(More.Tasks[J]);
        Unfinished.fetch_sub(1);
      } else if (How != Thief::Asks) {
        if (Which == Fences::Refused)
          Tasks.request();
        if (Tasks.hasUnpublished())
          Tasks.forcePublish();
      } else {
        Tasks.request();
      }
    }
  }

  void thread(unsigned Self) {
    if (Self == 0)
      own();
    else
      steal(Self);
    simulated::Membarrier.leave();
  }

  void after() {
    RL_ASSERT(Tasks.isValid());
    Tasks.destroy();
    simulated::Membarrier.reset(0);
  }
};

/// Thread 0 does no more than its steps; a deque that is empty in the end has
/// not plenty. There are from \p Limit tasks on, the first \p Published of
/// which are in it before.
template <class Steps, uint32_t Limit, int Published, int Tries>
struct PlentyEnds
    : rl::test_suite<PlentyEnds<Steps, Limit, Published, Tries>, 2> {
  simulated::atomic<int32_t> Unfinished{1};
  WorkDeque Tasks;
  CombineSlot Slots[2];
  int Works[4] = {};

  void before() {
    simulated::Line = {};
    simulated::Membarrier.reset(2);
    AsymmetricFences = false;
    Tasks.init(-1, /*FirstCapacity=*/4);
    Tasks.limitPlenty(Limit);
    for (int I = 0; I < Published; ++I)
      RL_ASSERT(Tasks.push(&Works[I]));
    Tasks.forcePublish();
  }

  static bool always(void *, void *) { return true; }

  void thread(unsigned Self) {
    void *Task;
    if (Self == 0) {
      int Pushed = Published;
      for (const char *Step = Steps::Of; *Step; ++Step)
        if (*Step == '+')
          RL_ASSERT(Tasks.push(&Works[Pushed++]));
        else
          Tasks.pop(always, nullptr, Task);
    } else {
      int Finished = 0;
      for (int I = 0; I < Tries; ++I)
        if (Tasks.steal({&Finished, always, nullptr, &Slots[Self]}, true,
                        Unfinished, Task) != Outcome::Taken)
          Tasks.forcePublish();
    }
    simulated::Membarrier.leave();
  }

  void after() {
    RL_ASSERT(Tasks.isValid());
    RL_ASSERT(Tasks.sizeForOwner() != 0 || !Tasks.plenty().load());
    Tasks.destroy();
    simulated::Membarrier.reset(0);
  }
};

#define LOCUS_STEPS(NAME, STEPS)                                               \
  struct NAME {                                                                \
    [[maybe_unused]] static constexpr const char *Of = STEPS;                  \
  }
LOCUS_STEPS(One, "+");
LOCUS_STEPS(Two, "++");
LOCUS_STEPS(PopPushPop, "++-+-");
LOCUS_STEPS(Grows, "+++");
LOCUS_STEPS(RefusedPop, "++!");
LOCUS_STEPS(Behind, "++<");
LOCUS_STEPS(ThreeAndBack, "+++---");

[[maybe_unused]] constexpr Thief Asks = Thief::Asks, Forces = Thief::Forces,
                                 TakesHalf = Thief::TakesHalf;
constexpr Fences Full = Fences::Full, Asymmetric = Fences::Asymmetric,
                 Refused = Fences::Refused;

} // namespace

// Deque<the owner's steps, what a thief does, fences, thieves, tries of each>.
#ifndef LOCUS_MUTANTS

TEST(ModelDequeTest, lastTask) {
  checkAll<Deque<One, Forces, Full, 1, 2>>(3);
  checkAll<Deque<One, Forces, Asymmetric, 1, 2>>(4);
}
TEST(ModelDequeTest, twoTasks) {
  checkAll<Deque<Two, Forces, Full, 1, 2>>(3);
  checkAll<Deque<Two, Forces, Asymmetric, 1, 2>>(3);
}
TEST(ModelDequeTest, popAndPush) {
  checkAll<Deque<PopPushPop, Forces, Full, 1, 2>>(3);
  checkAll<Deque<PopPushPop, Forces, Asymmetric, 1, 2>>(3);
}
TEST(ModelDequeTest, requests) { checkAll<Deque<Two, Asks, Full, 1, 3>>(3); }
TEST(ModelDequeTest, growth) {
  checkAll<Deque<Grows, Forces, Asymmetric, 1, 2>>(3);
}
TEST(ModelDequeTest, refused) {
  checkAll<Deque<RefusedPop, Forces, Asymmetric, 1, 2>>(3);
}
TEST(ModelDequeTest, behind) {
  checkAll<Deque<Behind, Forces, Asymmetric, 1, 2>>(3);
}
TEST(ModelDequeTest, half) {
  checkAll<Deque<Grows, TakesHalf, Asymmetric, 1, 2>>(3);
}
TEST(ModelDequeTest, plentyEndsWithTheThiefsLastTask) {
  checkAll<PlentyEnds<Two, 2, 0, 4>>(3);
}
TEST(ModelDequeTest, plentyEndsWithTheOwnersLastTask) {
  checkAll<PlentyEnds<ThreeAndBack, 4, 1, 2>>(2);
}
TEST(ModelDequeTest, membarrierIsRefused) {
  checkAll<Deque<Two, Forces, Refused, 1, 3>>(2);
  checkAll<Deque<PopPushPop, Forces, Refused, 1, 3>>(2);
}
TEST(ModelDequeTest, twoThieves) {
  checkAll<Deque<One, Forces, Asymmetric, 2, 2>>(2);
}

#else

LOCUS_MUTANT(ownerHasNoFence, 3, Deque<Two, Forces, Full, 1, 2>)
LOCUS_MUTANT(forceHasNoFence, 3, Deque<Two, Forces, Asymmetric, 1, 2>)
LOCUS_MUTANT(forceIgnoresTheRefusal, 3, Deque<Two, Forces, Refused, 1, 2>)
LOCUS_MUTANT(forceTrustsTheOwnersFence, 3,
             Deque<PopPushPop, Forces, Refused, 1, 3>)
LOCUS_MUTANT(forceIgnoresTheClaim, 3, Deque<Two, Forces, Asymmetric, 1, 2>)
LOCUS_MUTANT(claimIsNotChecked, 3, Deque<One, Forces, Asymmetric, 1, 2>)
// A thief draws Split back while the owner waits for the lock: the task that
// the owner has pushed in between must not be lost.
LOCUS_MUTANT(popPublishedGoesBySplit, 3,
             Deque<PopPushPop, Forces, Asymmetric, 1, 2>)
LOCUS_MUTANT(pushDoesNotRelease, 2, Deque<Two, Forces, Full, 1, 3>)
LOCUS_MUTANT(forceDoesNotAcquire, 2, Deque<PopPushPop, Forces, Full, 1, 3>)
LOCUS_MUTANT(stealDoesNotLock, 3, Deque<Two, Forces, Asymmetric, 1, 2>)
LOCUS_MUTANT(growDoesNotLock, 3, Deque<Grows, Forces, Asymmetric, 1, 2>)
LOCUS_MUTANT(finishedThiefDoesNotCount, 3, Deque<One, Forces, Asymmetric, 1, 2>)
LOCUS_MUTANT(halfStaysInTheDeque, 3, Deque<Grows, TakesHalf, Asymmetric, 1, 2>)
LOCUS_MUTANT(behindKeepsTheSplit, 3, Deque<Behind, Forces, Asymmetric, 1, 2>)
LOCUS_MUTANT(announceDoesNotLock, 3, PlentyEnds<Two, 2, 0, 4>)
LOCUS_MUTANT(lastTaskLeavesPlenty, 2, PlentyEnds<ThreeAndBack, 4, 1, 1>)

#endif
