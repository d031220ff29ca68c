//===- steal/backoff.h - Whether stealing is worth it -----------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A task that its creator could have run in place costs it more to create for a
// thief than to run, if it is very short. Then all are better off if the thief
// stays away, and only looks now and then whether that is still so.
//
// How short that is depends on the machine: both costs are those of moving some
// cache lines, between cores of one L3 cache or between packages. A steal moves
// some as well, so its time is the measure.
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_STEAL_BACKOFF_H
#define LOCUS_STEAL_BACKOFF_H

#include <atomic>
#include <stdint.h>

namespace locus {

/// One for each thief, and only for it. Times are in nanoseconds.
class StealBackoff {
public:
  /// A trip from \p Before to \p Now has brought \p TheTasks tasks that their
  /// creator could have run in place.
  void bring(uint32_t TheTasks, uint64_t Before, uint64_t Now) {
    Began = Now;
    Steal = Now - Before;
    Tasks.store(TheTasks, std::memory_order_relaxed);
  }

  /// Whether to leave out the search that would begin now. Weighs the last
  /// trip, whose tasks have run by now (unless one of them waits, and this is
  /// its search: then it counts as shorter than it is).
  template <class Clock> bool rests(Clock Now) {
    if (const uint32_t Brought = Tasks.load(std::memory_order_relaxed))
      weigh(Brought, Now());
    Skipped = Rest != 0 && Now() < Until;
    return Skipped;
  }
  /// Whether the last search was left out.
  bool hasSkipped() const { return Skipped; }

  /// How many steals a task should take, with what the thief does for it.
  /// Nothing is won or lost at 2.4 near and 1.4 far if the task needs no data
  /// of its creator's; most need some.
  static constexpr uint64_t LeastWorth = 3;
  /// A steal that took longer waited for other thieves, or for a processor.
  static constexpr uint64_t LongestSteal = 1000;
  /// How many trips the means remember. In a very unbalanced tree most tasks
  /// are leaves, and a few are worth thousands of them.
  static constexpr uint64_t Memory = 256;
  /// A rest doubles each time that a trip was not worth it, and halves when it
  /// was: the tasks may have become longer. There are none when the means say
  /// that trips are worth it. At the longest one trip costs the creator 2 % of
  /// its time.
  static constexpr uint32_t ShortestRest = 1000;
  static constexpr uint32_t LongestRest = 64000;

private:
  static void addTo(uint64_t &Sum, uint64_t Time, uint64_t Longest) {
    Sum = Sum - Sum / Memory + (Time < Longest ? Time : Longest);
  }

  void weigh(uint32_t Brought, uint64_t Time) {
    Tasks.store(0, std::memory_order_relaxed);
    const uint64_t Each = (Time - Began) / Brought;
    addTo(Work, Each, 1 << 20);
    addTo(Steals, Steal, LongestSteal);
    if (Work >= LeastWorth * Steals)
      Rest = 0;
    else if (Each * Memory >= LeastWorth * Steals)
      Rest = Rest > ShortestRest ? Rest / 2 : 0;
    else
      Rest = Rest == 0                 ? ShortestRest
             : 2 * Rest <= LongestRest ? 2 * Rest
                                       : LongestRest;
    Until = Time + Rest;
  }

  uint64_t Began = 0, Steal = 0, Until = 0;
  /// Of the last trip; 0: they have been weighed. Atomic, as a late thread may
  /// come by under the same number, and this is a divisor.
  std::atomic<uint32_t> Tasks{0};
  uint32_t Rest = 0;
  /// Mean time of a steal, and for a task, times Memory. The first guesses
  /// count like that many trips.
  uint64_t Steals = Memory * 100;
  uint64_t Work = Memory * (LeastWorth + 1) * 100;
  bool Skipped = false;
};

} // namespace locus

#endif // LOCUS_STEAL_BACKOFF_H
