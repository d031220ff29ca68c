//===- support/clock.h - A cheap clock --------------------------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_SUPPORT_CLOCK_H
#define LOCUS_SUPPORT_CLOCK_H

#include <stdint.h>
#include <time.h>

/// For the few functions whose call would cost each task some 15 instructions,
/// and that have one caller.
#define LOCUS_ALWAYS_INLINE inline __attribute__((always_inline))

namespace locus {

/// The time in nanoseconds, of a clock that only goes forward.
inline uint64_t nanoseconds() {
  timespec Now;
  clock_gettime(CLOCK_MONOTONIC, &Now);
  return uint64_t(Now.tv_sec) * 1000000000 + uint64_t(Now.tv_nsec);
}

} // namespace locus

#endif // LOCUS_SUPPORT_CLOCK_H
