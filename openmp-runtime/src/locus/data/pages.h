//===- data/pages.h - The size of a page ------------------------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_DATA_PAGES_H
#define LOCUS_DATA_PAGES_H

#include <stddef.h>
#include <unistd.h>

namespace locus {

/// The bytes of a page, a power of two.
inline size_t pageSize() { return size_t(getpagesize()); }

/// How many pages \p Bytes bytes take.
inline size_t pagesOf(size_t Bytes) {
  return Bytes / pageSize() + (Bytes % pageSize() != 0);
}

} // namespace locus

#endif // LOCUS_DATA_PAGES_H
