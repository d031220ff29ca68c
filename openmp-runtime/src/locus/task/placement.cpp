//===- task/placement.cpp - Where a ready task goes -----------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "locus/task/placement.h"
#include "locus/data/directory.h"
#include "locus/machine/page_node.h"
#include "locus/support/cpu.h"
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

} // namespace locus
