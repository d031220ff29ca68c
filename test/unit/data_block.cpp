//===- data_block.cpp - Tests of data/block -------------------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "locus/data/block.h"
#include "locus/machine/page_node.h"
#include "locus/support/cpu.h"
#include "support.h"

#include <cerrno>
#include <cstring>
#include <gtest/gtest.h>
#include <numaif.h>
#include <sys/mman.h>
#include <vector>

using namespace locus;
using namespace locus::test;

static const size_t PageSize = pageSize();

static uintptr_t addressOf(const void *Memory) {
  return reinterpret_cast<uintptr_t>(Memory);
}

/// How many pages of a block the process has populated.
static int populated(const DataBlock &Of) {
  std::vector<unsigned char> Resident(Of.Bytes / PageSize);
  EXPECT_EQ(mincore(Of.Base, Of.Bytes, Resident.data()), 0);
  int Count = 0;
  for (unsigned char Byte : Resident)
    Count += Byte & 1;
  return Count;
}

static bool isMapped(uintptr_t Address) {
  unsigned char Resident;
  return mincore(reinterpret_cast<void *>(Address), 1, &Resident) == 0;
}

/// The policy of the page at \p Address.
static int modeOf(void *Address) {
  int Mode = -1;
  EXPECT_EQ(get_mempolicy(&Mode, nullptr, 0, Address, MPOL_F_ADDR), 0)
      << strerror(errno);
  return Mode;
}

/// As each of the two kinds of kernels counts pages.
class BlockOfKernelTest : public testing::TestWithParam<bool> {
protected:
  void SetUp() override { setCutsPageNumbers(GetParam()); }
};

TEST_P(BlockOfKernelTest, sizesAndAlignments) {
  for (size_t Bytes : {size_t(1), PageSize - 1, PageSize, PageSize + 1,
                       10 * PageSize, size_t(3) << 21})
    for (size_t Alignment :
         {size_t(1), size_t(64), PageSize, 4 * PageSize, size_t(1) << 21})
      for (int Count : {1, 2, 3, 24}) {
        SCOPED_TRACE(testing::Message() << Bytes << " bytes, alignment "
                                        << Alignment << ", " << Count);
        NodeList Nodes;
        while (Nodes.Count < Count)
          Nodes.add(Nodes.Count);
        const DataBlock Made = mapBlock(Bytes, Alignment, &Nodes);
        ASSERT_NE(Made.Base, nullptr);
        const uintptr_t Data = addressOf(Made.Data);
        EXPECT_EQ(Data, addressOf(Made.Base) + PageSize);
        EXPECT_EQ(Data % Alignment, 0u);
        EXPECT_EQ(rankOfInterleaved(Data, Nodes), 0u);
        EXPECT_EQ(Made.Bytes, (pagesOf(Bytes) + 1) * PageSize);
        EXPECT_EQ(populated(Made), 0);
        char *const Chars = static_cast<char *>(Made.Data);
        EXPECT_EQ(Chars[0] + Chars[Bytes - 1], 0);
        memset(Made.Base, 1, Made.Bytes); // all of it is there
        unmapBlock(Made);
        EXPECT_FALSE(isMapped(addressOf(Made.Base)));
        EXPECT_FALSE(isMapped(Data + Bytes - 1));
      }
}

TEST_P(BlockOfKernelTest, pageNumbersMayBeCut) {
  NodeList Three;
  for (int Node = 0; Node < 3; ++Node)
    Three.add(Node);
  const size_t Page = (size_t(1) << 32) + 4;
  EXPECT_EQ(rankOfInterleaved(Page * PageSize, Three),
            GetParam() ? 1u : Page % 3);
}

INSTANTIATE_TEST_SUITE_P(Kernels, BlockOfKernelTest, testing::Bool());

TEST(BlockTest, tooLarge) {
  NodeList Three;
  for (int Node = 0; Node < 3; ++Node)
    Three.add(Node);
  for (size_t Bytes :
       {SIZE_MAX, SIZE_MAX - PageSize, size_t(PTRDIFF_MAX), size_t(1) << 50}) {
    EXPECT_EQ(mapBlock(Bytes, 1, nullptr).Base, nullptr) << Bytes;
    EXPECT_EQ(mapBlock(Bytes, size_t(1) << 62, &Three).Base, nullptr) << Bytes;
  }
  EXPECT_EQ(mapBlock(1, size_t(1) << 63, &Three).Base, nullptr);
  EXPECT_EQ(mapBlock(1, size_t(1) << 63, nullptr).Base, nullptr);
}

