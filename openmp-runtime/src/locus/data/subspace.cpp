//===- data/subspace.cpp - Parts of memory spaces -------------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "locus/data/subspace.h"

#include <new>
#include <stdlib.h>

namespace locus {

static Subspaces OfProcess;

Subspaces &Subspaces::get() { return OfProcess; }

/// The one of \p Nodes in the list from \p From on; null if there is none
/// before \p End.
static const Subspace *search(const Subspace *From, const Subspace *End,
                              uintptr_t Parent, const NodeSet &Nodes) {
  for (const Subspace *S = From; S != End; S = S->Next)
    if (S->Parent == Parent && S->Nodes == Nodes)
      return S;
  return nullptr;
}

const Subspace *Subspaces::intern(uintptr_t Parent, const NodeSet &Nodes) {
  const Subspace *Front = First.load(std::memory_order_acquire);
  if (const Subspace *Known = search(Front, nullptr, Parent, Nodes))
    return Known;
  void *Memory = malloc(sizeof(Subspace));
  if (!Memory)
    return nullptr;
  Subspace *Made = new (Memory) Subspace{Parent, Nodes, Front};
  while (!First.compare_exchange_weak(Front, Made, std::memory_order_release,
                                      std::memory_order_acquire)) {
    // Only what others have put before the old front is new.
    if (const Subspace *Known = search(Front, Made->Next, Parent, Nodes)) {
      free(Memory);
      return Known;
    }
    Made->Next = Front;
  }
  return Made;
}

const Subspace *Subspaces::find(const void *Handle) const {
  const Subspace *S = First.load(std::memory_order_acquire);
  while (S && S != Handle)
    S = S->Next;
  return S;
}

} // namespace locus
