//===- loop.cpp - Tests of the chunks of a taskloop -----------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "locus/loop/loop_places.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <vector>

using namespace locus;

namespace {

constexpr uint64_t Most = UINT64_MAX, Half = uint64_t(1) << 63;

/// The sizes of all chunks, as OpenMP and libomp have them, step by step.
std::vector<uint64_t> sizes(uint64_t Trips, LoopSchedule Schedule,
                            uint64_t Amount, bool Strict, int NumThreads) {
  std::vector<uint64_t> All;
  if (Schedule == LoopSchedule::Grainsize && Strict) {
    for (; Trips > Amount; Trips -= Amount)
      All.push_back(Amount);
    All.push_back(Trips);
    return All;
  }
  uint64_t Tasks = Schedule == LoopSchedule::Free ? 10 * uint64_t(NumThreads)
                   : Schedule == LoopSchedule::NumTasks
                       ? Amount
                       : std::max<uint64_t>(Trips / Amount, 1);
  Tasks = std::min(Tasks, Trips);
  for (uint64_t I = 0; I < Tasks; ++I)
    All.push_back(Trips / Tasks + (I < Trips % Tasks));
  return All;
}

/// Expects that \p C has chunks of these sizes.
void expectSizes(const LoopChunks &C, const std::vector<uint64_t> &Sizes) {
  EXPECT_TRUE(C.isValid());
  ASSERT_EQ(C.Tasks, Sizes.size());
  uint64_t Start = 0;
  for (size_t I = 0; I < Sizes.size(); ++I) {
    ASSERT_EQ(C.start(I), Start) << "chunk " << I;
    Start += Sizes[I];
  }
  EXPECT_EQ(C.start(C.Tasks), Start);
  EXPECT_EQ(C.Trips, Start);
}

/// Calls \p Do for many small loops.
template <class Action> void forSmallLoops(Action Do) {
  for (uint64_t Trips = 1; Trips <= 40; ++Trips)
    for (LoopSchedule Schedule :
         {LoopSchedule::Free, LoopSchedule::Grainsize, LoopSchedule::NumTasks})
      for (bool Strict : {false, true})
        for (uint64_t Amount = 1; Amount <= 43; ++Amount)
          Do(Trips, Schedule, Amount, Strict);
}

} // namespace

TEST(LoopRangeTest, tripsAndValues) {
  struct {
    LoopRange Range;
    uint64_t Trips;
  } const Cases[] = {
      {{0, 9, 1}, 10},
      {{0, Most, 1}, 0}, // nothing, or 2 to the 64
      {{5, 4, 1}, 0},
      {{Most - 4, 4, 1}, 10}, // -5 .. 4
      {{0, 9, 3}, 4},
      {{0, 11, 3}, 4},
      {{9, 0, -1}, 10},
      {{4, uint64_t(-5), -3}, 4}, // 4, 1, -2, -5
      {{Most, 0, -1}, 0},
      {{0, Most - 1, 1}, Most},
      {{0, Most - 1, 2}, Half},
      {{0, Half, INT64_MAX}, 2},
      {{Half, 0, INT64_MIN}, 2},
  };
  for (const auto &C : Cases) {
    EXPECT_EQ(C.Range.trips(), C.Trips);
    EXPECT_EQ(C.Range.at(0), C.Range.First);
    EXPECT_EQ(C.Range.at(3), C.Range.First + 3 * uint64_t(C.Range.Step));
  }
}

TEST(LoopChunksTest, asLibompAndTheStandardHaveThem) {
  forSmallLoops(
      [](uint64_t Trips, LoopSchedule Schedule, uint64_t Amount, bool Strict) {
        SCOPED_TRACE(testing::Message()
                     << Trips << " iterations, schedule " << int(Schedule)
                     << ", " << Amount << (Strict ? ", strict" : ""));
        const LoopChunks C = chunksOf(Trips, Schedule, Amount, Strict, 3);
        const std::vector<uint64_t> Sizes =
            sizes(Trips, Schedule, Amount, Strict, 3);
        expectSizes(C, Sizes);
        if (Schedule == LoopSchedule::NumTasks) {
          EXPECT_EQ(Sizes.size(), std::min(Trips, Amount));
        } else if (Schedule == LoopSchedule::Grainsize && !Strict) {
          for (uint64_t Size : Sizes) {
            EXPECT_GE(Size, std::min(Trips, Amount));
            EXPECT_LT(Size, 2 * Amount);
          }
        }
      });
}

TEST(LoopChunksTest, hugeLoops) {
  for (uint64_t Trips : {Most, Most - 1, Half + 1, Half})
    for (uint64_t Amount : {uint64_t(1), uint64_t(2), uint64_t(1000), Half / 2,
                            Half - 1, Most - 1, Most})
      for (LoopSchedule Schedule : {LoopSchedule::Free, LoopSchedule::Grainsize,
                                    LoopSchedule::NumTasks})
        for (bool Strict : {false, true}) {
          const LoopChunks C = chunksOf(Trips, Schedule, Amount, Strict, 1000);
          EXPECT_TRUE(C.isValid()) << Trips << " by " << Amount;
          EXPECT_EQ(C.Trips, Trips);
          EXPECT_EQ(C.start(C.Tasks), Trips);
          EXPECT_EQ(C.borderNear(Trips), C.Tasks);
        }
}

TEST(LoopChunksTest, partsAreTheSameChunks) {
  forSmallLoops(
      [](uint64_t Trips, LoopSchedule Schedule, uint64_t Amount, bool Strict) {
        const LoopChunks C = chunksOf(Trips, Schedule, Amount, Strict, 1);
        const std::vector<uint64_t> Sizes =
            sizes(Trips, Schedule, Amount, Strict, 1);
        for (uint64_t From = 0; From < C.Tasks; ++From)
          for (uint64_t To = From + 1; To <= C.Tasks; ++To)
            expectSizes(C.part(From, To),
                        {Sizes.begin() + long(From), Sizes.begin() + long(To)});
      });
}

TEST(LoopChunksTest, theNearestBorder) {
  forSmallLoops(
      [](uint64_t Trips, LoopSchedule Schedule, uint64_t Amount, bool Strict) {
        const LoopChunks C = chunksOf(Trips, Schedule, Amount, Strict, 1);
        for (uint64_t Ordinal = 0; Ordinal <= Trips; ++Ordinal) {
          uint64_t Best = 0;
          for (uint64_t Task = 0; Task <= C.Tasks; ++Task) {
            auto Distance = [&](uint64_t Border) {
              return std::abs(long(C.start(Border)) - long(Ordinal));
            };
            if (Distance(Task) < Distance(Best))
              Best = Task;
          }
          ASSERT_EQ(C.borderNear(Ordinal), Best)
              << Ordinal << " of " << Trips << " by " << Amount;
        }
      });
}

TEST(LoopChunksTest, shares) {
  EXPECT_EQ(shareOf(10, 0, 3), 0u);
  EXPECT_EQ(shareOf(10, 1, 3), 3u);
  EXPECT_EQ(shareOf(10, 2, 3), 6u);
  EXPECT_EQ(shareOf(10, 3, 3), 10u);
  EXPECT_EQ(shareOf(Most, Most - 1, Most), Most - 1);
  EXPECT_EQ(shareOf(Most, Most, Most), Most);
}
