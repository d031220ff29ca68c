//===- sleep/protocol.cpp - No task waits for a thread that sleeps --------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a Team does before one of its threads sleeps, and after a task has been
// queued. README.md has the argument.
//
//===----------------------------------------------------------------------===//

#include "locus/team/team.h"

namespace locus {

//===----------------------------------------------------------------------===//
// The thread that is about to sleep
//===----------------------------------------------------------------------===//

bool Team::tryToLieDown(Worker &W) {
  noteShape(W);
  W.LayDown = true;
  Asleep.lieDown(W.Number);
  std::atomic_thread_fence(std::memory_order_seq_cst); // pairs with wakeOne()
  return !hasTasksFor(W) && !hasTasks();
}

/// Whether a queue that \p W is responsible for has a task: one of its own, of
/// its node or of a crowded one; or it has left out a search.
bool Team::hasTasksFor(const Worker &W) const {
  for (int N = 0; N < Shape->numNodes(); ++N)
    if (Nodes[N].Public.size() && isCrowded(N))
      return true;
  const NodeQueues &Here = Nodes[nodeOf(W)];
  return W.Private.size() || W.Public.size() || Here.Private.size() ||
         Here.Public.size() || W.Backoff.hasLeftOut() || Lists.hasTasksFor(W);
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

/// \p W has found the first task since it lay down. Perhaps it was woken for
/// another one: if there still is one, the next sleeper takes over.
void Team::passOnWake(Worker &W, const Seeker &S) {
  W.LayDown = false;
  std::atomic_thread_fence(std::memory_order_seq_cst);
  const Waker *Host = S.Host->Sleepers(S);
  if (Host && hasTasks())
    wakeOne(W.Number, *Host);
}

//===----------------------------------------------------------------------===//
// The thread that has queued a task
//===----------------------------------------------------------------------===//

bool Team::wakeResponsible(const Placement &Where, int Pusher,
                           const Waker &Host) {
  // Orders the push before the look at who sleeps; pairs with the fence of the
  // host's before tryToLieDown().
  std::atomic_thread_fence(std::memory_order_seq_cst);
  int Node = Where.Index;
  if (Where.Place == Placement::OnThread) {
    if (Host.Wake(Host, Where.Index))
      return true;
    if (Where.Strict)
      return false;
    Node = Shape->nodeOfThread(Where.Index);
  }
  const int *Members = Shape->threadsOfNode(Node);
  for (int I = 0; I < Shape->numThreadsOfNode(Node); ++I)
    if (Members[I] != Pusher && Host.Wake(Host, Members[I]))
      return true;
  return false;
}

void Team::wakeOne(int Pusher, const Waker &Host) {
  // Orders the push before the look at who has lain down; pairs with
  // tryToLieDown().
  std::atomic_thread_fence(std::memory_order_seq_cst);
  for (int T; (T = Asleep.claim(Pusher)) >= 0;)
    if (Host.Wake(Host, T))
      return;
}

} // namespace locus
