//===- kmp/transparent.h - Transparent tasks --------------------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// OpenMP 6.0's clause transparent: dependences of a task's children on tasks
// around it. The children of one that is undeferred are added to its creator's
// table: it *joins* its creator. The children of another one come after what is
// in that table when it is created (Domain::branch), and what depends on it
// comes after them, too. depend/PROOF.md says why nobody waits for good.
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_KMP_TRANSPARENT_H
#define LOCUS_KMP_TRANSPARENT_H

#include "locus/kmp/depend.h"

namespace locus {

/// \p Task, transparent, is submitted by \p Thread, which has created it, with
/// \p List, null if it has no dependences. Whether it joins its creator: then
/// it runs now, and is not added to the graph, as its own children would wait
/// for it.
bool enterTransparent(kmp_info_t *Thread, kmp_taskdata_t *Task,
                      const DependList *List);
/// The same for one without dependences, unless it has been submitted.
void enterFree(kmp_info_t *Thread, kmp_taskdata_t *Task);
/// \p Task, transparent, will run at once on top of \p Thread's current task.
void joinCreator(kmp_info_t *Thread, kmp_taskdata_t *Task);
/// All children of \p Thread's current task have ended. What it creates next
/// comes after their children, too, where they are transparent.
void waitBehindChildren(kmp_info_t *Thread);

/// Whether \p Waiter, transparent and in a wait, may wait for \p Task, which is
/// queued and none of its descendants, for one of these.
bool awaitsOther(const kmp_taskdata_t *Waiter, const kmp_taskdata_t *Task);

/// Whether children of \p Current may have to wait though it is final: for
/// others than its children.
static inline bool followsOthers(const kmp_taskdata_t *Current) {
  return Current->td_flags.transparent && Current->td_dephash &&
         !Current->td_flags.team_serial && !Current->td_flags.tasking_ser;
}

} // namespace locus

#endif // LOCUS_KMP_TRANSPARENT_H
