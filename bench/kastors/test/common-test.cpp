//===-- common-test.cpp - Tests of the parts that benchmarks share --------===//

#include "../common/blocks.h"
#include "../common/grid.h"
#include "../common/placement.h"
#include "../common/timing.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <set>
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

/// Every thread owns a block, nobody outside of the team does, and no thread
/// has two blocks more than another.
static void checkOwners(unsigned Threads, size_t Rows, size_t Columns) {
  ThreadGrid Grid(Threads, Rows, Columns);
  std::vector<size_t> Load(Threads);
  bool InRange = true;
  for (size_t Row = 0; Row < Rows; ++Row)
    for (size_t Column = 0; Column < Columns; ++Column) {
      unsigned Owner = Grid.owner(Row, Column);
      InRange &= Owner < Threads;
      if (Owner < Threads)
        ++Load[Owner];
    }
  EXPECT(InRange);
  const auto [Least, Most] = std::minmax_element(Load.begin(), Load.end());
  EXPECT(*Least > 0);
  EXPECT(*Most <= *Least + 1);
}

static void testGrid() {
  for (unsigned Threads = 1; Threads <= 48; ++Threads)
    for (size_t Side : {7, 48, 50, 97})
      checkOwners(Threads, Side, Side);
  checkOwners(1, 1, 1);
  checkOwners(192, 48, 48);
  // Strips, as the ranks of jacobi-mpi have them.
  for (unsigned Threads = 1; Threads <= 16; ++Threads) {
    checkOwners(Threads, 1, 16);
    checkOwners(Threads, 3, 16);
    checkOwners(Threads, 16, 1);
  }
  // Rectangles where they fit: 2 x 4 threads, each with 8 x 4 blocks.
  ThreadGrid Grid(8, 16, 16);
  EXPECT(Grid.bands() == 2);
  for (size_t Row = 0; Row < 16; ++Row)
    for (size_t Column = 0; Column < 16; ++Column)
      EXPECT(Grid.owner(Row, Column) ==
             (Row < 8 ? Column / 4 : 7 - Column / 4));
  // A prime is no stripe.
  EXPECT(ThreadGrid(7, 16, 16).bands() == 3);
  EXPECT(ThreadGrid(24, 24, 24).bands() == 4);
  EXPECT(ThreadGrid(64, 64, 64).bands() == 8);
}

static void testBlocks() {
  const size_t Page = pageSize();
  for (size_t Order : {1, 3, 16, 33}) {
    BlockMatrix Matrix(5, 5, Order);
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
  EXPECT(BlockMatrix::bytesFor(2, 2, 1, 3) == 12 * Page);
  BlockMatrix Layers(2, 2, 1, 3);
  EXPECT(Layers.bytes() == 3 * Page);
  EXPECT(reinterpret_cast<char *>(Layers.block(1, 1, 2)) ==
         reinterpret_cast<char *>(Layers.block(0, 0)) + 11 * Page);
}

static void testPageNodes() {
  const size_t Page = pageSize();
  Pages Memory(8 * Page);
  std::string Trouble;
  auto Ask = [&] {
    return nodesOfPages(Memory.begin(), Memory.bytes(), Trouble);
  };
  const NodePages Untouched = {{UnknownNode, 8}};
  const NodePages Before = Ask();
  if (!Trouble.empty()) {
    std::printf("the kernel does not tell the nodes of pages: %s\n",
                Trouble.c_str());
    return;
  }
  EXPECT(Before == Untouched);
  EXPECT(nodeOfMost(Before) == UnknownNode);
  // Written by this thread, which may move to another node: any node will do.
  for (size_t At = 0; At < 3; ++At)
    Memory.begin()[At * Page] = 1;
  NodePages Touched = Ask();
  EXPECT(Touched[UnknownNode] == 5); // Asking touched nothing.
  EXPECT(nodeOfMost(Touched) >= 0);
  Memory.drop();
  EXPECT(Ask() == Untouched);
  EXPECT(nodeOfMost({{0, 2}, {1, 3}, {2, 3}}) == 1);
}

static void testMeter() {
  Pages Memory(2 * pageSize());
  char *Data[] = {Memory.begin(), Memory.begin() + pageSize()};
  PlacementMeter Meter;
  EXPECT(!Meter.expect(Data[0], 1)); // Off: nothing is noted.
  PlacementMeter::ran(nullptr);
  Meter.start(PlacementMeter::Phase::Init);
  for (char *At : Data) {
    *At = 1;
    Meter.here(At, pageSize(), 0);
  }
  Meter.start(PlacementMeter::Phase::Compute);
  Meter.here(Data[0], pageSize());    // Thread 0 touched it.
  Meter.here(Data[1], pageSize(), 1); // Thread 1 was meant.
  TaskNote *Twice = Meter.expect(Data[1], pageSize());
  PlacementMeter::ran(Twice);
  PlacementMeter::ran(Twice);
  Meter.expect(Data[1], pageSize());
  Meter.start(PlacementMeter::Phase::Off);
  const PlacementReport Report = Meter.report();
  EXPECT(Report.Init.Tasks == 2 && Report.Init.OnThread == 2);
  EXPECT(Report.Init.complete());
  EXPECT(Report.Compute.Tasks == 4 && Report.Compute.OnThread == 2);
  EXPECT(Report.Compute.RanTwice == 1 && Report.Compute.NotRun == 1);
  EXPECT(!Report.Compute.complete());
  if (Report.Init.nodesKnown()) {
    size_t Known = 0;
    for (const auto &[Node, Count] : Report.Data)
      Known += Node == UnknownNode ? 0 : Count;
    EXPECT(Known == 2);
  }

  // Where no node is known, no task is at home.
  PlacementCount Count;
  TaskNote Note{};
  Note.Runs = 1;
  Note.Node = 1;
  Count.add(Note, 0, {{UnknownNode, 9}});
  EXPECT(Count.OnThread == 1 && Count.OnNode == 0);
  Count.add(Note, 0, {{0, 4}, {1, 5}});
  EXPECT(Count.OnNode == 1);
  EXPECT((Count.Matrix[{1, 0}] == 4 && Count.Matrix[{1, 1}] == 5));

  EXPECT(shareToText(4096, 4096) == "100.00 % (4096/4096)");
  EXPECT(shareToText(999999, 1000000) == "99.99 % (999999/1000000)");
  EXPECT(shareToText(0, 0) == "none");
}

static void testTiming() {
  const Timing Four{{4, 1, 3, 2}};
  EXPECT(Four.mean() == 2.5 && Four.median() == 2.5);
  EXPECT(Four.min() == 1 && Four.max() == 4);
  EXPECT(std::abs(Four.deviation() - 1.2909944) < 1e-6);
  const Timing One{{7}};
  EXPECT(One.median() == 7 && One.deviation() == 0);
}

int main() {
  testGrid();
  testBlocks();
  testPageNodes();
  testMeter();
  testTiming();
  std::printf("%d failures\n", Failures);
  return Failures != 0;
}
