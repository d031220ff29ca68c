//===- advance.cpp - Tests of task/advance --------------------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "locus/task/child_count.h"

#include <atomic>
#include <gtest/gtest.h>
#include <random>
#include <thread>

using namespace locus;

namespace {

/// A creator whose children count as \p Kind of Advance says.
template <class Kind> struct Creator {
  void create() { Count += Mine.countNext(); }
  void giveBack() { Count -= Mine.giveBack(); }

  Kind Mine = {};
  int Count = 0;
};

class AdvanceTest : public testing::Test, protected Creator<AdvanceBy<3, 5>> {};

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
  Creator<AdvanceBy<0, 1>> One;
  for (int Children = 1; Children <= 10; ++Children) {
    One.create();
    EXPECT_EQ(One.Count, Children);
    EXPECT_EQ(One.Mine.inHand(), 0);
  }
}

/// The rule: the count is that of the children that live and of those in hand.
template <class Kind> void expectTheRule() {
  std::minstd_rand Random(1);
  Creator<Kind> Of;
  int Live = 0;
  for (int Step = 0; Step < 2000; ++Step) {
    const unsigned Draw = Random() % 16;
    if (Draw == 0) {
      Of.giveBack();
      EXPECT_EQ(Of.Mine.inHand(), 0);
    } else if (Draw > 4) {
      Of.create();
      ++Live;
    } else if (Live) {
      --Live;
      --Of.Count;
    }
    ASSERT_EQ(Of.Count, Live + Of.Mine.inHand());
  }
  Of.giveBack();
  ASSERT_EQ(Of.Count, Live);
}

TEST_F(AdvanceTest, TheCountIsWhatLivesAndWhatIsInHand) {
  expectTheRule<Advance>();
  expectTheRule<AdvanceBy<0, 1>>();
  expectTheRule<AdvanceBy<0, 2>>();
  expectTheRule<AdvanceBy<1, 5>>();
  expectTheRule<AdvanceBy<8, 1>>();
  expectTheRule<AdvanceBy<1, 32>>();
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
