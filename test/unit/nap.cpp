//===- test/unit/nap.cpp - When a waiting thread sleeps ------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "locus/sleep/nap.h"

#include <gtest/gtest.h>

using locus::Nap;

namespace {

constexpr uint64_t Millisecond = 1000 * 1000;

/// A thread that looks every microsecond, and sleeps when it is told to.
struct Waiting {
  Nap N;
  uint64_t Now = 5000 * Millisecond;
  uint64_t Slept = 0, LongestNap = 0;
  uint64_t FirstNap = 0; ///< how long it had waited then; 0 = never

  void wait(uint64_t Time, uint64_t BlockTime) {
    const uint64_t Begin = Now, End = Now + Time;
    while (Now < End) {
      Now += 1000;
      const uint64_t Rest = N.onMiss() ? N.rest(BlockTime, Now) : 0;
      if (Rest != 0 && FirstNap == 0)
        FirstNap = Now - Begin;
      EXPECT_LE(Rest, (Now - Begin) / Nap::Part) << "a part of what it waited";
      Now += Rest;
      Slept += Rest;
      LongestNap = Rest > LongestNap ? Rest : LongestNap;
    }
  }
};

TEST(NapTest, beginsBehindTheBlockTime) {
  Waiting W;
  W.wait(500 * Millisecond, 200 * Millisecond);
  EXPECT_GE(W.FirstNap, 200 * Millisecond);
  EXPECT_LT(W.FirstNap, 201 * Millisecond);
  EXPECT_GT(W.Slept, 270 * Millisecond) << "it sleeps most of the rest";
}

TEST(NapTest, shortWaitsAreSpunThrough) {
  Waiting W;
  W.wait(Nap::Soonest, 0);
  EXPECT_EQ(W.Slept, 0u);
}

TEST(NapTest, aNapHasABound) {
  Waiting W;
  W.wait(20000 * Millisecond, 0);
  EXPECT_EQ(W.LongestNap, Nap::Longest);
}

TEST(NapTest, neverWithAnInfiniteBlockTime) {
  Waiting W;
  W.wait(5000 * Millisecond, UINT64_MAX);
  EXPECT_EQ(W.Slept, 0u);
}

TEST(NapTest, anotherWaitBeginsAnew) {
  Waiting W;
  W.wait(300 * Millisecond, 200 * Millisecond);
  W.N.end();
  W.FirstNap = W.Slept = 0;
  W.wait(150 * Millisecond, 200 * Millisecond);
  EXPECT_EQ(W.Slept, 0u);
}

// taskyield looks for a task, but begins no wait.
TEST(NapTest, looksThatAreFarApartAreDifferentWaits) {
  Waiting W;
  W.wait(300 * Millisecond, 200 * Millisecond);
  W.Now += 1000 * Millisecond;
  W.FirstNap = W.Slept = 0;
  W.wait(150 * Millisecond, 200 * Millisecond);
  EXPECT_EQ(W.Slept, 0u);
}

} // namespace
