//===- replay/store.cpp - The recorded graphs of a process ----------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "locus/replay/store.h"

#include "locus/support/array.h"
#include "locus/support/host.h"

#include <stdlib.h>

namespace locus {

size_t GraphStore::hashOf(GraphKey Key) {
  uint64_t H = uint64_t(reinterpret_cast<uintptr_t>(Key.Construct)) +
               0x9e3779b97f4a7c15u * uint64_t(Key.Id);
  H *= 0x9e3779b97f4a7c15u;
  return size_t(H >> 32);
}

GraphStore::Entry *GraphStore::find(GraphKey Key) const {
  if (NumBuckets == 0)
    return nullptr;
  Entry *E = Buckets[hashOf(Key) & (NumBuckets - 1)];
  while (E && (E->Key.Construct != Key.Construct || E->Key.Id != Key.Id))
    E = E->Next;
  return E;
}

void GraphStore::grow() {
  const size_t Number = NumBuckets ? 2 * NumBuckets : 16;
  Entry **Fresh = makeArray<Entry *>(Number);
  if (!Fresh)
    outOfMemory();
  for (size_t I = 0; I < NumBuckets; ++I)
    while (Entry *E = Buckets[I]) {
      Buckets[I] = E->Next;
      Entry *&To = Fresh[hashOf(E->Key) & (Number - 1)];
      E->Next = To;
      To = E;
    }
  free(Buckets);
  Buckets = Fresh;
  NumBuckets = Number;
}

GraphStore::Entry *GraphStore::findOrAdd(GraphKey Key) {
  if (Entry *E = find(Key))
    return E;
  if (NumEntries >= NumBuckets)
    grow();
  Entry *E = static_cast<Entry *>(malloc(sizeof(Entry)));
  if (!E)
    outOfMemory();
  Entry *&To = Buckets[hashOf(Key) & (NumBuckets - 1)];
  *E = {Key, To, nullptr, Resets, 0, false};
  To = E;
  ++NumEntries;
  return E;
}

StoredGraph *GraphStore::give(GraphKey Key, StoredGraph *G) {
  LockGuard Guard(Lock);
  Entry *E = findOrAdd(Key);
  if (E->Generation != G->Generation)
    return G;
  G->Next = E->Idle;
  E->Idle = G;
  if (++E->NumIdle <= MostKept)
    return nullptr;
  StoredGraph **At = &E->Idle;
  while ((*At)->Next)
    At = &(*At)->Next;
  StoredGraph *Oldest = *At;
  *At = nullptr;
  --E->NumIdle;
  return Oldest;
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
  if (!Lock.try_lock()) {
    Buckets = nullptr;
    NumBuckets = NumEntries = 0;
  }
  Lock.unlock();
}

void GraphStore::forgetKeys() {
  for (size_t I = 0; I < NumBuckets; ++I)
    while (Entry *E = Buckets[I]) {
      Buckets[I] = E->Next;
      free(E);
    }
  free(Buckets);
  Buckets = nullptr;
  NumBuckets = NumEntries = 0;
}

StoredGraph *GraphStore::resetAll() {
  LockGuard Guard(Lock);
  ++Resets;
  StoredGraph *All = nullptr;
  for (size_t I = 0; I < NumBuckets; ++I)
    for (Entry *E = Buckets[I]; E; E = E->Next)
      while (StoredGraph *G = E->Idle) {
        E->Idle = G->Next;
        G->Next = All;
        All = G;
      }
  forgetKeys();
  return All;
}

} // namespace locus
