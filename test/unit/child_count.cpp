//===- child_count.cpp - Tests of task/child_count ------------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "locus/task/child_count.h"

#include <gtest/gtest.h>
#include <random>
#include <thread>
#include <vector>

using namespace locus;

namespace {

constexpr auto Both = std::memory_order_acq_rel;
constexpr auto See = std::memory_order_acquire;

/// As kmp_taskdata has them.
union Counts {
  AllocatedChildren Allocated;
  IncompleteChildren Incomplete;

  explicit Counts(int32_t Itself) { Allocated.begin(Itself); }
  void expect(int32_t A, int32_t I) const {
    EXPECT_EQ(Allocated.load(See), A);
    EXPECT_EQ(Incomplete.load(See), I);
  }
};

TEST(ChildCountTest, BeginsWithoutChildren) {
  Counts(1).expect(1, 0);
  Counts(0).expect(0, 0);
  EXPECT_TRUE(Counts(1).Allocated.isItselfAlone());
  EXPECT_FALSE(Counts(0).Allocated.isItselfAlone());
}

TEST(ChildCountTest, OneChangesWithoutTheOther) {
  Counts C(1);
  EXPECT_EQ(C.Allocated.fetch_add(2, Both), 1);
  C.expect(3, 0);
  EXPECT_EQ(C.Incomplete.fetch_add(5, Both), 0);
  EXPECT_EQ(C.Incomplete.fetch_add(-3, Both), 5);
  C.expect(3, 2);
  EXPECT_EQ(C.Allocated.fetch_add(-1, Both), 3);
  EXPECT_EQ(C.Allocated.fetch_sub(1, Both), 2);
  EXPECT_EQ(C.Incomplete.fetch_sub(1, Both), 2);
  C.expect(1, 1);
  EXPECT_FALSE(C.Allocated.isItselfAlone());
  EXPECT_EQ(C.Incomplete.fetch_sub(1, Both), 1);
  EXPECT_TRUE(C.Allocated.isItselfAlone());
  C.Allocated.store(7, std::memory_order_release);
  C.expect(7, 0);
  C.Incomplete.store(9, std::memory_order_release);
  C.expect(7, 9);
}

/// A mark in the other counter, as of a proxy task, is no child.
TEST(ChildCountTest, BitsComeAndGo) {
  constexpr int32_t Mark = 0x40000000;
  Counts C(1);
  C.Allocated.addToBoth(3);
  EXPECT_EQ(C.Incomplete.fetch_or(Mark, Both), 3);
  C.expect(4, Mark | 3);
  EXPECT_EQ(C.Allocated.addToBoth(-1), 3);
  EXPECT_EQ(C.Incomplete.fetch_and(~Mark, Both), Mark | 2);
  C.expect(3, 2);
}

TEST(ChildCountTest, IsExchangedIfItIsAsExpected) {
  Counts C(1);
  C.Incomplete.fetch_add(4, Both);
  int32_t Seen = 0;
  EXPECT_FALSE(C.Allocated.compare_exchange_strong(Seen, 5));
  EXPECT_EQ(Seen, 1);
  C.expect(1, 4);
  EXPECT_TRUE(C.Allocated.compare_exchange_strong(Seen, 0));
  C.expect(0, 4);
}

TEST(ChildCountTest, CountsAsTwoNumbersDo) {
  std::minstd_rand Random(1);
  Counts C(1);
  int32_t Allocated = 1, Incomplete = 0;
  for (int Step = 0; Step < 10000; ++Step) {
    const int32_t Some = int32_t(Random() % 64);
    switch (Random() % 4) {
    case 0:
      Allocated += Some, Incomplete += Some;
      EXPECT_EQ(C.Allocated.addToBoth(Some), Allocated);
      break;
    case 1: // children end
      if (Some <= Incomplete) {
        Allocated -= Some, Incomplete -= Some;
        EXPECT_EQ(C.Allocated.addToBoth(-Some), Allocated);
      }
      break;
    case 2: // or are complete, and freed later
      if (Some <= Incomplete) {
        EXPECT_EQ(C.Incomplete.fetch_sub(Some, Both), Incomplete);
        Incomplete -= Some;
      }
      break;
    default:
      if (Some <= Allocated - 1 - Incomplete) {
        EXPECT_EQ(C.Allocated.fetch_sub(Some, Both), Allocated);
        Allocated -= Some;
      }
    }
    ASSERT_NO_FATAL_FAILURE(C.expect(Allocated, Incomplete));
  }
}

/// Whoever sees that no child is incomplete sees what all have done, although
/// others change the other counter; and who brings it to 0 is one.
TEST(ChildCountTest, WhoWaitsSeesAllChildren) {
  constexpr int Threads = 3, Rounds = 200;
  for (int R = 0; R < Rounds; ++R) {
    Counts C(1);
    int Done[Threads] = {};
    std::atomic<int> Last{0};
    C.Allocated.addToBoth(Threads);
    std::vector<std::thread> All;
    for (int T = 0; T < Threads; ++T)
      All.emplace_back([&, T] {
        Done[T] = 1;
        if (T == 0) {
          if (C.Allocated.addToBoth(-1) == 0)
            ++Last;
          return;
        }
        C.Incomplete.fetch_sub(1, Both);
        if (C.Allocated.fetch_sub(1, Both) == 1)
          ++Last;
      });
    while (C.Incomplete.load(See) != 0)
      std::this_thread::yield();
    for (int D : Done)
      EXPECT_EQ(D, 1);
    if (C.Allocated.fetch_sub(1, Both) == 1)
      ++Last;
    for (std::thread &T : All)
      T.join();
    EXPECT_EQ(Last, 1);
    C.expect(0, 0);
  }
}

} // namespace
