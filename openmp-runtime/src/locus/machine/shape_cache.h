//===- machine/shape_cache.h - The last few shapes of a team ----*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program may change the size of its team with each region, and mostly takes
// turns with a few sizes. Their shapes are kept, and found again by where the
// host says that the threads are.
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_MACHINE_SHAPE_CACHE_H
#define LOCUS_MACHINE_SHAPE_CACHE_H

#include "locus/machine/team_shape.h"
#include "locus/support/array.h"
#include "locus/support/cpu.h"

#include <stdint.h>

namespace locus {

/// Shapes that a team keeps for when it comes back to one of them; each takes
/// 1.5 KB, and some 100 bytes a thread. Programs take turns with two or three
/// sizes, and a task team of nested teams with so many for each partition of
/// the places that they lie in.
constexpr int ShapesKept = 8;

/// Up to ShapesKept shapes. A thread's *home* is a number of the host's that
/// says where it is: two teams of as many threads with the same homes have the
/// same shape. For one thread at a time.
class ShapeCache {
public:
  /// The shape of the team of \p NumThreads threads, of which thread I has the
  /// home \p HomeOf(I); null if it is not here.
  template <class Function>
  TeamShape *find(int NumThreads, Function HomeOf) {
    LOCUS_CHECK(NumThreads > 0);
    for (int I = 0; I < ShapesKept; ++I)
      if (Keys[I].NumHomes == NumThreads && Keys[I].hasHomes(HomeOf)) {
        Keys[I].LastUse = ++Uses;
        return &Shapes[I];
      }
    return nullptr;
  }

  /// A shape as TeamShape::build() makes it: the one that is here, if it has
  /// the same \p Homes, or else a new one in place of that which was not used
  /// for longest. Null \p Homes, where there is no number for some thread: a
  /// new one in place of the last of that kind, which find() does not find.
  /// What it returns is valid until ShapesKept others have been found or built,
  /// or, if it has no homes, until the next one without. Null if there is no
  /// memory.
  TeamShape *build(const Topology &Machine, int NumThreads,
                   const NodeSet *ThreadNodes, const int *ThreadCpus,
                   const int *Homes);

private:
  struct Key {
    Array<int> Homes;     ///< by thread
    int NumHomes = 0;     ///< 0: not to be found
    uint64_t LastUse = 0; ///< 0: never

    template <class Function> bool hasHomes(Function HomeOf) const {
      for (int T = 0; T < NumHomes; ++T)
        if (Homes[T] != HomeOf(T))
          return false;
      return true;
    }
  };

  /// By shape. On cache lines of their own: find() writes to them, and other
  /// threads read the shapes.
  alignas(CacheLine) Key Keys[ShapesKept];
  uint64_t Uses = 0;
  alignas(CacheLine) TeamShape Shapes[ShapesKept];
  TeamShape Homeless; ///< the last one without homes
};

} // namespace locus

#endif // LOCUS_MACHINE_SHAPE_CACHE_H
