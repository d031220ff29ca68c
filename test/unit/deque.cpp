//===- deque.cpp - Tests of a thread's own tasks --------------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "deque_pair.h"
#include "support.h"

#include <functional>
#include <gtest/gtest.h>
#include <memory>
#include <random>
#include <thread>
#include <utility>
#include <vector>

using namespace locus;
using namespace locus::test;

namespace {

bool never(const Taker &, Task *) { return false; }
bool even(const Taker &, Task *T) { return numberOf(T) % 2 == 0; }
bool odd(const Taker &, Task *T) { return numberOf(T) % 2 == 1; }

struct Picky : Taker {
  int Refused; ///< divides those that it may not run; 0: none
};
bool picky(const Taker &Who, Task *T) {
  const int Refused = static_cast<const Picky &>(Who).Refused;
  return Refused == 0 || numberOf(T) % Refused != 0;
}

TEST(DequeTest, smoke) {
  Pair P;
  EXPECT_EQ(P.pop(), 0);
  EXPECT_EQ(P.steal(), 0);
  P.push(1, 1);
  EXPECT_EQ(P.Deque.sizeForOwner(), 1u);
  EXPECT_EQ(P.pop(), 1);
  EXPECT_EQ(P.pop(), 0);
  EXPECT_EQ(P.Deque.sizeForOwner(), 0u);
}

TEST(DequeTest, ownerTakesTheNewest) {
  Pair P;
  P.push(1, 1000); // through several sizes
  for (int I = 1000; I >= 1; --I)
    ASSERT_EQ(P.pop(), I);
  EXPECT_EQ(P.pop(), 0);
}

TEST(DequeTest, thievesTakeTheOldest) {
  Pair P;
  for (int Round = 0; Round < 3; ++Round) { // the window moves on
    P.push(1, 8);
    for (int I = 1; I <= 4; ++I) {
      EXPECT_EQ(P.steal(), I);
      EXPECT_EQ(P.pop(), 9 - I);
    }
    EXPECT_EQ(P.steal(), 0);
    EXPECT_EQ(P.pop(), 0);
  }
}

TEST(DequeTest, aTripTakesHalf) {
  using Tasks = std::vector<int>;
  Pair P;
  EXPECT_EQ(P.stealSome(), Tasks());
  P.push(1, 20);
  EXPECT_EQ(P.stealSome(), (Tasks{1, 2, 3, 4, 5, 6, 7, 8})); // and no more
  EXPECT_EQ(P.stealSome(), (Tasks{9, 10, 11, 12, 13, 14}));
  EXPECT_EQ(P.stealSome(), (Tasks{15, 16, 17}));
  // Behind a task that it may not run it takes one.
  EXPECT_EQ(
      P.stealSome([](const Taker &, Task *T) { return numberOf(T) != 18; }),
      Tasks{19});
  P.Finished = 1;
  EXPECT_EQ(P.stealSome(), Tasks{18});
  EXPECT_EQ(P.Finished, 0);
  EXPECT_EQ(P.Unfinished, 2);
  P.push(21, 22);
  EXPECT_EQ(P.pop(), 22);
  EXPECT_EQ(P.stealSome(), Tasks{20});
  EXPECT_EQ(P.pop(), 21);
  EXPECT_EQ(P.stealSome(), Tasks());
  EXPECT_EQ(P.pop(), 0);
}

TEST(DequeTest, roomForATrip) {
  Pair P(16);
  ASSERT_TRUE(P.Deque.makeRoom());
  for (int Round = 1; Round <= 10; ++Round) {
    P.push(1, BatchRoom);
    ASSERT_TRUE(P.Deque.makeRoom());
  }
  EXPECT_EQ(P.Deque.sizeForOwner(), 10u * unsigned(BatchRoom));
}

TEST(DequeTest, lastTaskIsEithersOnce) {
  for (bool OwnerFirst : {true, false}) {
    Pair P;
    P.push(1, 1);
    EXPECT_EQ(OwnerFirst ? P.pop() : P.steal(), 1);
    EXPECT_EQ(P.steal(), 0);
    EXPECT_EQ(P.pop(), 0);
  }
}

TEST(DequeTest, refused) {
  Pair P;
  P.push(1, 4);
  EXPECT_EQ(P.pop(never), -1);
  EXPECT_EQ(P.Deque.sizeForOwner(), 4u);
  EXPECT_EQ(P.steal(never, true), -1);
  EXPECT_EQ(P.steal(even, false), -1);
  EXPECT_EQ(P.steal(even, true), 2);
  EXPECT_EQ(P.steal(), 1);
  EXPECT_EQ(P.steal(even, true), 4);
  EXPECT_EQ(P.steal(), 3);
  EXPECT_EQ(P.Deque.sizeForOwner(), 0u);
}

TEST(DequeTest, growthKeepsTheWindow) {
  Pair P(4);
  // Move the window so that it wraps, then grow with tasks in it.
  P.push(1, 3);
  EXPECT_EQ(P.steal(), 1);
  EXPECT_EQ(P.steal(), 2);
  P.push(4, 20);
  EXPECT_EQ(P.steal(), 3);
  for (int I = 20; I >= 4; --I)
    EXPECT_EQ(P.pop(), I);
}

TEST(DequeTest, roomThatThievesMadeIsUsed) {
  Pair P(4);
  for (int I = 1; I <= 100; ++I) {
    P.push(I, I);
    EXPECT_EQ(P.steal(), I);
  }
  EXPECT_EQ(P.Deque.sizeForOwner(), 0u);
}

TEST(DequeTest, finishedThiefCountsAgain) {
  Pair P;
  P.push(1, 2);
  P.Finished = 1;
  EXPECT_EQ(P.steal(never), -1);
  EXPECT_EQ(P.Unfinished, 1);
  EXPECT_EQ(P.Finished, 1);
  EXPECT_EQ(P.steal(), 1);
  EXPECT_EQ(P.Unfinished, 2);
  EXPECT_EQ(P.Finished, 0);
  EXPECT_EQ(P.steal(), 2);
  EXPECT_EQ(P.Unfinished, 2);
}

TEST(DequeTest, aTaskFromTheMiddleLeavesNoGap) {
  Pair P;
  P.push(1, 5);
  auto Three = [](const Taker &, Task *T) { return numberOf(T) == 3; };
  EXPECT_EQ(P.steal(Three, true), 3);
  EXPECT_EQ(P.pop(), 5);
  EXPECT_EQ(P.steal(), 1);
  EXPECT_EQ(P.pop(), 4);
  EXPECT_EQ(P.pop(), 2);
  EXPECT_EQ(P.steal(), 0);
}

//===----------------------------------------------------------------------===//
// Where owner and thief meet: each stands still in Admit, the other acts
//===----------------------------------------------------------------------===//

/// Runs \p Meanwhile when it is asked about a task, once; then says \p Answer.
struct Paused : Taker {
  std::function<void()> Meanwhile;
  bool Answer;
  mutable bool IsOver = false;

