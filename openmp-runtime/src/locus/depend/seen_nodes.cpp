//===- depend/seen_nodes.cpp - What is behind a task ----------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "locus/depend/seen_nodes.h"
#include "locus/support/array.h"
#include "locus/support/host.h"

namespace locus {

SeenNodes::~SeenNodes() {
  if (Capacity == Few)
    return;
  ::free(List);
  ::free(Slots);
}

/// Where \p N is in the table, or would be.
size_t SeenNodes::slotOf(const Node *N) const {
  // Fibonacci hashing, as in a Domain.
  const uint64_t Hash = uint64_t(uintptr_t(N)) * 0x9e3779b97f4a7c15u;
  size_t At = size_t(Hash >> 32) & (2 * Capacity - 1);
  while (Slots[At] != 0 && List[Slots[At] - 1] != N)
    At = (At + 1) & (2 * Capacity - 1);
  return At;
}

void SeenNodes::grow() {
  Node **const OldList = List;
  uint32_t *const OldSlots = Slots;
  const bool WereFew = Capacity == Few;
  Capacity *= 4;
  List = makeArray<Node *>(Capacity);
  Slots = makeArray<uint32_t>(2 * Capacity);
  if (!List || !Slots)
    outOfMemory();
  for (size_t I = 0; I < Count; ++I) {
    List[I] = OldList[I];
    Slots[slotOf(OldList[I])] = uint32_t(I) + 1;
  }
  if (WereFew)
    return;
  ::free(OldList);
  ::free(OldSlots);
}

void SeenNodes::add(Node *N) {
  size_t At = slotOf(N);
  if (Slots[At] != 0)
    return;
  if (Count == Capacity) {
    grow();
    At = slotOf(N);
  }
  List[Count++] = N;
  Slots[At] = uint32_t(Count);
}

} // namespace locus
