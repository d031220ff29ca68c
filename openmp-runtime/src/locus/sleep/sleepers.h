//===- sleep/sleepers.h - Who sleeps, for those with tasks ------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The members of a team that sleep, or are about to: one bit for each thread,
// so that those with tasks for others look at a cache line or two, not at every
// thread. sleep/README.md has the protocol.
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_SLEEP_SLEEPERS_H
#define LOCUS_SLEEP_SLEEPERS_H

#include "locus/support/array.h"

#include <atomic>
#include <stdint.h>

namespace locus {

class Sleepers {
public:
  /// Nobody of \p NumThreads threads sleeps. False if there is no memory. May
  /// be called again while nobody uses it; keeps its memory if that suffices.
  bool build(int NumThreads) {
    NumWords = (NumThreads + 63) / 64;
    if (size_t(NumWords) > Words.size() && !Words.renew(size_t(NumWords)))
      return false;
    for (int W = 0; W < NumWords; ++W)
      if (Words[W].load(std::memory_order_relaxed) != 0)
        Words[W].store(0, std::memory_order_relaxed);
    return true;
  }

  /// \p Thread, the calling one, will sleep unless it finds a task after a
  /// sequentially consistent fence.
  void lieDown(int Thread) {
    Words[Thread / 64].fetch_or(bit(Thread), std::memory_order_acq_rel);
  }

  /// The next thread behind \p Thread, in the order of their numbers and around
  /// the end, that has lain down since it was last returned here; -1 for none.
  /// It may have been woken meanwhile for another reason. The caller has
  /// published its task and executed a sequentially consistent fence.
  int claim(int Thread) {
    const int First = Thread / 64;
    // The word of Thread comes twice: the bits above its own, then the others.
    const uint64_t Above = ~(bit(Thread) | (bit(Thread) - 1));
    for (int I = 0; I <= NumWords; ++I) {
      const int W = (First + I) % NumWords;
      const uint64_t Wanted = I == 0 ? Above : I == NumWords ? ~Above : ~0ull;
      while (const uint64_t Down =
                 Words[W].load(std::memory_order_relaxed) & Wanted) {
        const uint64_t Bit = Down & -Down;
        if (Words[W].fetch_and(~Bit, std::memory_order_acq_rel) & Bit)
          return W * 64 + __builtin_ctzll(Bit);
      }
    }
    return -1;
  }

private:
  using Word = std::atomic<uint64_t>;

  static uint64_t bit(int Thread) { return uint64_t(1) << (Thread % 64); }

  Array<Word> Words;
  int NumWords = 0;
};

} // namespace locus

#endif // LOCUS_SLEEP_SLEEPERS_H
