//===- data/pages.h - Memory in pages ---------------------------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_DATA_PAGES_H
#define LOCUS_DATA_PAGES_H

#include "locus/support/cpu.h"

namespace locus {

/// How many pages \p Bytes bytes take.
inline size_t pagesOf(size_t Bytes) {
  return Bytes / pageSize() + (Bytes % pageSize() != 0);
}

} // namespace locus

#endif // LOCUS_DATA_PAGES_H
