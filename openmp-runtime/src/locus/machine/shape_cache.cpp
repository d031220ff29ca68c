//===- machine/shape_cache.cpp - The last few shapes of a team ------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "locus/machine/shape_cache.h"

namespace locus {

TeamShape *ShapeCache::build(const Topology &Machine, int NumThreads,
                             const NodeSet *ThreadNodes, const int *ThreadCpus,
                             const int *Homes) {
  if (!Homes)
    return Homeless.build(Machine, NumThreads, ThreadNodes, ThreadCpus)
               ? &Homeless
               : nullptr;
  if (TeamShape *Known =
          find(NumThreads, [&](int Thread) { return Homes[Thread]; }))
    return Known;
  int Oldest = 0;
  for (int I = 1; I < ShapesKept; ++I)
    if (Keys[I].LastUse < Keys[Oldest].LastUse)
      Oldest = I;
  Key &K = Keys[Oldest];
  K.NumHomes = 0;
  K.LastUse = ++Uses;
  if (!Shapes[Oldest].build(Machine, NumThreads, ThreadNodes, ThreadCpus))
    return nullptr;
  const size_t Wanted = size_t(NumThreads);
  if (Wanted > K.Homes.size() &&
      !K.Homes.renew(grownRoom(K.Homes.size(), Wanted)))
    return nullptr;
  for (int T = 0; T < NumThreads; ++T)
    K.Homes[T] = Homes[T];
  K.NumHomes = NumThreads;
  return &Shapes[Oldest];
}

} // namespace locus
