//===- team/seeker.h - A search for a task, as the host sees it -*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the core needs to know of a thread that looks for a task, and of threads
// that sleep, and that only its host, libomp, knows.
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_TEAM_SEEKER_H
#define LOCUS_TEAM_SEEKER_H

#include "locus/queue/taker.h"
#include "locus/task/hint.h"

namespace locus {

/// Wakes threads of one team.
struct Waker {
  /// Wakes \p Thread if it sleeps in a barrier of the team; else false.
  bool (*Wake)(const Waker &Host, int Thread);
};

/// Where the task was placed, as far as a thief on another node has to know.
struct TaskPlace {
  bool IsPlaced;   ///< it had a hint
  bool IsInferred; ///< the hint is the runtime's own; then
  int Node;        ///< this is its team node
};

class Team;
struct Seeker;

/// For SeekerHost::MayNest: whether there is room after \p EmptyRounds rounds,
/// with \p Used of \p Size bytes of the stack used. At once on the first half.
/// Then each 64th of the stack takes twice as many rounds as the one before, up
/// to 2 to the 20.
inline bool hasRoomToNest(size_t Used, size_t Size, uint32_t EmptyRounds) {
  if (Used < Size / 2)
    return true;
  const size_t Doublings = (Used - Size / 2) / (Size / 64);
  return EmptyRounds >> (Doublings < 20 ? Doublings : 20) != 0;
}

/// What the host does for any search.
struct SeekerHost {
  /// For Taker::Admit.
  bool (*Admit)(const Taker &Who, Task *Candidate);
  TaskPlace (*PlaceOf)(const Task *Candidate);
  /// Whether a thread in a taskwait may start a strict task that the waiting
  /// one does not descend from, after \p EmptyRounds rounds without any: each
  /// needs room on the stack.
  bool (*MayNest)(uint32_t EmptyRounds);
  /// What wakes threads of the team that sleep between tasks, as they do under
  /// a passive wait policy; null where none do. Lives as long as the search.
  const Waker *(*Sleepers)(const Seeker &Search);
};

/// A thread that looks for a task.
struct Seeker {
  const SeekerHost *Host;
  const Team *Where; ///< where it looks
  /// Taker::Finished.
  int *Finished;
  /// It waits in a tied task: what it takes has to descend from that one.
  bool IsWaiting;
  /// It may pop from its own deque: it counts as unfinished.
  bool OwnsDeque;
  /// It may keep stolen tasks in its deque: it waits for all tasks, not for
  /// some.
  bool MayKeep;
  /// There are untied, strict or detached tasks, so a task that it may not run
  /// can hide one that it may.
  bool ScanAll;
  /// It rests between its looks, so each one is at all queues.
  bool Rests = false;
  /// It takes what waits for threads of other nodes, too.
  bool ReachesFar = false;
};

} // namespace locus

#endif // LOCUS_TEAM_SEEKER_H
