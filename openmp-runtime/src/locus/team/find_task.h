//===- team/find_task.h - The order of the search for a task ----*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where a thread looks for a task, one line a step. This is the only place
// where the order is written, but for the successor of the task that the thread
// has just run (flow/successor.h): the host calls findPlacedHere() and then,
// with its own priority tasks in between, findAny(); so do the unit tests.
// Inline, as most searches end with the first step of findAny(). The steps are
// in find_task.cpp, those for tasks with a place in find_placed.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_TEAM_FIND_TASK_H
#define LOCUS_TEAM_FIND_TASK_H

#include "locus/steal/steal_search.h"
#include "locus/team/team.h"

namespace locus {

/// What is placed on the thread: strict tasks before others, and the newest
/// first. It is the one that somebody waits for when tasks wait for each other.
LOCUS_ALWAYS_INLINE Task *Team::findPlacedHere(Worker &W, const Seeker &S) {
  Task *Found = takeStrict(W, S, W.Placed.Private, End::Newest);
  if (!Found)
    Found = W.takeFrom(W.Placed.Public, End::Newest, taker(W, S));
  if (Found)
    Stats::count(Stat::TakenOwn);
  return Found;
}

LOCUS_ALWAYS_INLINE Task *Team::findAny(Worker &W, const Seeker &S) {
  Task *Found = takeOwnNewest(W, S);
  if (!Found && Lists.areUsed())
    Found = Lists.take(W, taker(W, S));
  const bool Placed = !Found && mayHavePlacedTasks();
  if (Placed)
    Found = takeFromNode(W, S);
  if (!Found)
    Found = takeOwnBehind(W, S);
  if (!Found)
    Found = steal(W, S);
  if (!Found && Placed)
    Found = takeFromCrowdedNodes(W, S);
  if (!Found && Placed)
    Found = takeFromOtherNodes(W, S);
  return Found;
}

inline Taker Team::taker(Worker &W, const Seeker &S) const {
  return {S.Host->Admit,     &S,
          S.Finished,        Told.TakeBy == Sync::Combining ? &W.Slot : nullptr,
          S.MayKeep,
          /*IsExempt=*/false};
}

inline Task *Team::takeOwnNewest(Worker &W, const Seeker &S) {
  if (!S.OwnsDeque)
    return nullptr;
  const Take Got = W.Deque.pop(taker(W, S));
  if (Got.hasTask())
    Stats::count(Stat::TakenOwn);
  if (__builtin_expect(Got.Result == Outcome::Refused, 0))
    wakeForSeen(W, S);
  return Got.Found;
}

/// A task of its own behind the newest, which it may not run. Only where one
/// task can hide another: where there are untied or strict tasks, and in a
/// barrier, where the deque may hold what it stole, of which the newest may
/// want a lock (mutexinoutset) whose owner waits for an older one.
inline Task *Team::takeOwnBehind(Worker &W, const Seeker &S) {
  if (!S.OwnsDeque || (S.IsWaiting && !S.ScanAll) ||
      W.Deque.sizeForOwner() == 0)
    return nullptr;
  return W.Deque.popBehind(taker(W, S)).Found;
}

/// From the lists of others, of tasks that may run anywhere.
inline Task *Team::steal(Worker &W, const Seeker &S) {
  noteShape(W);
  Task *Found = StealSearch(*this, W, S).run();
  if (__builtin_expect(Found && holdsTasks(W), 0))
    wakeForSeen(W, S); // what came along
  return Found;
}

/// What the thread may take of other nodes' placed tasks. Nobody else may be
/// able to run what a thread in a taskwait waits for.
inline Reach reachOf(const Worker &W, const Seeker &S) {
  return S.ReachesFar  ? Reach::Anything
         : S.IsWaiting ? W.Delay.reachByRounds()
                       : W.Delay.reach();
}

} // namespace locus

#endif // LOCUS_TEAM_FIND_TASK_H
