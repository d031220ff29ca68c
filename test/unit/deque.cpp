//===- deque.cpp - Tests of a thread's own tasks --------------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "deque_pair.h"
#include "locus/support/fence.h"
#include "support.h"

#include <gtest/gtest.h>
#include <memory>
#include <random>
#include <thread>
#include <vector>

using namespace locus;
using namespace locus::test;

namespace {

bool never(const Taker &, Task *) { return false; }
bool even(const Taker &, Task *T) { return numberOf(T) % 2 == 0; }

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

TEST(DequeTest, thiefSeesNothingUntilItAsks) {
  Pair P;
  P.push(1, 8);
  EXPECT_TRUE(P.Deque.hasUnpublished());
  EXPECT_FALSE(P.Deque.hasPublished());
  EXPECT_EQ(P.steal(), 0);
  P.Deque.request();
  EXPECT_EQ(P.steal(), 0);
  P.push(9, 9); // answers with the older half, rounded up
  for (int I = 1; I <= 5; ++I)
    EXPECT_EQ(P.steal(), I);
  EXPECT_EQ(P.steal(), 0);
  // One request, one answer.
  P.push(10, 10);
  EXPECT_EQ(P.steal(), 0);
  P.Deque.request();
  EXPECT_EQ(P.pop(), 10);
  EXPECT_EQ(P.steal(), 6);
}

TEST(DequeTest, ownerTakesBackHalf) {
  Pair P;
  P.push(1, 8);
  P.Deque.publishForOwner();
  EXPECT_FALSE(P.Deque.hasUnpublished());
  EXPECT_EQ(P.pop(), 8);
  // 5 .. 7 are the owner's now.
  for (int I = 1; I <= 4; ++I)
    EXPECT_EQ(P.steal(), I);
  EXPECT_EQ(P.steal(), 0);
  for (int I = 7; I >= 5; --I)
    EXPECT_EQ(P.pop(), I);
  EXPECT_EQ(P.pop(), 0);
}

TEST(DequeTest, aTripTakesHalf) {
  using Tasks = std::vector<int>;
  Pair P;
  P.push(1, 20);
  EXPECT_EQ(P.stealSome(), Tasks());
  P.Deque.publishForOwner();
  P.push(21, 22);
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
  EXPECT_EQ(P.stealSome(), Tasks{20});
  EXPECT_EQ(P.stealSome(), Tasks());
  EXPECT_EQ(P.pop(), 22);
  EXPECT_EQ(P.pop(), 21);
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
    P.Deque.publishForOwner();
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
  P.Deque.publishForOwner();
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
  // Move the window so that it wraps, then grow with published tasks in it.
  P.push(1, 3);
  P.Deque.publishForOwner();
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
    P.Deque.publishForOwner();
    EXPECT_EQ(P.steal(), I);
  }
  EXPECT_EQ(P.Deque.sizeForOwner(), 0u);
}

TEST(DequeTest, finishedThiefCountsAgain) {
  Pair P;
  P.push(1, 2);
  P.Deque.publishForOwner();
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

TEST(DequeTest, membarrierIsRefused) {
  test::Sandbox Here;
  Pair P, Pops, Pushes;
  for (Pair *Each : {&P, &Pops, &Pushes})
    Each->push(1, 4);
  P.Deque.publishForOwner();
  EXPECT_FALSE(hasAsymmetricFences());
  // Nothing is published, and nothing lost.
  EXPECT_EQ(P.steal(), 0);
  EXPECT_TRUE(P.Deque.hasUnpublished());
  // With its next push or pop the owner answers, and needs no membarrier.
  P.push(5, 5);
  for (int I = 1; I <= 3; ++I)
    EXPECT_EQ(P.steal(), I);
  EXPECT_EQ(P.steal(), 0);
  P.Deque.publishForOwner();
  EXPECT_EQ(P.steal(), 4);
  EXPECT_EQ(P.steal(), 5);
  EXPECT_EQ(P.pop(), 0);
  // So for an owner that had no thief when membarrier was refused.
  Pops.Deque.publishForOwner();
  EXPECT_EQ(Pops.steal(), 0);
  EXPECT_EQ(Pops.pop(), 4);
  EXPECT_EQ(Pops.steal(), 1);
  // By a push it does not need to be asked.
  Pushes.push(5, 5);
  EXPECT_EQ(Pushes.steal(), 0);
  Pushes.Deque.publishForOwner();
  EXPECT_EQ(Pushes.steal(), 1);
  // New ones do not count on it.
  Pair New;
  New.push(1, 1);
  New.Deque.publishForOwner();
  EXPECT_EQ(New.steal(), 1);
}

/// Owner and thieves at once: each task is taken once, none is lost. With
/// \p Opens the deque is open now and then. The owner pushes up to \p Most
/// tasks, then pops up to as many.
void stress(int NumThieves, bool Publish, int Tasks, bool Several = false,
            bool Opens = false, unsigned Most = 8) {
  prepareFences();
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
      int Finished = 0, Idle = 0;
      while (Total < Tasks && !Twice) {
        WorkDeque::Batch More;
        const Take Got = Deque.steal({always, nullptr, &Finished}, true,
                                     Unfinished, Several ? &More : nullptr);
        if (Got.hasTask()) {
          Took(Got.Found);
          for (int J = 0; J < More.Count; ++J)
            Took(More.Tasks[J]);
        } else {
          Deque.request();
          if (Publish && ++Idle % 8 == 0)
            Deque.publishForOwner();
        }
      }
    });
  std::mt19937 Random(12345);
  const Taker Owner = {always};
  for (int Next = 1; Next <= Tasks && !Twice;) {
    if (Opens && Random() % 64 == 0)
      Deque.open(/*KeepsNewest=*/Random() % 2);
    for (unsigned I = Random() % (Most + 1); I > 0 && Next <= Tasks; --I) {
      EXPECT_TRUE(Deque.push(task(Next++)));
      Deque.closeInTime();
    }
    for (unsigned I = Random() % (Most + 1); I > 0; --I)
      if (const Take Got = Deque.pop(Owner); Got.hasTask())
        Took(Got.Found);
  }
  while (Total < Tasks && !Twice)
    if (const Take Got = Deque.pop(Owner); Got.hasTask())
      Took(Got.Found);
  for (std::thread &Thief : Thieves)
    Thief.join();
  EXPECT_FALSE(Twice);
  EXPECT_EQ(Total, Tasks);
  EXPECT_TRUE(Deque.isValid());
  EXPECT_EQ(Deque.sizeForOwner(), 0u);
  Deque.destroy();
}

TEST(DequeStressTest, requests) { stress(1, false, 100000); }
TEST(DequeStressTest, published) { stress(1, true, 100000); }
TEST(DequeStressTest, severalThieves) { stress(3, true, 50000); }
TEST(DequeStressTest, halves) { stress(3, true, 100000, true); }
TEST(DequeStressTest, fullFences) {
  prepareFences();
  bool Before = AsymmetricFences;
  AsymmetricFences = false;
  stress(2, true, 50000);
  AsymmetricFences = Before;
}
TEST(DequeStressTest, opens) { stress(1, false, 100000, false, true); }
TEST(DequeStressTest, opensForSeveral) { stress(3, true, 100000, true, true); }
TEST(DequeStressTest, opensForOneTask) {
  stress(1, false, 300000, false, true, 1);
}
TEST(DequeStressTest, opensWhereMembarrierIsRefused) {
  test::Sandbox Here;
  stress(2, true, 50000, false, true);
}
TEST(DequeStressTest, membarrierIsRefused) {
  test::Sandbox Here;
  stress(2, true, 50000);
}

} // namespace
