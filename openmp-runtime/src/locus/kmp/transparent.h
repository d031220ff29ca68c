//===- kmp/transparent.h - Transparent tasks --------------------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// OpenMP 6.0's clause transparent: the children of such a task are added to the
// graph as if its creator had created them. A deferred one has its turn for
// that (depend/turn.h); an undeferred one uses what its creator has.
// depend/PROOF.md says why nobody waits for good.
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_KMP_TRANSPARENT_H
#define LOCUS_KMP_TRANSPARENT_H

#include "locus/kmp/depend.h"

namespace locus {

/// \p Thread has created \p Task, transparent, with \p List, null if it has no
/// dependences. Whether it is undeferred and runs now, with its creator's turn.
bool runsAtOnce(const kmp_info_t *Thread, const kmp_taskdata_t *Task,
                const DependList *List);
/// __kmp_omp_task() for \p Task, transparent, of the current task of thread
/// \p Gtid. If it has no dependences it is added to the graph here.
kmp_int32 submitTransparent(kmp_int32 Gtid, kmp_task_t *Task);

/// An undeferred transparent task is about to begin: \p Thread waits until it
/// is its creator's turn. It might begin with a lock that those before it want.
void beginUndeferred(kmp_info_t *Thread);

/// \p Task begins on top of \p Current. There has been a transparent task.
void startRare(kmp_info_t *Thread, kmp_taskdata_t *Task,
               const kmp_taskdata_t *Current);

/// __kmp_task_is_allowed(): whether \p Task may begin or go on on top of
/// \p Waiter, an explicit task. There has been a transparent task. One may wait
/// for others than its descendants: it admits those, whatever the rules say,
/// and does not begin on top of them. They are guests there, and admit nobody
/// but whom they wait for.
bool isAllowed(int Gtid, kmp_int32 IsConstrained, const kmp_taskdata_t *Task,
               const kmp_taskdata_t *Waiter);

/// Whether children of \p Current may have to wait though it is final: for
/// others than its children.
static inline bool followsOthers(const kmp_taskdata_t *Current) {
  return Current->td_flags.transparent && Current->td_dephash &&
         !Current->td_flags.team_serial && !Current->td_flags.tasking_ser;
}

} // namespace locus

#endif // LOCUS_KMP_TRANSPARENT_H
