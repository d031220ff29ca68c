//===- model_deque.cpp - All interleavings of a thread's deque ------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// queue/work_deque.cpp itself: its owner, and thieves. The bounds: what the
// owner does, how many thieves, how often each tries, and how many preemptions,
// stands at each test.
//
//===----------------------------------------------------------------------===//

#include "model.h"

using namespace locus;
using namespace locus::test;

namespace {

/// What a thief takes: the oldest task; that, unless others are at work; half
/// of them; any but the first that the owner has pushed; or half behind that.
enum class Thief {
  TakesOne,
  Hurries,
  TakesHalf,
  LeavesFirst,
  LeavesFirstTakesHalf
};

/// Thread 0 goes through Steps::Of: '+' pushes, '-' pops, '!' is refused by a
/// pop, '<' takes from behind the newest task. Then it pops until its deque is
/// empty, and waits in the barrier. The others try \p Tries times to steal.
/// There are plenty from \p Limit tasks on if it is not 0.
template <class Steps, Thief How, int NumThieves = 1, int Tries = 1,
          uint32_t Limit = 0>
struct Deque : rl::test_suite<Deque<Steps, How, NumThieves, Tries, Limit>,
                              1 + NumThieves> {
  static constexpr int MaxWorks = 4;
  static constexpr bool LeavesFirst = How == Thief::LeavesFirst ||
                                      How == Thief::LeavesFirstTakesHalf,
                        TakesHalf = How == Thief::TakesHalf ||
                                    How == Thief::LeavesFirstTakesHalf;

  simulated::atomic<int32_t> Unfinished{1};
  WorkDeque Tasks;
  CombineSlot Slots[1 + NumThieves];
  Work Works[MaxWorks];
  // Of the checker, not of the program.
  int Pushed = 0, Ran[MaxWorks] = {};

  void before() {
    simulated::Line = {};
    simulated::Watched.reset();
    simulated::Watched.SeesRings = true;
    Tuned.FirstCapacity = 2;
    Tasks.init(-1);
    if (Limit != 0)
      Tasks.limitPlenty(Limit);
  }

  static bool never(const Taker &, Task *) { return false; }
  struct Picky : Taker {
    Task *Other;
  };
  static bool anyOther(const Taker &Who, Task *Candidate) {
    return Candidate != static_cast<const Picky &>(Who).Other;
  }

  void run(Task *Found) {
    RL_ASSERT(Found);
    Work &Mine = Work::of(Found);
    ++Ran[&Mine - Works];
    Mine.Output($) = int(Mine.Input($));
  }

  Outcome pop() {
    const Take Got = Tasks.pop({always});
    RL_ASSERT(Got.Result != Outcome::Refused);
    if (Got.hasTask())
      run(Got.Found);
    return Got.Result;
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
    for (const char *Step = Steps::Of; *Step; ++Step) {
      if (*Step == '+') {
        Works[Pushed].Input($) = Pushed;
        RL_ASSERT(Tasks.push(Works[Pushed++].task()));
      } else if (*Step == '-') {
        pop();
      } else if (*Step == '!') {
        RL_ASSERT(!Tasks.pop({never}).hasTask());
      } else {
        const Picky Who = {{anyOther}, Works[Pushed - 1].task()};
        const Take Got = Tasks.popBehind(Who);
        if (Got.hasTask())
          run(Got.Found);
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
      WorkDeque::Batch More;
      const Picky Who = {
          {LeavesFirst ? anyOther : always, nullptr, &Finished, &Slots[Self]},
          Works[0].task()};
      const Take Got = Tasks.steal(Who, /*ScanAll=*/true, Unfinished,
                                   TakesHalf ? &More : nullptr,
                                   /*MayLeave=*/How == Thief::Hurries);
      if (!Got.hasTask())
        continue;
      RL_ASSERT(!Finished);
      run(Got.Found);
      for (int J = 0; J < More.Count; ++J)
        run(More.Tasks[J]);
      Unfinished.fetch_sub(1);
    }
  }

  void thread(unsigned Self) {
    if (Self == 0)
      own();
    else
      steal(Self);
  }

  void after() {
    RL_ASSERT(Tasks.isValid());
    simulated::Watched.end();
  }
};

/// Thread 0 does no more than its steps; a deque that is empty in the end has
/// not plenty. There are from \p Limit tasks on; \p Before are in it before.
template <class Steps, uint32_t Limit, int Before, int Tries>
struct PlentyEnds : rl::test_suite<PlentyEnds<Steps, Limit, Before, Tries>, 2> {
  simulated::atomic<int32_t> Unfinished{1};
  WorkDeque Tasks;
  CombineSlot Slots[2];
  Work Works[4];

  void before() {
    simulated::Line = {};
    simulated::Watched.reset();
    simulated::Watched.SeesRings = true;
    Tuned.FirstCapacity = 4;
    Tasks.init(-1);
    Tasks.limitPlenty(Limit);
    for (int I = 0; I < Before; ++I)
      RL_ASSERT(Tasks.push(Works[I].task()));
  }

  void thread(unsigned Self) {
    if (Self == 0) {
      int Pushed = Before;
      for (const char *Step = Steps::Of; *Step; ++Step)
        if (*Step == '+')
          RL_ASSERT(Tasks.push(Works[Pushed++].task()));
        else
          Tasks.pop({always});
    } else {
      int Finished = 0;
      for (int I = 0; I < Tries; ++I)
        if (!Tasks
                 .steal({always, nullptr, &Finished, &Slots[Self]}, true,
                        Unfinished)
                 .hasTask())
          Tasks.starve();
    }
  }

  void after() {
    RL_ASSERT(Tasks.isValid());
    RL_ASSERT(Tasks.sizeForOwner() != 0 || Tasks.inPlaceDepth().load() <= 0);
    simulated::Watched.end();
  }
};

#define LOCUS_STEPS(NAME, STEPS)                                               \
  struct NAME {                                                                \
    [[maybe_unused]] static constexpr const char *Of = STEPS;                  \
  }
LOCUS_STEPS(One, "+");
LOCUS_STEPS(Two, "++");
LOCUS_STEPS(PopPushPop, "++-+-");
LOCUS_STEPS(Three, "+++");
LOCUS_STEPS(Four, "++++");
LOCUS_STEPS(RefusedLast, "+!");
LOCUS_STEPS(RefusedPop, "++!");
LOCUS_STEPS(RefusedAndPush, "+!+");
LOCUS_STEPS(Behind, "++<");
LOCUS_STEPS(ThreeAndBack, "+++---");

[[maybe_unused]] constexpr Thief TakesOne = Thief::TakesOne,
                                 Hurries = Thief::Hurries,
                                 TakesHalf = Thief::TakesHalf,
                                 LeavesFirst = Thief::LeavesFirst,
                                 LeavesFirstTakesHalf =
                                     Thief::LeavesFirstTakesHalf;

} // namespace

// Deque<the owner's steps, what a thief does, thieves, tries of each, limit>.
#ifndef LOCUS_MUTANTS

TEST(ModelDequeTest, lastTask) { checkAll<Deque<One, TakesOne, 1, 2>>(4); }
TEST(ModelDequeTest, twoTasks) { checkAll<Deque<Two, TakesOne, 1, 2>>(4); }
TEST(ModelDequeTest, popAndPush) {
  checkAll<Deque<PopPushPop, TakesOne, 1, 2>>(3);
}
TEST(ModelDequeTest, growth) { checkAll<Deque<Three, TakesOne, 1, 2>>(3); }
TEST(ModelDequeTest, slotsThatAreFreeAgain) {
  checkAll<Deque<Three, TakesOne, 1, 2, 2>>(3);
}
TEST(ModelDequeTest, refused) {
  checkAll<Deque<RefusedLast, TakesOne, 1, 2>>(3);
  checkAll<Deque<RefusedPop, TakesOne, 1, 2>>(3);
  checkAll<Deque<RefusedAndPush, TakesOne, 1, 2>>(3);
}
TEST(ModelDequeTest, behind) { checkAll<Deque<Behind, TakesOne, 1, 2>>(3); }
TEST(ModelDequeTest, half) {
  checkAll<Deque<Three, TakesHalf, 1, 2>>(3);
  checkAll<Deque<Four, TakesHalf, 1, 1>>(3);
  checkAll<Deque<Three, LeavesFirstTakesHalf, 1, 2>>(2);
}
TEST(ModelDequeTest, fromTheMiddle) {
  checkAll<Deque<Two, LeavesFirst, 1, 2>>(3);
  checkAll<Deque<Three, LeavesFirst, 1, 2>>(3);
  checkAll<Deque<PopPushPop, LeavesFirst, 1, 2>>(2);
}
TEST(ModelDequeTest, plentyEndsWithTheThiefsLastTask) {
  checkAll<PlentyEnds<Two, 2, 0, 4>>(3);
}
TEST(ModelDequeTest, plentyEndsWithTheOwnersLastTask) {
  checkAll<PlentyEnds<ThreeAndBack, 4, 1, 2>>(2);
}
TEST(ModelDequeTest, twoThieves) {
  checkAll<Deque<One, TakesOne, 2, 2>>(2);
  checkAll<Deque<Two, TakesOne, 2, 1>>(2);
  checkAll<Deque<Two, Hurries, 2, 1>>(2);
  checkAll<Deque<PopPushPop, TakesHalf, 2, 1>>(1);
  checkAll<Deque<RefusedPop, TakesOne, 2, 1>>(1);
  checkAll<Deque<Behind, TakesOne, 2, 1>>(1);
  checkAll<Deque<Two, LeavesFirst, 2, 1>>(1);
}

#else

LOCUS_MUTANT(popHasNoFence, 3, Deque<One, TakesOne, 1, 2>)
LOCUS_MUTANT(popLooksRelaxed, 3, Deque<One, TakesOne, 1, 2>)
LOCUS_MUTANT(claimHasNoFence, 3, Deque<One, TakesOne, 1, 2>)
LOCUS_MUTANT(claimLooksRelaxed, 3, Deque<One, TakesOne, 1, 2>)
LOCUS_MUTANT(claimIsNotDrawnBack, 3, Deque<One, TakesOne, 1, 2>)
LOCUS_MUTANT(claimIsDrawnBackTooFar, 3, Deque<Three, TakesHalf, 1, 1>)
LOCUS_MUTANT(oldestIsNotClaimed, 3, Deque<One, TakesOne, 1, 2>)
LOCUS_MUTANT(claimIsNotReleased, 3, Deque<Three, LeavesFirst, 1, 2>)
LOCUS_MUTANT(headIsNotReleased, 3, Deque<Three, TakesOne, 1, 2, 2>)
LOCUS_MUTANT(headIsNotAcquired, 3, Deque<Three, TakesOne, 1, 2, 2>)
LOCUS_MUTANT(claimIsNotChecked, 3, Deque<One, TakesOne, 1, 2>)
LOCUS_MUTANT(refusedClaimStays, 3, Deque<One, LeavesFirst, 1, 2>)
LOCUS_MUTANT(halfIsNotClaimed, 3, Deque<Four, TakesHalf, 1, 1>)
LOCUS_MUTANT(lockedPopDoesNotLook, 3, Deque<One, TakesOne, 1, 2>)
LOCUS_MUTANT(lockedPopDoesNotLock, 3, Deque<One, TakesOne, 1, 2>)
LOCUS_MUTANT(refusedPopLeavesTheTail, 1, Deque<RefusedPop, TakesOne, 1, 2>)
LOCUS_MUTANT(popBehindDoesNotLock, 3, Deque<Behind, TakesOne, 1, 2>)
LOCUS_MUTANT(emptyPopLeavesTheTail, 3, Deque<PopPushPop, TakesOne, 1, 2>)
LOCUS_MUTANT(pushDoesNotRelease, 2, Deque<Two, TakesOne, 1, 3>)
LOCUS_MUTANT(stealDoesNotLock, 3, Deque<Two, TakesOne, 2, 1>)
LOCUS_MUTANT(hurriedThiefDoesNotLock, 3, Deque<Two, Hurries, 2, 1>)
LOCUS_MUTANT(growDoesNotLock, 3, Deque<Three, TakesOne, 1, 2>)
LOCUS_MUTANT(finishedThiefDoesNotCount, 3, Deque<One, TakesOne, 1, 2>)
LOCUS_MUTANT(finishedThiefCountsLate, 3, Deque<One, TakesOne, 1, 2>)
LOCUS_MUTANT(halfStaysInTheDeque, 3, Deque<Three, TakesHalf, 1, 2>)
LOCUS_MUTANT(refusedPopDoesNotRelease, 3, Deque<RefusedPop, TakesOne, 1, 2>)
LOCUS_MUTANT(reviewDoesNotLock, 3, PlentyEnds<Two, 2, 0, 4>)
LOCUS_MUTANT(lastTaskLeavesPlenty, 2, PlentyEnds<ThreeAndBack, 4, 1, 1>)

#endif
