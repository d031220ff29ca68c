//===- backoff.cpp - Tests of whether stealing is worth it ----------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All by a clock that the tests set.
//
//===----------------------------------------------------------------------===//

#include "locus/steal/backoff.h"

#include <algorithm>
#include <gtest/gtest.h>

using namespace locus;

namespace {

struct Thief {
  /// A steal for \p Tasks tasks, which take \p Each, and the look behind them.
  bool steal(uint32_t Tasks, uint64_t Each) {
    Backoff.noteSteal(Tasks, Time, Time + Steal, /*From=*/1, /*Tail=*/0);
    Time += Steal + Tasks * Each;
    return rests();
  }
  /// Steals for tiny tasks, a long time apart, until it rests.
  int stealsBeforeRest() {
    int Steals = 1;
    for (; !steal(1, Tiny); ++Steals)
      Time += 1000000000;
    return Steals;
  }
  bool rests() {
    const bool Rests = Backoff.leavesOut([this] { return look(); },
                                         [this](int, int64_t &) {
                                           ++Questions;
                                           return IsWanted;
                                         });
    EXPECT_EQ(Backoff.hasLeftOut(), Rests);
    return Rests;
  }
  uint64_t look() {
    ++Looks;
    return Time;
  }
  /// How long it rests from now on.
  uint64_t rest() {
    const uint64_t Since = Time;
    while (rests())
      ++Time;
    return Time - Since;
  }

