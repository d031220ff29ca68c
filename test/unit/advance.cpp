//===- advance.cpp - Tests of task/advance --------------------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "locus/task/advance.h"

#include <atomic>
#include <gtest/gtest.h>
#include <random>
#include <thread>

using namespace locus;

namespace {

class AdvanceTest : public testing::Test {
protected:
  void SetUp() override {
    Tuned = Tuning();
    Tuned.ChildrenSingly = 3;
    Tuned.ChildrenAtOnce = 5;
  }
  void TearDown() override { Tuned = Tuning(); }

  void create() { Count += Mine.countNext(); }
  void giveBack() { Count -= Mine.giveBack(); }

  Advance Mine = {};
  int Count = 0;
};

TEST_F(AdvanceTest, CountsTheFirstOneByOne) {
  for (int Children = 1; Children <= 3; ++Children) {
    create();
    EXPECT_EQ(Count, Children);
    EXPECT_EQ(Mine.inHand(), 0);
  }
  for (int Children = 4; Children <= 8; ++Children) {
    create();
    EXPECT_EQ(Count, 8);
    EXPECT_EQ(Mine.inHand(), 8 - Children);
  }
  create();
  EXPECT_EQ(Count, 13);
}

TEST_F(AdvanceTest, BeginsAnewWhereItHasGivenBack) {
  for (int I = 0; I < 4; ++I)
    create();
  EXPECT_FALSE(Mine.isUntouched());
  giveBack();
  EXPECT_EQ(Count, 4);
  EXPECT_TRUE(Mine.isUntouched());
  giveBack();
  EXPECT_EQ(Count, 4);
  create();
  EXPECT_EQ(Count, 5);
  EXPECT_FALSE(Mine.isUntouched());
}

TEST_F(AdvanceTest, OneAtOnceIsOneByOne) {
  Tuned.ChildrenSingly = 0;
  Tuned.ChildrenAtOnce = 1;
  for (int Children = 1; Children <= 10; ++Children) {
    create();
    EXPECT_EQ(Count, Children);
    EXPECT_EQ(Mine.inHand(), 0);
  }
}

/// The rule: the count is that of the children that live and of those in hand.
TEST_F(AdvanceTest, TheCountIsWhatLivesAndWhatIsInHand) {
  std::minstd_rand Random(1);
  for (uint32_t AtOnce : {1u, 2u, 5u, 32u})
    for (uint32_t Singly : {0u, 1u, 8u}) {
      Tuned.ChildrenAtOnce = AtOnce;
      Tuned.ChildrenSingly = Singly;
      int Live = 0;
      for (int Step = 0; Step < 2000; ++Step) {
        switch (Random() % 16) {
        case 0:
          giveBack();
          EXPECT_EQ(Mine.inHand(), 0);
          break;
        case 1:
        case 2:
        case 3:
        case 4:
          if (Live) {
            --Live;
            --Count;
          }
          break;
        default:
          create();
          ++Live;
        }
        ASSERT_EQ(Count, Live + Mine.inHand());
      }
      giveBack();
      ASSERT_EQ(Count, Live);
      Count = 0;
    }
}

/// Whoever waits for 0 after giving back sees what all children did, and never
/// 0 before.
TEST_F(AdvanceTest, WhoGivesBackAndWaitsSeesAllChildren) {
  constexpr int Rounds = 200, Children = 40;
  std::atomic<int> Shared{0}, Created{0}, Round{0};
  int Data[Children] = {};
  std::thread Runner([&] {
    for (int R = 1; R <= Rounds; ++R) {
      while (Round.load(std::memory_order_acquire) != R)
        std::this_thread::yield();
      for (int I = 0; I < Children; ++I) {
        while (Created.load(std::memory_order_acquire) <= I)
          std::this_thread::yield();
        Data[I] = R;
        EXPECT_GT(Shared.fetch_sub(1, std::memory_order_acq_rel), 0);
      }
    }
  });
  for (int R = 1; R <= Rounds; ++R) {
    Created = 0;
    Round.store(R, std::memory_order_release);
    for (int I = 0; I < Children; ++I) {
      if (const int Number = Mine.countNext())
        Shared.fetch_add(Number, std::memory_order_acq_rel);
      Created.store(I + 1, std::memory_order_release);
    }
    if (const int Rest = Mine.giveBack())
      Shared.fetch_sub(Rest, std::memory_order_acq_rel);
    while (Shared.load(std::memory_order_acquire) != 0)
      std::this_thread::yield();
    for (int Value : Data)
      ASSERT_EQ(Value, R);
  }
  Runner.join();
}

} // namespace
