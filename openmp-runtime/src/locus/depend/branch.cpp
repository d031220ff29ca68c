//===- depend/branch.cpp - Domains that are based on each other -----------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a creator knows goes into a base, which does not change, when it creates
// a transparent task; the creator and the task go on with empty tables. The
// next such task makes the next base, so bases form a list.
//
//===----------------------------------------------------------------------===//

#include "locus/depend/domain.h"
#include "locus/tuning.h"

namespace locus {

/// \p From is what is known of the address of \p E, which is new.
void Domain::copy(NodePool &Mine, Entry &E, const Entry &From) {
  if (hasEnded(From.Last))
    return; // those before them have, too
  auto Copy = [&](Group &G, const Group &Old) {
    uint32_t Count = 0;
    auto Add = [&](Node *N) {
      if (!N || N->hasEnded())
        return;
      N->hold();
      if (Count++ != 0) {
        Link *Cell = newCell(Mine);
        *Cell = {G.First, G.Rest};
        G.Rest = Cell;
      }
      G.First = N;
    };
    for (const Link *L = Old.Rest; L; L = L->Next)
      Add(L->Target);
    Add(Old.First);
    return Count;
  };
  E.How = From.How;
  E.Count = Copy(E.Last, From.Last);
  Copy(E.Before, From.Before);
  E.SweepAt = E.Count < Tuned.DomainSweep ? Tuned.DomainSweep : 2 * E.Count;
  E.Lock = From.Lock;
  if (E.Lock)
    E.Lock->use();
}

/// Nobody is based on \p Frozen who was.
void Domain::release(NodePool &Mine, Domain *Frozen) {
  if (--Frozen->NumBased != 0)
    return;
  Frozen->clear(Mine);
  Mine.give(Frozen);
}

/// Takes what is known by the base, while that is not much more than what is
/// known here: so there are no more bases below each other than the logarithm
/// of the number of addresses, and an address is copied no more often than
/// that.
void Domain::absorbBases(NodePool &Mine) {
  while (Base && !IsBranch && Base->Used <= 2 * Used) {
    Domain *Old = Base;
    for (size_t I = 0; I < Old->capacity(); ++I) {
      const Entry &E = Old->Entries[I];
      if (E.How != Access::None && !find(E.Address) && !hasEnded(E.Last))
        copy(Mine, add(Mine, E.Address), E);
    }
    if (Old->All)
      Old->All->hold();
    All = Old->All;
    IsBranch = Old->IsBranch;
    Base = Old->Base;
    if (Base)
      ++Base->NumBased;
    release(Mine, Old);
  }
}

/// What is known goes into a base.
void Domain::freeze(NodePool &Mine) {
  Domain *Frozen = create(Mine);
  Frozen->Entries = Entries;
  Frozen->Used = Used;
  Frozen->Log2 = Log2;
  Frozen->All = All;
  Frozen->Cells = Cells;
  Frozen->Blocks = Blocks;
  Frozen->Base = Base;
  Frozen->IsBranch = IsBranch;
  Frozen->absorbBases(Mine);
  Entries = nullptr;
  Used = 0;
  All = nullptr;
  Cells = nullptr;
  Blocks = nullptr;
  Base = Frozen;
  IsBranch = false;
  Frozen->NumBased = 1;
}

void Domain::addFree(NodePool &Mine, Node &N) {
  // No data of a program is there, nor another node, as long as this is.
  join(Mine, add(Mine, reinterpret_cast<uintptr_t>(&N)), N);
}

Domain *Domain::branch(NodePool &Mine) {
  HasBranched = true;
  if (isEmpty())
    return nullptr;
  if (!Common) {
    Block *Memory = Mine.take();
    Common = new (Memory) Family(Memory->Home);
  }
  const Guard Holds(*this);
  if (Used != 0 || All)
    freeze(Mine);
  Domain *Fresh = create(Mine);
  Fresh->Base = Base;
  ++Base->NumBased;
  Fresh->IsBranch = true;
  Fresh->Common = Common;
  ++Common->Users;
  return Fresh;
}

} // namespace locus
