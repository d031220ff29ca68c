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

namespace locus {

/// The time in nanoseconds, of a clock that only goes forward.
inline uint64_t nanoseconds() {
  timespec Now;
  clock_gettime(CLOCK_MONOTONIC, &Now);
  return uint64_t(Now.tv_sec) * 1000000000 + uint64_t(Now.tv_nsec);
}

/// Ticks of a clock that is read without a system call: the processor's
/// counter where there is one, else nanoseconds. Only ratios of differences
/// mean something.
inline uint64_t ticks() {
#if defined(__x86_64__) || defined(__i386__)
  return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
  uint64_t Count;
  __asm__ __volatile__("mrs %0, cntvct_el0" : "=r"(Count));
  return Count;
#else
  return nanoseconds();
#endif
}

} // namespace locus

#endif // LOCUS_SUPPORT_CLOCK_H
