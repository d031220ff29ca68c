//===- data_partition.cpp - Tests of data/partition -----------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "locus/data/partition.h"

#include <gtest/gtest.h>
#include <map>
#include <random>
#include <vector>

using namespace locus;

static NodeList listOf(const std::vector<int> &OsNodes) {
  NodeList List;
  for (int Node : OsNodes)
    List.add(Node);
  return List;
}

/// The node of each page.
static std::vector<int> pagesOf(const Partition &Parts) {
  std::vector<int> Nodes;
  for (size_t Page = 0; Page < Parts.numPages(); ++Page)
    Nodes.push_back(Parts.nodeOfPage(Page));
  return Nodes;
}

using Pages = std::vector<int>;

TEST(NodeListTest, addRotate) {
  NodeList List = listOf({3, 0, 3, 2});
  EXPECT_EQ(List.Count, 3);
  EXPECT_TRUE(List.set().contains(2));
  EXPECT_FALSE(List.set().contains(1));
  EXPECT_TRUE(List == listOf({3, 0, 2}));
  List.rotate(4);
  EXPECT_TRUE(List == listOf({0, 2, 3}));
  List.rotate(0);
  EXPECT_TRUE(List == listOf({0, 2, 3}));
  EXPECT_FALSE(List == listOf({0, 2}));
}

TEST(PartitionTest, nearest) {
  const NodeList One = listOf({7});
  for (size_t PartPages : {0, 1, 3}) {
    const Partition Parts(One, 5, PartPages);
    EXPECT_EQ(pagesOf(Parts), Pages({7, 7, 7, 7, 7}));
    EXPECT_EQ(Parts.endOfPart(0), 5u);
    EXPECT_EQ(Parts.endOfPart(4), 5u);
    EXPECT_EQ(Parts.pagesOn(0), 5u);
  }
}

TEST(PartitionTest, blocked) {
  const NodeList List = listOf({3, 0, 2});
  EXPECT_EQ(pagesOf(Partition(List, 9, 0)), Pages({3, 3, 3, 0, 0, 0, 2, 2, 2}));
  // The first ones have one page more.
  EXPECT_EQ(pagesOf(Partition(List, 8, 0)), Pages({3, 3, 3, 0, 0, 0, 2, 2}));
  EXPECT_EQ(pagesOf(Partition(List, 7, 0)), Pages({3, 3, 3, 0, 0, 2, 2}));
  // Fewer pages than nodes.
  EXPECT_EQ(pagesOf(Partition(List, 2, 0)), Pages({3, 0}));
  EXPECT_EQ(Partition(List, 2, 0).pagesOn(2), 0u);
  EXPECT_EQ(pagesOf(Partition(List, 1, 0)), Pages({3}));
}

TEST(PartitionTest, interleaved) {
  const NodeList List = listOf({0, 1, 2});
  EXPECT_EQ(pagesOf(Partition(List, 7, 1)), Pages({0, 1, 2, 0, 1, 2, 0}));
  EXPECT_EQ(pagesOf(Partition(List, 9, 2)), Pages({0, 0, 1, 1, 2, 2, 0, 0, 1}));
  EXPECT_EQ(Partition(List, 9, 2).pagesOn(0), 4u);
  EXPECT_EQ(Partition(List, 9, 2).pagesOn(1), 3u);
  EXPECT_EQ(Partition(List, 9, 2).pagesOn(2), 2u);
  // Parts that are larger than all of it.
  EXPECT_EQ(pagesOf(Partition(List, 3, SIZE_MAX)), Pages({0, 0, 0}));
  EXPECT_EQ(Partition(List, 3, SIZE_MAX).pagesOn(0), 3u);
  EXPECT_EQ(Partition(List, 3, SIZE_MAX).endOfPart(1), 3u);
}

/// A terabyte in parts of a page: no step takes longer for it.
TEST(PartitionTest, large) {
  const NodeList List = listOf({0, 1, 2, 3, 4, 5, 6});
  const size_t Count = size_t(1) << 28;
  for (size_t PartPages : {0, 1, 512}) {
    const Partition Parts(List, Count, PartPages);
    size_t Sum = 0;
    for (int Rank = 0; Rank < List.Count; ++Rank)
      Sum += Parts.pagesOn(Rank);
    EXPECT_EQ(Sum, Count);
    EXPECT_EQ(Parts.nodeOfMost(Count - 1, Count, 1),
              Parts.nodeOfPage(Count - 1));
  }
}

/// What a loop over all bytes finds.
TEST(PartitionTest, randomAgainstPages) {
  std::mt19937 Random(1);
  constexpr size_t PageSize = 4;
  for (int Round = 0; Round < 2000; ++Round) {
    NodeList List;
    const int Wanted = 1 + int(Random() % 5);
    while (List.Count < Wanted)
      List.add(int(Random() % 9));
    const size_t Count = 1 + Random() % 40;
    const Partition Parts(List, Count, Random() % 6);
    SCOPED_TRACE(testing::Message()
                 << "round " << Round << ": " << List.Count << " nodes, "
                 << Count << " pages, parts of " << Parts.partPages());

    // Runs: what endOfPart() says is on one node, and the next is not.
    for (size_t First = 0, End; First < Count; First = End) {
      End = Parts.endOfPart(First);
      ASSERT_GT(End, First);
      ASSERT_LE(End, Count);
      for (size_t Page = First; Page < End; ++Page) {
        ASSERT_EQ(Parts.nodeOfPage(Page), Parts.nodeOfPage(First));
        ASSERT_EQ(Parts.endOfPart(Page), End);
      }
    }

    const size_t Begin = Random() % (Count * PageSize);
    const size_t End = Begin + 1 + Random() % (Count * PageSize - Begin);
    std::map<int, size_t> Bytes;
    std::vector<int> Order; // by first byte
    for (size_t Byte = Begin; Byte < End; ++Byte) {
      const int Node = Parts.nodeOfPage(Byte / PageSize);
      if (Bytes[Node]++ == 0)
        Order.push_back(Node);
    }
    int Most = Order[0];
    for (int Node : Order)
      if (Bytes[Node] > Bytes[Most])
        Most = Node;
    EXPECT_EQ(Parts.nodeOfMost(Begin, End, PageSize), Most);
    for (int Rank = 0; Rank < List.Count; ++Rank)
      EXPECT_EQ(Parts.bytesOn(Rank, Begin, End, PageSize),
                Bytes[List.Nodes[Rank]]);
  }
}
