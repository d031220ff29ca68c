//===- machine/memory_range.h - Some memory ---------------------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_MACHINE_MEMORY_RANGE_H
#define LOCUS_MACHINE_MEMORY_RANGE_H

#include <stddef.h>
#include <stdint.h>

namespace locus {

/// Some memory: \p Length bytes from \p Base on, or, for 0, the one byte there.
struct MemoryRange {
  uintptr_t Base;
  size_t Length;
};

} // namespace locus

#endif // LOCUS_MACHINE_MEMORY_RANGE_H
