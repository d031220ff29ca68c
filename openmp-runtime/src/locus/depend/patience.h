//===- depend/patience.h - A wait for some tasks ----------------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How long a thread that waits for certain tasks (taskwait depend) leaves
// others alone, and how often it looks meanwhile. README.md, "Waiting for
// some", says why. Decides only, without threads or a clock of its own.
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_DEPEND_PATIENCE_H
#define LOCUS_DEPEND_PATIENCE_H

#include "locus/tuning.h"

#include <stdint.h>

namespace locus {

/// Of one wait. Times are in nanoseconds.
class Patience {
public:
  explicit Patience(uint64_t Now) : Begin(Now) {}

  /// Whether the thread takes any task that it may run. It has rested for long;
  /// or it has waited for very long: what it runs may itself wait for others.
  bool isOver(uint64_t Now) const {
    const uint64_t Most = uint64_t(Tuned.AwaitPatience) * 1000;
    return Rested >= Most || Now - Begin >= Times * Most;
  }
  /// Whether it takes what waits for threads of other nodes.
  bool reachesFar() const { return Rested >= Far; }

  /// The thread has found nothing that it waits for. How long it rests.
  uint64_t rest() const {
    const uint64_t Time = Rested / Part;
    return Time < Least ? Least : Time < Longest ? Time : Longest;
  }
  /// It has rested \p Time.
  void noteRest(uint64_t Time) { Rested += Time; }

  // A look takes the locks of deques. What comes up meanwhile is seen a 16th of
  // the wait later, and never later than a millisecond.
  static constexpr uint64_t Part = 16, Least = 1000, Longest = 1000 * 1000;
  // Whose task it is has had time to take it.
  static constexpr uint64_t Far = 50 * 1000;
  static constexpr uint64_t Times = 10;

private:
  const uint64_t Begin;
  uint64_t Rested = 0;
};

} // namespace locus

#endif // LOCUS_DEPEND_PATIENCE_H
