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

#include "locus/tuning.h"

#include <stdint.h>

namespace locus {

/// One for each thief, and only for it. Times are in nanoseconds.
class StealBackoff {
public:
  /// A steal from \p Before to \p Now has brought \p NumTasks tasks that their
  /// creator could have run in place.
  void noteSteal(uint32_t NumTasks, uint64_t Before, uint64_t Now) {
    Began = Now;
    StealTime = Now - Before;
    Tasks = NumTasks;
  }

  /// Whether to leave out the search that would begin now. Weighs the last
  /// steal, whose tasks have run by now (unless one of them waits, and this is
  /// its search: then it counts as shorter than it is).
  template <class Clock> bool leavesOut(Clock Now) {
    if (Tasks)
      weigh(Now());
    LeftOut = Delay != 0 && Now() < Until;
    return LeftOut;
  }
  /// Whether the last search was left out.
  bool hasLeftOut() const { return LeftOut; }

private:
  static void addTo(uint64_t &Sum, uint64_t Time, uint64_t Longest) {
    Sum = Sum - (Sum >> Tuned.StealMemoryLog2) +
          (Time < Longest ? Time : Longest);
  }

  /// The delay doubles each time that a steal was not worth it, and halves when
  /// it was: the tasks may have become longer. There is none when the means say
  /// that steals are worth it.
  void weigh(uint64_t Time) {
    const uint64_t Each = (Time - Began) / Tasks;
    Tasks = 0;
    addTo(Work, Each, Tuned.WorkLongest);
    addTo(Steals, StealTime, Tuned.StealLongest);
    if (Work >= Tuned.WorthSteals * Steals)
      Delay = 0;
    else if (Each << Tuned.StealMemoryLog2 >= Tuned.WorthSteals * Steals)
      Delay = Delay > Tuned.RestShortest ? Delay / 2 : 0;
    else
      Delay = Delay == 0                       ? Tuned.RestShortest
              : 2 * Delay <= Tuned.RestLongest ? 2 * Delay
                                               : Tuned.RestLongest;
    Until = Time + Delay;
  }

  uint64_t Began = 0, StealTime = 0, Until = 0;
  /// Mean time of a steal, and for a task, times the number of steals that are
  /// remembered. The first guesses count like that many steals.
  uint64_t Steals = uint64_t(Tuned.StealGuess) << Tuned.StealMemoryLog2;
  uint64_t Work = uint64_t(Tuned.WorthSteals + 1) * Tuned.StealGuess
                  << Tuned.StealMemoryLog2;
  uint32_t Tasks = 0; ///< of the last steal; 0: they have been weighed
  uint32_t Delay = 0;
  bool LeftOut = false;
};

} // namespace locus

#endif // LOCUS_STEAL_BACKOFF_H
