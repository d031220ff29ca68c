//===- plenty.cpp - Tests of when an owner may run tasks in place ---------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "deque_pair.h"

#include <algorithm>

using namespace locus;
using namespace locus::test;

namespace {

bool hasPlenty(const Pair &P) { return P.Deque.inPlaceDepth().load() > 0; }

/// Pushes until there are plenty; how many tasks that takes.
int pushUntilPlenty(Pair &P) {
  for (int Tasks = 0; Tasks < 1000; ++Tasks) {
    if (hasPlenty(P))
      return Tasks;
    P.push(1, 1);
  }
  return -1;
}

TEST(Plenty, LastsUntilItsOwnerHasTakenTwoThirds) {
  Pair P;
  EXPECT_EQ(pushUntilPlenty(P), 64);
  for (int Left = 63; Left >= 22; --Left) {
    EXPECT_EQ(P.pop(), 1);
    EXPECT_TRUE(hasPlenty(P)) << Left;
  }
  EXPECT_EQ(P.pop(), 1);
  EXPECT_FALSE(hasPlenty(P));
  EXPECT_EQ(pushUntilPlenty(P), 64 - 21);
}

TEST(Plenty, EndsWithTheLastTask) {
  Pair P;
  P.Deque.limitPlenty(4);
  P.push(1, 1);
  EXPECT_EQ(pushUntilPlenty(P), 3);
  EXPECT_EQ(P.steal(), 1);
  EXPECT_TRUE(hasPlenty(P));
  // Its owner believes the stolen one still to be there.
  for (int I = 0; I < 3; ++I) {
    EXPECT_TRUE(hasPlenty(P));
    EXPECT_EQ(P.pop(), 1);
  }
  EXPECT_FALSE(hasPlenty(P));
}

TEST(Plenty, EndsWithTheLastTaskBehindAnother) {
  Pair P;
  P.Deque.limitPlenty(2);
  P.push(1, 2);
  EXPECT_TRUE(hasPlenty(P));
  EXPECT_EQ(P.popBehind(), 2);
  EXPECT_TRUE(hasPlenty(P));
  EXPECT_EQ(P.popBehind(), 1);
  EXPECT_FALSE(hasPlenty(P));
}

TEST(Plenty, HasNoOthersWhereItsLimitIsOne) {
  for (bool Steals : {false, true}) {
    Pair P;
    P.Deque.limitPlenty(1);
    P.push(1, 1);
    EXPECT_TRUE(hasPlenty(P));
    EXPECT_EQ(Steals ? P.steal() : P.pop(), 1);
    EXPECT_FALSE(hasPlenty(P));
  }
}

TEST(Plenty, ThievesTakeItAwayWithAThird) {
  Pair P;
  EXPECT_EQ(pushUntilPlenty(P), 64);
  for (int I = 0; I < 64 - 44; ++I) {
    EXPECT_TRUE(hasPlenty(P));
    EXPECT_EQ(P.steal(), 1);
  }
  EXPECT_FALSE(hasPlenty(P));
  while (P.steal() == 1)
    ;
  EXPECT_EQ(P.pop(), 0);
}

TEST(Plenty, FewerWillDoIfNobodySteals) {
  Pair P;
  EXPECT_EQ(pushUntilPlenty(P), 64);
  auto Cycle = [&](int Pushes) {
    for (int I = 0; I < Pushes; ++I) {
      while (hasPlenty(P))
        P.pop();
      P.push(1, 1);
    }
  };
  auto Empty = [&] {
    while (P.pop() > 0)
      ;
  };
  Cycle(16 * 64);
  Empty();
  EXPECT_EQ(pushUntilPlenty(P), 32);
  // With a thief now and then it stays.
  for (int I = 0; I < 10; ++I) {
    EXPECT_EQ(P.steal(), 1);
    Cycle(16 * 32 / 2);
  }
  Empty();
  EXPECT_EQ(pushUntilPlenty(P), 32);
}

TEST(Plenty, AThiefInVainGetsTheNextTasks) {
  Pair P;
  EXPECT_EQ(pushUntilPlenty(P), 64);
  P.Deque.starve();
  EXPECT_FALSE(hasPlenty(P));
  EXPECT_EQ(pushUntilPlenty(P), 64); // twice as many are enough now
}

TEST(Plenty, HungerDoublesIt) {
  Pair P;
  for (int Expected = 64; Expected <= 512; Expected *= 2) {
    EXPECT_EQ(pushUntilPlenty(P), std::min(Expected, 256));
    while (P.pop() > 0)
      ;
    P.Deque.starve();
    P.Deque.starve();
  }
}

TEST(Plenty, HungerBeforeDoesNotCount) {
  Pair P;
  for (int I = 0; I < 10; ++I) { // each task is gone before the next
    P.Deque.starve();
    P.push(1, 1);
    EXPECT_EQ(P.pop(), 1);
  }
  P.Deque.starve();
  EXPECT_EQ(pushUntilPlenty(P), 64);
}

/// A recursion so shallow that the least number is enough.
void adapt(Pair &P) {
  for (int I = 0; I < 4 * (64 + 32 + 16 + 8 + 4) + 5; ++I) {
    P.push(1, 1);
    EXPECT_FALSE(hasPlenty(P));
    EXPECT_EQ(P.pop(), 1);
  }
}

TEST(Plenty, AShallowRecursionNeedsFewer) {
  Pair P;
  adapt(P);
  EXPECT_EQ(pushUntilPlenty(P), 2);
}

/// \p Tasks of one creator, who has \p Before that are not complete.
void pushSiblings(Pair &P, int Tasks, int Before = 0) {
  for (int I = 1; I <= Tasks; ++I)
    ASSERT_TRUE(P.Deque.push(task(I), Before + I));
}

TEST(Plenty, OfOneCreatorOnlyFromTheLimitOn) {
  Pair P;
  auto Empty = [&] {
    while (P.pop() > 0)
      ;
  };
  for (uint32_t Limit : {256u, 5u, 300u}) {
    P.Deque.limitPlenty(Limit);
    pushSiblings(P, int(Limit) - 1);
    EXPECT_FALSE(hasPlenty(P)) << Limit;
    pushSiblings(P, 1, int(Limit) - 1);
    EXPECT_TRUE(hasPlenty(P)) << Limit;
    Empty();
  }
  P.Deque.limitPlenty(256);
  adapt(P);
  pushSiblings(P, 255);
  EXPECT_FALSE(hasPlenty(P));
  Empty();
  // Loops teach nothing about recursions.
  Pair Q;
  for (int I = 0; I < 10; ++I) {
    pushSiblings(Q, 255);
    while (Q.pop() > 0)
      ;
  }
  EXPECT_EQ(pushUntilPlenty(Q), 64);
}

TEST(Plenty, CountsWhatIsBesideTheCreatorsOwn) {
  Pair P;
  adapt(P);
  P.push(1, 1);
  pushSiblings(P, 100); // and one of another
  EXPECT_FALSE(hasPlenty(P));
  pushSiblings(P, 1); // of a third: 101 beside it
  EXPECT_TRUE(hasPlenty(P));
}

TEST(Plenty, CountsTheCreatorsOwnThatAreStolen) {
  Pair P;
  adapt(P);
  pushSiblings(P, 100);
  for (int I = 1; I <= 90; ++I)
    EXPECT_EQ(P.steal(), I);
  pushSiblings(P, 1, 100);
  EXPECT_FALSE(hasPlenty(P));
  pushSiblings(P, 1, 8); // of another, beside eleven
  EXPECT_TRUE(hasPlenty(P));
}

TEST(Plenty, ALoopKeepsTwoThirdsOfTheLimit) {
  Pair P;
  adapt(P);
  pushSiblings(P, 256);
  for (int Left = 255; Left >= 180; --Left) {
    EXPECT_GT(P.steal(), 0);
    EXPECT_TRUE(hasPlenty(P)) << Left;
  }
  EXPECT_GT(P.steal(), 0);
  EXPECT_FALSE(hasPlenty(P));
}

TEST(Plenty, IsSaidAnewForAnotherCreator) {
  Pair P;
  adapt(P);
  EXPECT_EQ(pushUntilPlenty(P), 2);
  P.Deque.startOver();
  EXPECT_FALSE(hasPlenty(P));
  pushSiblings(P, 1, 10);
  EXPECT_FALSE(hasPlenty(P));
  pushSiblings(P, 1);
  EXPECT_TRUE(hasPlenty(P));
}

TEST(Plenty, NeverWithoutALimit) {
  Pair P;
  P.Deque.limitPlenty(0);
  EXPECT_EQ(pushUntilPlenty(P), -1);
}

} // namespace
