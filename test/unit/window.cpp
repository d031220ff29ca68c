//===- window.cpp - Tests of how far a creator runs ahead -----------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "locus/depend/window.h"
#include "locus/depend/patience.h"
#include "locus/tuning.h"

#include <gtest/gtest.h>

using namespace locus;

namespace {

/// A window of 100 tasks; the creator begins to wait at 1000, for 10 us.
class WindowTest : public testing::Test {
protected:
  static constexpr uint32_t Limit = 100;

  void SetUp() override {
    Tuned = Tuning();
    Tuned.WindowLow = 40;
    Tuned.WindowWait = 10;
    Tuned.WindowPatience = 10;
  }
  void TearDown() override { Tuned = Tuning(); }

  /// How long the creator waits with \p Live tasks if none ends.
  uint64_t waitInVain(uint64_t Live) {
    Ahead.enter(Live, Limit);
    const uint64_t Start = Now;
    while (Ahead.waits(Live, Now))
      Now += 1000;
    Ahead.leave(Live);
    return Now - Start;
  }

  Window Ahead;
  uint64_t Now = 5000;
};

TEST_F(WindowTest, IsFullFromTheLimitOn) {
  EXPECT_FALSE(Ahead.isFull(0, Limit));
  EXPECT_FALSE(Ahead.isFull(99, Limit));
  EXPECT_TRUE(Ahead.isFull(100, Limit));
  EXPECT_TRUE(Ahead.isFull(1000000, Limit));
}

TEST_F(WindowTest, NeverIsFullWithoutALimit) {
  EXPECT_FALSE(Ahead.isFull(0, 0));
  EXPECT_FALSE(Ahead.isFull(1000000, 0));
}

TEST_F(WindowTest, IsLowWithTheShareThatIsTuned) {
  Ahead.enter(100, Limit);
  EXPECT_FALSE(Ahead.isLowEnough(41));
  EXPECT_TRUE(Ahead.isLowEnough(40));
  Tuned.WindowLow = 0;
  Ahead.enter(100, Limit);
  EXPECT_FALSE(Ahead.isLowEnough(1));
  EXPECT_TRUE(Ahead.isLowEnough(0));
}

TEST_F(WindowTest, IsFullAgainAtTheLimitOnceItWasLow) {
  Ahead.enter(100, Limit);
  Ahead.leave(40);
  EXPECT_FALSE(Ahead.isFull(99, Limit));
  EXPECT_TRUE(Ahead.isFull(100, Limit));
}

TEST_F(WindowTest, RunsOnWhileThatGains) {
  Ahead.enter(150, Limit);
  for (int I = 1; I < 100; ++I)
    EXPECT_TRUE(Ahead.runsOn(150));
  EXPECT_TRUE(Ahead.runsOn(149)); // one less: another hundred
  for (int I = 1; I < 100; ++I)
    EXPECT_TRUE(Ahead.runsOn(I % 2 ? 149 : 160));
  EXPECT_FALSE(Ahead.runsOn(149));
  Ahead.leave(149);
  // The next time it starts afresh.
  Ahead.enter(170, Limit);
  EXPECT_TRUE(Ahead.runsOn(170));
  // A limit of one allows one.
  Window Small;
  Small.enter(1, 1);
  EXPECT_FALSE(Small.runsOn(1));
}

TEST_F(WindowTest, TriesAgainAfterAnEighthOfTheLimitWhereNothingRan) {
  Ahead.enter(100, Limit);
  EXPECT_FALSE(Ahead.waits(100, Now)); // creates more
  Ahead.leave(100);
  EXPECT_FALSE(Ahead.isFull(112, Limit)); // 100 + 13
  EXPECT_TRUE(Ahead.isFull(113, Limit));
  // Some have ended, not enough.
  Ahead.enter(113, Limit);
  Ahead.leave(90);
  EXPECT_FALSE(Ahead.isFull(102, Limit));
  EXPECT_TRUE(Ahead.isFull(103, Limit));
  // With a limit of one it is one more.
  Window Small;
  Small.enter(1, 1);
  Small.leave(1);
  EXPECT_FALSE(Small.isFull(1, 1));
  EXPECT_TRUE(Small.isFull(2, 1));
}

TEST_F(WindowTest, WaitsOnlyWithManyTimesTheLimit) {
  Ahead.enter(999, Limit);
  EXPECT_FALSE(Ahead.waits(999, Now));
  Ahead.leave(999);
  Ahead.enter(1000, Limit);
  EXPECT_TRUE(Ahead.waits(1000, Now));
  // Tasks have ended while it waited.
  EXPECT_FALSE(Ahead.waits(999, Now + 1));
}

TEST_F(WindowTest, WaitsInVainTakeTwiceAsLongEachTime) {
  for (uint64_t Expected = 10000; Expected <= 10000 << 10; Expected *= 2)
    EXPECT_EQ(waitInVain(1000), Expected);
}

TEST_F(WindowTest, WaitsInVainDoNotBecomeLongerForEver) {
  Tuned.WindowPatienceMost = 4;
  for (uint64_t Expected : {10000, 20000, 40000, 40000, 40000})
    EXPECT_EQ(waitInVain(1000), Expected);
}

TEST_F(WindowTest, AfterAWaitInVainTheCreatorHasAsMuchRoomAgain) {
  waitInVain(1003);
  EXPECT_FALSE(Ahead.isFull(2002, Limit));
  EXPECT_TRUE(Ahead.isFull(2003, Limit));
}

TEST_F(WindowTest, IsNeverFullWithinTooManyOfItsOwnTasks) {
  Tuned.WindowDepth = 2;
  Ahead.enter(100, Limit);
  EXPECT_TRUE(Ahead.isFull(100, Limit));
  Ahead.enter(100, Limit);
  EXPECT_FALSE(Ahead.isFull(100, Limit));
  Ahead.leave(0);
  EXPECT_TRUE(Ahead.isFull(100, Limit));
}

TEST_F(WindowTest, WaitsAsLongAsTasksEnd) {
  Ahead.enter(2000, Limit);
  for (uint64_t Live = 2000; Live >= 1000; --Live) {
    ASSERT_TRUE(Ahead.waits(Live, Now)) << Live;
    Now += 9999; // within the patience
    ASSERT_TRUE(Ahead.waits(Live, Now)) << Live;
    Now += 5000; // beyond it
  }
  EXPECT_FALSE(Ahead.waits(1000, Now));
}

TEST_F(WindowTest, TasksThatComeBackAreNoProgress) {
  Ahead.enter(2000, Limit);
  EXPECT_TRUE(Ahead.waits(2000, Now));
  EXPECT_TRUE(Ahead.waits(1500, Now + 5000));
  // More again, and fewer than that, but never fewer than there were.
  EXPECT_TRUE(Ahead.waits(1800, Now + 10000));
  EXPECT_TRUE(Ahead.waits(1500, Now + 14999));
  EXPECT_FALSE(Ahead.waits(1500, Now + 15000));
}

TEST_F(WindowTest, TasksThatEndRestoreThePatience) {
  EXPECT_EQ(waitInVain(1000), 10000u);
  EXPECT_EQ(waitInVain(1000), 20000u);
  Ahead.enter(1002, Limit); // 40000 by now
  EXPECT_TRUE(Ahead.waits(1002, Now));
  EXPECT_TRUE(Ahead.waits(1001, Now));
  EXPECT_TRUE(Ahead.waits(1001, Now + 9999));
  EXPECT_FALSE(Ahead.waits(1001, Now + 10000));
  Ahead.leave(1001);
  EXPECT_EQ(waitInVain(1001), 20000u);
}

TEST_F(WindowTest, ALowWindowRestoresThePatience) {
  EXPECT_EQ(waitInVain(1000), 10000u);
  EXPECT_EQ(waitInVain(1000), 20000u);
  Ahead.enter(1000, Limit);
  Ahead.leave(40);
  EXPECT_EQ(waitInVain(1000), 10000u);
}

TEST_F(WindowTest, TheLongestPatienceDoesNotOverflow) {
  Tuned.WindowPatience = 1 << 30;
  Ahead.enter(1000, Limit);
  EXPECT_TRUE(Ahead.waits(1000, Now));
  EXPECT_TRUE(Ahead.waits(1000, Now + (uint64_t(1000) << 30) - 1));
  EXPECT_FALSE(Ahead.waits(1000, Now + (uint64_t(1000) << 30)));
}

/// How long a thread waits, and how often it looks, if it finds nothing.
TEST(PatienceTest, IsOverWhenTheThreadHasRestedSoLong) {
  Tuned = Tuning();
  Tuned.AwaitPatience = 1000; // us
  uint64_t Now = 5, Looks = 0;
  Patience Left(Now);
  EXPECT_FALSE(Left.isOver(Now));
  EXPECT_FALSE(Left.reachesFar());
  for (; !Left.isOver(Now); ++Looks) {
    EXPECT_EQ(Left.reachesFar(), Now - 5 >= Patience::Far);
    const uint64_t Rest = Left.rest();
    EXPECT_GE(Rest, Patience::Least);
    EXPECT_LE(Rest, Patience::Longest);
    EXPECT_LE(Rest, Patience::Least + (Now - 5) / Patience::Part);
    Left.noteRest(Rest);
    Now += Rest;
  }
  EXPECT_NEAR(double(Now), 1e6, 1e5);
  EXPECT_LT(Looks, 100u);
  Tuned = Tuning();
}

TEST(PatienceTest, IsOverAfterManyTasksToo) {
  Tuned = Tuning();
  const uint64_t Most = uint64_t(Tuned.AwaitPatience) * 1000;
  Patience Left(0);
  EXPECT_FALSE(Left.isOver(Patience::Times * Most - 1));
  EXPECT_TRUE(Left.isOver(Patience::Times * Most));
  Tuned.AwaitPatience = 0;
  EXPECT_TRUE(Patience(7).isOver(7));
  Tuned = Tuning();
}

} // namespace
