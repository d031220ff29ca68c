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

#include "locus/task/advance.h"
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

} // namespace locus::flow

#endif // LOCUS_FLOW_COUNT_H
