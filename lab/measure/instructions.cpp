//===- measure/instructions.cpp - What instructions and system calls take ===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lab/measure/probes.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace locus::lab {

static double nowNs() {
  return std::chrono::duration<double, std::nano>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

/// ns of one call of \p Do, the least of some tries.
template <typename F> static double each(long Count, F &&Do) {
  double Best = 1e300;
  for (int Try = 0; Try < 7; ++Try) {
    const double Begin = nowNs();
    for (long I = 0; I < Count; ++I)
      Do();
    Best = std::min(Best, (nowNs() - Begin) / double(Count));
  }
  return Best;
}

double gigahertz() {
  // Additions that wait for each other: one a cycle.
  unsigned long Sum = 1;
  const double Ns = each(1000000, [&] {
    for (int I = 0; I < 16; ++I)
      asm volatile("add %0, %0" : "+r"(Sum));
  });
  return 16 / Ns;
}

/// One multiplication and addition of each of some vectors, \p Times times,
/// with what the processor has for it.
__attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3",
                             "default"))) static void
multiplyAdd(long Times) {
  using Vector = double __attribute__((vector_size(64)));
  constexpr int Chains = 12;
  Vector Sums[Chains] = {};
  Vector Factor = {1, 1, 1, 1, 1, 1, 1, 1};
  asm volatile("" : "+m"(Factor));
  for (long I = 0; I < Times; ++I)
    for (int C = 0; C < Chains; ++C)
      Sums[C] = Sums[C] * Factor + Factor;
  asm volatile("" : "+m"(Sums));
}

double gigaflops() {
  constexpr long Times = 10000;
  return 0.9 * 12 * 8 * 2 * Times / each(20, [] { multiplyAdd(Times); });
}

double instructionsNs() {
  // Lists and counters in the nearest cache, with branches that are not always
  // foreseen.
  struct Item {
    Item *Next;
    unsigned Value;
  };
  static Item Items[256];
  for (unsigned I = 0; I < 256; ++I)
    Items[I] = {&Items[(I * 167 + 13) % 256], I * 2654435761u >> 8};
  Item *At = Items;
  unsigned long Even = 0, Sum = 0;
  const double Ns = each(2000000, [&] {
    At = At->Next;
    if (At->Value & 16)
      Even += At->Value;
    else
      Sum ^= Even + At->Value;
    At->Value = At->Value * 5 + 1;
  });
  asm volatile("" : "+m"(Sum));
  return Ns;
}

double lockedNs() {
  std::atomic<int> Number{0};
  return each(1000000, [&] { Number.fetch_add(1, std::memory_order_acq_rel); });
}

double fenceNs() {
  return each(1000000, [] { asm volatile("mfence" ::: "memory"); });
}

double yieldNs() {
  return each(100000, [] { sched_yield(); });
}

WakeTimes wakeTimes(const ThisMachine &M, int Other) {
  constexpr int Times = 200;
  std::atomic<int> Word{0}, Done{0};
  double Waker = 1e300, Latency = 1e300;
  std::atomic<double> WokenAt{0};
  M.together({0, Other}, [&](size_t Me) {
    for (int I = 1; I <= Times; ++I) {
      if (Me == 1) {
        while (Word.load() < I)
          syscall(SYS_futex, &Word, FUTEX_WAIT_PRIVATE, I - 1, nullptr);
        WokenAt = nowNs();
        Done = I;
        continue;
      }
      usleep(100); // until the other one sleeps
      Word = I;
      const double Begin = nowNs();
      syscall(SYS_futex, &Word, FUTEX_WAKE_PRIVATE, 1);
      Waker = std::min(Waker, nowNs() - Begin);
      while (Done.load() < I)
        ;
      Latency = std::min(Latency, WokenAt.load() - Begin);
    }
  });
  return {Waker, Latency};
}

} // namespace locus::lab
