//===- machine/team_shape.cpp - Which node each thread is on --------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "locus/machine/team_shape.h"

namespace locus {

bool TeamShape::build(const Topology &TheMachine, int TheNumThreads,
                      const NodeSet *Sets, const int *Cpus) {
  LOCUS_CHECK(TheNumThreads > 0);
  Machine = &TheMachine;
  NumThreads = NumNodes = 0;
  Bound = true;
  if (!reserve(TheNumThreads))
    return false;
  NumThreads = TheNumThreads;
  for (int T = 0; T < NumThreads; ++T)
    Spots[T].OsCpu = Cpus ? Cpus[T] : -1;
  assignNodes(Sets);
  listThreads();
  for (int N = 0; N < NumNodes; ++N)
    listOthers(N);
  return Groups.build(*Machine, NumThreads, Spots.data());
}

/// Memory for \p MostThreads threads, which stays if it suffices.
bool TeamShape::reserve(int MostThreads) {
  // No more nodes than threads: one without a thread is no team node, or its
  // strict tasks would wait for ever.
  auto NodesOf = [&](int NumThreads) {
    return Machine->numNodes() < NumThreads ? Machine->numNodes() : NumThreads;
  };
  if (MostThreads <= Room && NodesOf(MostThreads) <= NodeRoom)
    return true;
  const size_t Wanted = grownRoom(size_t(Room), size_t(MostThreads));
  const size_t WantedNodes = size_t(NodesOf(int(Wanted)));
  const bool Made = Spots.renew(Wanted) && ThreadNodes.renew(Wanted) &&
                    NodeThreads.renew(Wanted) && Nodes.renew(WantedNodes) &&
                    Others.renew(WantedNodes * WantedNodes) &&
                    Keys.renew(WantedNodes);
  Room = Made ? int(Wanted) : 0;
  NodeRoom = Made ? int(WantedNodes) : 0;
  return Made;
}

/// The node of each thread.
void TeamShape::assignNodes(const NodeSet *Sets) {
  Sharer Self; // of thread T among those with the same nodes
  NodeSet Set; // of thread T
  int Choices = 0, OsNode = -1, Node = -1;
  for (int T = 0; T < NumThreads; ++T) {
    // Neighbours mostly have the same set.
    const bool IsSame = T > 0 && Sets[T - 1] == Sets[T];
    if (!IsSame) {
      Set = Sets[T].size() != 0 ? Sets[T] : Machine->nodesWithCpus();
      Choices = Set.size();
    }
    if (Choices > 1) {
      Bound = false;
      if (IsSame)
        ++Self.Rank;
      else
        Self = sharerOf(T, NumThreads,
                        [&](int Other) { return Sets[Other] == Sets[T]; });
    }
    if (Choices > 1 || !IsSame) {
      OsNode = Set.at(Choices > 1 ? Self.inBlocks(Choices) : 0);
      const int Known = teamNode(OsNode);
      Node = Known >= 0 ? Known : addNode(OsNode);
    }
    ++Nodes[Node].NumThreads;
    ThreadNodes[T] = Node;
    Spots[T].OsNode = OsNode;
  }
}

int TeamShape::addNode(int OsNode) {
  LOCUS_CHECK(NumNodes < NodeRoom);
  Nodes[NumNodes] = {OsNode, /*FirstThread=*/0, /*NumThreads=*/0};
  return NumNodes++;
}

/// The threads of each node.
void TeamShape::listThreads() {
  int Next = 0;
  for (int N = 0; N < NumNodes; ++N) {
    Nodes[N].FirstThread = Next;
    for (int T = 0; T < NumThreads; ++T)
      if (ThreadNodes[T] == N)
        NodeThreads[Next++] = T;
  }
}

/// The nodes but \p Node, by distance, then by number from behind \p Node on.
void TeamShape::listOthers(int Node) {
  const int Count = NumNodes - 1;
  int *const List = Others.data() + size_t(Node) * size_t(Count);
  for (int Turn = 1; Turn <= Count; ++Turn) {
    const int Other = (Node + Turn) % NumNodes;
    const uint64_t Far =
        Machine->distance(Nodes[Node].OsNode, Nodes[Other].OsNode);
    Keys[Turn - 1] = Far << 32 | unsigned(Turn);
  }
  sortKeys(Keys.data(), size_t(Count));
  for (int I = 0; I < Count; ++I)
    List[I] = int((uint32_t(Keys[I]) + unsigned(Node)) % unsigned(NumNodes));
}

int TeamShape::teamNode(int OsNode) const {
  for (int N = 0; N < NumNodes; ++N)
    if (Nodes[N].OsNode == OsNode)
      return N;
  return -1;
}

int TeamShape::nearestNode(int OsNode) const {
  int Best = teamNode(OsNode);
  if (Best >= 0)
    return Best;
  Best = 0;
  unsigned BestDistance = UINT32_MAX;
  for (int N = 0; N < NumNodes; ++N) {
    const unsigned Distance = Machine->distance(Nodes[N].OsNode, OsNode);
    if (Distance < BestDistance) {
      Best = N;
      BestDistance = Distance;
    }
  }
  return Best;
}

//===----------------------------------------------------------------------===//
// The last few shapes of a team
//===----------------------------------------------------------------------===//

TeamShape *ShapeCache::build(const Topology &Machine, int NumThreads,
                             const NodeSet *ThreadNodes, const int *ThreadCpus,
                             const int *Homes) {
  if (!Homes)
    return Homeless.build(Machine, NumThreads, ThreadNodes, ThreadCpus)
               ? &Homeless
               : nullptr;
  if (TeamShape *Known =
          find(NumThreads, [&](int Thread) { return Homes[Thread]; }))
    return Known;
  int Oldest = 0;
  for (int I = 1; I < ShapesKept; ++I)
    if (Keys[I].LastUse < Keys[Oldest].LastUse)
      Oldest = I;
  Key &K = Keys[Oldest];
  K.NumHomes = 0;
  K.LastUse = ++Uses;
  if (!Shapes[Oldest].build(Machine, NumThreads, ThreadNodes, ThreadCpus))
    return nullptr;
  const size_t Wanted = size_t(NumThreads);
  if (Wanted > K.Homes.size() &&
      !K.Homes.renew(grownRoom(K.Homes.size(), Wanted)))
    return nullptr;
  for (int T = 0; T < NumThreads; ++T)
    K.Homes[T] = Homes[T];
  K.NumHomes = NumThreads;
  return &Shapes[Oldest];
}

} // namespace locus
