//===- data_line.cpp - Tests of the data of a taskloop's iterations -------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "locus/loop/loop_places.h"

#include <gtest/gtest.h>

using namespace locus;

namespace {

/// Bytes of 8 at 1000 + Step * the iteration.
MemoryRange rangeOf(int64_t Step, uint64_t Start, uint64_t Trips) {
  const int64_t Here = 100000 + Step * int64_t(Start);
  const int64_t End = 100000 + Step * int64_t(Start + Trips - 1);
  return {uintptr_t(Here < End ? Here : End),
          size_t((Here < End ? End - Here : Here - End) + 8)};
}

void expectRange(const DataLine &Line, int64_t Step, uint64_t Start,
                 uint64_t Trips) {
  ASSERT_TRUE(Line.knows(Start, Trips));
  EXPECT_EQ(Line.of(Start, Trips).Base, rangeOf(Step, Start, Trips).Base);
  EXPECT_EQ(Line.of(Start, Trips).Length, rangeOf(Step, Start, Trips).Length);
}

} // namespace

TEST(DataLine, FollowsEvenSteps) {
  for (int64_t Step : {8, 80, 0, -8, -24})
    for (uint64_t Trips : {1, 10}) {
      DataLine Line;
      for (uint64_t Start : {0, 20, 10, 90})
        Line.add(Start, Trips, rangeOf(Step, Start, Trips));
      expectRange(Line, Step, 0, 1);
      expectRange(Line, Step, 0, 100);
      expectRange(Line, Step, 37, 13);
      expectRange(Line, Step, 99, 1);
    }
}

TEST(DataLine, SaysNothingOfUnevenSteps) {
  DataLine Odd; // half a byte an iteration
  Odd.add(0, 1, {1000, 8});
  Odd.add(2, 1, {1001, 8});
  EXPECT_FALSE(Odd.knows(0, 1));
  DataLine Jumps;
  for (uint64_t Start : {0, 10, 20})
    Jumps.add(Start, 1, {uintptr_t(1000 + 8 * (Start == 20 ? 0 : Start)), 8});
  EXPECT_FALSE(Jumps.knows(0, 1));
}

TEST(DataLine, KnowsOneAnswerAsItIs) {
  DataLine Line;
  EXPECT_FALSE(Line.knows(0, 1));
  Line.add(0, 5, {1000, 40});
  Line.add(0, 5, {1000, 40}); // asked again
  ASSERT_TRUE(Line.knows(0, 5));
  EXPECT_EQ(Line.of(0, 5).Base, 1000u);
  EXPECT_EQ(Line.of(0, 5).Length, 40u);
  EXPECT_FALSE(Line.knows(0, 2));
}
