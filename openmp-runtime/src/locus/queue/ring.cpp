//===- queue/ring.cpp - An array of tasks without end ---------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "locus/queue/ring.h"
#include "locus/support/node_memory.h"
#include "locus/tuning.h"

namespace locus {

void Ring::init(int TheOsNode) {
  if (OsNode != TheOsNode || Capacity > Tuned.FirstCapacity)
    destroy();
  OsNode = TheOsNode;
}

void Ring::destroy() {
  freeOnNode(Slots, size_t(Capacity) * sizeof(Task *));
  Slots = nullptr;
  Capacity = 0;
}

bool Ring::grow(uint64_t Room, int64_t First, int64_t Last) {
  LOCUS_CHECK(uint64_t(Last - First) <= Room && Room > Capacity);
  uint64_t Bigger = Capacity ? 2 * uint64_t(Capacity) : Tuned.FirstCapacity;
  while (Bigger < Room)
    Bigger *= 2;
  if (Bigger > UINT32_MAX)
    return false;
  Task **Fresh = static_cast<Task **>(
      allocateOnNode(size_t(Bigger) * sizeof(Task *), OsNode));
  if (!Fresh)
    return false;
  for (int64_t I = First; I < Last; ++I)
    Fresh[uint64_t(I) & (Bigger - 1)] = (*this)[I];
  destroy();
  Slots = Fresh;
  Capacity = uint32_t(Bigger);
  return true;
}

} // namespace locus
