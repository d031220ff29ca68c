//===- share.cpp - Tests of machine/hierarchy: who gets what --------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "locus/machine/hierarchy.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <vector>

using namespace locus;

using Ints = std::vector<int>;

static Ints blocks(int Count, int Things) {
  Ints All;
  for (int Rank = 0; Rank < Count; ++Rank)
    All.push_back(Sharer{Rank, Count}.inBlocks(Things));
  return All;
}

TEST(ShareTest, inBlocks) {
  EXPECT_EQ(blocks(4, 4), (Ints{0, 1, 2, 3}));
  EXPECT_EQ(blocks(8, 4), (Ints{0, 0, 1, 1, 2, 2, 3, 3}));
  EXPECT_EQ(blocks(6, 4), (Ints{0, 0, 1, 2, 2, 3}));
  EXPECT_EQ(blocks(5, 2), (Ints{0, 0, 0, 1, 1}));
  // Fewer threads than things: far from each other.
  EXPECT_EQ(blocks(2, 4), (Ints{0, 2}));
  EXPECT_EQ(blocks(1, 4), (Ints{0}));
  EXPECT_EQ(blocks(3, 1), (Ints{0, 0, 0}));
  EXPECT_EQ(blocks(3, 0), (Ints{0, 0, 0}));
}

TEST(ShareTest, blocksAreEvenAndInOrder) {
  for (int Count = 1; Count < 40; ++Count)
    for (int Things = 1; Things < 40; ++Things) {
      const Ints All = blocks(Count, Things);
      EXPECT_TRUE(std::is_sorted(All.begin(), All.end()));
      for (int Thing = 0; Thing < Things; ++Thing) {
        const long Threads = std::count(All.begin(), All.end(), Thing);
        EXPECT_GE(Threads, Count / Things) << Count << " on " << Things;
        EXPECT_LE(Threads, (Count + Things - 1) / Things);
      }
    }
}

TEST(ShareTest, largeNumbersDoNotOverflow) {
  const Sharer Last = {INT32_MAX - 1, INT32_MAX};
  EXPECT_EQ(Last.inBlocks(8192), 8191);
  EXPECT_EQ(Last.inBlocks(INT32_MAX), INT32_MAX - 1);
}

TEST(ShareTest, whoShares) {
  const Ints Places = {4, 7, 4, 4, 7, 1};
  auto Of = [&](int Thread, int NumThreads) {
    return sharerOf(Thread, NumThreads, [&](int Other) {
      return Places[size_t(Other)] == Places[size_t(Thread)];
    });
  };
  EXPECT_EQ(Of(0, 6).Rank, 0);
  EXPECT_EQ(Of(0, 6).Count, 3);
  EXPECT_EQ(Of(3, 6).Rank, 2);
  EXPECT_EQ(Of(3, 6).Count, 3);
  EXPECT_EQ(Of(4, 6).Rank, 1);
  EXPECT_EQ(Of(4, 6).Count, 2);
  EXPECT_EQ(Of(5, 6).Count, 1);
  // Those behind are not looked at.
  EXPECT_EQ(Of(2, 3).Rank, 1);
  EXPECT_EQ(Of(2, 3).Count, 2);
  EXPECT_EQ(sharerOf(2, 6, [](int) { return false; }).Count, 0);
}