  static constexpr uint64_t Tiny = 10;
  uint64_t Steal = 100;
  StealBackoff Backoff;
  uint64_t Time = 1000;
  int Looks = 0;     ///< at the clock
  int Questions = 0; ///< whether it is wanted
  bool IsWanted = false;
};

TEST(BackoffTest, whoStealsNothingNeverRestsNorLooksAtTheClock) {
  Thief T;
  for (int I = 0; I < 1000; ++I)
    EXPECT_FALSE(T.rests());
  EXPECT_EQ(T.Looks, 0);
}

TEST(BackoffTest, tasksThatAreWorthIt) {
  Thief T;
  for (int I = 0; I < 1000; ++I)
    EXPECT_FALSE(T.steal(1 + I % 8, Tuned.WorthSteals * T.Steal + 10));
}

TEST(BackoffTest, whatIsWorthItDependsOnTheSteal) {
  // The same tasks, from the core next door and from the other package.
  Thief Near, Far;
  Far.Steal = 5 * Near.Steal;
  bool NearRested = false, FarRested = false;
  for (uint64_t I = 0; I < 4 * (uint64_t(1) << StealBackoff::MemoryLog2); ++I) {
    NearRested |= Near.steal(1, 400);
    FarRested |= Far.steal(1, 400);
  }
  EXPECT_FALSE(NearRested);
  EXPECT_TRUE(FarRested);
}

TEST(BackoffTest, aBagTakesAsLongAsSomeSteals) {
  Thief T;
  EXPECT_EQ(T.Backoff.bag(7, /*IsFar=*/false), 7); // the first guess
  for (uint64_t I = 0; I < 8 * (uint64_t(1) << StealBackoff::MemoryLog2); ++I)
    T.steal(1, 1000);
  EXPECT_EQ(T.Backoff.bag(7, /*IsFar=*/false), 6);
  EXPECT_EQ(T.Backoff.bag(7, /*IsFar=*/true), 6);
  // One in a long line of thieves.
  T.Steal = 1000;
  T.steal(1, 1000);
  EXPECT_EQ(T.Backoff.bag(7, /*IsFar=*/false), 7);
  EXPECT_EQ(T.Backoff.bag(7, /*IsFar=*/true), 7);
}

TEST(BackoffTest, noBagOfShortTasksFromFar) {
  Thief T;
  for (uint64_t I = 0; I < 8 * (uint64_t(1) << StealBackoff::MemoryLog2); ++I)
    EXPECT_FALSE(T.steal(1, 4 * T.Steal));
  EXPECT_EQ(T.Backoff.bag(7, /*IsFar=*/false), 7);
  EXPECT_EQ(T.Backoff.bag(7, /*IsFar=*/true), 0);
}

TEST(BackoffTest, aStealThatHadToWaitIsNoMeasure) {
  Thief T;
  for (uint64_t I = 0; I < 4 * (uint64_t(1) << StealBackoff::MemoryLog2); ++I) {
    T.Steal = I % 16 == 0 ? 10000000 : 100;
    EXPECT_FALSE(T.steal(1, 600));
  }
}

TEST(BackoffTest, theGuessIsSoonForgotten) {
  Thief T;
  EXPECT_LT(T.stealsBeforeRest(), 5);
}

TEST(BackoffTest, aFewTinyOnesDoNotCount) {
  Thief T;
  for (uint64_t I = 0; I < uint64_t(1) << StealBackoff::MemoryLog2; ++I)
    EXPECT_FALSE(T.steal(1, (Tuned.WorthSteals + 1) * T.Steal));
  const int Steals = T.stealsBeforeRest();
  EXPECT_GT(Steals, 32);
  EXPECT_LT(Steals, 256);
}

TEST(BackoffTest, searchesInVainRestTwiceAsLongEachTime) {
  Thief T;
  constexpr uint64_t Longest = 1000;
  auto Search = [&] {
    T.Backoff.noteVain(T.Time, Longest);
    return T.rest();
  };
  for (uint64_t Expected : {100, 200, 400, 800, 1000, 1000})
    EXPECT_EQ(Search(), Expected);
  T.Backoff.noteFound();
  EXPECT_FALSE(T.rests());
  EXPECT_EQ(Search(), 100u);
}

TEST(BackoffTest, noRestInVainWhereThereIsNone) {
  Thief T;
  for (int I = 0; I < 10; ++I) {
    T.Backoff.noteVain(T.Time, 0);
    EXPECT_FALSE(T.rests());
  }
}

TEST(BackoffTest, aSearchInVainDoesNotShortenARest) {
  Thief T;
  T.stealsBeforeRest();
  T.Backoff.noteVain(T.Time, 100);
  EXPECT_EQ(T.rest(), StealBackoff::RestShortest);
}

TEST(BackoffTest, aRareLargeOneIsWorthManyTinyOnes) {
  // As in a very unbalanced tree.
  Thief T;
  for (int Round = 0; Round < 100; ++Round) {
    EXPECT_FALSE(T.steal(1, 50000));
    for (int I = 0; I < 100; ++I)
      EXPECT_FALSE(T.steal(1, Thief::Tiny)) << Round << ' ' << I;
  }
}

TEST(BackoffTest, restsDoubleUpToTheLongest) {
  Thief T;
  T.stealsBeforeRest();
  uint64_t Expected = StealBackoff::RestShortest;
  EXPECT_EQ(T.rest(), Expected);
  for (int I = 0; I < 20; ++I) {
    // It has looked again, and found the same.
    EXPECT_TRUE(T.steal(8, Thief::Tiny));
    Expected = std::min<uint64_t>(2 * Expected, Tuned.RestLongest);
    EXPECT_EQ(T.rest(), Expected);
  }
}

TEST(BackoffTest, aRestEndsWhereTheThiefIsWanted) {
  Thief T;
  T.stealsBeforeRest();
  while (T.rest() != Tuned.RestLongest)
    EXPECT_TRUE(T.steal(8, Thief::Tiny));
  // At 1, 2, 4, ... and 32 microseconds, as the longest is 64.
  T.steal(8, Thief::Tiny);
  T.Questions = 0;
  EXPECT_EQ(T.rest(), Tuned.RestLongest);
  EXPECT_EQ(T.Questions, 6);
  T.steal(8, Thief::Tiny);
  T.IsWanted = true;
  EXPECT_EQ(T.rest(), StealBackoff::RestShortest);
  EXPECT_FALSE(T.Backoff.hasPaused());
  // The next one is short again, and not asked for.
  T.Questions = 0;
  T.steal(8, Thief::Tiny);
  EXPECT_EQ(T.rest(), StealBackoff::RestShortest);
  EXPECT_EQ(T.Questions, 0);
}

TEST(BackoffTest, nobodyIsAskedInARestInVain) {
  Thief T;
  T.stealsBeforeRest();
  T.rest();
  T.IsWanted = true;
  T.Backoff.noteVain(T.Time, 1 << 20);
  T.Questions = 0;
  EXPECT_EQ(T.rest(), 100u);
  EXPECT_EQ(T.Questions, 0);
  EXPECT_FALSE(T.Backoff.hasPaused());
}

TEST(BackoffTest, behindARestItSearchesUntilItFinds) {
  Thief T;
  T.stealsBeforeRest();
  T.rest();
  for (int I = 0; I < 1000; ++I) {
    EXPECT_FALSE(T.rests());
    ++T.Time;
  }
}

TEST(BackoffTest, oneWorthwhileStealEndsTheRests) {
  Thief T;
  T.stealsBeforeRest();
  for (int I = 0; I < 10; ++I) {
    T.rest();
    T.steal(1, Thief::Tiny);
  }
  EXPECT_EQ(T.rest(), Tuned.RestLongest);
  EXPECT_FALSE(T.steal(1, 100000));
  EXPECT_FALSE(T.rests());
  // And they begin anew.
  T.stealsBeforeRest();
  EXPECT_EQ(T.rest(), StealBackoff::RestShortest);
}

TEST(BackoffTest, longerTasksAreSoonNoticed) {
  // A long phase of tiny tasks, then some that are just worth it, too short to
  // lift the mean for long.
  Thief T;
  for (int I = 0; I < 2000; ++I) {
    T.steal(1, Thief::Tiny);
    T.rest();
  }
  const uint64_t Since = T.Time;
  uint64_t Rests = Tuned.RestLongest;
  for (int Steals = 0; Rests != 0; ++Steals) {
    ASSERT_LT(Steals, 10);
    T.steal(1, 4 * T.Steal);
    const uint64_t Next = T.rest();
    EXPECT_LE(Next, Rests / 2);
    Rests = Next;
  }
  EXPECT_LT(T.Time - Since, 2 * Tuned.RestLongest);
}

TEST(BackoffTest, stealsOfSeveralCountByTheTask) {
  Thief T;
  bool Rested = false;
  for (uint64_t I = 0;
       I < 4 * (uint64_t(1) << StealBackoff::MemoryLog2) && !Rested; ++I)
    Rested = T.steal(8, T.Steal); // more than the worth of one
  EXPECT_TRUE(Rested);
}

TEST(BackoffTest, anEndlessTaskIsNoOverflow) {
  Thief T;
  EXPECT_FALSE(T.steal(1, uint64_t(1) << 40));
  int Steals = 0;
  for (; Steals < 10000 && !T.steal(1, Thief::Tiny); ++Steals)
    ;
  EXPECT_LT(Steals, 2000);
}

} // namespace
