//===- support/counter.h - Counters that one thread writes ------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_SUPPORT_COUNTER_H
#define LOCUS_SUPPORT_COUNTER_H

#include "locus/support/cpu.h"

#include <atomic>
#include <stdint.h>

namespace locus {

/// Adds \p More to \p Sum, which only the calling thread writes, though others
/// may read it: no locked instruction.
static inline void addOwn(std::atomic<uint64_t> &Sum, uint64_t More) {
  Sum.store(Sum.load(std::memory_order_relaxed) + More,
            std::memory_order_relaxed);
}

/// The time that a thread spends between a search for tasks in vain and the
/// next task. Used by that thread alone.
class IdleClock {
public:
  /// The thread has looked for a task. Adds to \p Sum the ticks since it looked
  /// the last time, if it had none since then. False if there is nothing to
  /// count: then it did not read the clock.
  bool look(bool Found, std::atomic<uint64_t> &Sum) {
    if (Found && Since == 0)
      return false;
    const uint64_t Now = ticks();
    if (Since != 0)
      addOwn(Sum, Now - Since);
    Since = Found ? 0 : Now;
    return true;
  }

private:
  uint64_t Since = 0; ///< in ticks; 0 while it has a task
};

} // namespace locus

#endif // LOCUS_SUPPORT_COUNTER_H
