//===- tuning.cpp - Tests of the numbers that can be set ------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "locus/tuning.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

using namespace locus;

namespace {

class TuningTest : public testing::Test {
protected:
  void SetUp() override { Tuned = Tuning(); }
  void TearDown() override { Tuned = Tuning(); }

  static std::string shown() {
    char Text[2048];
    showTuning(Text, sizeof(Text));
    return Text;
  }

  static std::string said(const char *Text) {
    const char *Why = setTuning(Text);
    return Why ? Why : "";
  }
};

TEST_F(TuningTest, DefaultsAreInTheirRanges) {
#define LOCUS_IN_RANGE(Name, Default, Least, Most, Unit)                       \
  EXPECT_GE(int64_t(Default), int64_t(Least)) << #Name;                        \
  EXPECT_LE(int64_t(Default), int64_t(Most)) << #Name;                         \
  EXPECT_EQ(said((#Name "=" + std::to_string(Tuned.Name)).c_str()), "");
  LOCUS_TUNING(LOCUS_IN_RANGE)
#undef LOCUS_IN_RANGE
  EXPECT_EQ(shown(), "");
}

TEST_F(TuningTest, SetsWhatItNames) {
  EXPECT_EQ(said(" ListLimit = 100, hysteresis=3,"), "");
  EXPECT_EQ(Tuned.ListLimit, 100u);
  EXPECT_EQ(Tuned.Hysteresis, 3u);
  EXPECT_EQ(shown(), "ListLimit=100,Hysteresis=3");
  // What it shows it takes.
  Tuned = Tuning();
  EXPECT_EQ(said("ListLimit=100,Hysteresis=3"), "");
  EXPECT_EQ(shown(), "ListLimit=100,Hysteresis=3");
}

TEST_F(TuningTest, NothingChangesIfAnyOfItIsWrong) {
  for (const char *Text :
       {"ListLimit=100,Nonesuch=1", "ListLimit=100,Hysteresis=101",
        "ListLimit=100,Hysteresis=-1", "ListLimit=100,Hysteresis=3x",
        "ListLimit=100,Hysteresis=", "ListLimit=100,Hysteresis",
        "ListLimit=100,Hysteresis=99999999999999999999999"}) {
    EXPECT_NE(said(Text), "") << Text;
    EXPECT_EQ(shown(), "") << Text;
  }
}

TEST_F(TuningTest, SaysWhatIsWrong) {
  EXPECT_EQ(said("Nonesuch=1"), "there is no 'Nonesuch'");
  EXPECT_EQ(said("Hysteresis"), "'Hysteresis' is not name=value");
  EXPECT_EQ(said("Hysteresis=101"),
            "Hysteresis is a number of percent from 0 to 100");
  EXPECT_EQ(said("FirstCapacity=3"), "FirstCapacity is a power of two");
  EXPECT_EQ(said("NodeChunkLeast=3,NodeChunkMost=2"),
            "NodeChunkLeast is no more than NodeChunkMost");
  EXPECT_EQ(said("NodeChunkLeast=65536"),
            "NodeChunkLeast is no more than NodeChunkMost");
  EXPECT_EQ(said("NodeChunkLeast=1"),
            "NodeChunkLeast is a number of nodes from 2 to 65536");
  EXPECT_EQ(shown(), "");
  EXPECT_EQ(said("NodeChunkLeast=2,NodeChunkMost=2"), "");
}

TEST_F(TuningTest, ShowsNoMoreThanFits) {
  EXPECT_EQ(said("ListLimit=100,Hysteresis=3"), "");
  char Text[16];
  showTuning(Text, sizeof(Text));
  EXPECT_STREQ(Text, "ListLimit=100,H");
}

std::vector<std::string> Listed;

TEST_F(TuningTest, ListsAll) {
  EXPECT_EQ(said("Hysteresis=3"), "");
  Listed.clear();
  listTuning([](const char *Line) { Listed.push_back(Line); });
  EXPECT_EQ(Listed.size(), sizeof(Tuning) / sizeof(uint32_t));
  EXPECT_NE(
      std::find(Listed.begin(), Listed.end(), "Hysteresis=3, 0 to 100 percent"),
      Listed.end());
}

} // namespace
