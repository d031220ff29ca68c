//===- model_directory.cpp - Readers of the directory ---------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// data/directory.cpp itself: a writer whose blocks take the place of others in
// the table, or move, and readers that must never see half of a change.
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_MUTANTS // there are none here

#include "model.h"

#include "locus/data/partition.h"
#define std simulated
#include "locus/data/directory.cpp"
#undef std

using namespace locus;
using namespace locus::test;

namespace locus {
/// Ends what the directory never does: its friend.
struct DirectoryWriter {
  static void release(Directory &In) {
    for (Directory::Table *T = In.Current.load(), *Older; T; T = Older) {
      Older = T->Older;
      for (size_t I = 0; I < T->Room; ++I)
        T->Blocks[I].~Block();
      free(T);
    }
    for (Directory::KnownList *L = In.Lists, *Next; L; L = Next) {
      Next = L->Next;
      free(L);
    }
    In.Current.store(nullptr);
    In.NumBlocks.store(0);
    In.Lists = nullptr;
  }
};
} // namespace locus

namespace {

/// Blocks have numbers from 1 to 4. Each has an address, a number of pages, a
/// way to spread them and nodes of its own: a mixture of two shows.
constexpr uintptr_t baseOf(int Block) { return uintptr_t(Block) << 20; }
constexpr size_t pagesOf(int Block) { return size_t(6 - Block); }
/// The last page is on the second node if Block is even.
constexpr size_t partPagesOf(int Block) { return Block % 2 ? 8 : 1; }
constexpr int lastNodeOf(int Block) { return Block % 2 ? Block : Block + 4; }

enum Life { Goes, Comes, Stays, IsGone };

/// Thread 0 goes through Steps::Of: "+2" inserts block 2, "-2" forgets it. What
/// is in Steps::Before is there before. The others ask for block Steps::Asks.
/// What they get is its node, or that nobody knows; not that, if it is there,
/// and that, if it is gone.
template <class Steps, int NumThreads>
struct Asks : rl::test_suite<Asks<Steps, NumThreads>, NumThreads> {
  alignas(Directory) char Memory[sizeof(Directory)];
  Directory *Known;
  rl::atomic<int> Told;

  void step(const char *Step) {
    const int Number = Step[1] - '0';
    if (*Step == '-')
      return Known->forget({baseOf(Number), 1});
    NodeList Nodes;
    Nodes.add(Number);
    Nodes.add(Number + 4);
    RL_ASSERT(Known->insert(baseOf(Number), Partition(Nodes, pagesOf(Number),
                                                      partPagesOf(Number))));
  }

  void before() {
    simulated::Watched.reset();
    Known = new (Memory) Directory;
    Told.store(0, rl::mo_relaxed, $);
    for (const char *Step = Steps::Before; *Step; Step += 2)
      step(Step);
  }

  void thread(unsigned Self) {
    if (Self == 0) {
      for (const char *Step = Steps::Of; *Step; Step += 2)
        step(Step);
      Told.store(1, rl::mo_release, $);
      return;
    }
    const bool IsTold = Told.load(rl::mo_acquire, $);
    const int Number = Steps::Asks;
    // The last byte, so that a wrong number of pages shows.
    const MemoryRange Range = {
        baseOf(Number) + pagesOf(Number) * pageSize() - 1, 1};
    // Who does not wait gives up where a writer is in the way.
    const int Node = Known->nodeOf(&Range, 1, Steps::Is == Stays);
    RL_ASSERT(Node == lastNodeOf(Number) || Node == UnknownNode);
    if (Steps::Is == Stays || (Steps::Is == Comes && IsTold))
      RL_ASSERT(Node == lastNodeOf(Number));
    if (Steps::Is == IsGone)
      RL_ASSERT(Node == UnknownNode);
  }

  void after() {
    DirectoryWriter::release(*Known);
    Known->~Directory();
    simulated::Watched.end();
  }
};

#define LOCUS_ASKS(NAME, BEFORE, OF, ASKS, IS)                                 \
  struct NAME {                                                                \
    [[maybe_unused]] static constexpr const char *Before = BEFORE, *Of = OF;   \
    [[maybe_unused]] static constexpr int Asks = ASKS;                         \
    [[maybe_unused]] static constexpr Life Is = IS;                            \
  }
LOCUS_ASKS(First, "", "+2", 2, Comes);
LOCUS_ASKS(Replaced, "+2", "-2+3", 2, Goes);
LOCUS_ASKS(Replaces, "+2", "-2+3", 3, Comes);
LOCUS_ASKS(Moved, "+2", "+3", 2, Stays);
LOCUS_ASKS(MovesBack, "+2+3", "-3", 2, Stays);
LOCUS_ASKS(Grows, "+1+2", "+3", 1, Stays);
// In a table of four.
LOCUS_ASKS(MovesOn, "+1+2+3-1", "+4", 3, Stays);
LOCUS_ASKS(Behind, "+3+2-2", "+1", 2, IsGone);

} // namespace

TEST(ModelDirectoryTest, first) { checkAll<Asks<First, 2>>(3); }
TEST(ModelDirectoryTest, replaced) { checkAll<Asks<Replaced, 2>>(2); }
TEST(ModelDirectoryTest, replaces) { checkAll<Asks<Replaces, 2>>(2); }
TEST(ModelDirectoryTest, moved) { checkAll<Asks<Moved, 2>>(2); }
TEST(ModelDirectoryTest, movesBack) { checkAll<Asks<MovesBack, 2>>(2); }
TEST(ModelDirectoryTest, grows) { checkAll<Asks<Grows, 2>>(2); }
TEST(ModelDirectoryTest, movesOn) { checkAll<Asks<MovesOn, 2>>(2); }
TEST(ModelDirectoryTest, behind) { checkAll<Asks<Behind, 2>>(2); }

#endif
