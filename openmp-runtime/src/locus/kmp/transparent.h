//===- kmp/transparent.h - Transparent tasks --------------------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// OpenMP 6.0's clause transparent: dependences of a task's children on tasks
// around it. Such a task runs at once if it can, and joins its creator: its
// children are added to the creator's table, in the order of the program. One
// that has to wait is deferred, begins behind all that its children may follow,
// and ends behind them. depend/PROOF.md says why nobody waits for good.
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_KMP_TRANSPARENT_H
#define LOCUS_KMP_TRANSPARENT_H

#include "locus/kmp/depend.h"

namespace locus {

/// \p Task, transparent, is submitted by thread \p Gtid. True if it waits: who
/// ends the last task before it queues it. If not, the caller goes on: with a
/// task that has joined its creator, which cannot be deferred, or another one.
bool submitTransparent(kmp_int32 Gtid, kmp_task_t *Task);

/// Whether \p Task, transparent and with \p List, which \p Thread is about to
/// submit, need not be deferred. Then it is not added to the graph: it has
/// ended when the next ones come, and its children do not wait for it.
bool mayJoin(kmp_info_t *Thread, const kmp_taskdata_t *Task,
             const DependList &List);

/// \p Task, transparent, will run at once on \p Thread, which has created it,
/// as a part of its creator.
void joinCreator(kmp_info_t *Thread, kmp_taskdata_t *Task);

/// The body of \p Task, transparent, which \p Thread executes, is over.
void endTransparent(kmp_info_t *Thread, kmp_taskdata_t *Task);

/// Whether children of \p Current may have to wait though it is final: for
/// deferred siblings of it.
static inline bool followsSiblings(const kmp_taskdata_t *Current) {
  return Current->td_flags.joined && !Current->td_flags.team_serial &&
         !Current->td_flags.tasking_ser;
}

} // namespace locus

#endif // LOCUS_KMP_TRANSPARENT_H
