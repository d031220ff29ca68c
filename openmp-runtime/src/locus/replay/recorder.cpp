//===- replay/recorder.cpp - From dependences to a graph ------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "locus/replay/recorder.h"

#include "locus/support/array.h"
#include "locus/support/host.h"

#include <new>
#include <stdlib.h>

namespace locus {

Graph::~Graph() {
  LOCUS_CHECK(Unfinished.load(std::memory_order_relaxed) == 0);
  free(Nodes);
  free(Edges);
  free(Roots);
  free(Fences);
}

/// An array as the graph has them, which free() frees.
template <class T> static T *make(uint32_t Count) {
  if (Count == 0)
    return nullptr;
  T *Made = makeArray<T>(Count);
  if (!Made)
    outOfMemory();
  return Made;
}

/// The number of an item, as the owner of its shadow.
static Task *toOwner(uint32_t Index) {
  return reinterpret_cast<Task *>(uintptr_t(Index) + 1);
}
static uint32_t toIndex(const Node &Shadow) {
  return uint32_t(reinterpret_cast<uintptr_t>(Shadow.owner()) - 1);
}

void Recorder::add(GraphNode *N) {
  LOCUS_CHECK(!Current);
  if (NumItems == Room) {
    Room = Room ? 2 * Room : 64;
    Items = static_cast<Item *>(realloc(Items, Room * sizeof(Item)));
    if (!Items)
      outOfMemory();
  }
  Current = Node::make(Pool, toOwner(NumItems));
  Items[NumItems++] = {N, Current, Gate, 0};
  NumFences += !N;
}

void Recorder::addDependence(Dependence D) {
  if (D.How == Access::Mutex)
    D.How = Access::Out;
  if (!Known)
    Known = Domain::create(Pool);
  if (Items[NumItems - 1].Node)
    Known->add(Pool, *Current, D, nullptr);
  else
    Known->await(Pool, *Current, D, nullptr);
}

void Recorder::addAll() {
  if (!Known)
    Known = Domain::create(Pool);
  if (Items[NumItems - 1].Node)
    Known->addAll(Pool, *Current, nullptr);
  else
    Known->awaitAll(Pool, *Current, nullptr);
}

/// Frees the shadows: ends each, first the first, for good.
void Recorder::forget() {
  LOCUS_CHECK(!Current);
  for (uint32_t I = 0; I < NumItems; ++I) {
    Pool.countBegin();
    Items[I].Shadow->end(Pool, [](Task *) {});
  }
  if (Known)
    Domain::destroy(Pool, Known);
  Known = nullptr;
  free(Items);
  free(Edges);
  Items = nullptr;
  Edges = nullptr;
  NumItems = Room = NumFences = Gate = 0;
  NumEdges = EdgeRoom = 0;
}

Recorder::~Recorder() { forget(); }

void Recorder::addEdge(uint32_t First, uint32_t Next) {
  if (NumEdges == EdgeRoom) {
    EdgeRoom = EdgeRoom ? 2 * EdgeRoom : 256;
    Edges = static_cast<Edge *>(realloc(Edges, EdgeRoom * sizeof(Edge)));
    if (!Edges)
      outOfMemory();
  }
  Edges[NumEdges++] = {First, Next};
  if (Items[Next].LastBefore < First + 1)
    Items[Next].LastBefore = First + 1;
}

/// The edges that dependences make.
void Recorder::collectEdges() {
  for (uint32_t I = 0; I < NumItems; ++I) {
    const size_t Begin = NumEdges;
    Items[I].Shadow->forEachFollower([&](Node &N) { addEdge(I, toIndex(N)); });
    // The first one comes last.
    for (size_t Low = Begin, High = NumEdges; Low + 1 < High; ++Low) {
      --High;
      const Edge Swapped = Edges[Low];
      Edges[Low] = Edges[High];
      Edges[High] = Swapped;
    }
  }
}

/// The edges of what the creator has waited for.
void Recorder::addGates() {
  for (uint32_t I = 0; I < NumItems; ++I) {
    // Who follows one behind the gate follows the gate.
    const uint32_t Before = Items[I].Gate;
    if (Before != 0 && Items[I].LastBefore < Before)
      addEdge(Before - 1, I);
  }
}

/// The items and edges are \p G's from now on.
void Recorder::build(Graph &G) {
  G.NumNodes = NumItems;
  G.NumEdges = uint32_t(NumEdges);
  G.Nodes = make<GraphNode *>(NumItems);
  G.Edges = make<GraphNode *>(G.NumEdges);
  G.Fences = make<GraphNode>(NumFences);
  for (uint32_t I = 0, Fence = 0; I < NumItems; ++I) {
    GraphNode *&N = Items[I].Node;
    if (!N) {
      N = &G.Fences[Fence++];
      N->IsFence = true;
    }
    G.Nodes[I] = N;
  }
  for (size_t E = 0; E < NumEdges; ++E) {
    ++G.Nodes[Edges[E].First]->NumAfter;
    ++G.Nodes[Edges[E].Next]->NumBefore;
  }
  GraphNode **Room = G.Edges;
  for (uint32_t I = 0; I < NumItems; ++I) {
    GraphNode &N = *G.Nodes[I];
    N.After = Room;
    Room += N.NumAfter;
    N.NumAfter = 0;
    N.Pending.store(N.NumBefore, std::memory_order_relaxed);
    G.NumRoots += N.NumBefore == 0;
  }
  for (size_t E = 0; E < NumEdges; ++E) {
    GraphNode &First = *G.Nodes[Edges[E].First];
    First.After[First.NumAfter++] = G.Nodes[Edges[E].Next];
  }
  G.Roots = make<GraphNode *>(G.NumRoots);
  uint32_t Root = 0;
  for (uint32_t I = 0; I < NumItems; ++I) {
    if (G.Nodes[I]->NumBefore == 0)
      G.Roots[Root++] = G.Nodes[I];
    G.NumLeaves += G.Nodes[I]->NumAfter == 0;
  }
  G.Left.store(G.NumLeaves, std::memory_order_relaxed);
}

Graph *Recorder::finish() {
  void *Memory = nullptr;
  if (posix_memalign(&Memory, alignof(Graph), sizeof(Graph)) != 0)
    outOfMemory();
  Graph *G = new (Memory) Graph();
  collectEdges();
  addGates();
  build(*G);
  forget();
  return G;
}

void Graph::destroy(Graph *G) {
  if (!G)
    return;
  G->~Graph();
  free(G);
}

} // namespace locus
