//===- sleep/protocol.cpp - No task waits for a thread that sleeps --------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A Team's part: which queues a thread that is about to sleep looks at, and
// whom one wakes that has queued a task. protocol.h has the steps.
//
//===----------------------------------------------------------------------===//

#include "locus/sleep/protocol.h"
#include "locus/team/team.h"

namespace locus {

//===----------------------------------------------------------------------===//
// The thread that is about to sleep
//===----------------------------------------------------------------------===//

bool Team::lieDown(Worker &W) {
  noteShape(W);
  W.LayDown = true;
  return locus::lieDown(Asleep, W.Number,
                        [&] { return hasTasksFor(W) || hasTasks(); });
}

/// Whether a queue that \p W is responsible for has a task: one of its own, of
/// its node or of a crowded one; or it has left out a search.
bool Team::hasTasksFor(const Worker &W) const {
  for (int N = 0; N < Shape->numNodes(); ++N)
    if (Nodes[N].Public.size() && isCrowded(N))
      return true;
  return W.Placed.hasTasks() || Nodes[nodeOf(W)].hasTasks() ||
         W.Backoff.hasLeftOut() || Lists.hasTasksFor(W);
}

/// Whether there is any task that may run anywhere. After a sequentially
/// consistent fence it sees those that were pushed before one in their pusher.
/// A task that its owner has just failed to take may be missed.
bool Team::hasTasks() const {
  for (int T = 0; T < NumThreads; ++T)
    if (Workers[T].Deque.sizeHint() != 0)
      return true;
  return Lists.hasTasks();
}

/// \p W has found the first task since it lay down.
void Team::passOnWake(Worker &W, const Seeker &S) {
  W.LayDown = false;
  if (const Waker *Host = S.Host->Sleepers(S))
    passOn([this] { return hasTasks(); }, [&] { wakeOne(W.Number, *Host); });
}

//===----------------------------------------------------------------------===//
// The thread that has queued a task
//===----------------------------------------------------------------------===//

bool Team::wakeFor(const Placement &Where, int Pusher, const Waker &Host) {
  const bool OnThread = Where.Place == Placement::OnThread;
  if (OnThread && Where.Index == Pusher)
    return false; // that one is awake
  const int Node = OnThread ? Shape->nodeOfThread(Where.Index) : Where.Index;
  // A strict task of a thread is for that one alone.
  const bool OnlyFirst = OnThread && Where.Strict;
  return wakeResponsible(OnThread ? Where.Index : -1,
                         Shape->threadsOfNode(Node),
                         OnlyFirst ? 0 : Shape->numThreadsOfNode(Node), Pusher,
                         [&](int Thread) { return Host.Wake(Host, Thread); });
}

void Team::wakeOne(int Pusher, const Waker &Host) {
  locus::wakeOne(Asleep, Pusher,
                 [&](int Thread) { return Host.Wake(Host, Thread); });
}

} // namespace locus
