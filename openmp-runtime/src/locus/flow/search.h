//===- flow/search.h - A thread looks for a task ----------------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a host does around a search: team/find_task.h has its order. README.md
// says what Tasks are.
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_FLOW_SEARCH_H
#define LOCUS_FLOW_SEARCH_H

#include "locus/depend/node.h"
#include "locus/team/find_task.h"
#include "locus/trace/recorder.h"

namespace locus::flow {

/// \p S looks in \p Ours for the thread that executes \p Current: for what it
/// waits for in a taskwait, if \p IsWaiting. \p MayHide: as Seeker::ScanAll.
template <class Tasks>
void beginSearch(Seeker &S, const Team &Ours,
                 const typename Tasks::Data *Current, int *Finished,
                 bool IsWaiting, bool MayHide) {
  S.Where = &Ours;
  S.Finished = Finished;
  S.IsWaiting = IsWaiting;
  // A finished thread has nothing in its deque.
  S.OwnsDeque = !*Finished;
  S.MayKeep = S.OwnsDeque && !IsWaiting && Tasks::isImplicit(Current);
  S.ScanAll = S.Rests || MayHide;
}

/// For SeekerHost::PlaceOf.
template <class Tasks> TaskPlace placeOf(const Task *Candidate) {
  const typename Tasks::Data *D = Tasks::data(Candidate);
  const Kind HintKind = Tasks::hint(D).kind();
  // The target lies on another cache line.
  return {HintKind != Kind::None, HintKind == Kind::Inferred,
          HintKind == Kind::Inferred ? int(Tasks::target(D).Value) : 0};
}

/// Takes what mutexes the task of \p N needs, if it has a node. False if one is
/// not free.
inline bool acquireMutexes(Node *N) {
  return !N || !N->needsMutexes() || N->tryToHoldMutexes();
}

/// \p W, for which \p S has looked, has found \p Found, or nothing if that is
/// null. \p RunsPlaced of the thread says what it has found.
template <class Tasks>
LOCUS_ALWAYS_INLINE void endRound(Team &Ours, Worker &W, const Seeker &S,
                                  const Task *Found, bool &RunsPlaced) {
  Round Result = Round::Empty;
  if (Found) {
    RunsPlaced = Tasks::isPlaced(Tasks::data(Found));
    Result = RunsPlaced ? Round::PlacedTask : Round::Task;
  }
  if (Trace::enabled())
    Trace::noteSearch(!Found);
  Ours.endRound(W, Result, S);
}

} // namespace locus::flow

#endif // LOCUS_FLOW_SEARCH_H
