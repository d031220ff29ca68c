//===- data_directory.cpp - Tests of data/directory -----------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "directory_writer.h"
#include "locus/data/directory.h"
#include "locus/machine/page_node.h"
#include "locus/support/cpu.h"

#include <algorithm>
#include <atomic>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace locus;

static const size_t PageSize = pageSize();

namespace {

/// A directory of its own, which gives back its memory.
class DirectoryTest : public testing::Test {
protected:
  ~DirectoryTest() override { DirectoryWriter::release(All); }

  static NodeList listOf(const std::vector<int> &OsNodes) {
    NodeList List;
    for (int Node : OsNodes)
      List.add(Node);
    return List;
  }
  void insert(uintptr_t Page, size_t Pages, const std::vector<int> &OsNodes,
              size_t PartPages = 0) {
    const NodeList List = listOf(OsNodes);
    EXPECT_TRUE(All.insert(Page * PageSize, Partition(List, Pages, PartPages)));
  }
  int nodeOf(uintptr_t Page, size_t Bytes = 1, size_t Offset = 0) const {
    const MemoryRange Range = {Page * PageSize + Offset, Bytes};
    return All.nodeOf(&Range, 1);
  }

  Directory All;
};

} // namespace

TEST_F(DirectoryTest, empty) {
  EXPECT_EQ(nodeOf(100), UnknownNode);
  All.forget({0, SIZE_MAX});
  EXPECT_EQ(DirectoryWriter::size(All), 0u);
}

TEST_F(DirectoryTest, blocksHaveBorders) {
  insert(100, 4, {5});
  insert(104, 2, {6});
  insert(90, 3, {7});
  EXPECT_EQ(nodeOf(89, 1, PageSize - 1), UnknownNode);
  EXPECT_EQ(nodeOf(90), 7);
  EXPECT_EQ(nodeOf(92, 1, PageSize - 1), 7);
  EXPECT_EQ(nodeOf(93), UnknownNode);
  EXPECT_EQ(nodeOf(100), 5);
  EXPECT_EQ(nodeOf(103, 1, PageSize - 1), 5);
  EXPECT_EQ(nodeOf(104), 6);
  EXPECT_EQ(nodeOf(106), UnknownNode);
  EXPECT_EQ(nodeOf(100, 4 * PageSize), 5);
  EXPECT_EQ(nodeOf(100, 0), 5); // one byte
  // Not all of it is known.
  EXPECT_EQ(nodeOf(100, 4 * PageSize + 1), UnknownNode);
  EXPECT_EQ(nodeOf(89, 2 * PageSize), UnknownNode);
  EXPECT_EQ(nodeOf(100, SIZE_MAX), UnknownNode);
}

TEST_F(DirectoryTest, mostBytes) {
  insert(100, 8, {4, 2}); // four pages each
  EXPECT_EQ(nodeOf(103, PageSize + 1, 1), 4);
  EXPECT_EQ(nodeOf(103, PageSize + 3, PageSize - 1), 2);
  insert(200, 6, {1, 3}, 1);
  EXPECT_EQ(nodeOf(203), 3);
  EXPECT_EQ(nodeOf(201, 3 * PageSize), 3);
}

TEST_F(DirectoryTest, severalRanges) {
  insert(100, 2, {0});
  insert(200, 4, {1, 2});
  const uintptr_t A = 100 * PageSize, B = 200 * PageSize;
  const MemoryRange Some[] = {{A, 5}, {B, 2 * PageSize + 4}, {A, 2 * PageSize}};
  EXPECT_EQ(All.nodeOf(Some, 1), 0);
  EXPECT_EQ(All.nodeOf(Some, 2), 1);
  EXPECT_EQ(All.nodeOf(Some, 3), 0);
  // One that nobody knows, and the kernel has to be asked for all.
  const MemoryRange Mixed[] = {{A, 5}, {300 * PageSize, 1}};
  EXPECT_EQ(All.nodeOf(Mixed, 2), UnknownNode);
}

TEST_F(DirectoryTest, forgets) {
  insert(100, 4, {5});
  insert(104, 4, {6});
  insert(110, 4, {7});
  // A byte in the midst is enough, for each block that it is in.
  All.forget({103 * PageSize + 5, PageSize});
  EXPECT_EQ(nodeOf(100), UnknownNode);
  EXPECT_EQ(nodeOf(107), UnknownNode);
  EXPECT_EQ(nodeOf(113), 7);
  All.forget({108 * PageSize, 2 * PageSize}); // between blocks
  EXPECT_EQ(DirectoryWriter::size(All), 1u);
  All.forget({0, SIZE_MAX});
  EXPECT_EQ(DirectoryWriter::size(All), 0u);
}

