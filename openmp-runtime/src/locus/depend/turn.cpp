//===- depend/turn.cpp - Tasks of several creators in order ---------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "locus/depend/turn.h"
#include "locus/support/host.h"

namespace locus {

static_assert(sizeof(Turn) <= BlockBytes, "a turn is one block");

Turn::Entry *Turn::Entry::make(Node &Of, void *Context, uint32_t Most) {
  static_assert(alignof(Entry) >= alignof(Dependence), "they come behind it");
  void *Memory = malloc(sizeof(Entry) + Most * sizeof(Dependence));
  if (!Memory)
    outOfMemory();
  Entry *E = new (Memory) Entry;
  E->Added = &Of;
  E->Context = Context;
  return E;
}

Turn *Turn::make(NodePool &Mine, Domain &Of, Turn *Outer, Task *Owner) {
  Block *Memory = Mine.take();
  return Of.Order = new (Memory) Turn(Memory->Home, Of, Outer, Owner);
}

Turn &Turn::of(NodePool &Mine, Domain &D) {
  return *(D.Order ? D.Order : make(Mine, D, nullptr, nullptr));
}

Domain *Turn::makeInside(NodePool &Mine, Task *Owner) {
  Domain *D = Domain::create(Mine);
  make(Mine, *D, this, Owner);
  return D;
}

/// Adds \p E to the table. Whether its task is ready.
bool Turn::enter(NodePool &Mine, Entry &E) {
  Node &N = *E.Added;
  if (E.Inside)
    Inner = E.Inside->Order;
  if (E.UsesAll && E.Owner)
    Table.addAll(Mine, N, E.Context);
  else if (E.UsesAll)
    Table.awaitAll(Mine, N, E.Context);
  for (uint32_t I = 0; I < E.Count; ++I)
    if (E.Owner)
      Table.add(Mine, N, E.items()[I], E.Context);
    else
      Table.await(Mine, N, E.items()[I], E.Context);
  // Behind this one that waits may have gone on.
  const bool IsTask = E.Owner != nullptr;
  return N.endRegistration() && IsTask;
}

bool Turn::submit(NodePool &Mine, Entry *E) {
  const LockGuard Guard(*Lock);
  if (isHeldUp()) {
    (First ? Newest->Next : First) = E;
    Newest = E;
    return false;
  }
  LOCUS_CHECK(!First);
  const bool IsReady = enter(Mine, *E);
  ::free(E);
  return IsReady;
}

/// The task is over. \p At becomes null if its turn is not: something is held
/// back in it.
Turn::Entry *Turn::finish(NodePool &Mine, Turn *&At) {
  {
    const LockGuard Guard(*Lock);
    IsOver = true;
    if (isHeldUp())
      At = nullptr;
  }
  return At ? advance(Mine, At) : nullptr;
}

/// Adds up to \p Left of those that are held back. Returns those that are
/// ready, behind \p Ready.
Turn::Entry **Turn::enterSome(NodePool &Mine, uint32_t &Left, Entry **Ready) {
  for (; First && !Inner && Left != 0; --Left) {
    Entry *E = First;
    First = E->Next;
    if (!enter(Mine, *E)) {
      ::free(E);
      continue;
    }
    E->Next = nullptr;
    *Ready = E;
    Ready = &E->Next;
  }
  IsAdvancing = First && !Inner;
  return Ready;
}

/// Goes on with \p At, which nobody is inside of: adds what it holds back, and
/// ends it if its task is over, and so on with the one around it. Returns those
/// that are ready. \p At becomes the one to go on with, or null.
Turn::Entry *Turn::advance(NodePool &Mine, Turn *&At) {
  Entry *Ready = nullptr, **Tail = &Ready;
  Domain *Ended = nullptr;
  SpinLock &Held = *At->Lock;
  Held.lock();
  for (uint32_t Left = Batch; At;) {
    Turn &T = *At;
    Tail = T.enterSome(Mine, Left, Tail);
    if (T.IsAdvancing)
      break;
    At = nullptr;
    if (T.Inner || !T.IsOver)
      break;
    if (!T.Outer) {
      Ended = &T.Table;
      break;
    }
    At = T.Outer;
    At->Inner = nullptr;
    Domain::destroy(Mine, &T.Own);
  }
  Held.unlock(); // it may be one of Ended
  if (Ended)
    Domain::destroy(Mine, Ended);
  return Ready;
}

} // namespace locus
