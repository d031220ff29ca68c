//===- memory_spaces.cpp - Tests of machine/topology: kinds of memory -----===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "support.h"

#include <gtest/gtest.h>

using namespace locus;
using namespace locus::test;

static std::vector<int> nodesOf(const Topology &Machine, MemorySpace Space) {
  std::vector<int> Nodes;
  for (int Node = 0; Node < MaxOsNodes; ++Node)
    if (Machine.nodesOf(Space).contains(Node))
      Nodes.push_back(Node);
  return Nodes;
}
using Nodes = std::vector<int>;

TEST(MemorySpacesTest, nobodyKnows) {
  const Topology &Machine = topology("node:2 pu:2");
  EXPECT_EQ(nodesOf(Machine, MemorySpace::HighBandwidth), Nodes({}));
  EXPECT_EQ(nodesOf(Machine, MemorySpace::LowLatency), Nodes({}));
  EXPECT_EQ(nodesOf(Machine, MemorySpace::LargeCapacity), Nodes({0, 1}));
}

TEST(MemorySpacesTest, capacity) {
  // A large node beside two smaller ones, one of them not much.
  EXPECT_EQ(nodesOf(topology("package:2 [numa(memory=64GB)] "
                             "[numa(memory=256GB)] pu:2"),
                    MemorySpace::LargeCapacity),
            Nodes({1, 3}));
  // Nodes of one kind are never quite alike.
  EXPECT_EQ(nodesOf(topology("package:1 [numa(memory=62GB)] "
                             "[numa(memory=64GB)] [numa(memory=31GB)] pu:2"),
                    MemorySpace::LargeCapacity),
            Nodes({0, 1}));
}

TEST(MemorySpacesTest, bandwidthAndLatency) {
  // Each package with ordinary memory and a fast one behind it.
  const Topology &Fast =
      topology(Machine{"package:2 [numa(memory=64GB)] [numa(memory=16GB)] pu:2",
                       {},
                       {},
                       {200, 800, 190, 790},
                       {100, 120, 101, 130}});
  EXPECT_EQ(nodesOf(Fast, MemorySpace::HighBandwidth), Nodes({1, 3}));
  EXPECT_EQ(nodesOf(Fast, MemorySpace::LowLatency), Nodes({0, 1, 2}));
  EXPECT_EQ(nodesOf(Fast, MemorySpace::LargeCapacity), Nodes({0, 2}));
}
