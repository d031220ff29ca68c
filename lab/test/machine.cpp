//===- test/machine.cpp - The simulated machine ---------------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lab/machine.h"

#include <gtest/gtest.h>
#include <stdexcept>

using namespace locus::lab;

namespace {

/// What check() says of \p M.
std::string judgement(const Machine &M) {
  try {
    M.check();
  } catch (const std::invalid_argument &Error) {
    return Error.what();
  }
  return "";
}

TEST(MachineTest, TakesItsShapeFromHwloc) {
  Machine M;
  M.Synthetic = "package:2 numa:2 l3:2 core:3 pu:2";
  M.fromTopology();
  ASSERT_EQ(M.numProcessors(), 48);
  EXPECT_EQ(M.NumNodes, 4);
  EXPECT_EQ(M.NodeOf[12], 1);
  EXPECT_EQ(M.L3Of[6], 1);
  EXPECT_EQ(M.CoreOf[1], 0);
  EXPECT_EQ(M.CoreOf[2], 1);
  EXPECT_EQ(M.PackageOf[47], 1);
  EXPECT_EQ(judgement(M), "");
}

TEST(MachineTest, KnowsHowFarALineIs) {
  Machine M;
  M.Synthetic = "numa:2 l3:2 core:2 pu:2";
  M.fromTopology();
  EXPECT_EQ(M.lineNs(0, 1), M.CoreLineNs);
  EXPECT_EQ(M.lineNs(0, 2), M.L3LineNs);
  EXPECT_EQ(M.lineNs(0, 4), 60);
  EXPECT_EQ(M.lineNs(0, 8), 120);
}

TEST(MachineTest, RefusesWhatCannotBe) {
  Machine M = simpleMachine(2, 2);
  M.Links[1].GBs = 0;
  EXPECT_NE(judgement(M).find("memory 1 has 0"), std::string::npos);

  M = simpleMachine(2, 2);
  M.NodeLineNs.pop_back();
  EXPECT_NE(judgement(M).find("NodeLineNs has 3 entries, not 2 x 2"),
            std::string::npos);

  M = simpleMachine(2, 2);
  M.Paths[1] = {17};
  EXPECT_NE(judgement(M).find("link 17"), std::string::npos);

  M = simpleMachine(2, 2);
  M.Cost.SleepNs = -1;
  EXPECT_NE(judgement(M).find("SleepNs"), std::string::npos);

  EXPECT_NE(judgement(simpleMachine(2, 200)).find("400 processors"),
            std::string::npos);
  EXPECT_NE(judgement(Machine()).find("no processor"), std::string::npos);
}

TEST(MachineTest, RefusesWhatHwlocCannotRead) {
  Machine M;
  M.Synthetic = "no such thing";
  EXPECT_THROW(M.fromTopology(), std::invalid_argument);
  M.Xml = "/does/not/exist.xml";
  EXPECT_THROW(M.fromTopology(), std::invalid_argument);
}

} // namespace
