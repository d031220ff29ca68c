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
// How many tasks a thief takes at once goes by the same times: where stealing
// takes long, because others wait as well, it brings work for as long.
//
// A thief that finds nothing rests, too, or owners and thieves of a large team
// would do little but move the lines that thieves look at.
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
  /// The first rest after a steal that was not worth it.
  static constexpr uint32_t RestShortest = 1000;
  /// Steals that the means remember. In a very unbalanced tree most tasks are
  /// leaves, and a few are worth thousands of them.
  static constexpr uint32_t MemoryLog2 = 8;

  /// A steal from \p Before to \p Now has brought \p NumTasks tasks that their
  /// creator could have run in place. The deque of thread \p From ended at
  /// \p Tail then.
  void noteSteal(uint32_t NumTasks, uint64_t Before, uint64_t Now, int From,
                 int64_t Tail) {
    Began = Now;
    StealTime = Now - Before;
    Tasks = NumTasks;
    Victim = From;
    TailSeen = Tail;
  }

  /// Whether leavesOut() has anything to weigh, to answer or to forget.
  bool weighs() const { return Tasks != 0 || Until != 0 || HasPaused; }
  /// Whether to leave out the search that would begin now. Weighs the last
  /// steal, whose tasks have run by now (unless one of them waits, and this is
  /// its search: then it counts as shorter than it is). During a rest \p Wants
  /// says, of the last victim and where its deque ended, whether tasks wait
  /// there for a thief; it is asked when the rest is 1, 2, 4, ... times
  /// RestShortest old.
  /// Only if weighs(): else the answer is no.
  template <class Clock, class WantsThief>
  bool leavesOut(Clock Now, WantsThief Wants) {
    if (Tasks)
      weigh(Now());
    LeftOut = HasPaused = false;
    if (Until == 0)
      return false;
    const uint64_t Time = Now();
    if (Time >= NextLook && Time < Rested + Delay) {
      NextLook = 2 * Time - Rested;
      if (Wants(Victim, TailSeen)) {
        Until = Delay = 0;
        return false;
      }
    }
    LeftOut = Time < Until;
    if (!LeftOut) {
      HasPaused = Vain != 0 && Time - Until > PauseLeast;
      Until = 0;
    }
    return LeftOut;
  }
  /// Whether the last search was left out.
  bool hasLeftOut() const { return LeftOut; }
  /// Whether a rest goes on, or its end has not been noticed yet.
  bool isResting() const { return Until != 0; }
  /// Whether the thread was elsewhere long before the search that it begins
  /// now: it slept, or lost its processor.
  bool hasPaused() const { return HasPaused; }

  /// A search that ended at \p Now has found no task. Each in a row makes the
  /// rest behind it twice as long, up to \p Longest.
  void noteVain(uint64_t Now, uint64_t Longest) {
    const uint64_t Twice = Vain ? 2 * Vain : VainShortest;
    Vain = Twice < Longest ? Twice : Longest;
    if (Until < Now + Vain)
      Until = Now + Vain;
  }
  void noteFound() { Vain = 0; }

  /// How many tasks may come along with the next one, of \p Most: as many as
  /// take no longer than BagSteals times the last steal, with its waiting. So
  /// long ones go one by one to whoever is free, unless all stand in line for
  /// them. From another NUMA node (\p IsFar) none comes that is hardly worth a
  /// steal: thieves would take them from thieves, and their lines go far.
  int bag(int Most, bool IsFar) const {
    if (IsFar && Work < WorthFar * Steals)
      return 0;
    const uint64_t Time = BagSteals * (StealTime << MemoryLog2);
    return uint64_t(Most) * Work <= Time ? Most : int(Time / Work);
  }

private:
  static constexpr uint64_t BagSteals = 64;     ///< 16: short ones want more
  static constexpr uint64_t WorthFar = 6;       ///< 5: fine ones move on and on
  static constexpr uint64_t VainShortest = 100; ///< a search, about
  static constexpr uint64_t PauseLeast = 50000; ///< a nap; no search is as long
  /// What a steal is taken for before the first one; medians are 60 to 80, or
  /// 310 between two L3 caches.
  static constexpr uint64_t StealGuess = 100;
  static constexpr uint32_t GuessCounts = 2; ///< as so many steals
  /// A stolen task that took longer counts as this, or one very long task would
  /// outweigh all others for ever.
  static constexpr uint64_t WorkLongest = 1 << 20;

  /// \p Mean of times times 2^StealMemoryLog2, as all that is compared.
  void addTo(uint64_t &Mean, uint64_t Time, uint64_t Longest) const {
    const uint64_t Next = (Time < Longest ? Time : Longest) << MemoryLog2;
    Mean += uint64_t(int64_t(Next - Mean) / int64_t(Remembered));
  }

  /// The delay doubles each time that a steal was not worth it, and halves when
  /// it was: the tasks may have become longer. There is none when the means say
  /// that steals are worth it.
  void weigh(uint64_t Time) {
    const uint64_t Each = (Time - Began) / Tasks;
    Tasks = 0;
    if (Remembered >> MemoryLog2 == 0)
      ++Remembered;
    addTo(Work, Each, WorkLongest);
    addTo(Steals, StealTime, Tuned.StealLongest);
    if (Work >= Tuned.WorthSteals * Steals)
      Delay = 0;
    else if (Each << MemoryLog2 >= Tuned.WorthSteals * Steals)
      Delay = Delay > RestShortest ? Delay / 2 : 0;
    else
      Delay = Delay == 0                       ? RestShortest
              : 2 * Delay <= Tuned.RestLongest ? 2 * Delay
                                               : Tuned.RestLongest;
    Until = Time + Delay;
    Rested = Time;
    NextLook = Time + RestShortest;
  }

  uint64_t Began = 0, StealTime = StealGuess, Until = 0;
  uint64_t Rested = 0;   ///< since then
  uint64_t NextLook = 0; ///< when to ask whether Victim wants a thief
  int64_t TailSeen = 0;
  int Victim = 0;
  uint64_t Vain = 0; ///< the rest behind the last search, if that was in vain
  /// Mean time of a steal, and for a task, of so many that are Remembered.
  uint64_t Steals = StealGuess << MemoryLog2;
  uint64_t Work = uint64_t(Tuned.WorthSteals + 1) * StealGuess << MemoryLog2;
  uint32_t Remembered = GuessCounts;
  uint32_t Tasks = 0; ///< of the last steal; 0: they have been weighed
  uint32_t Delay = 0;
  bool LeftOut = false, HasPaused = false;
};

} // namespace locus

#endif // LOCUS_STEAL_BACKOFF_H
