//===- sleepers.cpp - Who is woken for a task -----------------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One thread at a time. model_sleep.cpp has the order of all steps.
//
//===----------------------------------------------------------------------===//

#include "locus/sleep/sleepers.h"

#include <gtest/gtest.h>
#include <thread>
#include <vector>

using namespace locus;

namespace {

std::vector<int> claimAll(Sleepers &Down, int Thread) {
  std::vector<int> All;
  for (int T; (T = Down.claim(Thread)) >= 0;)
    All.push_back(T);
  return All;
}

TEST(SleepersTest, nobodySleepsAtFirst) {
  for (int Threads : {1, 63, 64, 65, 200}) {
    Sleepers Down;
    ASSERT_TRUE(Down.build(Threads));
    for (int T = 0; T < Threads; ++T)
      EXPECT_EQ(Down.claim(T), -1);
  }
}

TEST(SleepersTest, nextOnesFirstAndAroundTheEnd) {
  Sleepers Down;
  ASSERT_TRUE(Down.build(200));
  const std::vector<int> Numbers = {0, 5, 63, 64, 127, 128, 199};
  for (int After : {0, 4, 5, 63, 64, 100, 127, 198, 199}) {
    for (int T : Numbers)
      Down.lieDown(T);
    std::vector<int> Expected;
    for (int Steps = 1; Steps <= 200; ++Steps)
      for (int T : Numbers)
        if ((After + Steps) % 200 == T)
          Expected.push_back(T);
    EXPECT_EQ(claimAll(Down, After), Expected) << "after " << After;
  }
}

TEST(SleepersTest, everyThreadOnceUntilItLiesDownAgain) {
  Sleepers Down;
  ASSERT_TRUE(Down.build(65));
  Down.lieDown(64);
  Down.lieDown(64);
  EXPECT_EQ(claimAll(Down, 3), std::vector<int>{64});
  Down.lieDown(64);
  EXPECT_EQ(claimAll(Down, 64), std::vector<int>{64});
}

TEST(SleepersTest, twoWakersNeverTakeTheSame) {
  constexpr int Threads = 130, Rounds = 200;
  Sleepers Down;
  ASSERT_TRUE(Down.build(Threads));
  for (int Round = 0; Round < Rounds; ++Round) {
    for (int T = 0; T < Threads; ++T)
      Down.lieDown(T);
    std::vector<int> Mine, Others;
    std::thread Other([&] { Others = claimAll(Down, Round % Threads); });
    Mine = claimAll(Down, Round * 7 % Threads);
    Other.join();
    std::vector<int> Times(Threads);
    for (int T : Mine)
      ++Times[T];
    for (int T : Others)
      ++Times[T];
    EXPECT_EQ(Times, std::vector<int>(Threads, 1));
  }
}

} // namespace
