//===- flow/count.h - Counting a task's children ----------------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The rules are in kmp/README.md, "Counting children".
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_FLOW_COUNT_H
#define LOCUS_FLOW_COUNT_H

#include "locus/support/cpu.h"
#include "locus/task/child_count.h"

namespace locus::flow {

/// Adds \p Number to the counters of \p Parent's children. Nobody frees an
/// implicit task, so it has only those that are not complete.
template <class Tasks>
void addChildren(typename Tasks::Data *Parent, int32_t Number) {
  if (!Tasks::isImplicit(Parent)) {
    Tasks::allocated(Parent).addToBoth(Number);
    return;
  }
  const int32_t Before =
      Tasks::incomplete(Parent).fetch_add(Number, std::memory_order_acq_rel);
  LOCUS_CHECK(Before + Number >= 0);
}

/// Gives back what a thread has counted in advance for its \p Current task.
template <class Tasks>
void giveBack(Advance &Mine, typename Tasks::Data *Current) {
  if (Mine.isUntouched())
    return;
  if (const int32_t Rest = Mine.giveBack())
    addChildren<Tasks>(Current, -Rest);
}

/// How many tasks the current one of \p T, which creates the next ones too, has
/// that are not complete. INT32_MAX for an implicit task: its children are a
/// loop, not a recursion. Relaxed: kmp/PROOF.md.
template <class Thread> int32_t siblings(Thread &T) {
  typename Thread::Data *Current = T.current();
  return T.isImplicit(Current)
             ? INT32_MAX
             : T.incomplete(Current).load(std::memory_order_relaxed) -
                   T.advance().inHand();
}

/// Task \p D ends: first for those that depend on it, by \p Release(), then for
/// its parent. Most tasks have no child any more: they end for the parent's
/// memory, too, in the same instruction, if \p MayBeFreed (no tool looks at the
/// parent until the thread has left the task) and endsInOne(). Then returns how
/// many keep that memory, else -1: for freeEnded().
template <class Tasks, class Action>
LOCUS_ALWAYS_INLINE int32_t endForOthers(typename Tasks::Data *D,
                                         bool MayBeFreed, Action Release) {
  Release();
  typename Tasks::Data *Parent = Tasks::parent(D);
  if (MayBeFreed && Tasks::allocated(D).isItselfAlone() &&
      !Tasks::isImplicit(Parent) && Tasks::endsInOne(D))
    return Tasks::allocated(Parent).addToBoth(-1);
  const int32_t Before =
      Tasks::incomplete(Parent).fetch_sub(1, std::memory_order_acq_rel);
  LOCUS_CHECK(Before > 0);
  return -1;
}

/// Frees \p D, which has ended, and those above it that only it has kept.
/// \p KeepParent is what endForOthers() has returned. \p Free(task) frees one;
/// \p CleanUp(task) is for an implicit one, which loses a child that counts.
template <class Tasks, class Action, class Last>
LOCUS_ALWAYS_INLINE void freeEnded(typename Tasks::Data *D, int32_t KeepParent,
                                   Action Free, Last CleanUp) {
  int32_t Left = 0;
  if (KeepParent >= 0) { // nothing of the parent is read if others keep it
    typename Tasks::Data *Parent = Tasks::parent(D);
    Tasks::allocated(D).begin(0);
    Free(D);
    D = Parent;
    Left = KeepParent;
  } else if (Tasks::allocated(D).isItselfAlone()) { // nobody else sees it
    Tasks::allocated(D).begin(0);
  } else {
    Left = Tasks::allocated(D).fetch_sub(1, std::memory_order_acq_rel) - 1;
  }
  while (Left == 0) {
    typename Tasks::Data *Parent = Tasks::parent(D);
    // A parent that does not count it may have been freed before it.
    const bool IsCounted = Tasks::isCounted(D);
    Free(D);
    if (!IsCounted)
      return;
    if (Tasks::isImplicit(Parent))
      return CleanUp(Parent);
    D = Parent;
    Left = Tasks::allocated(D).fetch_sub(1, std::memory_order_acq_rel) - 1;
  }
  LOCUS_CHECK(Left > 0);
}

} // namespace locus::flow

#endif // LOCUS_FLOW_COUNT_H
