//===- remote_delay.cpp - Tests of the delay for remote tasks -------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All by a clock that the tests set.
//
//===----------------------------------------------------------------------===//

#include "locus/steal/remote_delay.h"

#include <gtest/gtest.h>
#include <vector>

using namespace locus;

namespace {

struct Thief {
  void endRound(Round What, uint64_t TheTime) {
    Time = TheTime;
    Wait.endRound(What, [this] {
      ++Looks;
      return Time;
    });
  }
  /// Rounds without a task at one moment.
  Reach wait(uint32_t Rounds, uint64_t TheTime) {
    for (uint32_t I = 0; I < Rounds; ++I)
      endRound(Round::Empty, TheTime);
    return Wait.reach();
  }
  /// A placed task from \p Start to \p End, and an empty round at its end.
  void run(uint64_t Start, uint64_t End) {
    endRound(Round::PlacedTask, Start);
    endRound(Round::Empty, End);
  }

  RemoteDelay Wait;
  uint64_t Time = 0;
  int Looks = 0; ///< at the clock
};

const uint32_t Few = Tuned.RemoteRoundsBacklog;
const uint32_t Many = Tuned.RemoteRoundsAny;
const uint64_t Tasks = RemoteDelay::tasksBacklog();

TEST(RemoteDelayTest, roundsCountAsLongAsNoTaskHasBeenTimed) {
  Thief T;
  EXPECT_EQ(T.Wait.reach(), Reach::Near);
  EXPECT_EQ(T.wait(Few - 1, 0), Reach::Near);
  EXPECT_EQ(T.wait(1, 0), Reach::Backlog);
  EXPECT_EQ(T.wait(Many - Few - 1, 0), Reach::Backlog);
  EXPECT_EQ(T.wait(1, 0), Reach::Anything);
  EXPECT_EQ(T.Wait.emptyRounds(), Many);
  EXPECT_EQ(T.Looks, 0);
}

TEST(RemoteDelayTest, tasksWithoutAPlaceCostNoLookAtTheClock) {
  Thief T;
  for (int I = 0; I < 10; ++I) {
    T.endRound(Round::Task, 0);
    T.wait(Few, 0);
  }
  EXPECT_EQ(T.Looks, 0);
}

TEST(RemoteDelayTest, anyTaskEndsTheWait) {
  for (Round Kind : {Round::Task, Round::PlacedTask}) {
    Thief T;
    T.wait(Many, 0);
    T.endRound(Kind, 0);
    EXPECT_EQ(T.Wait.reach(), Reach::Near);
    EXPECT_EQ(T.Wait.emptyRounds(), 0u);
  }
}

TEST(RemoteDelayTest, aThiefWaitsAsLongAsItsTasksTake) {
  constexpr uint64_t Length = 1000, End = 5000 + Length;
  Thief T;
  T.run(5000, End);
  const uint64_t Backlog = End + Tasks * Length;
  const uint64_t Anything = End + Tuned.RemoteTasksAny * Length;
  // However often it looks.
  EXPECT_EQ(T.wait(2 * Many, End), Reach::Near);
  EXPECT_EQ(T.wait(1, Backlog - 1), Reach::Near);
  EXPECT_EQ(T.wait(1, Backlog), Reach::Backlog);
  EXPECT_EQ(T.wait(1, Anything - 1), Reach::Backlog);
  EXPECT_EQ(T.wait(1, Anything), Reach::Anything);
  // The next wait is as long.
  T.endRound(Round::Task, Anything);
  EXPECT_EQ(T.wait(Few, Anything), Reach::Near);
  EXPECT_EQ(T.wait(1, Anything + Tasks * Length), Reach::Backlog);
}

TEST(RemoteDelayTest, shortTasksDoNotShortenTheRounds) {
  Thief T;
  T.run(100, 101);
  EXPECT_EQ(T.wait(Few - 2, 1000000), Reach::Near);
  EXPECT_EQ(T.wait(1, 1000000), Reach::Backlog);
  EXPECT_EQ(T.wait(Many - Few - 1, 1000000), Reach::Backlog);
  EXPECT_EQ(T.wait(1, 1000000), Reach::Anything);
}

TEST(RemoteDelayTest, theLastFewTasksCount) {
  Thief T;
  // One behind the other, without a round in between.
  T.endRound(Round::PlacedTask, 0);
  for (uint64_t I = 1; I <= 40; ++I)
    T.endRound(Round::PlacedTask, 1000 * I);
  T.endRound(Round::Empty, 41000);
  EXPECT_EQ(T.wait(Few, 41000 + Tasks * 990), Reach::Near);
  EXPECT_EQ(T.wait(1, 41000 + Tasks * 1010), Reach::Backlog);
  // A single odd one moves the mean by a quarter.
  T.run(50000, 50000);
  EXPECT_EQ(T.wait(Few, 50000 + Tasks * 740), Reach::Near);
  EXPECT_EQ(T.wait(1, 50000 + Tasks * 760), Reach::Backlog);
}

TEST(RemoteDelayTest, theTimeOfOtherTasksDoesNotCount) {
  Thief T;
  T.run(0, 1000);
  T.endRound(Round::PlacedTask, 2000);
  T.endRound(Round::Task, 3000);
  T.endRound(Round::Task, 1003000);
  T.endRound(Round::Empty, 2003000);
  EXPECT_EQ(T.wait(Few, 2003000 + Tasks * 999), Reach::Near);
  EXPECT_EQ(T.wait(1, 2003000 + Tasks * 1000), Reach::Backlog);
}

TEST(RemoteDelayTest, serialCodeBehindATaskDoesNotCount) {
  Thief T;
  T.endRound(Round::PlacedTask, 1000);
  T.Wait.endTask([] { return uint64_t(2000); });
  T.endRound(Round::Empty, 5000000);
  EXPECT_EQ(T.wait(Few, 5000000 + Tasks * 999), Reach::Near);
  EXPECT_EQ(T.wait(1, 5000000 + Tasks * 1000), Reach::Backlog);
}

TEST(RemoteDelayTest, byRoundsTheTimeDoesNotCount) {
  Thief T;
  T.run(0, 1000000);
  T.wait(Few - 2, 1000000);
  EXPECT_EQ(T.Wait.reachByRounds(), Reach::Near);
  T.wait(1, 1000000);
  EXPECT_EQ(T.Wait.reachByRounds(), Reach::Backlog);
  T.wait(Many - Few, 1000000);
  EXPECT_EQ(T.Wait.reachByRounds(), Reach::Anything);
  EXPECT_EQ(T.Wait.reach(), Reach::Near);
}

TEST(RemoteDelayTest, noTaskMakesItWaitForEver) {
  for (uint64_t End : {uint64_t(1) << 62, uint64_t(0)}) { // or time goes back
    Thief T;
    T.run(1000, End);
    EXPECT_EQ(
        T.wait(Many, End + Tuned.RemoteTasksAny * RemoteDelay::TaskLongest),
        Reach::Anything);
  }
}

TEST(RemoteDelayTest, whoWasRefusedLooksAgainLessAndLessOften) {
  const uint32_t Most = RemoteDelay::RefusedRoundsMost;
  // However long it has waited before: what was refused in another wait says
  // nothing of the rounds since.
  for (uint32_t Before : {0u, 5u, 3 * Most}) {
    Thief T;
    T.wait(Before, 0);
    EXPECT_TRUE(T.Wait.looksAgain());
    T.Wait.noteRefusal();
    std::vector<uint32_t> Looks;
    for (uint32_t Since = 1; Since <= 4 * Most; ++Since) {
      T.wait(1, 0);
      if (T.Wait.looksAgain())
        Looks.push_back(Since);
      T.Wait.noteRefusal(); // again, or not: the first one counts
    }
    std::vector<uint32_t> Wanted;
    for (uint32_t Since = 1; Since < Most; Since *= 2)
      Wanted.push_back(Since);
    Wanted.insert(Wanted.end(), {Most, 2 * Most, 3 * Most, 4 * Most});
    EXPECT_EQ(Looks, Wanted);
    // What it finds then says nothing of the next queue.
    T.endRound(Round::Task, 0);
    T.wait(5, 0);
    EXPECT_TRUE(T.Wait.looksAgain());
  }
}

} // namespace
