//===- support/array.h - Arrays of cache lines ------------------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_SUPPORT_ARRAY_H
#define LOCUS_SUPPORT_ARRAY_H

#include <new>
#include <stdlib.h>

namespace locus {

/// Cache-line aligned array of \p Count value-initialized T; null if there is
/// no memory. Free with free().
template <class T> T *makeArray(size_t Count) {
  void *Memory = nullptr;
  if (posix_memalign(&Memory, 64, Count * sizeof(T)) != 0)
    return nullptr;
  T *Array = static_cast<T *>(Memory);
  for (size_t I = 0; I < Count; ++I)
    new (&Array[I]) T();
  return Array;
}

} // namespace locus

#endif // LOCUS_SUPPORT_ARRAY_H
