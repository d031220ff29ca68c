//===- flow/place.h - A ready task goes where its hint says -----*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Not for tasks without a hint. README.md says what a Thread is.
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_FLOW_PLACE_H
#define LOCUS_FLOW_PLACE_H

#include "locus/support/host.h"
#include "locus/team/team.h"
#include "locus/trace/format.h"

namespace locus::flow {

/// The team node with the data that a task writes by its dependences, which
/// \p HintKind and \p Target name; UnknownNode if it had better be anybody's.
/// The thread of \p W makes it ready; IsChild: its current task has created it.
inline int inferNode(Team &Ours, Worker &W, Kind HintKind,
                     const TaskTarget &Target, bool IsChild) {
  const int Node = Ours.infer(W, HintKind, Target);
  // No more for a crowded node. A thread that has just run what the task
  // depends on has that in its cache.
  return Node != UnknownNode && Ours.isCrowded(Node) && !IsChild ? UnknownNode
                                                                 : Node;
}

/// Gives \p D, a task which has none but dependences, a hint if they tell where
/// its memory is. \p T makes it ready. (A thread of another team does not ask.)
template <class Thread>
void inferHint(Team &Ours, Thread &T, typename Thread::Data *D) {
  int Node = UnknownNode;
  if (T.isMember())
    Node = inferNode(Ours, Ours.worker(T.number()), T.hint(D).kind(),
                     T.target(D), T.parent(D) == T.current());
  T.freeRanges(D);
  if (Node != UnknownNode)
    T.setHint(D, Kind::Inferred, false, {uintptr_t(Node), 0});
  else
    T.hint(D).clear();
  T.noteInferred(D);
}

/// A task with a hint of \p HintKind has been queued at \p Where.
template <class Thread>
void wakeForPlaced(Team &Ours, Thread &T, const Placement &Where,
                   Kind HintKind) {
  const auto &Threads = T.waker();
  // One of a crowd is for anybody. (Only a thread of the team infers.)
  if (!Ours.wakeFor(Where, T.isMember() ? T.number() : -1, Threads) &&
      HintKind == Kind::Inferred && Ours.isCrowded(Where.Index))
    Ours.wakeOne(T.number(), Threads);
}

/// Queues \p D by its hint; \p T makes it ready. False if it has no hint, or
/// one that leaves it to the pusher.
template <class Thread>
bool place(Team &Ours, Thread &T, typename Thread::Data *D) {
  if (isFromDepend(T.hint(D).kind()))
    inferHint(Ours, T, D);
  const TaskHint Hint = T.hint(D);
  if (!Hint.hasHint())
    return false;
  T.warnUnbound(Ours.shape(), Hint.kind());
  const Placement Where = resolve(Ours.shape(), Hint.kind(), Hint.isStrict(),
                                  T.target(D), T.number(), T.unknownPolicy());
  if (Where.Place == Placement::Anywhere) {
    Ours.noteLocalHint();
    return false;
  }
  // A strict task may start on top of a waiting one that it does not descend
  // from. What it leaves behind in a deque then covers tasks that the waiting
  // one needs, as untied tasks do: look at whole deques from now on.
  if (Where.Strict)
    T.noteStrict();
  T.noteReady(D, Where);
  if (!Ours.push(Where, T.task(D))) {
    if (Where.Strict)
      outOfMemory();
    Ours.noteLocalHint();
    T.takeBackReady();
    return false;
  }
  // Otherwise the first task of the region has woken all, and nobody has fallen
  // asleep since: sleep/README.md, "By default".
  if (T.mayBeAsleep())
    wakeForPlaced(Ours, T, Where, Hint.kind());
  return true;
}

} // namespace locus::flow

#endif // LOCUS_FLOW_PLACE_H