/// Who may wait gets an answer also if a writer is in the way each time.
TEST_F(DirectoryTest, waitsForWriters) {
  insert(100, 4, {5, 6});
  const MemoryRange Range = {102 * PageSize, 1}, None = {104 * PageSize, 1};
  DirectoryWriter::begin(All);
  EXPECT_EQ(All.nodeOf(&Range, 1), UnknownNode);
  EXPECT_EQ(All.nodeOf(&Range, 1, /*MayWait=*/true), 6);
  EXPECT_EQ(All.nodeOf(&None, 1, /*MayWait=*/true), UnknownNode);
  DirectoryWriter::end(All);
  EXPECT_EQ(All.nodeOf(&Range, 1), 6);
}

TEST_F(DirectoryTest, newBlockInPlaceOfOld) {
  insert(100, 10, {5});
  insert(105, 10, {6});
  EXPECT_EQ(nodeOf(100), UnknownNode);
  EXPECT_EQ(nodeOf(105), 6);
  insert(105, 10, {7});
  EXPECT_EQ(nodeOf(114), 7);
  EXPECT_EQ(DirectoryWriter::size(All), 1u);
}

/// Blocks come, grow and go; each page is as an array of pages has it.
TEST_F(DirectoryTest, randomAgainstPages) {
  std::mt19937 Random(2);
  constexpr size_t NumPages = 4000;
  std::vector<int> Nodes(NumPages, UnknownNode);
  std::map<size_t, size_t> Blocks; // first page => pages
  for (int Step = 0; Step < 20000; ++Step) {
    if (Random() % 2 && !Blocks.empty()) {
      auto It = Blocks.lower_bound(Random() % NumPages);
      It = It == Blocks.end() ? Blocks.begin() : It;
      // The whole block, as a free does, or a byte of it.
      All.forget(Random() % 2
                     ? MemoryRange{It->first * PageSize, It->second * PageSize}
                     : MemoryRange{(It->first + It->second) * PageSize - 1, 0});
      std::fill_n(Nodes.begin() + long(It->first), It->second, UnknownNode);
      Blocks.erase(It);
    } else {
      const size_t First = Random() % NumPages;
      const size_t Count = 1 + Random() % 12;
      bool IsFree = First + Count <= NumPages;
      for (size_t P = First; IsFree && P < First + Count; ++P)
        IsFree = Nodes[P] == UnknownNode;
      if (!IsFree)
        continue;
      const std::vector<int> Some = {int(Random() % 3), 3 + int(Random() % 3)};
      const NodeList List = listOf(Some);
      const Partition Parts(List, Count, Random() % 3);
      insert(First, Count, Some, Parts.partPages());
      for (size_t P = 0; P < Count; ++P)
        Nodes[First + P] = Parts.nodeOfPage(P);
      Blocks[First] = Count;
    }
    ASSERT_EQ(DirectoryWriter::size(All), Blocks.size());
    const size_t Page = Random() % NumPages;
    ASSERT_EQ(nodeOf(Page, 1, Random() % PageSize), Nodes[Page]) << Page;
  }
  for (size_t Page = 0; Page < NumPages; ++Page)
    ASSERT_EQ(nodeOf(Page), Nodes[Page]);
}

/// Readers among writers. The node of a block tells its address and length, so
/// a mixture of two blocks shows. Blocks that nobody moves are always found,
/// or writers were in the way.
TEST_F(DirectoryTest, readersAmongWriters) {
  constexpr int NumWriters = 2, NumReaders = 2, Steps = 3000;
  constexpr uintptr_t Slots = 64, SlotPages = 8;
  // In slot S: 1 + S % 7 pages, on node S, or S + 100, or both.
  auto Pages = [](uintptr_t Slot) { return size_t(1 + Slot % 7); };
  for (uintptr_t Slot = 1; Slot < Slots; Slot += 2)
    insert(Slot * SlotPages, Pages(Slot), {int(Slot)});
  std::atomic<int> Left{NumWriters};
  std::vector<std::thread> Threads;
  for (int W = 0; W < NumWriters; ++W)
    Threads.emplace_back([&, W] {
      std::mt19937 Random{unsigned(W)};
      for (int Step = 0; Step < Steps; ++Step) {
        // Writer W has the even slots that are W modulo the writers.
        const uintptr_t Slot =
            2 * (Random() % (Slots / 2 / NumWriters) * NumWriters + W);
        const int Node = int(Slot);
        if (Random() % 2)
          insert(Slot * SlotPages, Pages(Slot), {Node, Node + 100},
                 Random() % 2);
        else
          All.forget({Slot * SlotPages * PageSize, Pages(Slot) * PageSize});
      }
      Left.fetch_sub(1);
    });
  std::atomic<uint64_t> Known{0}, Wrong{0};
  for (int R = 0; R < NumReaders; ++R)
    Threads.emplace_back([&, R] {
      std::mt19937 Random{unsigned(100 + R)};
      // Those behind the last write see what is left, whoever has to wait.
      for (int Behind = 0; Behind < 200; Behind += Left.load() == 0) {
        const uintptr_t Slot = Random() % Slots, Page = Random() % SlotPages;
        const int Node = nodeOf(Slot * SlotPages + Page);
        if (Node == UnknownNode)
          continue;
        Known.fetch_add(1, std::memory_order_relaxed);
        const bool IsInside = Page < Pages(Slot);
        const bool IsRight =
            Node == int(Slot) || (Slot % 2 == 0 && Node == int(Slot) + 100);
        if (!IsInside || !IsRight)
          Wrong.fetch_add(1, std::memory_order_relaxed);
      }
    });
  for (std::thread &T : Threads)
    T.join();
  EXPECT_EQ(Wrong, 0u);
  EXPECT_GT(Known, 0u);
  for (uintptr_t Slot = 1; Slot < Slots; Slot += 2)
    EXPECT_EQ(nodeOf(Slot * SlotPages), int(Slot));
}

