//===- task/infer.cpp - What dependences tell about data ------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "locus/task/infer.h"
#include "locus/task/placement.h"

namespace locus {

bool NodeLoads::reset(const TeamShape &TheShape) {
  Shape = &TheShape;
  if (Total.load(std::memory_order_relaxed) != 0) {
    Total.store(0, std::memory_order_relaxed);
    for (size_t N = 0; N < Nodes.size(); ++N)
      Nodes[N].Tasks.store(0, std::memory_order_relaxed);
  }
  return size_t(Shape->numNodes()) <= Nodes.size() ||
         Nodes.renew(size_t(Shape->nodeRoom()));
}

/// Hints of the team that are counted, until the older ones count half.
uint32_t NodeLoads::mostTasks() const {
  const uint64_t Most = uint64_t(Memory) * uint64_t(Shape->numThreads());
  return Most < UINT32_MAX / 2 ? uint32_t(Most) : UINT32_MAX / 2;
}

void NodeLoads::count(int Node) {
  LOCUS_CHECK(Node >= 0 && Node < Shape->numNodes());
  Nodes[Node].Tasks.fetch_add(1, std::memory_order_relaxed);
  // While one thread forgets, others may count up to any number: each multiple
  // is an occasion, or the loads would stay as they are for ever.
  if ((Total.fetch_add(1, std::memory_order_relaxed) + 1) % mostTasks() == 0)
    forgetHalf();
}

void NodeLoads::forgetHalf() {
  for (int N = 0; N < Shape->numNodes(); ++N) {
    uint32_t Tasks = Nodes[N].Tasks.load(std::memory_order_relaxed);
    while (!Nodes[N].Tasks.compare_exchange_weak(Tasks, Tasks - Tasks / 2,
                                                 std::memory_order_relaxed))
      ;
    Total.fetch_sub(Tasks / 2, std::memory_order_relaxed);
  }
}

bool Inference::reset(const TeamShape &Shape) {
  if (hasShortTasks())
    IsShort.store(false, std::memory_order_relaxed);
  return Loads.reset(Shape);
}

int Inference::infer(const TeamShape &Shape, Asker &Ask, Kind HintKind,
                     const TaskTarget &Target) {
  LOCUS_CHECK(isFromDepend(HintKind));
  // Where threads may run on any node, it is no use to know one.
  if (Shape.numNodes() == 1 || !Shape.isBound())
    return UnknownNode;
  int Node = Ask.guess();
  if (Ask.asks()) {
    Node = nodeOfData(Shape, HintKind, /*Strict=*/false, Target);
    Ask.learn(Node, hasShortTasks()                          ? Worth::Nothing
                    : Node == UnknownNode || isCrowded(Node) ? Worth::Little
                                                             : Worth::Much);
  }
  if (Node != UnknownNode)
    Loads.count(Node);
  return Node;
}

} // namespace locus
