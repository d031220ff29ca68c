//===- machine/share.h - Things that threads share --------------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Several threads may run on the same place, which has several nodes or CPUs.
// Each thread is assigned one of them, by its rank among those threads.
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_MACHINE_SHARE_H
#define LOCUS_MACHINE_SHARE_H

#include "locus/support/check.h"

#include <stdint.h>

namespace locus {

/// One of \p Count threads that share some things: the one that \p Rank others
/// come before.
struct Sharer {
  int Rank = 0;
  int Count = 1;

  /// Which of \p Things things it gets, in blocks: threads of neighbouring rank
  /// get the same thing or neighbours, and no thing has two threads more than
  /// another. 0 .. Things - 1; 0 for no things.
  int inBlocks(int Things) const {
    LOCUS_CHECK(Rank >= 0 && Rank < Count && Things >= 0);
    return int(int64_t(Rank) * Things / Count);
  }

  /// Which of \p Things things, at least one, it gets, in turns: the next
  /// thread gets the next thing, and behind the last comes the first again.
  int inTurns(int Things) const {
    LOCUS_CHECK(Rank >= 0 && Things > 0);
    return Rank % Things;
  }
};

/// Thread \p Thread among those of threads 0 .. \p NumThreads - 1 for which
/// \p Shares(thread) is true, in the order of their numbers. Count is 0 if
/// there are none.
template <class Test> Sharer sharerOf(int Thread, int NumThreads, Test Shares) {
  Sharer Found = {0, 0};
  for (int Other = 0; Other < NumThreads; ++Other)
    if (Shares(Other)) {
      Found.Rank += Other < Thread;
      ++Found.Count;
    }
  return Found;
}

} // namespace locus

#endif // LOCUS_MACHINE_SHARE_H
