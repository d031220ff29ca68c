//===- node_pool.cpp - Tests of the memory of dependences -----------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "locus/depend/node_pool.h"
#include "locus/tuning.h"

#include <cstring>
#include <gtest/gtest.h>
#include <random>
#include <set>
#include <thread>
#include <vector>

using namespace locus;

namespace {

class NodePoolTest : public testing::Test {
protected:
  void TearDown() override {
    A.destroy();
    B.destroy();
    Tuned = Tuning();
  }

  static std::vector<Block *> take(NodePool &From, unsigned Count) {
    std::vector<Block *> Blocks;
    for (unsigned I = 0; I < Count; ++I)
      Blocks.push_back(From.take());
    return Blocks;
  }
  static void give(NodePool &To, const std::vector<Block *> &Blocks) {
    for (Block *Each : Blocks)
      To.give(Each);
  }

  NodePool A, B;
};

TEST_F(NodePoolTest, BlocksAreWholeLinesThatOverlapNoOthers) {
  std::vector<Block *> Blocks = take(A, 5000);
  EXPECT_EQ(std::set<Block *>(Blocks.begin(), Blocks.end()).size(), 5000u);
  for (Block *Each : Blocks) {
    ASSERT_EQ(uintptr_t(Each) % 64, 0u);
    ASSERT_EQ(Each->Home, &A);
    std::memset(static_cast<void *>(Each + 1), int(uintptr_t(Each) >> 8),
                BlockBytes - sizeof(Block));
  }
  for (Block *Each : Blocks) {
    const char *Bytes = reinterpret_cast<const char *>(Each);
    for (size_t I = sizeof(Block); I < BlockBytes; ++I)
      ASSERT_EQ(Bytes[I], char(uintptr_t(Each) >> 8));
  }
  EXPECT_EQ(A.numAway(), 5000u);
  give(A, Blocks);
  EXPECT_EQ(A.numAway(), 0u);
}

TEST_F(NodePoolTest, TheLastOneGivenIsTheNextOneTaken) {
  std::vector<Block *> Blocks = take(A, 3);
  A.give(Blocks[0]);
  A.give(Blocks[2]);
  EXPECT_EQ(A.take(), Blocks[2]);
  EXPECT_EQ(A.take(), Blocks[0]);
}

TEST_F(NodePoolTest, MemoryDoublesUpToALimit) {
  Tuned.NodeChunkLeast = 4;
  Tuned.NodeChunkMost = 16;
  uint64_t Taken = 0;
  // One block of each piece is its header.
  for (uint64_t Expected : {3, 3 + 7, 10 + 15, 25 + 15, 40 + 15}) {
    while (Taken < Expected) {
      A.take();
      ++Taken;
      ASSERT_EQ(A.numBlocks(), Expected) << Taken;
    }
    EXPECT_EQ(A.numAway(), Expected);
  }
}

TEST_F(NodePoolTest, NothingIsMappedWhileBlocksComeBack) {
  const uint64_t Before = (take(A, 1), A.numBlocks());
  for (int I = 0; I < 10000; ++I)
    B.give(A.take());
  EXPECT_LE(A.numBlocks(), Before + 2 * Tuned.NodeBatch);
  EXPECT_EQ(B.numBlocks(), 0u);
}

TEST_F(NodePoolTest, OthersSendBlocksHomeInBatches) {
  std::vector<Block *> Blocks = take(A, 2 * Tuned.NodeBatch + 1);
  for (unsigned I = 0; I < Blocks.size(); ++I) {
    // What is in a batch counts as away.
    const uint64_t Sent = I / Tuned.NodeBatch * Tuned.NodeBatch;
    EXPECT_EQ(A.numAway(), Blocks.size() - Sent);
    B.give(Blocks[I]);
  }
  EXPECT_EQ(A.numAway(), 1u);
  B.flush();
  EXPECT_EQ(A.numAway(), 0u);
  B.flush();
  EXPECT_EQ(A.numAway(), 0u);
  EXPECT_EQ(B.numBlocks(), 0u);
  // All of them can be used again.
  const uint64_t Before = A.numBlocks();
  std::vector<Block *> Again = take(A, unsigned(Before));
  EXPECT_EQ(A.numBlocks(), Before);
  EXPECT_EQ(std::set<Block *>(Again.begin(), Again.end()).size(), Before);
}

TEST_F(NodePoolTest, ABatchIsForOneHome) {
  NodePool Mine;
  std::vector<Block *> OfA = take(A, 2), OfB = take(B, 1);
  Mine.give(OfA[0]);
  EXPECT_EQ(A.numAway(), 2u);
  Mine.give(OfB[0]); // sends the other
  EXPECT_EQ(A.numAway(), 1u);
  EXPECT_EQ(B.numAway(), 1u);
  Mine.give(OfA[1]);
  EXPECT_EQ(B.numAway(), 0u);
  Mine.flush();
  EXPECT_EQ(A.numAway(), 0u);
  Mine.destroy();
}

TEST_F(NodePoolTest, EndsAreToldInBatches) {
  const unsigned Tasks = 2 * Tuned.EndsBatch + 3;
  for (unsigned I = 0; I < Tasks; ++I)
    A.countBegin();
  EXPECT_EQ(A.numLive(), Tasks);
  A.countEnd(&A); // at once
  EXPECT_EQ(A.numLive(), Tasks - 1);
  for (unsigned I = 0; I < Tasks - 1; ++I) {
    EXPECT_EQ(A.numLive(), Tasks - 1 - I / Tuned.EndsBatch * Tuned.EndsBatch);
    B.countEnd(&A);
  }
  EXPECT_EQ(A.numLive(), 2u);
  B.flush();
  EXPECT_EQ(A.numLive(), 0u);
  EXPECT_EQ(B.numLive(), 0u);
}

TEST_F(NodePoolTest, EndsOfAnotherCreatorSendThoseOfTheLast) {
  NodePool Mine;
  A.countBegin();
  B.countBegin();
  Mine.countEnd(&A);
  EXPECT_EQ(A.numLive(), 1u);
  Mine.countEnd(&B);
  EXPECT_EQ(A.numLive(), 0u);
  EXPECT_EQ(B.numLive(), 1u);
  Mine.flush();
  EXPECT_EQ(B.numLive(), 0u);
}

TEST_F(NodePoolTest, WhatIsLeftInUseIsAdopted) {
  NodePool::abandon(nullptr);
  NodePool *Mine = NodePool::adopt();
  EXPECT_EQ(Mine->numBlocks(), 0u);
  Block *Used = Mine->take();
  Mine->Ahead.enter(1000, 10);
  Mine->Ahead.leave(1000);
  EXPECT_FALSE(Mine->Ahead.isFull(1000, 10));
  NodePool::abandon(Mine);
  // A block that comes home meanwhile, or later, is the next thread's.
  NodePool *Next = NodePool::adopt();
  ASSERT_EQ(Next, Mine);
  EXPECT_TRUE(Next->Ahead.isFull(1000, 10)); // which has not run ahead
  B.give(Used);
  B.flush();
  EXPECT_EQ(Next->numAway(), 0u);
  NodePool::abandon(Next); // ends it
  NodePool *Last = NodePool::adopt();
  EXPECT_EQ(Last->numBlocks(), 0u);
  NodePool::abandon(Last);
}

TEST_F(NodePoolTest, WhatIsLeftIsFreedAtTheEnd) {
  NodePool *Mine = NodePool::adopt(), *Other = NodePool::adopt();
  Mine->take(); // as long as the program runs
  Other->countBegin();
  NodePool::abandon(Mine);
  NodePool::abandon(Other);
  NodePool::destroyLeft();
  NodePool *Next = NodePool::adopt();
  EXPECT_EQ(Next->numBlocks(), 0u) << "a new one";
  NodePool::abandon(Next);
}

TEST_F(NodePoolTest, WhatTasksStillCountInIsAdopted) {
  NodePool *Mine = NodePool::adopt();
  Mine->countBegin();
  NodePool::abandon(Mine);
  NodePool *Next = NodePool::adopt();
  ASSERT_EQ(Next, Mine);
  EXPECT_EQ(Next->numLive(), 1u);
  B.countEnd(Next);
  B.flush();
  EXPECT_EQ(Next->numLive(), 0u);
  NodePool::abandon(Next);
}

TEST_F(NodePoolTest, ThreadsThatEndSendWhatTheyKept) {
  NodePool *Mine = NodePool::adopt();
  A.countBegin();
  Mine->give(A.take());
  Mine->countEnd(&A);
  EXPECT_EQ(A.numAway(), 1u);
  EXPECT_EQ(A.numLive(), 1u);
  NodePool::abandon(Mine);
  EXPECT_EQ(A.numAway(), 0u);
  EXPECT_EQ(A.numLive(), 0u);
}

/// Threads that come and go, and pass each other blocks.
class Exchange {
public:
  void run(int NumThreads, int Lives, int Steps) {
    std::vector<std::thread> Threads;
    for (int I = 0; I < NumThreads; ++I)
      Threads.emplace_back([=] {
        std::mt19937 Random{unsigned(I)};
        for (int J = 0; J < Lives; ++J)
          live(Random, Steps);
      });
    for (std::thread &Thread : Threads)
      Thread.join();
    NodePool Mine;
    for (auto &Slot : Slots)
      take(Mine, Slot, nullptr);
    Mine.flush();
    Mine.destroy();
    EXPECT_EQ(Faults, 0);
    // All blocks and counts are home. The first pool without memory is new.
    for (;;) {
      NodePool *Left = NodePool::adopt();
      const bool IsNew = Left->numBlocks() == 0;
      EXPECT_EQ(Left->numAway(), 0u);
      EXPECT_EQ(Left->numLive(), 0u);
      NodePool::abandon(Left);
      if (IsNew)
        break;
    }
  }

private:
  struct Item : Block {
    int Content; ///< plain
  };

  void live(std::mt19937 &Random, int Steps) {
    NodePool *Mine = NodePool::adopt();
    for (int I = 0; I < Steps; ++I) {
      Item *New = static_cast<Item *>(Mine->take());
      Mine->countBegin();
      New->Content = 1;
      take(*Mine, Slots[Random() % NumSlots], New);
    }
    NodePool::abandon(Mine);
  }

  /// Ends what is in \p Slot, and puts \p New there.
  void take(NodePool &Mine, std::atomic<Item *> &Slot, Item *New) {
    Item *Old = Slot.exchange(New, std::memory_order_acq_rel);
    if (!Old)
      return;
    if (Old->Content != 1)
      ++Faults;
    Old->Content = 0;
    Mine.countEnd(Old->Home);
    Mine.give(Old);
  }

  static constexpr int NumSlots = 100;
  std::atomic<Item *> Slots[NumSlots] = {};
  std::atomic<int> Faults{0};
};

TEST(NodePoolStressTest, NoBlockIsLostOrUsedTwice) {
  Exchange().run(4, 100, 500);
}

} // namespace
