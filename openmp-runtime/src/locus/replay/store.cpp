//===- replay/store.cpp - The recorded graphs of a process ----------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "locus/replay/store.h"

#include "locus/support/host.h"

#include <stdlib.h>

namespace locus {

GraphStore::Entry *&GraphStore::bucketOf(GraphKey Key) {
  uint64_t H = uint64_t(reinterpret_cast<uintptr_t>(Key.Construct)) +
               0x9e3779b97f4a7c15u * uint64_t(Key.Id);
  H *= 0x9e3779b97f4a7c15u;
  return Buckets[H >> 56];
}

GraphStore::Entry *GraphStore::find(GraphKey Key) {
  Entry *E = bucketOf(Key);
  while (E && (E->Key.Construct != Key.Construct || E->Key.Id != Key.Id))
    E = E->Next;
  return E;
}

GraphStore::Entry *GraphStore::findOrAdd(GraphKey Key) {
  if (Entry *E = find(Key))
    return E;
  Entry *E = static_cast<Entry *>(malloc(sizeof(Entry)));
  if (!E)
    outOfMemory();
  Entry *&To = bucketOf(Key);
  *E = {Key, To, nullptr, Resets, 0, false};
  To = E;
  return E;
}

StoredGraph *GraphStore::give(GraphKey Key, StoredGraph *G, uint32_t MostKept) {
  LockGuard Guard(Lock);
  Entry *E = findOrAdd(Key);
  if (E->Generation != G->Generation) {
    G->Next = nullptr;
    return G;
  }
  G->Next = E->Idle;
  E->Idle = G;
  if (++E->NumIdle <= MostKept)
    return nullptr;
  StoredGraph **At = &E->Idle;
  for (uint32_t I = 0; I < MostKept; ++I)
    At = &(*At)->Next;
  StoredGraph *Others = *At;
  *At = nullptr;
  E->NumIdle = MostKept;
  return Others;
}

void GraphStore::refuse(GraphKey Key) {
  LockGuard Guard(Lock);
  findOrAdd(Key)->IsRefused = true;
}

StoredGraph *GraphStore::reset(GraphKey Key) {
  LockGuard Guard(Lock);
  Entry *E = find(Key);
  if (!E)
    return nullptr;
  StoredGraph *Idle = E->Idle;
  E->Idle = nullptr;
  E->NumIdle = 0;
  E->Generation = ++Resets;
  E->IsRefused = false;
  return Idle;
}

void GraphStore::recoverFromFork() {
  for (Entry *&E : Buckets)
    E = nullptr;
  Lock.unlock();
}

StoredGraph *GraphStore::resetAll() {
  LockGuard Guard(Lock);
  ++Resets;
  StoredGraph *All = nullptr;
  for (Entry *&First : Buckets)
    while (Entry *E = First) {
      while (StoredGraph *G = E->Idle) {
        E->Idle = G->Next;
        G->Next = All;
        All = G;
      }
      First = E->Next;
      free(E);
    }
  return All;
}

} // namespace locus
