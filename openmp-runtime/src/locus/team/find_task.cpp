//===- team/find_task.cpp - The steps of the search for a task ------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "locus/team/find_task.h"

namespace locus {

/// \p W has put a task back, or several, that were in no list for a moment: a
/// thread that looked then may sleep.
void Team::wakeForSeen(Worker &W, const Seeker &S) {
  if (const Waker *Host = S.Host->Sleepers(S))
    wakeOne(W.Number, *Host);
}

Taker Team::remoteTaker(Worker &W, const Seeker &S) const {
  Taker Remote = taker(W, S);
  Remote.Admit = admitRemote;
  // What comes along is not asked whether it belongs there.
  Remote.MayKeep = S.MayKeep && !mayHavePlacedTasks() && !hasLocalHints();
  return Remote;
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
