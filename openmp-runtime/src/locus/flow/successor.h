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
#include "locus/team/find_task.h"

namespace locus {

/// \p D has become ready by the end of \p Ended, which \p T has run. Returns
/// the task that has to be queued: \p D, or one that \p D takes the place of;
/// null if there is none. What is placed on the thread comes before a
/// successor.
template <class Thread>
typename Thread::Data *keepSuccessor(Team &Ours, Thread &T,
                                     const typename Thread::Data *Ended,
                                     typename Thread::Data *D) {
  Worker &W = Ours.worker(T.number());
  if (!T.successor().isFollowedBySearch(T.task(Ended)) || !T.mayKeep(D) ||
      W.Private.size() != 0 || W.Public.size() != 0)
    return D;
  if (isFromDepend(T.hint(D).kind()))
    inferHint(Ours, T, D);
  return T.hint(D).hasHint() ? D : T.data(T.successor().keep(T.task(D)));
}

/// The successor that \p T has kept, if \p S, a search that begins, may take
/// it; else null. Then \p Queue(task) gets the one that there is.
template <class Thread, class Action>
Task *takeSuccessor(Team &Ours, Thread &T, const Seeker &S, Action Queue) {
  Task *Kept = T.successor().keep(nullptr);
  if (!Kept)
    return nullptr;
  if (!Ours.admits(Ours.worker(T.number()), S, Kept)) {
    Queue(T.data(Kept));
    return nullptr;
  }
  // As if it had been in the thread's deque.
  T.noteReady(T.data(Kept), ReadyWhere::Own);
  Stats::count(Stat::PushedOwn);
  Stats::count(Stat::TakenOwn);
  return Kept;
}

} // namespace locus

#endif // LOCUS_FLOW_SUCCESSOR_H
