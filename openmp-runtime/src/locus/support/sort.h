//===- support/sort.h - Sorting without the C++ library ---------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_SUPPORT_SORT_H
#define LOCUS_SUPPORT_SORT_H

#include <stddef.h>
#include <stdint.h>

namespace locus {

/// Sorts \p Count keys, the smallest first. Shell's method: what comes in is
/// short or nearly in order, each thread of a new team does it, and qsort()
/// asks for memory.
inline void sortKeys(uint64_t *Keys, size_t Count) {
  size_t Gap = 1;
  while (Gap < Count / 3)
    Gap = 3 * Gap + 1;
  for (; Gap > 0; Gap /= 3)
    for (size_t I = Gap; I < Count; ++I) {
      const uint64_t Key = Keys[I];
      size_t Hole = I;
      for (; Hole >= Gap && Keys[Hole - Gap] > Key; Hole -= Gap)
        Keys[Hole] = Keys[Hole - Gap];
      Keys[Hole] = Key;
    }
}

} // namespace locus

#endif // LOCUS_SUPPORT_SORT_H
