//===- deque_open.cpp - Tests of a deque that thieves open themselves -----===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "deque_pair.h"
#include "locus/support/fence.h"

using namespace locus;
using namespace locus::test;

namespace {

using Tasks = std::vector<int>;

bool never(const Taker &, Task *) { return false; }
bool even(const Taker &, Task *T) { return numberOf(T) % 2 == 0; }

TEST(OpenDequeTest, DequesAreClosedAtFirst) {
  Pair P;
  EXPECT_FALSE(P.Deque.isOpen());
  P.push(1, 2);
  EXPECT_EQ(P.steal(), 0);
  P.Deque.open(false);
  EXPECT_TRUE(P.Deque.isOpen());
}

TEST(OpenDequeTest, ThievesSeeEachPushAtOnce) {
  Pair P;
  P.Deque.open(false);
  EXPECT_EQ(P.steal(), 0);
  for (int I = 1; I <= 10; ++I) {
    P.push(I, I);
    EXPECT_EQ(P.steal(), I);
    EXPECT_EQ(P.steal(), 0);
  }
  EXPECT_EQ(P.pop(), 0);
}

TEST(OpenDequeTest, ThievesSeeWhatWasPushedBefore) {
  Pair P;
  P.push(1, 2);
  P.Deque.open(false);
  EXPECT_EQ(P.steal(), 1);
  EXPECT_EQ(P.steal(), 2);
}

TEST(OpenDequeTest, AThiefPublishesTheOlderHalf) {
  Pair P;
  P.Deque.open(false);
  P.push(1, 8);
  EXPECT_FALSE(P.Deque.hasPublished());
  for (int I = 1; I <= 4; ++I) {
    EXPECT_EQ(P.steal(), I);
    EXPECT_EQ(P.Deque.hasPublished(), I < 4);
  }
  EXPECT_EQ(P.pop(), 8);         // the newer ones are its owner's
  for (int I = 5; I <= 7; ++I) { // two of three, then the last
    EXPECT_EQ(P.steal(), I);
    EXPECT_EQ(P.Deque.hasPublished(), I == 5);
  }
  EXPECT_EQ(P.steal(), 0);
  EXPECT_EQ(P.pop(), 0);
}

TEST(OpenDequeTest, WhatIsPublishedGoesFirst) {
  Pair P;
  P.push(1, 2);
  P.Deque.publishForOwner();
  P.push(3, 10);
  P.Deque.open(false);
  EXPECT_EQ(P.steal(), 1);
  EXPECT_TRUE(P.Deque.hasPublished());
  EXPECT_EQ(P.steal(), 2);
  EXPECT_FALSE(P.Deque.hasPublished());
}

TEST(OpenDequeTest, ATripTakesHalfOfWhatItPublishes) {
  Pair P(32);
  P.Deque.open(false);
  P.push(1, 16);
  EXPECT_EQ(P.stealSome(), (Tasks{1, 2, 3, 4}));
  EXPECT_EQ(P.stealSome(), (Tasks{5, 6}));
  EXPECT_EQ(P.stealSome(), Tasks{7});
  EXPECT_EQ(P.stealSome(), Tasks{8});
  EXPECT_EQ(P.stealSome(), (Tasks{9, 10})); // of 9 .. 12
  EXPECT_EQ(P.pop(), 16);
}

TEST(OpenDequeTest, ThievesLeaveTheNewestToItsOwner) {
  Pair P;
  P.Deque.open(/*KeepsNewest=*/true);
  P.push(1, 1);
  EXPECT_EQ(P.steal(), 0);
  P.push(2, 3);
  EXPECT_EQ(P.steal(), 1);
  EXPECT_EQ(P.steal(), 2);
  EXPECT_EQ(P.steal(), 0);
  EXPECT_TRUE(P.Deque.hasUnpublished());
  EXPECT_EQ(P.pop(), 3);
  // The owner has its own.
  P.push(4, 4);
  EXPECT_EQ(P.steal(), 4);
  P.Deque.open(/*KeepsNewest=*/true);
  P.push(5, 5);
  EXPECT_EQ(P.steal(), 0);
  // Until the next call.
  P.Deque.open(/*KeepsNewest=*/false);
  EXPECT_EQ(P.steal(), 5);
}

TEST(OpenDequeTest, ThievesLeaveOnlyOne) {
  Pair P;
  P.Deque.open(/*KeepsNewest=*/true);
  P.push(1, 20);
  for (int I = 1; I <= 19; ++I)
    EXPECT_EQ(P.steal(), I);
  EXPECT_EQ(P.steal(), 0);
  EXPECT_EQ(P.pop(), 20);
  EXPECT_EQ(P.pop(), 0);
}

TEST(OpenDequeTest, PublishingForTheOwnerTakesTheNewestToo) {
  Pair P;
  P.Deque.open(/*KeepsNewest=*/true);
  P.push(1, 1);
  EXPECT_EQ(P.steal(), 0);
  P.Deque.publishForOwner();
  EXPECT_EQ(P.steal(), 1);
}

TEST(OpenDequeTest, ClosesAfterManyPushesThatDoNotWantIt) {
  Pair P;
  P.Deque.closeInTime(); // it is closed
  P.Deque.open(false);
  for (uint32_t I = 1; I < Tuned.PushesOpen; ++I) {
    P.Deque.closeInTime();
    ASSERT_TRUE(P.Deque.isOpen()) << I;
  }
  P.Deque.open(false); // counts anew
  for (uint32_t I = 1; I < Tuned.PushesOpen; ++I) {
    P.Deque.closeInTime();
    ASSERT_TRUE(P.Deque.isOpen()) << I;
  }
  P.Deque.closeInTime();
  EXPECT_FALSE(P.Deque.isOpen());
  P.Deque.open(false);
  P.Deque.closeInTime();
  EXPECT_TRUE(P.Deque.isOpen());
}

/// Opens \p P, and closes it again.
void close(Pair &P) {
  P.Deque.open(false);
  for (uint32_t I = 0; I < Tuned.PushesOpen; ++I)
    P.Deque.closeInTime();
  EXPECT_FALSE(P.Deque.isOpen());
}

TEST(OpenDequeTest, AClosedOneKeepsItsTasksAgain) {
  Pair P;
  P.Deque.open(false);
  P.push(1, 8);
  EXPECT_EQ(P.steal(), 1);
  close(P);
  for (int I = 2; I <= 4; ++I) // were published
    EXPECT_EQ(P.steal(), I);
  EXPECT_EQ(P.steal(), 0);
  EXPECT_FALSE(P.Deque.request());
  EXPECT_TRUE(P.Deque.request()); // asked, and not answered
  P.push(9, 9);
  EXPECT_EQ(P.steal(), 5);
}

TEST(OpenDequeTest, NeedsNoRequests) {
  Pair P;
  P.Deque.open(false);
  P.push(1, 8);
  EXPECT_FALSE(P.Deque.request());
  EXPECT_FALSE(P.Deque.request());
  EXPECT_EQ(P.pop(), 8);
  EXPECT_FALSE(P.Deque.hasPublished()); // there was nothing to answer
  // A request from before is answered all the same.
  Pair Q;
  Q.push(1, 8);
  Q.Deque.request();
  Q.Deque.open(false);
  EXPECT_EQ(Q.pop(), 8);
  EXPECT_TRUE(Q.Deque.hasPublished());
}

TEST(OpenDequeTest, OpensForAThiefThatWaitsForSingleTasks) {
  Pair P;
  P.Deque.request();
  P.push(1, 1); // answers
  EXPECT_TRUE(P.Deque.isOpen());
  EXPECT_EQ(P.steal(), 1);
  for (int Tasks : {1, 2}) {
    Pair Q;
    Q.push(1, Tasks);
    Q.Deque.request();
    EXPECT_EQ(Q.pop(), Tasks);
    EXPECT_EQ(Q.Deque.isOpen(), Tasks == 1);
  }
}

TEST(OpenDequeTest, WhatIsLeftWhenTheOwnerHasItsOwnIsForThieves) {
  Pair P;
  P.Deque.open(/*KeepsNewest=*/true);
  P.push(1, 2);
  EXPECT_EQ(P.pop(), 2);
  EXPECT_EQ(P.steal(), 1);
}

TEST(OpenDequeTest, DemandsOfAnEmptyOneAreNoRequests) {
  Pair P;
  P.Deque.open(true);
  EXPECT_EQ(P.steal(), 0);
  P.Deque.demand();
  P.push(1, 1);
  EXPECT_FALSE(P.Deque.hasPublished());
  EXPECT_EQ(P.pop(), 1);
}

TEST(OpenDequeTest, TheOwnerTakesBackHalf) {
  Pair P;
  P.Deque.open(false);
  P.push(1, 9);
  EXPECT_EQ(P.steal(), 1); // publishes five
  for (int I = 9; I >= 6; --I)
    EXPECT_EQ(P.pop(), I);
  EXPECT_TRUE(P.Deque.hasPublished());
  EXPECT_EQ(P.pop(), 5); // takes one of 2 .. 4 with it
  EXPECT_EQ(P.steal(), 2);
  EXPECT_TRUE(P.Deque.hasPublished());
  EXPECT_EQ(P.steal(), 3);
  EXPECT_EQ(P.steal(), 4);
  EXPECT_EQ(P.pop(), 0);
}

TEST(OpenDequeTest, ARefusedThiefLeavesTheTaskWhereItIs) {
  Pair P;
  P.Deque.open(false);
  P.push(1, 4);
  EXPECT_EQ(P.steal(never, true), -1);
  EXPECT_EQ(P.Deque.sizeForOwner(), 4u);
  EXPECT_EQ(P.steal(even, false), -1);
  EXPECT_EQ(P.steal(even, true), 2);
  EXPECT_EQ(P.steal(even, true), -1); // 1 hides 3 and 4
  P.Deque.publishForOwner();
  EXPECT_EQ(P.steal(even, true), 4);
  EXPECT_EQ(P.steal(), 1);
  EXPECT_EQ(P.steal(), 3);
}

TEST(OpenDequeTest, ARefusedOwnerLeavesAllToThieves) {
  Pair P;
  P.Deque.open(/*KeepsNewest=*/true);
  P.push(1, 3);
  EXPECT_EQ(P.pop(never), -1);
  EXPECT_EQ(P.Deque.sizeForOwner(), 3u);
  for (int I = 1; I <= 3; ++I)
    EXPECT_EQ(P.steal(), I);
  P.push(4, 7);
  EXPECT_EQ(P.steal(), 4);
  EXPECT_EQ(P.popBehind(even), 6);
  EXPECT_EQ(P.popBehind(never), -1);
  EXPECT_EQ(P.pop(), 7);
  EXPECT_EQ(P.steal(), 5); // published with 4, so not the owner's any more
  EXPECT_EQ(P.pop(), 0);
}

TEST(OpenDequeTest, AFinishedThiefCountsAgain) {
  Pair P;
  P.Deque.open(false);
  P.Finished = 1;
  EXPECT_EQ(P.steal(), 0);
  EXPECT_EQ(P.Unfinished, 1);
  P.push(1, 1);
  EXPECT_EQ(P.steal(never), -1);
  EXPECT_EQ(P.Unfinished, 1);
  EXPECT_EQ(P.Finished, 1);
  EXPECT_EQ(P.steal(), 1);
  EXPECT_EQ(P.Unfinished, 2);
  EXPECT_EQ(P.Finished, 0);
}

TEST(OpenDequeTest, AnotherUserFindsItClosed) {
  Pair P;
  P.Deque.open(true);
  P.Deque.init(-1);
  EXPECT_FALSE(P.Deque.isOpen());
  P.push(1, 2);
  EXPECT_EQ(P.steal(), 0);
}

TEST(OpenDequeTest, NeedsNoMembarrier) {
  Sandbox Here;
  Pair P;
  P.Deque.open(false);
  P.push(1, 4);
  EXPECT_EQ(P.steal(), 1);
  P.Deque.publishForOwner();
  EXPECT_EQ(P.steal(), 2);
  EXPECT_EQ(P.steal(), 3);
  EXPECT_EQ(P.steal(), 4);
  EXPECT_TRUE(hasAsymmetricFences()); // nobody has asked the kernel
  P.push(5, 8);
  close(P);
  P.Deque.publishForOwner();
  EXPECT_FALSE(hasAsymmetricFences());
  EXPECT_EQ(P.steal(), 0);
  EXPECT_EQ(P.pop(), 8); // answers
  EXPECT_EQ(P.steal(), 5);
}

//===----------------------------------------------------------------------===//
// Plenty
//===----------------------------------------------------------------------===//

bool hasPlenty(const Pair &P) { return P.Deque.inPlaceDepth().load() != 0; }

/// How many tasks of one creator are plenty; 0 if none are. They are gone then.
int plenty(Pair &P) {
  int Count = 0;
  do
    EXPECT_TRUE(P.Deque.push(task(1), ++Count));
  while (!hasPlenty(P) && Count < 1000);
  const bool Found = hasPlenty(P);
  while (P.pop() > 0)
    ;
  EXPECT_FALSE(hasPlenty(P));
  return Found ? Count : 0;
}

TEST(OpenDequeTest, FewerTasksArePlenty) {
  Pair P;
  P.Deque.limitPlenty(100, 20);
  EXPECT_EQ(plenty(P), 100);
  P.Deque.open(false);
  EXPECT_EQ(plenty(P), 20);
  close(P);
  EXPECT_EQ(plenty(P), 100);
}

TEST(OpenDequeTest, NeverNeedsMoreThanAClosedOne) {
  Pair P;
  P.Deque.open(false);
  P.Deque.limitPlenty(10, 20);
  EXPECT_EQ(plenty(P), 10);
  P.Deque.limitPlenty(10);
  EXPECT_EQ(plenty(P), 10);
  P.Deque.limitPlenty(0, 20);
  EXPECT_EQ(plenty(P), 0);
}

TEST(OpenDequeTest, KeepsAShareOfItsOwnLimit) {
  Pair P;
  P.Deque.limitPlenty(1000, 20);
  P.Deque.open(false);
  for (int I = 1; I <= 20; ++I)
    ASSERT_TRUE(P.Deque.push(task(I), I));
  // There are few below 70 % of it: Tuned.Hysteresis.
  for (int Left = 19; Left >= 14; --Left) {
    EXPECT_GT(P.steal(), 0);
    EXPECT_TRUE(hasPlenty(P)) << Left;
  }
  EXPECT_GT(P.steal(), 0);
  EXPECT_FALSE(hasPlenty(P));
}

TEST(OpenDequeTest, ARecursionNeedsNoFewerThanElsewhere) {
  Pair P;
  P.Deque.limitPlenty(256, 256);
  P.Deque.open(false);
  int Count = 0;
  for (; !hasPlenty(P); ++Count) // each has a creator of its own
    P.push(1, 1);
  EXPECT_EQ(Count, int(Tuned.PlentyStart));
}

} // namespace
