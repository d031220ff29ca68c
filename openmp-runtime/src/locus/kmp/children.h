//===- kmp/children.h - Counting a task's children --------------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_KMP_CHILDREN_H
#define LOCUS_KMP_CHILDREN_H

#include "kmp.h"

namespace locus {

/// Adds \p Number to both counters of an explicit task's children, those not
/// complete and those not freed, in one locked instruction. Returns the new
/// value of td_allocated_child_tasks.
static inline kmp_int32 countChild(kmp_taskdata_t *Parent, kmp_int32 Number) {
  constexpr size_t Allocated =
      offsetof(kmp_taskdata_t, td_allocated_child_tasks);
  static_assert(offsetof(kmp_taskdata_t, td_incomplete_child_tasks) ==
                        Allocated + sizeof(kmp_int32) &&
                    Allocated % sizeof(kmp_int64) == 0,
                "the two counters are one word");
  static_assert(sizeof(void *) == sizeof(kmp_int64) &&
                    __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
                "Locus runs on 64-bit little-endian machines: there one "
                "instruction adds to both counters, and the first one is the "
                "low half of the word");
  // Neither half becomes negative, so nothing is carried to the other one.
  const kmp_int64 Both = ((kmp_int64(1) << 32) + 1) * Number;
  auto *Word = reinterpret_cast<std::atomic<kmp_int64> *>(
      &Parent->td_allocated_child_tasks);
  const kmp_int64 Counts =
      Word->fetch_add(Both, std::memory_order_acq_rel) + Both;
  LOCUS_CHECK(kmp_int32(Counts) >= 0 && Counts >> 32 >= 0);
  return kmp_int32(Counts);
}

} // namespace locus

#endif // LOCUS_KMP_CHILDREN_H
