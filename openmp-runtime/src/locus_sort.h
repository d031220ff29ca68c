//===- locus_sort.h - Sorting without the C++ library -----------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_SORT_H
#define LOCUS_SORT_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

namespace locus {

/// Sorts \p Count keys, the smallest first.
inline void sortKeys(uint64_t *Keys, size_t Count) {
  qsort(Keys, Count, sizeof(uint64_t), [](const void *A, const void *B) {
    const uint64_t X = *static_cast<const uint64_t *>(A);
    const uint64_t Y = *static_cast<const uint64_t *>(B);
    return X < Y ? -1 : int(X > Y);
  });
}

} // namespace locus

#endif // LOCUS_SORT_H
