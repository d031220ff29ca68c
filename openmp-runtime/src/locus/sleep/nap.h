//===- sleep/nap.h - A thread that waits long sleeps in between -*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// When a thread that waits, and finds no task, sleeps for a moment: nobody has
// to wake it. README.md, "Naps".
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_SLEEP_NAP_H
#define LOCUS_SLEEP_NAP_H

#include <stdint.h>

namespace locus {

/// How long one thread has looked for tasks in vain. The thread's own. All
/// times are in nanoseconds.
class Nap {
public:
  // A look takes a microsecond or less. The clock is read after so many, and a
  // thread that naps looks so often in between.
  static constexpr uint32_t MissesAwake = 64, MissesBetweenNaps = 4;
  // What a thread sleeps is so small a part of what it has waited. A task that
  // comes then waits no longer than that.
  static constexpr uint64_t Part = 256;
  static constexpr uint64_t Longest = 10 * 1000 * 1000;
  // Shorter waits are not worth the system call, whatever the block time.
  static constexpr uint64_t Soonest = 1000 * 1000;
  // Looks that are further apart belong to different waits: a program that
  // calls taskyield now and then.
  static constexpr uint64_t Apart = 20 * 1000 * 1000;

  /// A wait begins or ends, or the thread has found a task.
  void end() {
    Misses = 0;
    Enough = MissesAwake;
    HasBegun = false;
  }

  /// The thread has looked once more in vain. Whether to ask rest().
  bool onMiss() { return ++Misses >= Enough; }
  /// How long it shall sleep before it looks again, mostly 0. \p Now is the
  /// time. From \p BlockTime on a thread sleeps; UINT64_MAX = never.
  uint64_t rest(uint64_t BlockTime, uint64_t Now) {
    if (!HasBegun || Now - Last > Apart + Longest)
      Since = Now;
    HasBegun = true;
    Last = Now;
    Misses = 0;
    const uint64_t Waited = Now - Since;
    const bool Naps = Waited >= Soonest && Waited >= BlockTime;
    Enough = Naps ? MissesBetweenNaps : MissesAwake;
    return !Naps ? 0 : Waited / Part < Longest ? Waited / Part : Longest;
  }

private:
  uint32_t Misses = 0; ///< since the clock was read
  uint32_t Enough = 0; ///< misses to read it again
  bool HasBegun = false;
  uint64_t Since = 0; ///< when the clock was first read in this wait
  uint64_t Last = 0;  ///< when it was read last
};

} // namespace locus

#endif // LOCUS_SLEEP_NAP_H
