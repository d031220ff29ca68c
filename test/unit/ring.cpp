//===- ring.cpp - Tests of the array of tasks -----------------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "deque_pair.h"

using namespace locus;
using namespace locus::test;

namespace {

/// A ring whose first memory is for four tasks. Task I is at index I.
struct Window {
  Window(int TheFirst, int TheLast) : First(TheFirst), Last(TheLast) {
    Tasks.init(-1);
    EXPECT_TRUE(Tasks.grow(uint64_t(Last - First), First, First));
    for (int I = First; I < Last; ++I)
      Tasks[I] = task(I);
  }
  ~Window() { Tasks.destroy(); }

  std::vector<int> numbers() const {
    std::vector<int> All;
    for (int64_t I = First; I < Last; ++I)
      All.push_back(numberOf(Tasks[I]));
    return All;
  }

  FirstCapacity Capacity{4};
  Ring Tasks;
  int64_t First, Last;
};

TEST(RingTest, growthKeepsTheIndices) {
  for (int First : {1, 2, 3, 4, 1000}) {
    Window W(First, First + 4);
    const std::vector<int> Before = W.numbers();
    EXPECT_EQ(W.Tasks.capacity(), 4u);
    EXPECT_TRUE(W.Tasks.grow(5, W.First, W.Last));
    EXPECT_EQ(W.Tasks.capacity(), 8u);
    EXPECT_TRUE(W.Tasks.grow(100, W.First, W.Last));
    EXPECT_EQ(W.Tasks.capacity(), 128u);
    EXPECT_EQ(W.numbers(), Before);
    EXPECT_TRUE(W.Tasks.isValid());
  }
}

TEST(RingTest, findsTheNearest) {
  const Taker Even = {
      [](const Taker &, Task *T) { return numberOf(T) % 2 == 0; }};
  const Taker Nobody = {[](const Taker &, Task *) { return false; }};
  Window W(3, 8); // 3 to 7, around the end of the memory
  EXPECT_EQ(W.Tasks.find(End::Oldest, 3, 8, Even), 4);
  EXPECT_EQ(W.Tasks.find(End::Newest, 3, 8, Even), 6);
  EXPECT_EQ(W.Tasks.find(End::Oldest, 3, 4, Even), Ring::None);
  EXPECT_EQ(W.Tasks.find(End::Newest, 3, 8, Nobody), Ring::None);
  EXPECT_EQ(W.Tasks.find(End::Oldest, 3, 3, Even), Ring::None);
}

TEST(RingTest, removalClosesTheGapFromTheSearchedEnd) {
  for (End Searched : {End::Oldest, End::Newest})
    for (int Number = 6; Number < 11; ++Number) {
      Window W(6, 11);
      std::vector<int> Expected = W.numbers();
      Expected.erase(Expected.begin() + (Number - 6));
      EXPECT_EQ(numberOf(W.Tasks.remove(Searched, Number, 6, 11)), Number);
      Searched == End::Oldest ? ++W.First : --W.Last;
      EXPECT_EQ(W.numbers(), Expected);
    }
}

TEST(RingTest, keepsItsFirstMemoryOnly) {
  FirstCapacity Capacity(4);
  Ring Tasks;
  Tasks.init(-1);
  EXPECT_EQ(Tasks.capacity(), 0u);
  ASSERT_TRUE(Tasks.grow(1, 0, 0));
  Tasks.init(-1);
  EXPECT_EQ(Tasks.capacity(), 4u);
  ASSERT_TRUE(Tasks.grow(5, 0, 0));
  Tasks.init(-1);
  EXPECT_EQ(Tasks.capacity(), 0u);
  EXPECT_FALSE(Tasks.grow(uint64_t(UINT32_MAX) + 1, 0, 0)); // not asked for
  EXPECT_TRUE(Tasks.isValid());
}

} // namespace
