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

/// What a thief does that finds nothing published; TakesHalf publishes, too,
/// OnlySteals does nothing.
enum class Thief { Asks, Publishes, TakesHalf, OnlySteals };
enum class Fences { Full, Asymmetric, Refused };

/// Thread 0 goes through Steps::Of: '+' pushes, '-' pops, '!' is refused by a
/// pop, '<' takes from behind the newest task, 'o' opens, 'k' opens and keeps
/// the newest task, 'c' closes. Then it pops until its deque is empty, and
/// waits in the barrier. The others try \p Tries times to steal.
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
    Tuned.FirstCapacity = 2;
    Tuned.PushesOpen = 1; // closeInTime() closes at once
    Tasks.init(-1);
  }

  static bool never(const Taker &, Task *) { return false; }
  struct Picky : Taker {
    Task *Newest;
  };
  static bool older(const Taker &Who, Task *Candidate) {
    return Candidate != static_cast<const Picky &>(Who).Newest;
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
      } else if (*Step == 'o' || *Step == 'k') {
        Tasks.open(/*KeepsNewest=*/*Step == 'k');
      } else if (*Step == 'c') {
        Tasks.closeInTime();
        RL_ASSERT(!Tasks.isOpen());
      } else {
        const Picky Who = {{older}, Works[Pushed - 1].task()};
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
      // All of them are admitted, so that who looks behind the oldest sees the
      // same.
      WorkDeque::Batch More;
      const Take Got = Tasks.steal({always, nullptr, &Finished, &Slots[Self]},
                                   How != Thief::OnlySteals, Unfinished,
                                   How == Thief::TakesHalf ? &More : nullptr);
      if (Got.hasTask()) {
        RL_ASSERT(!Finished);
        run(Got.Found);
        for (int J = 0; J < More.Count; ++J)
          run(More.Tasks[J]);
        Unfinished.fetch_sub(1);
      } else if (How == Thief::Publishes || How == Thief::TakesHalf) {
        if (Which == Fences::Refused)
          Tasks.request();
        if (Tasks.hasUnpublished())
          Tasks.publishForOwner();
      } else if (How == Thief::Asks) {
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
  Work Works[4];

  void before() {
    simulated::Line = {};
    simulated::Membarrier.reset(2);
    AsymmetricFences = false;
    Tuned.FirstCapacity = 4;
    Tasks.init(-1);
    Tasks.limitPlenty(Limit);
    for (int I = 0; I < Published; ++I)
      RL_ASSERT(Tasks.push(Works[I].task()));
    Tasks.publishForOwner();
  }

  void thread(unsigned Self) {
    if (Self == 0) {
      int Pushed = Published;
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
          Tasks.publishForOwner();
    }
    simulated::Membarrier.leave();
  }

  void after() {
    RL_ASSERT(Tasks.isValid());
    RL_ASSERT(Tasks.sizeForOwner() != 0 || !Tasks.inPlaceDepth().load());
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
LOCUS_STEPS(OpenTwo, "o++");
LOCUS_STEPS(OpenPopPush, "o++-+-");
LOCUS_STEPS(OpenRefused, "o++!");
LOCUS_STEPS(OpenBehind, "o++<");
LOCUS_STEPS(KeepsNewest, "k++");
LOCUS_STEPS(Opens, "++o-");
LOCUS_STEPS(PopsAndOpens, "+-o+");
LOCUS_STEPS(Closes, "o++c-");
LOCUS_STEPS(ClosesAndOpens, "o+c+o-");

[[maybe_unused]] constexpr Thief Asks = Thief::Asks,
                                 Publishes = Thief::Publishes,
                                 TakesHalf = Thief::TakesHalf,
                                 OnlySteals = Thief::OnlySteals;
constexpr Fences Full = Fences::Full, Asymmetric = Fences::Asymmetric,
                 Refused = Fences::Refused;

} // namespace

// Deque<the owner's steps, what a thief does, fences, thieves, tries of each>.
#ifndef LOCUS_MUTANTS

TEST(ModelDequeTest, lastTask) {
  checkAll<Deque<One, Publishes, Full, 1, 2>>(3);
  checkAll<Deque<One, Publishes, Asymmetric, 1, 2>>(4);
}
TEST(ModelDequeTest, twoTasks) {
  checkAll<Deque<Two, Publishes, Full, 1, 2>>(3);
  checkAll<Deque<Two, Publishes, Asymmetric, 1, 2>>(3);
}
TEST(ModelDequeTest, popAndPush) {
  checkAll<Deque<PopPushPop, Publishes, Full, 1, 2>>(3);
  checkAll<Deque<PopPushPop, Publishes, Asymmetric, 1, 2>>(3);
}
TEST(ModelDequeTest, requests) { checkAll<Deque<Two, Asks, Full, 1, 3>>(3); }
TEST(ModelDequeTest, growth) {
  checkAll<Deque<Grows, Publishes, Asymmetric, 1, 2>>(3);
}
TEST(ModelDequeTest, refused) {
  checkAll<Deque<RefusedPop, Publishes, Asymmetric, 1, 2>>(3);
}
TEST(ModelDequeTest, behind) {
  checkAll<Deque<Behind, Publishes, Asymmetric, 1, 2>>(3);
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
  checkAll<Deque<Two, Publishes, Refused, 1, 3>>(2);
  checkAll<Deque<PopPushPop, Publishes, Refused, 1, 3>>(2);
}
TEST(ModelDequeTest, twoThieves) {
  checkAll<Deque<One, Publishes, Asymmetric, 2, 2>>(2);
}
TEST(ModelDequeTest, open) {
  checkAll<Deque<OpenTwo, OnlySteals, Asymmetric, 1, 2>>(2);
  checkAll<Deque<OpenTwo, OnlySteals, Full, 1, 2>>(2);
  checkAll<Deque<OpenTwo, OnlySteals, Refused, 1, 2>>(2);
  checkAll<Deque<OpenPopPush, OnlySteals, Asymmetric, 1, 2>>(2);
}
TEST(ModelDequeTest, openAndPublished) {
  checkAll<Deque<OpenTwo, Publishes, Asymmetric, 1, 2>>(2);
}
TEST(ModelDequeTest, openAndRefused) {
  checkAll<Deque<OpenRefused, OnlySteals, Asymmetric, 1, 2>>(2);
}
TEST(ModelDequeTest, openBehind) {
  checkAll<Deque<OpenBehind, OnlySteals, Asymmetric, 1, 2>>(2);
}
TEST(ModelDequeTest, keepsNewest) {
  checkAll<Deque<KeepsNewest, OnlySteals, Asymmetric, 1, 2>>(2);
}
TEST(ModelDequeTest, opens) {
  checkAll<Deque<Opens, Publishes, Asymmetric, 1, 2>>(2);
  checkAll<Deque<Opens, Publishes, Refused, 1, 2>>(2);
  checkAll<Deque<PopsAndOpens, Publishes, Asymmetric, 1, 2>>(2);
}
TEST(ModelDequeTest, closes) {
  checkAll<Deque<Closes, OnlySteals, Asymmetric, 1, 2>>(2);
  checkAll<Deque<Closes, Publishes, Asymmetric, 1, 2>>(2);
  checkAll<Deque<Closes, Publishes, Refused, 1, 2>>(2);
  checkAll<Deque<ClosesAndOpens, Publishes, Asymmetric, 1, 2>>(2);
}
TEST(ModelDequeTest, openForTwoThieves) {
  checkAll<Deque<OpenTwo, OnlySteals, Asymmetric, 2, 1>>(1);
  checkAll<Deque<Closes, Publishes, Asymmetric, 2, 1>>(1);
}

#else

LOCUS_MUTANT(openPopHasNoFence, 3, Deque<OpenTwo, OnlySteals, Asymmetric, 1, 2>)
LOCUS_MUTANT(publishHalfHasNoFence, 3,
             Deque<OpenTwo, OnlySteals, Asymmetric, 1, 2>)
LOCUS_MUTANT(publishHalfIgnoresTheClaim, 3,
             Deque<OpenTwo, OnlySteals, Asymmetric, 1, 2>)
LOCUS_MUTANT(publishHalfDoesNotLook, 3,
             Deque<OpenTwo, OnlySteals, Asymmetric, 1, 2>)
LOCUS_MUTANT(openingDoesNotLock, 3,
             Deque<PopsAndOpens, Publishes, Asymmetric, 1, 2>)
LOCUS_MUTANT(closingDoesNotLock, 3, Deque<Closes, OnlySteals, Asymmetric, 1, 2>)
LOCUS_MUTANT(ownerHasNoFence, 3, Deque<Two, Publishes, Full, 1, 2>)
LOCUS_MUTANT(publisherHasNoFence, 3, Deque<Two, Publishes, Asymmetric, 1, 2>)
LOCUS_MUTANT(publisherIgnoresTheRefusal, 3,
             Deque<Two, Publishes, Refused, 1, 2>)
LOCUS_MUTANT(publisherTrustsTheOwnersFence, 3,
             Deque<PopPushPop, Publishes, Refused, 1, 3>)
LOCUS_MUTANT(publisherIgnoresTheClaim, 3,
             Deque<Two, Publishes, Asymmetric, 1, 2>)
LOCUS_MUTANT(claimIsNotChecked, 3, Deque<One, Publishes, Asymmetric, 1, 2>)
// A thief draws Split back while the owner waits for the lock: the task that
// the owner has pushed in between must not be lost.
LOCUS_MUTANT(popPublishedGoesBySplit, 3,
             Deque<PopPushPop, Publishes, Asymmetric, 1, 2>)
LOCUS_MUTANT(pushDoesNotRelease, 2, Deque<Two, Publishes, Full, 1, 3>)
LOCUS_MUTANT(publisherDoesNotAcquire, 2,
             Deque<PopPushPop, Publishes, Full, 1, 3>)
LOCUS_MUTANT(stealDoesNotLock, 3, Deque<Two, Publishes, Asymmetric, 1, 2>)
LOCUS_MUTANT(growDoesNotLock, 3, Deque<Grows, Publishes, Asymmetric, 1, 2>)
LOCUS_MUTANT(finishedThiefDoesNotCount, 3,
             Deque<One, Publishes, Asymmetric, 1, 2>)
LOCUS_MUTANT(halfStaysInTheDeque, 3, Deque<Grows, TakesHalf, Asymmetric, 1, 2>)
LOCUS_MUTANT(behindKeepsTheSplit, 3, Deque<Behind, Publishes, Asymmetric, 1, 2>)
LOCUS_MUTANT(reviewDoesNotLock, 3, PlentyEnds<Two, 2, 0, 4>)
LOCUS_MUTANT(lastTaskLeavesPlenty, 2, PlentyEnds<ThreeAndBack, 4, 1, 1>)

#endif
