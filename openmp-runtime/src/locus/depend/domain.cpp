//===- depend/domain.cpp - Which task uses which address ------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "locus/depend/turn.h"
#include "locus/support/array.h"
#include "locus/support/host.h"
#include "locus/tuning.h"

namespace locus {

static_assert(sizeof(Domain) <= BlockBytes, "a domain is one block");

Domain *Domain::create(NodePool &Mine) {
  Block *Memory = Mine.take();
  return new (Memory) Domain(Memory->Home);
}

void Domain::destroy(NodePool &Mine, Domain *D) {
  D->clear(Mine);
  if (D->Order)
    Mine.give(D->Order);
  Mine.give(D);
}

void Domain::clear(NodePool &Mine) {
  for (size_t I = 0; Used != 0; ++I)
    if (Entries[I].How != Access::None) {
      forget(Mine, Entries[I]);
      --Used;
    }
  // It may be large, and what comes next small.
  ::free(Entries);
  Entries = nullptr;
  if (All)
    All->drop(Mine);
  All = nullptr;
  Cells = nullptr;
  while (Block *B = Blocks) {
    Blocks = B->Next;
    Mine.give(B);
  }
}

void Domain::makeTable() {
  Entries = makeArray<Entry>(size_t(1) << Log2);
  if (!Entries)
    outOfMemory();
}

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

Domain::Link *Domain::newCell(NodePool &Mine) {
  if (!Cells) {
    Block *Fresh = Mine.take();
    Fresh->Next = Blocks;
    Blocks = Fresh;
    Link *Room = reinterpret_cast<Link *>(Fresh + 1);
    for (size_t I = 0; I < (BlockBytes - sizeof(Block)) / sizeof(Link); ++I)
      freeCell(&Room[I]);
  }
  Link *Cell = Cells;
  Cells = Cell->Next;
  return Cell;
}

void Domain::freeCell(Link *Cell) {
  Cell->Next = Cells;
  Cells = Cell;
}

void Domain::follow(NodePool &Mine, Node &N, const Group &G, void *Context) {
  if (G.First && G.First != &N)
    N.follow(Mine, *G.First, Context);
  for (const Link *L = G.Rest; L; L = L->Next)
    if (L->Target != &N)
      N.follow(Mine, *L->Target, Context);
}

void Domain::forget(NodePool &Mine, Group &G) {
  if (G.First)
    G.First->drop(Mine);
  for (Link *L = G.Rest, *Next; L; L = Next) {
    Next = L->Next;
    L->Target->drop(Mine);
    freeCell(L);
  }
  G = Group();
}

void Domain::forget(NodePool &Mine, Entry &E) {
  forget(Mine, E.Last);
  forget(Mine, E.Before);
  if (E.Lock)
    E.Lock->drop(Mine);
  E = Entry();
}

/// Forgets those of \p G that have ended; \p Count are left.
void Domain::sweep(NodePool &Mine, Group &G, uint32_t &Count) {
  Count = 0;
  Link **At = &G.Rest;
  while (Link *L = *At) {
    if (L->Target->hasEnded()) {
      L->Target->drop(Mine);
      *At = L->Next;
      freeCell(L);
    } else {
      At = &L->Next;
      ++Count;
    }
  }
  if (G.First && G.First->hasEnded()) {
    G.First->drop(Mine);
    G.First = nullptr;
    if (Link *L = G.Rest) {
      G.First = L->Target;
      G.Rest = L->Next;
      freeCell(L);
    }
  } else if (G.First) {
    ++Count;
  }
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

size_t Domain::slotOf(uintptr_t Address) const {
  // Fibonacci hashing: addresses in steps of any size are spread.
  return size_t(uint64_t(Address) * 0x9e3779b97f4a7c15u >> (64 - Log2));
}

const Domain::Entry *Domain::find(uintptr_t Address) const {
  if (!Entries)
    return nullptr;
  for (size_t I = slotOf(Address);; I = (I + 1) & (capacity() - 1)) {
    const Entry &E = Entries[I];
    if (E.How == Access::None)
      return nullptr;
    if (E.Address == Address)
      return &E;
  }
}

Domain::Entry &Domain::findOrAdd(NodePool &Mine, uintptr_t Address) {
  if (Entry *Known = const_cast<Entry *>(find(Address)))
    return *Known;
  if (__builtin_expect(!Entries, 0)) {
    Log2 = Tuned.DomainLog2;
    makeTable();
  }
  if (__builtin_expect(4 * (Used + 1) > 3 * capacity(), 0))
    rebuild(Mine);
  size_t I = slotOf(Address);
  while (Entries[I].How != Access::None)
    I = (I + 1) & (capacity() - 1);
  Entry &E = Entries[I];
  ++Used;
  E.Address = Address;
  E.How = Access::Out;
  if (All && !All->hasEnded()) {
    All->hold();
    E.Last.First = All;
    E.Count = 1;
  }
  return E;
}

/// Forgets addresses whose tasks have all ended. If that is not enough, the
/// table becomes twice as large.
void Domain::rebuild(NodePool &Mine) {
  Entry *Old = Entries;
  const size_t OldCapacity = capacity();
  size_t Live = 0;
  for (size_t I = 0; I < OldCapacity; ++I) {
    Entry &E = Old[I];
    if (E.How == Access::None)
      continue;
    sweep(Mine, E.Last, E.Count);
    // Those before the last ones have ended if these have.
    if (E.Count == 0)
      forget(Mine, E);
    else
      ++Live;
  }
  if (8 * Live > 3 * OldCapacity)
    ++Log2;
  makeTable();
  Used = Live;
  for (size_t I = 0; I < OldCapacity; ++I) {
    if (Old[I].How == Access::None)
      continue;
    size_t At = slotOf(Old[I].Address);
    while (Entries[At].How != Access::None)
      At = (At + 1) & (capacity() - 1);
    Entries[At] = Old[I];
  }
  ::free(Old);
}

//===----------------------------------------------------------------------===//
// Tasks
//===----------------------------------------------------------------------===//

/// Whom the next user of \p E waits for, as \p How says.
const Domain::Group *Domain::awaited(const Entry &E, Access How) const {
  // A task of the group does not wait for the others in it. There may be none
  // left of it that has not ended; then those before have ended too.
  return How != Access::Out && How == E.How ? &E.Before : &E.Last;
}

/// \p N is one more of the last users of \p E.
void Domain::join(NodePool &Mine, Entry &E, Node &N) {
  if (E.Count >= E.SweepAt && E.Count > 1) {
    uint32_t LeftBefore;
    sweep(Mine, E.Before, LeftBefore); // each task of the group looks at it
    sweep(Mine, E.Last, E.Count);
    E.SweepAt =
        2 * E.Count < Tuned.DomainSweep ? Tuned.DomainSweep : 2 * E.Count;
  }
  N.hold();
  ++E.Count;
  if (!E.Last.First) {
    E.Last.First = &N;
    return;
  }
  Link *Cell = newCell(Mine);
  // The newest is the first, where add() looks for it.
  Cell->Target = E.Last.First;
  Cell->Next = E.Last.Rest;
  E.Last = {&N, Cell};
}

/// \p N is the first of a new group of users of \p E. It waits for the last.
void Domain::become(NodePool &Mine, Entry &E, Access How, Node &N,
                    void *Context) {
  follow(Mine, N, E.Last, Context);
  N.hold();
  forget(Mine, E.Before);
  if (How == Access::Out)
    forget(Mine, E.Last);
  else
    E.Before = E.Last;
  E.Last = {&N, nullptr};
  E.How = How;
  E.Count = 1;
  E.SweepAt = Tuned.DomainSweep;
}

void Domain::add(NodePool &Mine, Node &N, Dependence D, void *Context) {
  Entry &E = findOrAdd(Mine, D.Address);
  if (__builtin_expect(E.Last.First == &N, 0)) {
    // The clause names the address again.
    if (E.How != D.How && E.How != Access::Out)
      become(Mine, E, Access::Out, N, Context);
    return;
  }
  if (D.How != Access::Out && D.How == E.How) {
    follow(Mine, N, E.Before, Context);
    join(Mine, E, N);
  } else {
    become(Mine, E, D.How, N, Context);
  }
  if (D.How == Access::Mutex) {
    if (!E.Lock)
      E.Lock = Mutex::make(Mine);
    N.need(Mine, *E.Lock);
  }
}

void Domain::awaitAll(NodePool &Mine, Node &N, void *Context) {
  if (All)
    N.follow(Mine, *All, Context);
  for (size_t I = 0, Left = Used; Left != 0; ++I)
    if (Entries[I].How != Access::None) {
      follow(Mine, N, Entries[I].Last, Context);
      --Left;
    }
}

void Domain::addAll(NodePool &Mine, Node &N, void *Context) {
  awaitAll(Mine, N, Context);
  clear(Mine);
  N.hold();
  All = &N;
}

void Domain::await(NodePool &Mine, Node &N, Dependence D, void *Context) {
  const Entry *E = find(D.Address);
  if (E)
    follow(Mine, N, *awaited(*E, D.How), Context);
  else if (All)
    N.follow(Mine, *All, Context);
}

bool Domain::mayWaitForEvent() const {
  auto MayWait = [](const Node *N) {
    return N && N->isBehindEvent() && !N->hasEnded();
  };
  if (MayWait(All))
    return true;
  // The latest users of an address are behind what those before them are.
  for (size_t I = 0; I < capacity(); ++I) {
    if (Entries[I].How == Access::None)
      continue;
    if (MayWait(Entries[I].Last.First))
      return true;
    for (const Link *L = Entries[I].Last.Rest; L; L = L->Next)
      if (MayWait(L->Target))
        return true;
  }
  return false;
}

bool Domain::isReady(Dependence D) const {
  if (D.How == Access::Mutex)
    return false;
  const Entry *E = find(D.Address);
  if (!E)
    return !All || All->hasEnded();
  const Group *G = awaited(*E, D.How);
  if (G->First && !G->First->hasEnded())
    return false;
  for (const Link *L = G->Rest; L; L = L->Next)
    if (!L->Target->hasEnded())
      return false;
  return true;
}

} // namespace locus
