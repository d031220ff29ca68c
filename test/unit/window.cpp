//===- window.cpp - Tests of how far a creator runs ahead -----------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "locus/depend/window.h"
#include "locus/tuning.h"

#include <gtest/gtest.h>

using namespace locus;

namespace {

/// A window of 100 tasks.
class WindowTest : public testing::Test {
protected:
  static constexpr uint32_t Limit = 100;
  static constexpr uint64_t Low = Limit / 2; ///< the creator goes on
  static constexpr uint64_t Many = 6400;     ///< it begins to wait, so long:
  static constexpr uint64_t Patience = 1000000;

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

TEST_F(WindowTest, IsLowWithHalfOfTheLimit) {
  Ahead.enter(100, Limit);
  EXPECT_FALSE(Ahead.isLowEnough(Low + 1));
  EXPECT_TRUE(Ahead.isLowEnough(Low));
  Ahead.enter(1, 1);
  EXPECT_FALSE(Ahead.isLowEnough(1));
  EXPECT_TRUE(Ahead.isLowEnough(0));
}

TEST_F(WindowTest, IsFullAgainAtTheLimitOnceItWasLow) {
  Ahead.enter(100, Limit);
  Ahead.leave(Low);
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
  Ahead.enter(Many - 1, Limit);
  EXPECT_FALSE(Ahead.waits(Many - 1, Now));
  Ahead.leave(Many - 1);
  Ahead.enter(Many, Limit);
  EXPECT_TRUE(Ahead.waits(Many, Now));
  // Tasks have ended while it waited.
  EXPECT_FALSE(Ahead.waits(Many - 1, Now + 1));
}

TEST_F(WindowTest, WaitsInVainTakeTwiceAsLongEachTime) {
  for (uint64_t Expected = Patience; Expected <= Patience << 10; Expected *= 2)
    EXPECT_EQ(waitInVain(Many), Expected);
}

TEST_F(WindowTest, WaitsInVainDoNotBecomeLongerForEver) {
  for (int Doublings = 0; Doublings < 10; ++Doublings)
    waitInVain(Many);
  for (int I = 0; I < 3; ++I)
    EXPECT_EQ(waitInVain(Many), Patience << 10);
}

TEST_F(WindowTest, AfterAWaitInVainTheCreatorHasAsMuchRoomAgain) {
  waitInVain(Many + 3);
  EXPECT_FALSE(Ahead.isFull(2 * Many + 2, Limit));
  EXPECT_TRUE(Ahead.isFull(2 * Many + 3, Limit));
}

TEST_F(WindowTest, IsNeverFullWithinTooManyOfItsOwnTasks) {
  for (uint32_t Depth = 0; Depth < Window::MostDepth; ++Depth) {
    EXPECT_TRUE(Ahead.isFull(100, Limit));
    Ahead.enter(100, Limit);
  }
  EXPECT_FALSE(Ahead.isFull(100, Limit));
  Ahead.leave(0);
  EXPECT_TRUE(Ahead.isFull(100, Limit));
}

TEST_F(WindowTest, WaitsAsLongAsTasksEnd) {
  Ahead.enter(2 * Many, Limit);
  for (uint64_t Live = 2 * Many; Live >= Many; --Live) {
    ASSERT_TRUE(Ahead.waits(Live, Now)) << Live;
    Now += Patience - 1;
    ASSERT_TRUE(Ahead.waits(Live, Now)) << Live;
    Now += Patience / 2; // beyond it
  }
  EXPECT_FALSE(Ahead.waits(Many, Now));
}

TEST_F(WindowTest, TasksThatComeBackAreNoProgress) {
  Ahead.enter(Many + 1000, Limit);
  EXPECT_TRUE(Ahead.waits(Many + 1000, Now));
  Now += Patience / 2;
  EXPECT_TRUE(Ahead.waits(Many + 500, Now));
  // More again, and fewer than that, but never fewer than there were.
  EXPECT_TRUE(Ahead.waits(Many + 800, Now + Patience / 2));
  EXPECT_TRUE(Ahead.waits(Many + 500, Now + Patience - 1));
  EXPECT_FALSE(Ahead.waits(Many + 500, Now + Patience));
}

TEST_F(WindowTest, TasksThatEndRestoreThePatience) {
  EXPECT_EQ(waitInVain(Many), Patience);
  EXPECT_EQ(waitInVain(Many), 2 * Patience);
  Ahead.enter(Many + 2, Limit); // 4 * Patience by now
  EXPECT_TRUE(Ahead.waits(Many + 2, Now));
  EXPECT_TRUE(Ahead.waits(Many + 1, Now));
  EXPECT_TRUE(Ahead.waits(Many + 1, Now + Patience - 1));
  EXPECT_FALSE(Ahead.waits(Many + 1, Now + Patience));
  Ahead.leave(Many + 1);
  EXPECT_EQ(waitInVain(Many + 1), 2 * Patience);
}

TEST_F(WindowTest, ALowWindowRestoresThePatience) {
  EXPECT_EQ(waitInVain(Many), Patience);
  EXPECT_EQ(waitInVain(Many), 2 * Patience);
  Ahead.enter(Many, Limit);
  Ahead.leave(Low);
  EXPECT_EQ(waitInVain(Many), Patience);
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
