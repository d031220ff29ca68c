//===- programs/trees.cpp - Trees of tasks -------------------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lab/programs/programs.h"

#include <memory>

namespace locus::lab {

//===----------------------------------------------------------------------===//
// fib
//===----------------------------------------------------------------------===//

/// A call with its arithmetic, without what a task costs.
static constexpr double FibCycles = 6;

static void fibBody(Context &C, int N, double Ns) {
  C.compute(Ns);
  if (N < 2)
    return;
  spawn(C, 0, [N, Ns](Context &T) { fibBody(T, N - 1, Ns); });
  spawn(C, 0, [N, Ns](Context &T) { fibBody(T, N - 2, Ns); });
  C.taskwait();
}

TimedProgram fib(int N, CoreSpeed Speed) {
  TimedProgram P;
  P.Name = "fib";
  P.Constructs = {"fib"};
  const double Ns = Speed.cycles(FibCycles);
  P.ImplicitTask = [N, Ns](Context &C) {
    if (C.thread() == 0)
      fibBody(C, N, Ns);
  };
  return P;
}

WorkCounts fibCounts(int N) {
  // Calls of fib(n) are 2 F(n+1) - 1, of which F(n+1) are leaves.
  uint64_t Leaves = 1, Next = 1;
  for (int I = 1; I <= N; ++I) {
    const uint64_t Sum = Leaves + Next;
    Leaves = Next;
    Next = Sum;
  }
  WorkCounts Counts;
  Counts.Tasks = 2 * Leaves - 2;
  Counts.Waits = Leaves - 1;
  return Counts;
}

//===----------------------------------------------------------------------===//
// The tree that measures steals
//===----------------------------------------------------------------------===//

static void stealBody(Context &C, int Depth, double LeafNs) {
  if (Depth == 0) {
    C.compute(LeafNs);
    return;
  }
  for (int I = 0; I < 2; ++I)
    spawn(C, 0,
          [Depth, LeafNs](Context &T) { stealBody(T, Depth - 1, LeafNs); });
  C.taskwait();
}

TimedProgram stealTree(const StealTreeSize &Size) {
  TimedProgram P;
  P.Name = "steal";
  P.Constructs = {"tree"};
  P.ImplicitTask = [Size](Context &C) {
    if (C.thread() == 0)
      for (uint64_t I = 0; I < Size.Rounds; ++I)
        stealBody(C, Size.Depth, Size.LeafNs);
  };
  return P;
}

WorkCounts stealTreeCounts(const StealTreeSize &Size) {
  const uint64_t Leaves = uint64_t(1) << Size.Depth;
  WorkCounts Counts;
  Counts.Tasks = Size.Rounds * (2 * Leaves - 2);
  Counts.Waits = Size.Rounds * (Leaves - 1);
  Counts.ComputeNs = double(Size.Rounds * Leaves) * Size.LeafNs;
  return Counts;
}

//===----------------------------------------------------------------------===//
// Unbalanced tree search
//===----------------------------------------------------------------------===//

static constexpr uint64_t UtsBranching = 8;
/// Almost 1 / UtsBranching: subtrees differ by orders of magnitude.
static constexpr double UtsProbability = 0.1248;

static uint64_t utsChild(uint64_t Node, uint64_t Child) {
  return Random::mix(Node + 0x9e3779b97f4a7c15u * (Child + 1));
}
static uint64_t utsChildren(uint64_t Node) {
  return double(Node >> 11) * 0x1p-53 < UtsProbability ? UtsBranching : 0;
}

static void utsBody(Context &C, uint64_t Node, uint64_t Children, double Ns) {
  for (uint64_t I = 0; I < Children; ++I)
    spawn(C, 0, [Node, I, Ns](Context &T) {
      T.compute(Ns);
      const uint64_t Child = utsChild(Node, I);
      utsBody(T, Child, utsChildren(Child), Ns);
    });
  if (Children)
    C.taskwait();
}

TimedProgram uts(const UtsSize &Size) {
  TimedProgram P;
  P.Name = "uts";
  P.Constructs = {"node"};
  P.ImplicitTask = [Size](Context &C) {
    if (C.thread() == 0)
      utsBody(C, Random::mix(Size.Seed), Size.RootChildren, Size.NodeNs);
  };
  return P;
}

WorkCounts utsCounts(const UtsSize &Size) {
  WorkCounts Counts;
  std::vector<std::pair<uint64_t, uint64_t>> Open = {
      {Random::mix(Size.Seed), Size.RootChildren}};
  while (!Open.empty()) {
    const auto [Node, Children] = Open.back();
    Open.pop_back();
    Counts.Waits += Children != 0;
    Counts.Tasks += Children;
    for (uint64_t I = 0; I < Children; ++I) {
      const uint64_t Child = utsChild(Node, I);
      Open.push_back({Child, utsChildren(Child)});
    }
  }
  Counts.ComputeNs = double(Counts.Tasks) * Size.NodeNs;
  return Counts;
}

//===----------------------------------------------------------------------===//
// Multisort
//===----------------------------------------------------------------------===//

namespace {
struct Sort {
  SortSize Size;
  CoreSpeed Speed;
  uint64_t Data, Scratch;
  std::shared_ptr<double> SolveFrom;
};
using SharedSort = std::shared_ptr<const Sort>;
constexpr uint64_t Element = 4;
} // namespace

static void mergeBody(Context &C, const SharedSort &S, uint64_t From,
                      uint64_t To, uint64_t N) {
  if (N <= S->Size.Leaf) {
    const Range R[] = {{From, N * Element, false}, {To, N * Element, true}};
    C.access(R, 2, S->Speed.cycles(double(N) * 4));
    return;
  }
  const uint64_t Half = N / 2;
  spawn(C, 1, [=](Context &T) { mergeBody(T, S, From, To, Half); });
  spawn(C, 1, [=](Context &T) {
    mergeBody(T, S, From + Half * Element, To + Half * Element, N - Half);
  });
  C.taskwait();
}

static void sortBody(Context &C, const SharedSort &S, uint64_t At,
                     uint64_t Scratch, uint64_t N) {
  if (N <= S->Size.Leaf) {
    const Range R = {At, N * Element, true};
    C.access(&R, 1, S->Speed.cycles(double(N) * 4 * std::log2(double(N) + 1)));
    return;
  }
  const uint64_t Quarter = N / 4;
  for (uint64_t I = 0; I < 4; ++I) {
    const uint64_t Begin = I * Quarter * Element;
    const uint64_t Count = I < 3 ? Quarter : N - 3 * Quarter;
    spawn(C, 0, [=](Context &T) {
      sortBody(T, S, At + Begin, Scratch + Begin, Count);
    });
  }
  C.taskwait();
  const uint64_t Half = 2 * Quarter;
  spawn(C, 1, [=](Context &T) { mergeBody(T, S, At, Scratch, Half); });
  spawn(C, 1, [=](Context &T) {
    mergeBody(T, S, At + Half * Element, Scratch + Half * Element, N - Half);
  });
  C.taskwait();
  mergeBody(C, S, Scratch, At, N);
}

TimedProgram sortTree(const SortSize &Size, CoreSpeed Speed) {
  AddressSpace Space;
  const uint64_t Bytes = Size.Elements * Element;
  const uint64_t Data = Space.allocate(Bytes), Scratch = Space.allocate(Bytes);
  TimedProgram P;
  const SharedSort S =
      std::make_shared<Sort>(Sort{Size, Speed, Data, Scratch, P.SolveFrom});
  P.Name = "sort";
  P.Constructs = {"sort", "merge"};
  P.ImplicitTask = [S](Context &C) {
    if (C.thread() != 0)
      return;
    const uint64_t N = S->Size.Elements;
    const Range R[] = {{S->Data, N * Element, true},
                       {S->Scratch, N * Element, true}};
    C.access(R, 2, S->Speed.cycles(double(N)));
    *S->SolveFrom = C.now();
    sortBody(C, S, S->Data, S->Scratch, N);
  };
  return P;
}

static uint64_t mergeTasks(uint64_t N, uint64_t Leaf) {
  return N <= Leaf ? 0
                   : 2 + mergeTasks(N / 2, Leaf) + mergeTasks(N - N / 2, Leaf);
}
static uint64_t sortTasks(uint64_t N, uint64_t Leaf) {
  if (N <= Leaf)
    return 0;
  const uint64_t Quarter = N / 4;
  return 4 + 3 * sortTasks(Quarter, Leaf) + sortTasks(N - 3 * Quarter, Leaf) +
         2 + mergeTasks(2 * Quarter, Leaf) + mergeTasks(N - 2 * Quarter, Leaf) +
         mergeTasks(N, Leaf);
}
WorkCounts sortCounts(const SortSize &Size) {
  WorkCounts Counts;
  Counts.Tasks = sortTasks(Size.Elements, Size.Leaf);
  return Counts;
}

} // namespace locus::lab