/// This machine has a node 0, at least; the guest has the others.
TEST(BlockTest, pagesAreSent) {
  NodeList Zero;
  Zero.add(0);
  const DataBlock Made = mapBlock(8 * PageSize, 1, nullptr);
  ASSERT_NE(Made.Base, nullptr);
  const int Error = sendPages(Made.Data, Partition(Zero, 8, 0), false);
  if (Error == EPERM || Error == ENOSYS) {
    unmapBlock(Made);
    GTEST_SKIP() << "the kernel refuses mbind";
  }
  EXPECT_EQ(Error, 0);
  EXPECT_EQ(populated(Made), 0);
  EXPECT_EQ(modeOf(Made.Data), MPOL_PREFERRED);
  EXPECT_EQ(nodeOfMemory(Made.Data, 8 * PageSize), 0); // as the policy says
  static_cast<char *>(Made.Data)[3 * PageSize] = 1;
  EXPECT_EQ(sendPages(Made.Data, Partition(Zero, 8, 0), true), 0);
  EXPECT_EQ(populated(Made), 1);
  EXPECT_EQ(nodeOfMemory(Made.Data, 8 * PageSize), 0);
  unmapBlock(Made);
}

/// More pages than one order names, some of them there.
TEST(BlockTest, manyPagesMove) {
  NodeList Zero;
  Zero.add(0);
  const size_t Count = 1000;
  const DataBlock Made = mapBlock(Count * PageSize, 1, nullptr);
  for (size_t Page = 0; Page < Count; Page += 3)
    static_cast<char *>(Made.Data)[Page * PageSize] = 1;
  const int Error = sendPages(Made.Data, Partition(Zero, Count, 0), true);
  if (Error != EPERM && Error != ENOSYS)
    EXPECT_EQ(Error, 0);
  unmapBlock(Made);
}

/// Linux 6.1 does not find, and does not move, what balancing has hidden, until
/// somebody asks for it; then a page may be in use. What is not there is not
/// asked for.
TEST(BlockTest, hiddenPagesMove) {
  NodeList Zero;
  Zero.add(0);
  const DataBlock Made = mapBlock(8 * PageSize, 1, nullptr);
  char *const Data = static_cast<char *>(Made.Data);
  for (size_t Page : {2, 3, 5})
    Data[Page * PageSize] = 1;
  std::vector<std::vector<void *>> Orders;
  FakeOrders = [&](unsigned long Count, void **Pages, int *Status) {
    Orders.emplace_back(Pages, Pages + Count);
    const int Answers[20][8] = {{-ENOENT, 0, -ENOENT}, {-EBUSY}};
    for (unsigned long I = 0; I < Count; ++I)
      Status[I] = Answers[Orders.size() - 1][I];
    return 0;
  };
  const int Error = sendPages(Made.Data, Partition(Zero, 8, 0), true);
  FakeOrders = nullptr;
  unmapBlock(Made);
  if (Error == EPERM || Error == ENOSYS)
    GTEST_SKIP() << "the kernel refuses mbind";
  EXPECT_EQ(Error, 0);
  void *const Two = Data + 2 * PageSize, *const Three = Data + 3 * PageSize,
              *const Five = Data + 5 * PageSize;
  EXPECT_EQ(Orders, (std::vector<std::vector<void *>>{
                        {Two, Three, Five}, {Two, Five}, {Two}}));
}

/// A node that is not there is an error, and says which.
TEST(BlockTest, noSuchNode) {
  NodeList Far;
  Far.add(MaxOsNodes - 1);
  const DataBlock Made = mapBlock(PageSize, 1, nullptr);
  EXPECT_NE(sendPages(Made.Data, Partition(Far, 1, 0), false), 0);
  unmapBlock(Made);
}

TEST(BlockTest, kernelCountsInterleavedPagesByAddress) {
  NodeList Nodes;
  Nodes.add(0);
  EXPECT_EQ(rankOfInterleaved(29 * PageSize, Nodes), 0u);
  while (Nodes.Count < 24)
    Nodes.add(Nodes.Count);
  EXPECT_EQ(rankOfInterleaved(24 * PageSize, Nodes), 0u);
  EXPECT_EQ(rankOfInterleaved(29 * PageSize, Nodes), 5u);
}

TEST(BlockTest, room) {
  NodeList Zero;
  Zero.add(0);
  NodeSet One, Two;
  One.add(0);
  Two.add(0);
  Two.add(1);
  EXPECT_FALSE(hasRoom(Partition(Zero, size_t(1) << 40, 0), Two));
  // There is no other node: the kernel empties its caches.
  EXPECT_TRUE(hasRoom(Partition(Zero, size_t(1) << 40, 0), One));
  EXPECT_TRUE(allowedNodes().size() >= 1);
}
