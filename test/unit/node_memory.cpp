//===- node_memory.cpp - Tests of memory on a node ------------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "locus/machine/page_node.h"
#include "locus/machine/topology.h"

#include <algorithm>
#include <climits>
#include <cstdint>
#include <gtest/gtest.h>
#include <numaif.h>
#include <unistd.h>

using namespace locus;

static const size_t PageSize = size_t(getpagesize());

TEST(NodeMemoryTest, zeroedAndAligned) {
  for (int Node : {UnknownNode, 0, 1023, MaxOsNodes, INT32_MAX, INT32_MIN}) {
    const size_t Bytes = 3 * PageSize;
    char *Memory = static_cast<char *>(allocateOnNode(Bytes, Node));
    ASSERT_NE(Memory, nullptr) << Node;
    EXPECT_EQ(uintptr_t(Memory) % PageSize, 0u);
    EXPECT_TRUE(std::all_of(Memory, Memory + Bytes, [](char C) { return !C; }));
    std::fill(Memory, Memory + Bytes, 1);
    freeOnNode(Memory, Bytes);
  }
}

TEST(NodeMemoryTest, prefersItsNode) {
  if (move_pages(0, 0, nullptr, nullptr, nullptr, 0) != 0)
    GTEST_SKIP() << "the kernel refuses move_pages";
  void *Memory = allocateOnNode(PageSize, 0);
  // Not touched yet: the policy answers.
  EXPECT_EQ(nodeOfMemory(Memory, 0), 0);
  freeOnNode(Memory, PageSize);
  Memory = allocateOnNode(PageSize, UnknownNode);
  EXPECT_EQ(nodeOfMemory(Memory, 0), UnknownNode);
  freeOnNode(Memory, PageSize);
}

TEST(NodeMemoryTest, noMemory) {
  EXPECT_EQ(allocateOnNode(size_t(1) << 60, 0), nullptr);
  freeOnNode(nullptr, PageSize);
}
