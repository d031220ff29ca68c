//===- machine/shape_cache.cpp - The last few shapes of a team ------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "locus/machine/shape_cache.h"

namespace locus {

const TeamShape *ShapeCache::build(const Topology &Machine, int NumThreads,
                                   const NodeSet *ThreadNodes,
                                   const int *ThreadCpus, const int *Homes) {
  if (!Homes)
    return Homeless.build(Machine, NumThreads, ThreadNodes, ThreadCpus)
               ? &Homeless
               : nullptr;
  if (const TeamShape *Known =
          find(NumThreads, [&](int Thread) { return Homes[Thread]; }))
    return Known;
  Entry *Oldest = &Entries[0];
  for (Entry &E : Entries)
    if (E.LastUse < Oldest->LastUse)
      Oldest = &E;
  Oldest->NumHomes = 0;
  Oldest->LastUse = ++Uses;
  if (!Oldest->Shape.build(Machine, NumThreads, ThreadNodes, ThreadCpus))
    return nullptr;
  const size_t Wanted = size_t(NumThreads);
  if (Wanted > Oldest->Homes.size() &&
      !Oldest->Homes.renew(grownRoom(Oldest->Homes.size(), Wanted)))
    return nullptr;
  for (int T = 0; T < NumThreads; ++T)
    Oldest->Homes[T] = Homes[T];
  Oldest->NumHomes = NumThreads;
  return &Oldest->Shape;
}

} // namespace locus
