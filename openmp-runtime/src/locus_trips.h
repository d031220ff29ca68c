//===- locus_trips.h - Whether stealing is worth it -------------*- C++ -*-===//
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
//===----------------------------------------------------------------------===//

#ifndef LOCUS_TRIPS_H
#define LOCUS_TRIPS_H

#include <atomic>
#include <stdint.h>

namespace locus {

/// One for each thief, and only for it. Times are in nanoseconds.
class Trips {
public:
  /// A trip has brought \p TheTasks tasks that their creator could have run in
  /// place.
  void bring(uint32_t TheTasks, uint64_t Now) {
    Began = Now;
    Tasks.store(TheTasks, std::memory_order_relaxed);
  }

  /// Whether to leave out the search that would begin now. Weighs the last
  /// trip, whose tasks have run by now.
  template <class Clock> bool rests(Clock Now) {
    if (const uint32_t Brought = Tasks.load(std::memory_order_relaxed))
      weigh(Brought, Now());
    Skipped = Rest != 0 && Now() < Until;
    return Skipped;
  }
  /// Whether the last search was left out.
  bool hasSkipped() const { return Skipped; }

  /// What a task should take, with what the thief does for it: that is about
  /// half of it, and no more than its creator has to do.
  static constexpr uint32_t LeastWorth = 200;
  /// A rest doubles each time that trips were not worth it, and there are none
  /// when the mean says that they are. At the longest one trip costs the
  /// creator 2 % of its time.
  static constexpr uint32_t ShortestRest = 1000;
  static constexpr uint32_t LongestRest = 64000;

private:
  void weigh(uint32_t Brought, uint64_t Time) {
    constexpr uint64_t Most = 1 << 20;
    const uint64_t Each = (Time - Began) / Brought;
    Tasks.store(0, std::memory_order_relaxed);
    Mean = Mean - Mean / 8 + uint32_t(Each < Most ? Each : Most) / 8;
    Rest = Mean >= LeastWorth        ? 0
           : Rest == 0               ? ShortestRest
           : 2 * Rest <= LongestRest ? 2 * Rest
                                     : LongestRest;
    Until = Time + Rest;
  }

  uint64_t Began = 0, Until = 0;
  /// Of the last trip; 0: they have been weighed. Atomic, as a late thread may
  /// come by under the same number, and this is a divisor.
  std::atomic<uint32_t> Tasks{0};
  uint32_t Mean = 8 * LeastWorth; ///< time for a task
  uint32_t Rest = 0;
  bool Skipped = false;
};

} // namespace locus

#endif // LOCUS_TRIPS_H