  Paused(bool Answer, std::function<void()> Act, int *Finished = nullptr)
      : Taker{ask, nullptr, Finished}, Meanwhile(std::move(Act)),
        Answer(Answer) {}
  static bool ask(const Taker &Who, Task *) {
    const Paused &Self = static_cast<const Paused &>(Who);
    if (!std::exchange(Self.IsOver, true))
      Self.Meanwhile();
    return Self.Answer;
  }
};

/// The owner pops the last task, which a thief has claimed: it waits for the
/// lock, in which the thief takes the task or leaves it.
TEST(DequeMeetTest, anOwnerMeetsAClaimOfTheLastTask) {
  for (bool Takes : {true, false})
    for (Admits OwnerMay : {always, never}) {
      Pair P;
      P.push(1, 1);
      Take Popped;
      std::thread Owner;
      const Paused Thief(
          Takes,
          [&] {
            Owner = std::thread([&] { Popped = P.Deque.pop({OwnerMay}); });
            // Until the owner has said that it wants the task.
            while (P.Deque.sizeHint() != 0)
              std::this_thread::yield();
          },
          &P.Finished);
      const Take Stolen = P.Deque.steal(Thief, true, P.Unfinished);
      Owner.join();
      const bool Pops = !Takes && OwnerMay == always;
      EXPECT_EQ(Stolen.Result, Takes ? Outcome::Taken : Outcome::Refused);
      EXPECT_EQ(Popped.Result, Pops    ? Outcome::Taken
                               : Takes ? Outcome::Empty
                                       : Outcome::Refused);
      EXPECT_TRUE(P.Deque.isValid());
      EXPECT_EQ(P.Deque.sizeForOwner(), Takes || Pops ? 0u : 1u);
      EXPECT_EQ(P.steal(), Takes || Pops ? 0 : 1);
      P.push(2, 3);
      EXPECT_EQ(P.pop(), 3);
      EXPECT_EQ(P.pop(), 2);
    }
}

TEST(DequeMeetTest, anOwnerThatIsFarFromTheClaimNeedsNoLock) {
  Pair P;
  P.push(1, 3);
  const Paused Thief(
      true,
      [&] {
        const Take Got = P.Deque.pop({always}); // while the thief has the lock
        EXPECT_EQ(numberOf(Got.Found), 3);
      },
      &P.Finished);
  EXPECT_EQ(numberOf(P.Deque.steal(Thief, true, P.Unfinished).Found), 1);
  EXPECT_EQ(P.pop(), 2);
  EXPECT_EQ(P.pop(), 0);
}

/// A thief draws back its claim of a task that the owner has claimed before.
TEST(DequeMeetTest, aThiefDrawsBackWhereTheOwnerIs) {
  for (bool OwnerTakes : {true, false}) {
    Pair P;
    P.push(1, 3);
    const Paused Owner(OwnerTakes, [&] {
      EXPECT_EQ(P.Deque.steal({even, nullptr, &P.Finished}, true, P.Unfinished)
                    .Result,
                Outcome::Taken); // 2
      Picker Nobody([](int) { return false; });
      Taker None = Nobody.taker();
      EXPECT_EQ(P.Deque.steal(None, true, P.Unfinished).Result,
                Outcome::Refused);
      EXPECT_EQ(Nobody.Offered, std::vector<int>{1}); // and not 3
    });
    const Take Got = P.Deque.pop(Owner);
    EXPECT_EQ(Got.Result, OwnerTakes ? Outcome::Taken : Outcome::Refused);
    EXPECT_EQ(numberOf(Got.Found), OwnerTakes ? 3 : 0);
    EXPECT_TRUE(P.Deque.isValid());
    EXPECT_EQ(P.Deque.sizeForOwner(), OwnerTakes ? 1u : 2u);
    if (!OwnerTakes) {
      EXPECT_EQ(P.pop(), 3);
    }
    EXPECT_EQ(P.pop(), 1);
  }
}

TEST(DequeMeetTest, theLastTaskIsTheOwnersIfItIsFirst) {
  Pair P;
  P.push(1, 1);
  const Paused Owner(true, [&] {
    WorkDeque::Batch More;
    EXPECT_EQ(
        P.Deque.steal({always, nullptr, &P.Finished}, true, P.Unfinished, &More)
            .Result,
        Outcome::Empty);
    EXPECT_EQ(More.Count, 0);
  });
  EXPECT_EQ(numberOf(P.Deque.pop(Owner).Found), 1);
  EXPECT_EQ(P.pop(), 0);
}

TEST(DequeMeetTest, aBatchIsHalfOfWhatTheOwnerLeaves) {
  Pair P;
  P.push(1, 8);
  WorkDeque::Batch More;
  const Paused Owner(true, [&] { // wants 8
    const Take Got = P.Deque.steal({always, nullptr, &P.Finished}, true,
                                   P.Unfinished, &More);
    EXPECT_EQ(numberOf(Got.Found), 1);
    EXPECT_EQ(More.Count, 3); // of 2 .. 7
  });
  EXPECT_EQ(numberOf(P.Deque.pop(Owner).Found), 8);
  EXPECT_EQ(numberOf(More.Tasks[2]), 4);
  for (int I : {7, 6, 5, 0})
    EXPECT_EQ(P.pop(), I);
  // No more than the thief wants.
  P.push(1, 8);
  More.Count = 0;
  More.Most = 2;
  EXPECT_EQ(numberOf(P.Deque
                         .steal({always, nullptr, &P.Finished}, true,
                                P.Unfinished, &More)
                         .Found),
            1);
  EXPECT_EQ(More.Count, 2);
  for (int I : {8, 7, 6, 5, 4, 0})
    EXPECT_EQ(P.pop(), I);
  // The owner takes all others while the thief decides on the oldest.
  P.push(1, 4);
  More.Count = 0;
  const Paused Thief(
      true,
      [&] {
        for (int I : {4, 3, 2})
          EXPECT_EQ(numberOf(P.Deque.pop({always}).Found), I);
      },
      &P.Finished);
  EXPECT_EQ(numberOf(P.Deque.steal(Thief, true, P.Unfinished, &More).Found), 1);
  EXPECT_EQ(More.Count, 0);
  EXPECT_EQ(P.pop(), 0);
}

TEST(DequeTest, popBehindTheNewest) {
  Pair P(4);
  EXPECT_EQ(P.popBehind(), 0);
  P.push(1, 6);
  EXPECT_EQ(P.popBehind(never), -1);
  EXPECT_EQ(P.popBehind(odd), 5);
  EXPECT_EQ(P.popBehind(odd), 3);
  EXPECT_EQ(P.steal(even, true), 2);
  EXPECT_EQ(P.popBehind(odd), 1);
  EXPECT_EQ(P.popBehind(odd), -1);
  EXPECT_EQ(P.pop(), 6);
  EXPECT_EQ(P.popBehind(), 4);
  EXPECT_EQ(P.popBehind(), 0);
}

TEST(DequeTest, aThiefThatFindsNothingStarves) {
  Pair P;
  auto Depth = [&] { return P.Deque.inPlaceDepth().load(); };
  P.Deque.starve();
  EXPECT_EQ(Depth(), -1);
  P.Deque.starve();
  EXPECT_EQ(Depth(), -1);
  P.push(1, 1); // no plenty yet from which the owner could learn
  EXPECT_EQ(Depth(), -1);
  EXPECT_EQ(P.pop(), 1);
  P.Deque.limitPlenty(2);
  P.push(1, 2);
  EXPECT_GT(Depth(), 0);
  P.Deque.startOver();
  EXPECT_EQ(Depth(), 0);
  P.Deque.starve();
  EXPECT_EQ(Depth(), -1);
  EXPECT_EQ(P.pop(), 2);
  EXPECT_EQ(P.pop(), 1);
  EXPECT_EQ(P.pop(), 0);
  P.Deque.starve();
  EXPECT_EQ(P.pop(), 0); // says nothing new
  EXPECT_EQ(Depth(), -1);
}

/// Owner and thieves at once: each task is taken once, none is lost. The owner
/// pushes up to \p Most tasks, then pops up to as many. A thief takes one, or
/// \p Several, and refuses each task whose number \p Refused divides.
void stress(int NumThieves, int Tasks, bool Several = false, unsigned Most = 8,
            int Refused = 0) {
  FirstCapacity Capacity(4);
  WorkDeque Deque;
  Deque.init(-1);
  auto Seen = std::make_unique<std::atomic<uint8_t>[]>(size_t(Tasks) + 1);
  std::atomic<int> Total{0};
  std::atomic<bool> Twice{false};
  std::atomic<int32_t> Unfinished{1};
  auto Took = [&](Task *T) {
    if (Seen[size_t(numberOf(T))].fetch_add(1) != 0)
      Twice = true;
    ++Total;
  };
  std::vector<std::thread> Thieves;
  for (int I = 0; I < NumThieves; ++I)
    Thieves.emplace_back([&] {
      int Finished = 0;
      while (Total < Tasks && !Twice) {
        WorkDeque::Batch More;
        Picky Who = {{picky, nullptr, &Finished}, Refused};
        const Take Got =
            Deque.steal(Who, true, Unfinished, Several ? &More : nullptr);
        if (Got.hasTask()) {
          Took(Got.Found);
          for (int J = 0; J < More.Count; ++J)
            Took(More.Tasks[J]);
        } else {
          relax(); // emulated processors may take turns
        }
      }
    });
  std::mt19937 Random(12345);
  const Taker Owner = {always};
  for (int Next = 1; Next <= Tasks && !Twice;) {
    for (unsigned I = Random() % (Most + 1); I > 0 && Next <= Tasks; --I)
      EXPECT_TRUE(Deque.push(task(Next++)));
    for (unsigned I = Random() % (Most + 1); I > 0; --I)
      if (const Take Got = Deque.pop(Owner); Got.hasTask())
        Took(Got.Found);
  }
  while (Total < Tasks && !Twice) {
    if (const Take Got = Deque.pop(Owner); Got.hasTask())
      Took(Got.Found);
    else
      relax();
  }
  for (std::thread &Thief : Thieves)
    Thief.join();
  EXPECT_FALSE(Twice);
  EXPECT_EQ(Total, Tasks);
  EXPECT_TRUE(Deque.isValid());
  EXPECT_EQ(Deque.sizeForOwner(), 0u);
}

TEST(DequeStressTest, oneThief) { stress(1, 100000); }
TEST(DequeStressTest, severalThieves) { stress(3, 100000); }
TEST(DequeStressTest, halves) { stress(3, 100000, true); }
TEST(DequeStressTest, lastTask) { stress(1, 300000, false, 1); }
TEST(DequeStressTest, fromTheMiddle) { stress(2, 100000, false, 8, 3); }
TEST(DequeStressTest, halvesBehindRefused) { stress(3, 100000, true, 8, 5); }

} // namespace
