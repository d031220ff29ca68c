//===- trips.cpp - Tests of locus_trips -----------------------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All by a clock that the tests set.
//
//===----------------------------------------------------------------------===//

#include "locus_trips.h"

#include <algorithm>
#include <gtest/gtest.h>

using namespace locus;

namespace {

struct Thief {
  /// A trip for \p Tasks tasks, which take \p Each, and the look behind them.
  bool trip(uint32_t Tasks, uint64_t Each) {
    Past.bring(Tasks, Time);
    Time += Tasks * Each;
    return rests();
  }
  /// Trips for tiny tasks, a long time apart, until it rests.
  int tripsBeforeRest() {
    int Trips = 1;
    for (; !trip(1, Tiny); ++Trips)
      Time += 1000000000;
    return Trips;
  }
  bool rests() {
    const bool Rests = Past.rests([this] { return look(); });
    EXPECT_EQ(Past.hasSkipped(), Rests);
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
  Trips Past;
  uint64_t Time = 1000;
  int Looks = 0; ///< at the clock
};

TEST(TripsTest, whoMakesNoTripsNeverRestsNorLooksAtTheClock) {
  Thief T;
  for (int I = 0; I < 1000; ++I)
    EXPECT_FALSE(T.rests());
  EXPECT_EQ(T.Looks, 0);
}

TEST(TripsTest, tasksThatAreWorthIt) {
  Thief T;
  for (int I = 0; I < 1000; ++I)
    EXPECT_FALSE(T.trip(1 + I % 8, Trips::LeastWorth + 8));
}

TEST(TripsTest, aFewTinyOnesDoNotCount) {
  Thief T;
  const int Trips = T.tripsBeforeRest();
  EXPECT_GT(Trips, 8);
  EXPECT_LT(Trips, 32);
}

TEST(TripsTest, aRareLargeOneIsWorthManyTinyOnes) {
  // As in a very unbalanced tree.
  Thief T;
  for (int Round = 0; Round < 100; ++Round) {
    EXPECT_FALSE(T.trip(1, 50000));
    for (int I = 0; I < 20; ++I)
      EXPECT_FALSE(T.trip(1, Thief::Tiny)) << Round << ' ' << I;
  }
}

TEST(TripsTest, restsDoubleUpToTheLongest) {
  Thief T;
  T.tripsBeforeRest();
  uint64_t Expected = Trips::ShortestRest;
  EXPECT_EQ(T.rest(), Expected);
  for (int I = 0; I < 20; ++I) {
    // It has looked again, and found the same.
    EXPECT_TRUE(T.trip(8, Thief::Tiny));
    Expected = std::min<uint64_t>(2 * Expected, Trips::LongestRest);
    EXPECT_EQ(T.rest(), Expected);
  }
}

TEST(TripsTest, behindARestItSearchesUntilItFinds) {
  Thief T;
  T.tripsBeforeRest();
  T.rest();
  for (int I = 0; I < 1000; ++I) {
    EXPECT_FALSE(T.rests());
    ++T.Time;
  }
}

TEST(TripsTest, oneWorthwhileTripEndsTheRests) {
  Thief T;
  T.tripsBeforeRest();
  for (int I = 0; I < 10; ++I) {
    T.rest();
    T.trip(1, Thief::Tiny);
  }
  EXPECT_EQ(T.rest(), Trips::LongestRest);
  EXPECT_FALSE(T.trip(1, 100000));
  EXPECT_FALSE(T.rests());
  // And they begin anew.
  T.tripsBeforeRest();
  EXPECT_EQ(T.rest(), Trips::ShortestRest);
}

TEST(TripsTest, tripsOfSeveralCountByTheTask) {
  Thief T;
  bool Rested = false;
  for (int I = 0; I < 100 && !Rested; ++I)
    Rested = T.trip(8, Trips::LeastWorth / 2); // four times the worth of one
  EXPECT_TRUE(Rested);
}

TEST(TripsTest, anEndlessTaskIsNoOverflow) {
  Thief T;
  EXPECT_FALSE(T.trip(1, uint64_t(1) << 40));
  int Trips = 0;
  for (; Trips < 1000 && !T.trip(1, Thief::Tiny); ++Trips)
    ;
  EXPECT_LT(Trips, 100);
}

} // namespace
