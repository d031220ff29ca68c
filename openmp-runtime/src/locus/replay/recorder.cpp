//===- replay/recorder.cpp - From dependences to a graph ------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "locus/replay/recorder.h"

#include <new>
#include <stdlib.h>

namespace locus {

/// An array as the graph has them, which free() frees.
template <class T> static T *make(size_t Count) {
  T *Made = makeArray<T>(Count);
  if (!Made)
    outOfMemory();
  return Made;
}

/// The number of an item, as the owner of its shadow.
static Task *toOwner(uint32_t Index) {
  return reinterpret_cast<Task *>(uintptr_t(Index) + 1);
}
GraphNode &Recorder::nodeOf(const Node &Shadow) const {
  return *Items[reinterpret_cast<uintptr_t>(Shadow.owner()) - 1].Node;
}

void Recorder::add(GraphNode *N) {
  LOCUS_CHECK(!Current);
  Current = Node::make(Pool, toOwner(size()));
  if (Gate != 0)
    Current->follow(Pool, *Items[Gate - 1].Shadow, nullptr);
  Items.add({N, Current});
  NumFences += !N;
}

void Recorder::addDependence(Dependence D) {
  if (D.How == Access::Mutex)
    D.How = Access::Out;
  if (!Known)
    Known = Domain::create(Pool);
  if (Items[size() - 1].Node)
    Known->add(Pool, *Current, D, nullptr);
  else
    Known->await(Pool, *Current, D, nullptr);
}

void Recorder::addAll() {
  if (!Known)
    Known = Domain::create(Pool);
  if (Items[size() - 1].Node)
    Known->addAll(Pool, *Current, nullptr);
  else
    Known->awaitAll(Pool, *Current, nullptr);
}

/// Frees the shadows: ends each, first the first, for good.
void Recorder::forget() {
  LOCUS_CHECK(!Current);
  for (uint32_t I = 0; I < size(); ++I) {
    Pool.countBegin();
    Items[I].Shadow->end(Pool, [](Task *) {});
  }
  if (Known)
    Domain::destroy(Pool, Known);
  Known = nullptr;
  Items.shorten(0);
  NumFences = Gate = 0;
}

Recorder::~Recorder() { forget(); }

/// Before there are fences.
void Recorder::makeTasks(Graph &G) {
  G.NumTasks = size() - NumFences;
  G.Tasks = make<GraphNode *>(G.NumTasks);
  GraphNode **At = G.Tasks;
  for (uint32_t I = 0; I < size(); ++I)
    if (Items[I].Node)
      *At++ = Items[I].Node;
}

void Recorder::makeFences(Graph &G) {
  G.Fences = make<GraphNode>(NumFences);
  for (uint32_t I = 0, Fence = 0; I < size(); ++I)
    if (!Items[I].Node) {
      Items[I].Node = &G.Fences[Fence++];
      Items[I].Node->IsFence = true;
    }
}

void Recorder::makeEdges(Graph &G) {
  size_t NumEdges = 0;
  for (uint32_t I = 0; I < size(); ++I)
    Items[I].Shadow->forEachFollower([&](Node &Follower) {
      ++Items[I].Node->NumAfter;
      ++nodeOf(Follower).NumBefore;
      ++NumEdges;
    });
  G.Edges = make<GraphNode *>(NumEdges);
  GraphNode **Room = G.Edges;
  for (uint32_t I = 0; I < size(); ++I) {
    Items[I].Node->After = Room;
    Room += Items[I].Node->NumAfter;
    // The first one comes last.
    GraphNode **At = Room;
    Items[I].Shadow->forEachFollower(
        [&](Node &Follower) { *--At = &nodeOf(Follower); });
  }
}

/// The ends of the graph, and what a run begins with.
void Recorder::makeRoots(Graph &G) {
  G.NumNodes = size();
  for (uint32_t I = 0; I < size(); ++I) {
    GraphNode &N = *Items[I].Node;
    N.Pending.store(N.NumBefore, std::memory_order_relaxed);
    G.NumRoots += N.NumBefore == 0;
    G.NumLeaves += N.NumAfter == 0;
  }
  G.Left.store(G.NumLeaves, std::memory_order_relaxed);
  G.Roots = make<GraphNode *>(G.NumRoots);
  GraphNode **At = G.Roots;
  for (uint32_t I = 0; I < size(); ++I)
    if (Items[I].Node->NumBefore == 0)
      *At++ = Items[I].Node;
}

Graph *Recorder::finish() {
  Graph *G = make<Graph>(1);
  makeTasks(*G);
  makeFences(*G);
  makeEdges(*G);
  makeRoots(*G);
  forget();
  return G;
}

void Graph::destroy(Graph *G) {
  free(G->Edges);
  free(G->Roots);
  free(G->Tasks);
  free(G->Fences);
  free(G);
}

} // namespace locus
