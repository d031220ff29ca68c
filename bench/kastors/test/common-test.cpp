//===-- common-test.cpp - Tests of the parts that benchmarks share --------===//

#include "../common/blocks.h"
#include "../common/grid.h"
#include "../common/placement.h"

#include <algorithm>
#include <cstdio>
#include <set>
#include <unistd.h>
#include <utility>
#include <vector>

using namespace kastors;

static int Failures = 0;

#define EXPECT(CONDITION)                                                      \
  do {                                                                         \
    if (!(CONDITION)) {                                                        \
      std::printf("%s:%d: not true: %s\n", __FILE__, __LINE__, #CONDITION);    \
      ++Failures;                                                              \
    }                                                                          \
  } while (false)

/// Every thread owns a block, nobody outside of the team does, and loads agree
/// with what the grid says about itself.
static void checkOwners(unsigned Threads, size_t Side) {
  ThreadGrid Grid = ThreadGrid::choose(Threads, Side);
  std::vector<size_t> Load(Threads);
  bool InRange = true;
  for (size_t Row = 0; Row < Side; ++Row)
    for (size_t Column = 0; Column < Side; ++Column) {
      unsigned Owner = Grid.owner(Row, Column);
      InRange &= Owner < Threads;
      if (Owner < Threads)
        ++Load[Owner];
    }
  size_t Most = 0, Least = Side * Side;
  for (size_t Blocks : Load) {
    Most = std::max(Most, Blocks);
    Least = std::min(Least, Blocks);
  }
  EXPECT(InRange);
  EXPECT(Least > 0);
  EXPECT(Most == Grid.mostBlocks());
  EXPECT(Least == Grid.leastBlocks());
}

static void testGrid() {
  for (unsigned Threads = 1; Threads <= 48; ++Threads)
    for (size_t Side : {48, 50, 97})
      checkOwners(Threads, Side);
  auto Shape = [](unsigned Threads, size_t Side) {
    ThreadGrid Grid = ThreadGrid::choose(Threads, Side);
    return std::pair(Grid.Rows, Grid.Columns);
  };
  EXPECT(Shape(1, 1) == std::pair(1u, 1u));
  EXPECT(Shape(8, 16) == std::pair(2u, 4u));
  EXPECT(Shape(64, 64) == std::pair(8u, 8u));
  EXPECT(Shape(7, 16) == std::pair(1u, 7u));
  EXPECT(Shape(24, 24) == std::pair(4u, 6u));
  EXPECT(Shape(192, 48) == std::pair(12u, 16u));
  // 2 x 8 does not fit.
  EXPECT(Shape(16, 6) == std::pair(4u, 4u));
  // 3 x 6 would be squarer, but gives a thread 6 blocks where 2 x 9 gives 5.
  EXPECT(Shape(18, 9) == std::pair(2u, 9u));
  // Neighbours belong together: two threads split the columns, not a
  // chessboard.
  ThreadGrid Grid = ThreadGrid::choose(2, 4);
  for (size_t Row = 0; Row < 4; ++Row)
    for (size_t Column = 0; Column < 4; ++Column)
      EXPECT(Grid.owner(Row, Column) == Column / 2);
}

static void testBlocks() {
  const size_t Page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  for (size_t Order : {1, 3, 16, 33}) {
    BlockMatrix Matrix(5, Order);
    std::set<const double *> Starts;
    for (size_t Row = 0; Row < 5; ++Row)
      for (size_t Column = 0; Column < 5; ++Column) {
        double *Block = Matrix.block(Row, Column);
        EXPECT(reinterpret_cast<uintptr_t>(Block) % Page == 0);
        EXPECT(Block[0] == 0 && Block[Order * Order - 1] == 0);
        Block[0] = Block[Order * Order - 1] = 1;
        Starts.insert(Block);
      }
    EXPECT(Starts.size() == 25);
    Matrix.dropPages();
    EXPECT(Matrix.block(4, 4)[0] == 0);
  }
  EXPECT(BlockMatrix::bytesFor(2, 1) == 4 * Page);
}

static void testPageNodes() {
  BlockMatrix Matrix(2, 128);
  std::string Trouble;
  EXPECT(nodeOfPages(Matrix.block(0, 0), Matrix.blockBytes(), Trouble) ==
         UnknownNode);
  if (!Trouble.empty()) {
    std::printf("the kernel does not tell the nodes of pages: %s\n",
                Trouble.c_str());
    return;
  }
  // Written by this thread, which may move to another node: any node will do.
  for (size_t I = 0; I < 128 * 128; ++I)
    Matrix.block(0, 1)[I] = 1;
  EXPECT(nodeOfPages(Matrix.block(0, 1), Matrix.blockBytes(), Trouble) >= 0);
  // Asking touched nothing.
  EXPECT(nodeOfPages(Matrix.block(0, 0), Matrix.blockBytes(), Trouble) ==
         UnknownNode);
  Matrix.dropPages();
  EXPECT(nodeOfPages(Matrix.block(0, 1), Matrix.blockBytes(), Trouble) ==
         UnknownNode);
}

static void testCount() {
  PlacementCount Count;
  TaskNotes Notes(3);
  Notes.note(0);
  Notes.note(1);
  Notes.note(1);
  EXPECT(Notes[0].Thread == 0 && Notes[0].Node >= 0);
  Count.add(Notes[0], 0, Notes[0].Node);
  EXPECT(Count.OnThread == 1 && Count.OnNode == 1 && Count.complete());
  Count.add(Notes[0], 1, Notes[0].Node + 1);
  EXPECT(Count.OnThread == 1 && Count.OnNode == 1 && Count.Tasks == 2);
  // Where no node is known, no task is at home.
  Count.add({0, UnknownNode}, 0, UnknownNode);
  EXPECT(Count.OnThread == 2 && Count.OnNode == 1 && Count.complete());
  Count.add(Notes[1], 0, 0);
  EXPECT(Count.RanTwice == 1 && !Count.complete());
  Count.add(Notes[2], 0, 0);
  EXPECT(Count.NotRun == 1);

  EXPECT(shareToText(4096, 4096) == "100.00 % (4096/4096)");
  EXPECT(shareToText(999999, 1000000) == "99.99 % (999999/1000000)");
  EXPECT(shareToText(0, 0) == "none");
}

int main() {
  testGrid();
  testBlocks();
  testPageNodes();
  testCount();
  std::printf("%d failures\n", Failures);
  return Failures != 0;
}
