//===- programs/loops.cpp - Taskloops over data ---------------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lab/programs/programs.h"
#include "locus/loop/loop_places.h"

#include <memory>
#include <stdexcept>

namespace locus::lab {

namespace {

enum Construct : uint32_t { Chunk, Auxiliary };

/// Of each thread as many chunks as libomp makes.
constexpr uint64_t ChunksEach = 10;

struct Taskloop {
  TaskloopSize Size;
  FirstTouch Init;
  uint64_t Base, ChunkBytes;
  std::shared_ptr<double> SolveFrom;

  void run(Context &C, uint64_t Number) const {
    const Range R = {Base + Number * ChunkBytes, ChunkBytes, true};
    C.access(&R, 1, Size.ChunkNs);
  }
};

using Shared = std::shared_ptr<const Taskloop>;

void create(Context &C, uint32_t As, int Node,
            const std::function<void(Context &)> &Body) {
  TaskSpec Spec;
  Spec.Construct = As;
  Spec.Affinity = {HintKind::Node, uint64_t(Node), 0, false};
  Spec.Body = Body;
  C.create(Spec);
}

/// For makeParts(). An iteration is a chunk.
struct Maker {
  Context &C;
  const Shared &L;

  void make(const LoopPart &Part) const {
    for (uint64_t I = Part.Start; I < Part.Start + Part.Chunks.Trips; ++I)
      create(C, Chunk, Part.Place, [L = L, I](Context &T) { L->run(T, I); });
  }
  void passOn(const LoopPart &Part, int Threads) const {
    create(C, Auxiliary, Part.Place, [L = L, Part, Threads](Context &Carrier) {
      makePart(Maker{Carrier, L}, Part, Threads);
    });
  }
};

/// The nodes have as many threads each.
struct Shape {
  const Context &C;
  int numThreads() const { return C.numThreads(); }
  int numNodes() const { return C.numNodes(); }
  int numThreadsOfNode(int) const { return numThreads() / numNodes(); }
};

void createLoop(Context &C, const Shared &L) {
  const Shape Of = {C};
  const uint64_t Trips = ChunksEach * uint64_t(C.numThreads());
  const LoopChunks Chunks =
      chunksOf(Trips, LoopSchedule::Free, 0, false, C.numThreads());
  makeParts(
      Maker{C, L}, C.node(),
      [&](auto Do) { spreadChunks(Of, Trips, 0, Chunks, Do); },
      [&](int Node) { return Of.numThreadsOfNode(Node); });
}

void runLoops(Context &C, const Shared &L) {
  const uint64_t Me = uint64_t(C.thread());
  if (L->Init == FirstTouch::Owners)
    for (uint64_t I = Me * ChunksEach; I < (Me + 1) * ChunksEach; ++I)
      L->run(C, I);
  C.barrier();
  for (uint64_t Loop = 0; Loop < L->Size.Loops; ++Loop) {
    if (Me == 0) {
      if (Loop == 0)
        *L->SolveFrom = C.now();
      C.compute(L->Size.SerialNs);
      createLoop(C, L);
    }
    C.barrier();
  }
}

} // namespace

TimedProgram taskloop(const TaskloopSize &Size, FirstTouch Init, int Threads) {
  const auto L = std::make_shared<Taskloop>();
  TimedProgram P;
  L->Size = Size;
  L->Init = Init;
  L->ChunkBytes = Size.Pages * AddressSpace::PageBytes;
  L->Base =
      AddressSpace().allocate(L->ChunkBytes * ChunksEach * uint64_t(Threads));
  L->SolveFrom = P.SolveFrom;
  P.Name = "taskloop";
  P.Constructs = {"chunk", "auxiliary"};
  P.ImplicitTask = [L = Shared(L)](Context &C) {
    // The shares of the nodes are alike.
    if (C.numThreads() % C.numNodes() != 0)
      throw std::invalid_argument(
          "taskloop: the nodes have not as many threads each");
    runLoops(C, L);
  };
  return P;
}

WorkCounts taskloopCounts(const TaskloopSize &Size, FirstTouch Init,
                          int Threads) {
  const uint64_t Chunks = ChunksEach * uint64_t(Threads);
  const uint64_t Sweeps = Size.Loops + (Init == FirstTouch::Owners);
  WorkCounts Counts;
  // The creator makes its own piece itself.
  Counts.Tasks = Size.Loops * (Chunks + uint64_t(Threads) - 1);
  Counts.Written = Sweeps * Chunks * Size.Pages * AddressSpace::PageBytes;
  return Counts;
}

} // namespace locus::lab
