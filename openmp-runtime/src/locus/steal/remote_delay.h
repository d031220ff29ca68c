//===- steal/remote_delay.h - When to take other nodes' tasks ---*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A task that is placed on another node is worth more there, as long as its own
// threads come to it soon. "Soon" is a matter of how long tasks take, which a
// thief knows from its own.
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_STEAL_REMOTE_DELAY_H
#define LOCUS_STEAL_REMOTE_DELAY_H

#include "locus/tuning.h"

#include <stdint.h>

namespace locus {

/// What a round in search of a task led to.
enum class Round { Empty, Task, PlacedTask };

/// Which placed tasks of other nodes a thread may take.
enum class Reach {
  Near,    ///< none
  Backlog, ///< those of lists with more than their owners can run soon
  Anything
};

/// A list has more than its owners run soon with more than so many tasks for
/// each of them.
constexpr uint32_t RemoteBacklog = 2;

/// Whether a thread that may take \p Far takes from a remote list with
/// \p Backlog tasks, which is that of \p Owners threads.
inline bool reaches(Reach Far, uint32_t Backlog, int Owners) {
  return Far == Reach::Anything ||
         (Far == Reach::Backlog && Backlog > RemoteBacklog * uint32_t(Owners));
}

/// How long a thread leaves other nodes' placed tasks alone, and all queues
/// with a lock after one that had nothing for it. One for each thread, and only
/// for that thread. Times are in nanoseconds.
///
/// The time counts from when it has seen a task on another node. One that has
/// been without any for long, because there were none, must not be the first
/// that takes them when there are: those that they are for may have to wake up.
class RemoteDelay {
public:
  /// A thread that was refused looks again after so many rounds at most, some
  /// 80 us. Simulated: a tree of placed tasks takes 4 to 6 times as long with
  /// 1, and one in shared lists may never end; 16 to 4096 differ little.
  static constexpr uint32_t RefusedRoundsMost = 512;
  /// Tasks elsewhere count as seen in so many searches more. An owner that may
  /// not run its only task takes it out of the deque for each look at it.
  static constexpr uint32_t LooksFar = 8;
  /// Longer tasks count as this in the wait.
  static constexpr uint64_t TaskLongest = 20000000;
  /// What its placed tasks take is worth this many of them before it takes
  /// from others' backlogs: half of what is before it takes anything.
  static uint64_t tasksBacklog() { return Tuned.RemoteTasksAny / 2; }

  /// A round has ended. \p Now is asked for the time if it matters.
  template <class Clock> void endRound(Round Result, Clock Now) {
    if (Result != Round::Empty) {
      EmptyRounds = FarRounds = 0;
      Granted = Reach::Near;
      IsClosed = false;
      if (Runs || Result == Round::PlacedTask)
        change(Result == Round::PlacedTask, Now());
      return;
    }
    if (EmptyRounds != UINT32_MAX)
      ++EmptyRounds;
    // Never beyond twice the most: an idle thread may wait for days.
    if (IsClosed && ++RefusedRounds >= 2 * RefusedRoundsMost)
      RefusedRounds = RefusedRoundsMost;
    if (!SeesFar)
      FarRounds = 0;
    else if (FarRounds != UINT32_MAX)
      ++FarRounds;
    if (__builtin_expect(EmptyRounds == 1 || FarRounds == 1, 0) &&
        (Runs || TaskTime != 0))
      change(false, Now());
    Granted = FarRounds < Tuned.RemoteRoundsBacklog ? Reach::Near : grant(Now);
  }

  /// A search of other nodes begins.
  void beginLook() {
    SeesFar = FarFor != 0;
    FarFor -= SeesFar;
  }
  /// It has seen tasks there, or does not look everywhere. A round that does
  /// not search there is as the one before.
  void noteFar() {
    SeesFar = true;
    FarFor = LooksFar;
  }

  /// The task of the last round has ended. What follows may be serial code.
  template <class Clock> void endTask(Clock Now) {
    if (Runs)
      change(false, Now());
  }

  /// A queue with a lock has had tasks, and none that the thread may run.
  void noteRefusal() {
    if (!IsClosed)
      RefusedRounds = 0;
    IsClosed = true;
  }
  bool isRefused() const { return IsClosed; }

  /// Whether this round looks into such queues. A thread that was refused does
  /// so after 1, 2, 4, ... rounds only: those who add or take a task need the
  /// lock, too, and a thread that unlocks it and comes again is faster than any
  /// other one, for which the line has to move first.
  bool looksAgain() const {
    return !IsClosed || (RefusedRounds & (RefusedRounds - 1)) == 0 ||
           RefusedRounds == RefusedRoundsMost;
  }

  /// How many rounds in a row have found nothing.
  uint32_t emptyRounds() const { return EmptyRounds; }

  /// What its placed tasks took of late, in the mean; 0: not known.
  uint64_t taskTime() const { return TaskTime; }

  /// What the thread may take in the next round.
  Reach reach() const { return Granted; }

  /// The same without regard to what its tasks take.
  Reach reachByRounds() const {
    return FarRounds >= Tuned.RemoteRoundsAny       ? Reach::Anything
           : FarRounds >= Tuned.RemoteRoundsBacklog ? Reach::Backlog
                                                    : Reach::Near;
  }

private:
  uint64_t passed(uint64_t Now) const { return Now > Since ? Now - Since : 0; }

  template <class Clock> Reach grant(Clock Now) const {
    const uint64_t Waited = TaskTime != 0 ? passed(Now()) : 0;
    if (Waited < tasksBacklog() * TaskTime)
      return Reach::Near;
    return FarRounds < Tuned.RemoteRoundsAny ||
                   Waited < Tuned.RemoteTasksAny * TaskTime
               ? Reach::Backlog
               : Reach::Anything;
  }

  void change(bool NextRuns, uint64_t Now) {
    if (Runs) {
      const uint64_t Time =
          passed(Now) < TaskLongest ? passed(Now) : TaskLongest;
      // A mean in which a new one counts a quarter: the last few count.
      TaskTime = TaskTime != 0 ? TaskTime - TaskTime / 4 + Time / 4 : Time;
    }
    Runs = NextRuns;
    Since = Now;
  }

  uint64_t Since = 0;    ///< the start of the placed task, or of the wait
  uint64_t TaskTime = 0; ///< of a placed task; 0: not known
  uint32_t EmptyRounds = 0;
  uint32_t FarRounds = 0;     ///< of these, the last ones, with tasks elsewhere
  uint32_t FarFor = 0;        ///< searches that count as if they had seen some
  uint32_t RefusedRounds = 0; ///< since the first refusal
  Reach Granted = Reach::Near;
  bool IsClosed = false; ///< refused, and has found no task since
  bool Runs = false;     ///< a placed task
  bool SeesFar = true;   ///< the last search has, or may have
};

} // namespace locus

#endif // LOCUS_STEAL_REMOTE_DELAY_H