/// In a child of fork(): whether it can write to the directory of the process
/// and fork again.
static bool writesInChild() {
  Directory &Ours = Directory::get();
  const pid_t Child = fork();
  if (Child == 0) {
    alarm(60);
    NodeList List;
    List.add(3);
    Ours.forget({0, SIZE_MAX});
    _exit(Ours.insert(PageSize, Partition(List, 1, 0)) ? 0 : 1);
  }
  int Status = 0;
  return Child > 0 && waitpid(Child, &Status, 0) == Child &&
         WIFEXITED(Status) && WEXITSTATUS(Status) == 0;
}

/// Threads that forget, and never insert, are writers, too.
TEST(DirectoryForkTest, childWritesAmongForgetters) {
  std::atomic<bool> Stop{false};
  std::thread Forgetter([&] {
    while (!Stop)
      Directory::get().forget({PageSize, 1});
  });
  for (int Round = 0; Round < 200; ++Round)
    if (!writesInChild()) {
      ADD_FAILURE() << "round " << Round;
      break;
    }
  Stop = true;
  Forgetter.join();
}

/// A fork takes the lock once, also after the directory was empty.
TEST(DirectoryForkTest, forksAfterRelease) {
  const pid_t Child = fork(); // which may hang
  ASSERT_GE(Child, 0);
  if (Child == 0) {
    alarm(60);
    NodeList List;
    List.add(3);
    for (int Round = 0; Round < 2; ++Round) {
      Directory::get().insert(PageSize, Partition(List, 1, 0));
      DirectoryWriter::release(Directory::get());
    }
    _exit(writesInChild() ? 0 : 1);
  }
  int Status = 0;
  ASSERT_EQ(waitpid(Child, &Status, 0), Child);
  EXPECT_TRUE(WIFEXITED(Status) && WEXITSTATUS(Status) == 0) << Status;
}

/// A child of fork() goes on, whatever the parent's threads were writing.
TEST(DirectoryForkTest, childWrites) {
  Directory &Ours = Directory::get();
  NodeList List;
  List.add(3);
  constexpr uintptr_t Kept = 1000, Other = 2000;
  ASSERT_TRUE(Ours.insert(Kept * PageSize, Partition(List, 4, 0)));
  std::atomic<bool> Stop{false};
  std::thread Writer([&] {
    while (!Stop) {
      Ours.insert(Other * PageSize, Partition(List, 4, 0));
      Ours.forget({Other * PageSize, PageSize});
    }
  });
  for (int Round = 0; Round < 50; ++Round) {
    const pid_t Child = fork();
    ASSERT_GE(Child, 0);
    if (Child == 0) {
      alarm(60);
      const MemoryRange Range = {Kept * PageSize, 4 * PageSize};
      const bool Finds = Ours.nodeOf(&Range, 1) == 3;
      const bool Writes = Ours.insert(3000 * PageSize, Partition(List, 1, 0));
      _exit(Finds && Writes ? 0 : 1);
    }
    int Status = 0;
    ASSERT_EQ(waitpid(Child, &Status, 0), Child);
    ASSERT_TRUE(WIFEXITED(Status) && WEXITSTATUS(Status) == 0) << Status;
  }
  Stop = true;
  Writer.join();
  Ours.forget({0, SIZE_MAX});
  DirectoryWriter::release(Ours);
}
