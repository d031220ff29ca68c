//===- team/find_task.cpp - The steps of the search for a task ------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "locus/team/find_task.h"
#include "locus/steal/steal_search.h"

namespace locus {

/// \p W has put a task back, or several, that were in no list for a moment: a
/// thread that looked then may sleep.
void Team::wakeForSeen(Worker &W, const Seeker &S) {
  if (const Waker *Host = S.Host->Sleepers(S))
    wakeOne(W.Number, *Host);
}

/// A task of its own behind the newest, which it may not run. Only where one
/// task can hide another: where there are untied or strict tasks, and in a
/// barrier, where the deque may hold what it stole, of which the newest may
/// want a lock (mutexinoutset) whose owner waits for an older one.
Task *Team::takeOwnBehind(Worker &W, const Seeker &S, const Taker &Any) {
  if (!S.OwnsDeque || (S.IsWaiting && !S.ScanAll))
    return nullptr;
  return W.Deque.popBehind(Any).Found;
}

/// From the lists of others, of tasks that may run anywhere.
Task *Team::steal(Worker &W, const Seeker &S, const Taker &Any) {
  noteShape(W);
  Taker Remote = Any;
  Remote.Admit = admitRemote;
  // What comes along is not asked whether it belongs there.
  Remote.MayKeep = Any.MayKeep && !mayHavePlacedTasks() &&
                   !LocalHints.load(std::memory_order_relaxed);
  Task *Found =
      StealSearch(*this, W, Any, Remote, reachOf(W, S), S.ScanAll).run();
  if (__builtin_expect(Found && holdsTasks(W), 0))
    wakeForSeen(W, S); // what came along
  return Found;
}

/// Admits on behalf of a thread that takes from other nodes only what may run
/// anywhere, or is inferred to belong to a node that has too many such tasks.
bool Team::admitRemote(const Taker &Who, Task *Candidate) {
  const Seeker &S = *Who.Search;
  const TaskPlace Place = S.Host->PlaceOf(Candidate);
  if (Place.IsPlaced && !(Place.IsInferred && S.Where->isCrowded(Place.Node)))
    return false;
  return S.Host->Admit(Who, Candidate);
}

} // namespace locus
