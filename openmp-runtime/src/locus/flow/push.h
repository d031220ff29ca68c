//===- flow/push.h - A task has become ready --------------------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A ready task goes to the queue that its hint names, or to the deque of the
// thread that makes it ready, or that thread runs it at once. README.md says
// what a Thread is.
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_FLOW_PUSH_H
#define LOCUS_FLOW_PUSH_H

#include "locus/flow/count.h"
#include "locus/flow/place.h"

namespace locus::flow {

/// Whether the next task in one of this \p Level, which ran in place until the
/// host came to know it, is a real one, whatever the queue says: from here on
/// the depth in place does not tell how deep tasks are nested.
inline bool isRealAtLevel(int32_t Level) {
  return Level > int32_t(Tuned.InplaceDepth);
}

/// Whether \p T, whose list may be full, runs \p D at once: decides anew
/// whether it is throttled. A task that the end of another one has released
/// does not run so: it may release the next one, and so on, and each would lie
/// on the stack. One with dependences counts as released if its creator is not
/// the current task, or if the thread keeps a successor: it may be queueing
/// that one or another, perhaps back in the creator.
template <class Thread>
__attribute__((noinline)) bool runsThrottled(Team &Ours, Worker &W, Thread &T,
                                             typename Thread::Data *D) {
  const bool IsDeep = T.level(T.current()) >= int32_t(Tuned.InplaceDepth);
  if (!Ours.updateThrottled(W, IsDeep) ||
      (T.node(D) && (T.parent(D) != T.current() || T.successor().kept())) ||
      !T.mayRunNow(D))
    return false;
  Stats::count(Stat::Throttled);
  T.noteReady(D, ReadyWhere::Throttled);
  return true;
}

/// Adds \p D to the deque of \p T, or the list that it shares; false if \p T is
/// throttled.
template <class Thread>
LOCUS_ALWAYS_INLINE bool pushOwn(Team &Ours, Thread &T,
                                 typename Thread::Data *D) {
  Worker &W = Ours.worker(T.number());
  const std::atomic<int32_t> *Depth = Ours.inPlaceDepth(W);
  const bool IsOffered = T.isOffered(Depth);
  if (!IsOffered)
    Ours.startOver(W);
  if (__builtin_expect(!Ours.hasRoom(W), 0) && runsThrottled(Ours, W, T, D))
    return false;
  T.noteReady(D, ReadyWhere::Own);
  if (!Ours.push(W, T.task(D), siblings(T),
                 /*IsDependent=*/T.node(D) != nullptr))
    outOfMemory();
  Stats::count(Stat::PushedOwn);
  if (!IsOffered && !T.successor().kept())
    T.offerInPlace(Depth);
  return true;
}

/// Queues \p D, which \p T, a thread of the team, makes ready. False if the
/// thread is throttled: it runs the task now.
template <class Thread>
LOCUS_ALWAYS_INLINE bool pushReady(Team &Ours, Thread &T,
                                   typename Thread::Data *D) {
  return (__builtin_expect(T.hint(D).hasHint(), 0) && place(Ours, T, D)) ||
         pushOwn(Ours, T, D);
}

/// \p T has queued a task that anybody may run: wakes a thread for it. (By
/// default nobody sleeps who could run it.)
template <class Thread> void wakeForAny(Team &Ours, Thread &T) {
  if (T.sleepsBetweenTasks())
    Ours.wakeOne(T.number(), T.waker());
}

//===----------------------------------------------------------------------===//
// A task runs at once, and its creator goes on
//===----------------------------------------------------------------------===//

/// \p D, which \p T has made, runs at once. If all tasks of the team do, the
/// next ones need not be real.
template <class Thread>
void runsAtOnce(Thread &T, const typename Thread::Data *D) {
  if (T.isAlone(D))
    T.alwaysOfferInPlace();
}

/// \p T returns to \p D from a task in it. In an implicit task there may have
/// been plenty for the children of others; in a team of one thread there are no
/// others.
template <class Thread>
LOCUS_ALWAYS_INLINE void returnTo(Thread &T, const typename Thread::Data *D) {
  if (T.isImplicit(D) && !T.isAlone(D))
    T.forbidInPlace();
}

/// The same from one that it has found, or that it ran at once.
template <class Thread>
LOCUS_ALWAYS_INLINE void resume(Thread &T, const typename Thread::Data *D) {
  returnTo(T, D);
  if (__builtin_expect(T.hint(D).hasNext(), 0))
    T.forbidInPlace();
  if (__builtin_expect(T.runsPlaced(), 0))
    T.endPlaced();
}

} // namespace locus::flow

#endif // LOCUS_FLOW_PUSH_H
