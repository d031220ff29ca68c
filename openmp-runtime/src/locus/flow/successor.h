//===- flow/successor.h - From a task to those that follow it ---*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// task/successor.h says what a thread keeps, and why.
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_FLOW_SUCCESSOR_H
#define LOCUS_FLOW_SUCCESSOR_H

#include "locus/flow/push.h"
#include "locus/task/successor.h"
#include "locus/team/find_task.h"

namespace locus::flow {

/// Whether \p T runs \p D before all others. What is placed on the thread comes
/// before a successor, and what mayKeep() says.
template <class Thread>
bool comesFirst(Team &Ours, Thread &T, typename Thread::Data *D) {
  return !Ours.worker(T.number()).Placed.hasTasks() && T.mayKeep(D);
}

/// \p T does something else than to search. \p Queue(task) gets the successor
/// that it has kept, if there is one. Meanwhile that counts as kept, so it is
/// not run at once (pushOwn).
template <class Thread, class Action>
void endSearches(Thread &T, Action Queue) {
  T.successor().endSearches();
  if (Task *Kept = T.successor().kept()) {
    Queue(T.data(Kept));
    T.successor().keep(nullptr);
  }
}

/// \p D has become ready by the end of \p Ended, which \p T has run: \p T keeps
/// it, or \p Queue(task) gets it, or the one that it takes the place of.
template <class Thread, class Action>
void keepOrQueue(Team &Ours, Thread &T, const typename Thread::Data *Ended,
                 typename Thread::Data *D, Action Queue) {
  if (T.successor().isFollowedBySearch(T.task(Ended)) &&
      comesFirst(Ours, T, D)) {
    if (isFromDepend(T.hint(D).kind()))
      inferHint(Ours, T, D);
    if (!T.hint(D).hasHint())
      D = T.data(T.successor().keep(T.task(D)));
  }
  if (!D)
    return;
  // It may run at once, and its thread do something else.
  if (T.successor().kept() && !T.mayKeep(D))
    endSearches(T, Queue);
  Queue(D);
}

/// The successor that \p T has kept, if \p S, a search that begins, may take
/// it; else null. Then \p Queue(task) gets the one that there is.
template <class Thread, class Action>
Task *takeSuccessor(Team &Ours, Thread &T, const Seeker &S, Action Queue) {
  Task *Kept = T.successor().kept();
  if (!Kept)
    return nullptr;
  if (!comesFirst(Ours, T, T.data(Kept)) ||
      !Ours.admits(Ours.worker(T.number()), S, Kept)) {
    endSearches(T, Queue);
    return nullptr;
  }
  T.successor().keep(nullptr);
  // As if it had been in the thread's deque.
  T.noteReady(T.data(Kept), ReadyWhere::Own);
  Stats::count(Stat::PushedOwn);
  Stats::count(Stat::TakenOwn);
  return Kept;
}

/// What \p T, which owns \p W, runs before any other task: the successor that
/// it has kept, or what is placed on it; null if there is none.
template <class Thread, class Action>
Task *takeKeptOrPlaced(Team &Ours, Thread &T, Worker &W, const Seeker &S,
                       Action Queue) {
  Task *Kept = takeSuccessor(Ours, T, S, Queue);
  return Kept ? Kept : Ours.findPlacedHere(W, S);
}

} // namespace locus::flow

#endif // LOCUS_FLOW_SUCCESSOR_H
