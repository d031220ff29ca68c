//===- support/cpu.h - What differs between processors ----------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Nothing else in the core, the adapter and the laboratory names a processor,
// its instructions, or the size of its lines and pages: the test
// unit-processor looks for that.
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_SUPPORT_CPU_H
#define LOCUS_SUPPORT_CPU_H

#include <stddef.h>
#include <stdint.h>
#include <time.h>
#include <unistd.h>

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

/// So far apart lies what different threads write: the bytes that move between
/// caches at once. A larger number wastes memory, a smaller one time; neither
/// is wrong. On 64-bit Arm lines have 64 bytes (Neoverse), 128 (Apple) or 256
/// (A64FX). One library is for all of them: with 256 a thread's part of a team
/// were twice as large on servers whose lines are a quarter of that, and on
/// A64FX only neighbours share a line.
#if defined(__aarch64__)
constexpr size_t CacheLine = 128;
#else
constexpr size_t CacheLine = 64;
#endif

/// The bytes of a page, a power of two: 4 KB on x86-64, 4, 16 or 64 KB on Arm,
/// as the kernel was built.
inline size_t pageSize() { return size_t(getpagesize()); }
/// How many pages \p Bytes bytes take.
inline size_t pagesOf(size_t Bytes) {
  return Bytes / pageSize() + (Bytes % pageSize() != 0);
}

#if defined(LOCUS_SIMULATED_CPU)
// The model check and the laboratory have their own.
void relax();
uint64_t ticks();
#else

/// What a thread does between two looks at what it waits for. It takes 10 to 40
/// ns: the other hardware thread of the core gets on.
inline void relax() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  // `yield` is for those that have hardware threads, and for emulators; on
  // others it does nothing, and `isb` waits for the pipeline.
  __asm__ __volatile__("yield\n\tisb" ::: "memory");
#endif
}

/// The processor's counter, which is read without a system call, or nanoseconds
/// where there is none. Its rate is the machine's own, 25 MHz to 5 GHz, and no
/// instruction tells it on all of them: only ratios of differences mean
/// something. For seconds, divide by what has passed of both clocks
/// (support/stats.cpp).
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

#endif // LOCUS_SIMULATED_CPU

} // namespace locus

#endif // LOCUS_SUPPORT_CPU_H
