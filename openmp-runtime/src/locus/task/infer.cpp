//===- task/infer.cpp - What dependences tell about data ------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "locus/task/infer.h"
#include "locus/task/placement.h"

namespace locus {

bool NodeLoads::reset(const TeamShape &Shape) {
  if (size_t(Shape.numNodes()) > Nodes.size() &&
      !Nodes.renew(size_t(Shape.nodeRoom())))
    return false;
  NumNodes = Shape.numNodes();
  NumThreads = Shape.numThreads();
  const uint64_t Most = uint64_t(Tuned.InferMemory) * uint64_t(NumThreads);
  MostTasks = Most < UINT32_MAX / 2 ? uint32_t(Most) : UINT32_MAX / 2;
  Total.store(0, std::memory_order_relaxed);
  for (int N = 0; N < NumNodes; ++N) {
    Nodes[N].Tasks.store(0, std::memory_order_relaxed);
    Nodes[N].NumThreads = Shape.numThreadsOfNode(N);
  }
  return true;
}

void NodeLoads::count(int Node) {
  LOCUS_CHECK(Node >= 0 && Node < NumNodes);
  Nodes[Node].Tasks.fetch_add(1, std::memory_order_relaxed);
  if (Total.fetch_add(1, std::memory_order_relaxed) + 1 == MostTasks)
    forgetHalf();
}

void NodeLoads::forgetHalf() {
  for (int N = 0; N < NumNodes; ++N) {
    uint32_t Tasks = Nodes[N].Tasks.load(std::memory_order_relaxed);
    while (!Nodes[N].Tasks.compare_exchange_weak(Tasks, Tasks - Tasks / 2,
                                                 std::memory_order_relaxed))
      ;
    Total.fetch_sub(Tasks / 2, std::memory_order_relaxed);
  }
}

bool Inference::reset(const TeamShape &Shape) {
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
