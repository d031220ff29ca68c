//===- task/placement.cpp - Where a ready task goes -----------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "locus/task/placement.h"
#include "locus/data/directory.h"
#include "locus/support/stats.h"

namespace locus {

/// \p Value as a two's complement number, modulo \p Count, in 0 .. Count - 1.
static int reduce(uintptr_t Value, int Count) {
  const intptr_t Remainder = intptr_t(Value) % Count;
  return int(Remainder < 0 ? Remainder + Count : Remainder);
}

/// What the kernel says.
static int askKernel(const MemoryRange *Ranges, int Count) {
  const uint64_t Since = Stats::enabled() ? ticks() : 0;
  const int OsNode = nodeOfMemory(Ranges, Count);
  if (Stats::enabled()) {
    Stats::count(Stat::Lookups);
    Stats::count(Stat::LookupTime, ticks() - Since);
  }
  return OsNode;
}

static_assert(MaxRanges <= MaxPagesAsked,
              "Directory::nodeOf() has room for the ranges of a task");

int nodeOfData(const TeamShape &Shape, Kind HintKind, bool Strict,
               const TaskTarget &Target) {
  const MemoryRange One = {Target.Value, Target.Length};
  const MemoryRange *Ranges = &One;
  int Count = 1;
  if (hasRanges(HintKind)) {
    const RangeList *List = reinterpret_cast<const RangeList *>(Target.Value);
    LOCUS_CHECK(List->Count > 0 && List->Count <= MaxRanges);
    Ranges = List->Ranges;
    Count = List->Count;
  }
  const Directory &Placed = Directory::get();
  int OsNode = Strict ? UnknownNode : Placed.nodeOf(Ranges, Count);
  bool IsPlaced = OsNode != UnknownNode;
  if (!IsPlaced)
    OsNode = askKernel(Ranges, Count);
  // Of an untouched page of parts of one page the directory knows more, and
  // must not be missed because somebody allocates just now.
  if (OsNode == UnknownNode) {
    OsNode = Placed.nodeOf(Ranges, Count, /*MayWait=*/true);
    IsPlaced = OsNode != UnknownNode;
  }
  if (IsPlaced)
    Stats::count(Stat::Known);
  return OsNode != UnknownNode ? Shape.nearestNode(OsNode) : UnknownNode;
}

Placement resolve(const TeamShape &Shape, Kind HintKind, bool Strict,
                  const TaskTarget &Target, int Pusher, UnknownPolicy Unknown) {
  const Placement Free = {Placement::Anywhere, false, 0};
  const int Local = Shape.nodeOfThread(Pusher);
  int Node = Local;
  switch (HintKind) {
  case Kind::None:
  case Kind::Depend: // Inference::infer() comes before
  case Kind::DependRanges:
    return Free;
  case Kind::Thread: {
    const int Thread = reduce(Target.Value, Shape.numThreads());
    if (Thread == Pusher && !Strict)
      return Free;
    return {Placement::OnThread, Strict, Thread};
  }
  case Kind::Node:
  case Kind::Inferred:
    Node = reduce(Target.Value, Shape.numNodes());
    break;
  case Kind::Data:
  case Kind::Ranges: // of one node there is nothing to ask
    Node =
        Shape.numNodes() == 1 ? 0 : nodeOfData(Shape, HintKind, Strict, Target);
    if (Node == UnknownNode)
      Node = Unknown == UnknownPolicy::First ? 0 : Local;
    break;
  }
  if (Node == Local && !Strict)
    return Free;
  return {Placement::OnNode, Strict, Node};
}

//===----------------------------------------------------------------------===//
// What dependences tell about data
//===----------------------------------------------------------------------===//

bool Inference::reset(const TeamShape &TheShape) {
  Shape = &TheShape;
  if (hasShortTasks())
    IsShort.store(false, std::memory_order_relaxed);
  if (Total.load(std::memory_order_relaxed) != 0) {
    Total.store(0, std::memory_order_relaxed);
    for (size_t N = 0; N < Nodes.size(); ++N)
      Nodes[N].Tasks.store(0, std::memory_order_relaxed);
  }
  return size_t(Shape->numNodes()) <= Nodes.size() ||
         Nodes.renew(size_t(Shape->nodeRoom()));
}

/// Hints of the team that are counted, until the older ones count half.
uint32_t Inference::mostTasks() const {
  const uint64_t Most = uint64_t(Memory) * uint64_t(Shape->numThreads());
  return Most < UINT32_MAX / 2 ? uint32_t(Most) : UINT32_MAX / 2;
}

void Inference::count(int Node) {
  LOCUS_CHECK(Node >= 0 && Node < Shape->numNodes());
  Nodes[Node].Tasks.fetch_add(1, std::memory_order_relaxed);
  // While one thread forgets, others may count up to any number: each multiple
  // is an occasion, or the loads would stay as they are for ever.
  if ((Total.fetch_add(1, std::memory_order_relaxed) + 1) % mostTasks() == 0)
    forgetHalf();
}

void Inference::forgetHalf() {
  for (int N = 0; N < Shape->numNodes(); ++N) {
    uint32_t Tasks = Nodes[N].Tasks.load(std::memory_order_relaxed);
    while (!Nodes[N].Tasks.compare_exchange_weak(Tasks, Tasks - Tasks / 2,
                                                 std::memory_order_relaxed))
      ;
    Total.fetch_sub(Tasks / 2, std::memory_order_relaxed);
  }
}

int Inference::infer(Asker &Ask, Kind HintKind, const TaskTarget &Target) {
  LOCUS_CHECK(isFromDepend(HintKind));
  // Where threads may run on any node, it is no use to know one.
  if (Shape->numNodes() == 1 || !Shape->isBound())
    return UnknownNode;
  int Node = Ask.guess();
  if (Ask.asks()) {
    Node = nodeOfData(*Shape, HintKind, /*Strict=*/false, Target);
    Ask.learn(Node, hasShortTasks()                          ? Worth::Nothing
                    : Node == UnknownNode || isCrowded(Node) ? Worth::Little
                                                             : Worth::Much);
  }
  if (Node != UnknownNode)
    count(Node);
  return Node;
}

} // namespace locus
