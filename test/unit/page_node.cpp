//===- page_node.cpp - Tests of machine/page_node -------------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "locus/machine/page_node.h"
#include "support.h"

#include <algorithm>
#include <cerrno>
#include <gtest/gtest.h>
#include <map>
#include <numaif.h>
#include <random>
#include <sys/mman.h>
#include <unistd.h>

using namespace locus;
using namespace locus::test;

static const size_t PageSize = size_t(getpagesize());

namespace {

/// Fresh pages, none of them touched, between two that nobody may touch.
class Pages {
public:
  explicit Pages(int TheCount) : Count(TheCount) {
    All = static_cast<char *>(mmap(nullptr, (Count + 2) * PageSize, PROT_NONE,
                                   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    EXPECT_NE(All, MAP_FAILED);
    // Huge pages would populate neighbours of the one that is touched.
    (void)madvise(All, (Count + 2) * PageSize, MADV_NOHUGEPAGE);
    EXPECT_EQ(mprotect(at(0), Count * PageSize, PROT_READ | PROT_WRITE), 0);
  }
  ~Pages() { munmap(All, (Count + 2) * PageSize); }
  Pages(const Pages &) = delete;
  Pages &operator=(const Pages &) = delete;

  char *at(int Page) const { return All + (Page + 1) * PageSize; }
  size_t size() const { return Count * PageSize; }
  void touch(int Page) { *at(Page) = 1; }

  /// How many pages the process has populated.
  int populated() const {
    std::vector<unsigned char> Resident(Count);
    EXPECT_EQ(mincore(at(0), size(), Resident.data()), 0);
    return int(std::count_if(Resident.begin(), Resident.end(),
                             [](unsigned char Byte) { return Byte & 1; }));
  }

private:
  int Count;
  char *All;
};

/// A kernel that knows the nodes of some pages, and notes what it is asked.
class PageTable {
public:
  std::map<uintptr_t, int> Nodes; ///< page number => node; others -ENOENT
  std::vector<uintptr_t> Asked;   ///< page numbers

  MovePages kernel() {
    return [this](unsigned long Count, void **Pages, int *Status) {
      for (unsigned long I = 0; I < Count; ++I) {
        uintptr_t Address = reinterpret_cast<uintptr_t>(Pages[I]);
        EXPECT_EQ(Address % PageSize, 0u);
        Asked.push_back(Address / PageSize);
        auto Found = Nodes.find(Address / PageSize);
        Status[I] = Found == Nodes.end() ? -ENOENT : Found->second;
      }
      return 0;
    };
  }
};

/// Where made-up pages lie: far away from everything that is mapped.
constexpr uintptr_t FakeBase = uintptr_t(1) << 60;

/// The answer for one range from FakeBase on, whose pages are on \p Nodes.
int nodeOfFake(const std::vector<int> &Nodes, size_t Offset, size_t Length) {
  PageTable Table;
  for (size_t I = 0; I < Nodes.size(); ++I)
    Table.Nodes[FakeBase / PageSize + I] = Nodes[I];
  FakeKernel Fake(Table.kernel());
  return nodeOfMemory(reinterpret_cast<void *>(FakeBase + Offset), Length);
}

/// OS node of the page at \p Address, as the kernel says.
int kernelSays(void *Address) {
  int Status = -1;
  EXPECT_EQ(move_pages(0, 1, &Address, nullptr, &Status, 0), 0);
  return Status;
}

} // namespace

//===----------------------------------------------------------------------===//
// With the real kernel
//===----------------------------------------------------------------------===//

/// Those that need its answers. Some containers refuse them.
class PageNodeTest : public testing::Test {
protected:
  void SetUp() override {
    if (move_pages(0, 0, nullptr, nullptr, nullptr, 0) != 0)
      GTEST_SKIP() << "the kernel refuses move_pages";
  }
};

TEST_F(PageNodeTest, touchedPage) {
  Pages Memory(1);
  Memory.touch(0);
  const int Node = kernelSays(Memory.at(0));
  ASSERT_GE(Node, 0);
  EXPECT_EQ(nodeOfMemory(Memory.at(0), 0), Node);
  EXPECT_EQ(nodeOfMemory(Memory.at(0), 1), Node);
  EXPECT_EQ(nodeOfMemory(Memory.at(0) + 123, 0), Node);
  EXPECT_EQ(nodeOfMemory(Memory.at(1) - 1, 1), Node);
  EXPECT_EQ(nodeOfMemory(Memory.at(0), PageSize), Node);
}

TEST_F(PageNodeTest, stackGlobalAndCode) {
  int Local = 1;
  static int Global = 1;
  Global += Local;
  EXPECT_EQ(nodeOfMemory(&Local, sizeof(Local)), kernelSays(&Local));
  EXPECT_EQ(nodeOfMemory(&Global, sizeof(Global)), kernelSays(&Global));
}

TEST_F(PageNodeTest, untouchedPageStaysUntouched) {
  Pages Memory(64);
  ASSERT_EQ(Memory.populated(), 0);
  EXPECT_EQ(nodeOfMemory(Memory.at(0), 0), UnknownNode);
  EXPECT_EQ(nodeOfMemory(Memory.at(3), 3 * PageSize), UnknownNode);
  EXPECT_EQ(nodeOfMemory(Memory.at(0), Memory.size()), UnknownNode);
  EXPECT_EQ(Memory.populated(), 0);
  EXPECT_TRUE(takeWarnings().empty());
}

TEST_F(PageNodeTest, nullAndUnmapped) {
  void *Gone = nullptr;
  EXPECT_EQ(nodeOfMemory(Gone, 0), UnknownNode);
  EXPECT_EQ(nodeOfMemory(Gone, 1 << 20), UnknownNode);
  {
    Pages Memory(2);
    Memory.touch(1);
    Gone = Memory.at(1);
  }
  EXPECT_EQ(nodeOfMemory(Gone, 8), UnknownNode);
  EXPECT_EQ(nodeOfMemory(reinterpret_cast<void *>(UINTPTR_MAX), 0),
            UnknownNode);
  EXPECT_EQ(nodeOfMemory(reinterpret_cast<void *>(UINTPTR_MAX), 1),
            UnknownNode);
  // Not canonical on x86-64.
  EXPECT_EQ(nodeOfMemory(reinterpret_cast<void *>(uintptr_t(1) << 62), 4096),
            UnknownNode);
  EXPECT_TRUE(takeWarnings().empty());
}

TEST_F(PageNodeTest, protectedPage) {
  Pages Memory(1);
  // The guard page below: mapped, but nobody may read it.
  EXPECT_EQ(nodeOfMemory(Memory.at(0) - PageSize, 0), UnknownNode);
  EXPECT_EQ(Memory.populated(), 0);
}

TEST_F(PageNodeTest, rangeWithOneTouchedPage) {
  // Up to MaxPagesAsked pages, each is asked.
  for (int Touched = 0; Touched < MaxPagesAsked; ++Touched) {
    Pages Memory(MaxPagesAsked);
    Memory.touch(Touched);
    EXPECT_GE(nodeOfMemory(Memory.at(0), Memory.size()), 0) << Touched;
    EXPECT_EQ(Memory.populated(), 1);
  }
}

TEST_F(PageNodeTest, rangeThatOverlapsPartially) {
  Pages Memory(3);
  Memory.touch(2);
  // The last byte is on the touched page; one byte less is not.
  EXPECT_GE(nodeOfMemory(Memory.at(1) - 1, PageSize + 2), 0);
  EXPECT_EQ(nodeOfMemory(Memory.at(1) - 1, PageSize + 1), UnknownNode);
}

TEST_F(PageNodeTest, policyOfUntouchedPages) {
  Pages Memory(4);
  unsigned long Mask = 1;
  for (int Mode : {MPOL_BIND, MPOL_PREFERRED}) {
    ASSERT_EQ(mbind(Memory.at(1), 2 * PageSize, Mode, &Mask, 8, 0), 0);
    EXPECT_EQ(nodeOfMemory(Memory.at(1), 0), 0);
    EXPECT_EQ(nodeOfMemory(Memory.at(1), 2 * PageSize), 0);
    EXPECT_EQ(nodeOfMemory(Memory.at(3), 0), UnknownNode);
    EXPECT_EQ(Memory.populated(), 0);
  }
  ASSERT_EQ(mbind(Memory.at(1), 2 * PageSize, MPOL_DEFAULT, nullptr, 0, 0), 0);
  EXPECT_EQ(nodeOfMemory(Memory.at(1), 0), UnknownNode);
  // Preferred without a node means local: no node named.
  ASSERT_EQ(mbind(Memory.at(1), 2 * PageSize, MPOL_PREFERRED, nullptr, 0, 0),
            0);
  EXPECT_EQ(nodeOfMemory(Memory.at(1), 0), UnknownNode);
  EXPECT_EQ(Memory.populated(), 0);
}

TEST_F(PageNodeTest, lengthThatWraps) {
  Pages Memory(2);
  Memory.touch(0);
  // Where the kernel ignores the highest byte of an address, as on Arm, pages
  // far behind are the first one again.
  const int Again = nodeOfMemory(
      reinterpret_cast<void *>(uintptr_t(Memory.at(0)) | uintptr_t(1) << 56),
      1);
  PageTable Table;
  FakeKernel Fake(Table.kernel());
  const size_t Huge[] = {SIZE_MAX, SIZE_MAX - 1, SIZE_MAX / 2 + 1,
                         SIZE_MAX - uintptr_t(Memory.at(0)),
                         SIZE_MAX - uintptr_t(Memory.at(0)) + 1};
  for (size_t Length : Huge) {
    Table.Asked.clear();
    const int Node = nodeOfMemory(Memory.at(0), Length);
    EXPECT_TRUE(Node == UnknownNode || Node == Again) << Node;
    ASSERT_EQ(Table.Asked.size(), size_t(MaxPagesAsked));
    // Upwards from the base, never around the end.
    for (size_t I = 0; I < Table.Asked.size(); ++I)
      EXPECT_GT(Table.Asked[I],
                I ? Table.Asked[I - 1] : uintptr_t(Memory.at(0)) / PageSize);
  }
}

TEST_F(PageNodeTest, rangeAtTheEndOfTheAddressSpace) {
  PageTable Table;
  FakeKernel Fake(Table.kernel());
  const uintptr_t Base = UINTPTR_MAX - 5 * PageSize + 1;
  for (size_t Length : {5 * PageSize - 1, 5 * PageSize, 5 * PageSize + 1,
                        SIZE_MAX / 2, SIZE_MAX}) {
    Table.Asked.clear();
    nodeOfMemory(reinterpret_cast<void *>(Base), Length);
    // The five pages, and not those at the other end.
    ASSERT_EQ(Table.Asked.size(), 5u) << Length;
    for (size_t I = 0; I < 5; ++I)
      EXPECT_EQ(Table.Asked[I], Base / PageSize + I);
  }
}

//===----------------------------------------------------------------------===//
// With made-up answers: what is asked
//===----------------------------------------------------------------------===//

TEST(PageNodeSampleTest, oneCallAndBoundedPages) {
  PageTable Table;
  FakeKernel Fake(Table.kernel());
  for (size_t NumPages :
       {1, 2, 3, 15, 16, 17, 31, 32, 33, 1000, 1 << 20, 1 << 30}) {
    Table.Asked.clear();
    const int Before = MovePagesCalls;
    nodeOfMemory(reinterpret_cast<void *>(FakeBase), NumPages * PageSize);
    EXPECT_EQ(MovePagesCalls, Before + 1);
    ASSERT_EQ(Table.Asked.size(), std::min<size_t>(NumPages, MaxPagesAsked));
    // Each page once, in order, all inside, and spread evenly: each lies in
    // its own sixteenth.
    const double Step = double(NumPages) / double(Table.Asked.size());
    for (size_t I = 0; I < Table.Asked.size(); ++I) {
      double Page = double(Table.Asked[I] - FakeBase / PageSize);
      EXPECT_GE(Page, std::max(0.0, Step * double(I) - 1)) << NumPages;
      EXPECT_LT(Page, std::min(double(NumPages), Step * double(I + 1) + 1))
          << NumPages;
      if (I)
        EXPECT_GT(Table.Asked[I], Table.Asked[I - 1]);
    }
  }
}

TEST(PageNodeSampleTest, noRangeAsksNothing) {
  const int Before = MovePagesCalls;
  MemoryRange Range = {FakeBase, 1};
  EXPECT_EQ(nodeOfMemory(&Range, 0), UnknownNode);
  EXPECT_EQ(nodeOfMemory(&Range, -1), UnknownNode);
  EXPECT_EQ(MovePagesCalls, Before);
}

TEST(PageNodeSampleTest, rangesShareTheBound) {
  std::mt19937_64 Random(1);
  PageTable Table;
  FakeKernel Fake(Table.kernel());
  for (int Round = 0; Round < 3000; ++Round) {
    Table.Asked.clear();
    std::vector<MemoryRange> Ranges(1 + Random() % 40);
    for (MemoryRange &Range : Ranges) {
      Range.Base = Random();
      Range.Length = Random() >> (Random() % 64);
      if (Random() % 8 == 0)
        Range.Length = 0;
    }
    nodeOfMemory(Ranges.data(), int(Ranges.size()));
    ASSERT_LE(Table.Asked.size(), size_t(MaxPagesAsked));
    ASSERT_GE(Table.Asked.size(),
              std::min<size_t>(Ranges.size(), MaxPagesAsked));
  }
}

TEST(PageNodeSampleTest, everyRangeIsAskedUpToTheBound) {
  PageTable Table;
  FakeKernel Fake(Table.kernel());
  std::vector<MemoryRange> Ranges;
  for (uintptr_t I = 0; I < uintptr_t(MaxPagesAsked); ++I)
    Ranges.push_back(
        {FakeBase + I * (PageSize << 20), I == 3 ? size_t(1) << 30 : 8});
  nodeOfMemory(Ranges.data(), int(Ranges.size()));
  ASSERT_EQ(Table.Asked.size(), Ranges.size());
  for (size_t I = 0; I < Ranges.size(); ++I) {
    EXPECT_GE(Table.Asked[I] * PageSize, Ranges[I].Base);
    EXPECT_LE(Table.Asked[I] * PageSize, Ranges[I].Base + Ranges[I].Length);
  }
}

TEST(PageNodeSampleTest, tooManyRangesAreSampledEvenly) {
  PageTable Table;
  FakeKernel Fake(Table.kernel());
  std::vector<MemoryRange> Ranges;
  for (uintptr_t I = 0; I < 160; ++I)
    Ranges.push_back({FakeBase + I * PageSize, 8});
  nodeOfMemory(Ranges.data(), int(Ranges.size()));
  ASSERT_EQ(Table.Asked.size(), size_t(MaxPagesAsked));
  for (size_t I = 0; I < Table.Asked.size(); ++I)
    EXPECT_EQ((Table.Asked[I] - FakeBase / PageSize) / 10, I);
}

//===----------------------------------------------------------------------===//
// With made-up answers: which node wins
//===----------------------------------------------------------------------===//

TEST(PageNodeMajorityTest, oneRange) {
  EXPECT_EQ(nodeOfFake({5}, 0, 0), 5);
  EXPECT_EQ(nodeOfFake({5}, 100, 8), 5);
  EXPECT_EQ(nodeOfFake({1, 2, 2}, 0, 3 * PageSize), 2);
  EXPECT_EQ(nodeOfFake({2, 2, 1}, 0, 3 * PageSize), 2);
  EXPECT_EQ(nodeOfFake({1, 2, 3, 2, 1, 2}, 0, 6 * PageSize), 2);
  EXPECT_EQ(nodeOfFake({7, 1023, 1023}, 0, 3 * PageSize), 1023);
  // Only the pages of the range count.
  EXPECT_EQ(nodeOfFake({1, 2, 3}, PageSize, PageSize), 2);
}

TEST(PageNodeMajorityTest, untouchedPagesHaveNoVote) {
  EXPECT_EQ(nodeOfFake({-ENOENT, -ENOENT, 4, -EFAULT}, 0, 4 * PageSize), 4);
  EXPECT_EQ(nodeOfFake({-EFAULT, 3, 4, 4}, 0, 4 * PageSize), 4);
  EXPECT_EQ(nodeOfFake({-ENOENT, -EFAULT, -EIO}, 0, 3 * PageSize), UnknownNode);
}

TEST(PageNodeMajorityTest, tiesGoToTheFirst) {
  EXPECT_EQ(nodeOfFake({3, 1}, 0, 2 * PageSize), 3);
  EXPECT_EQ(nodeOfFake({1, 3}, 0, 2 * PageSize), 1);
  EXPECT_EQ(nodeOfFake({-ENOENT, 6, 2, 2, 6}, 0, 5 * PageSize), 6);
}

TEST(PageNodeMajorityTest, bytesDecideBetweenRanges) {
  PageTable Table;
  const uintptr_t First = FakeBase / PageSize;
  for (int I = 0; I < 4; ++I)
    Table.Nodes[First + I] = 1;
  Table.Nodes[First + 100] = 2;
  FakeKernel Fake(Table.kernel());
  // A few bytes on each of four pages of node 1, and one page of node 2.
  MemoryRange Ranges[] = {{FakeBase, 8},
                          {FakeBase + PageSize, 8},
                          {FakeBase + 2 * PageSize, 8},
                          {FakeBase + 3 * PageSize, 8},
                          {FakeBase + 100 * PageSize, PageSize}};
  EXPECT_EQ(nodeOfMemory(Ranges, 5), 2);
  // 33 bytes against 32, and 32 against 32, where the first range wins.
  Ranges[4].Length = 33;
  EXPECT_EQ(nodeOfMemory(Ranges, 5), 2);
  Ranges[4].Length = 32;
  EXPECT_EQ(nodeOfMemory(Ranges, 5), 1);
  // A range without a length is one byte.
  Ranges[4].Length = 0;
  EXPECT_EQ(nodeOfMemory(&Ranges[3], 2), 1);
  Ranges[3].Length = 0;
  Ranges[4].Length = 2;
  EXPECT_EQ(nodeOfMemory(&Ranges[3], 2), 2);
}

//===----------------------------------------------------------------------===//
// When the kernel refuses. In a process of its own: it is said only once.
//===----------------------------------------------------------------------===//

static void refuse(int Error, const std::vector<int> &Lies) {
  FakeKernel Fake([&](unsigned long Count, void **, int *Status) {
    for (unsigned long I = 0; I < Count && I < Lies.size(); ++I)
      Status[I] = Lies[I];
    errno = Error;
    return -1L;
  });
  for (int I = 0; I < 3; ++I) {
    int Node = nodeOfMemory(&Fake, sizeof(Fake));
    if (Node != UnknownNode) {
      fprintf(stderr, "the answer was %d\n", Node);
      _exit(2);
    }
    const size_t Said = takeWarnings().size();
    if (Said != (I == 0)) {
      fprintf(stderr, "%zu warnings, call %d\n", Said, I);
      _exit(3);
    }
  }
  _exit(0);
}

TEST(PageNodeRefusedTest, notPermitted) {
  takeWarnings();
  EXPECT_EXIT(refuse(EPERM, {}), testing::ExitedWithCode(0), "");
}

TEST(PageNodeRefusedTest, notImplemented) {
  takeWarnings();
  // Whatever it wrote before it failed is no answer.
  EXPECT_EXIT(refuse(ENOSYS, {0, 0}), testing::ExitedWithCode(0), "");
}
