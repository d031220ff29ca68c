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
/// \p Task has no dependences. Whether the caller goes on with it: it runs at
/// once or is ready, or has been submitted before. If not, whoever makes it
/// ready queues it.
bool submitFree(kmp_info_t *Thread, kmp_taskdata_t *Task);

/// An undeferred transparent task is about to begin: \p Thread waits until it is
/// its creator's turn. It might begin with a lock that those before it want.
void beginUndeferred(kmp_info_t *Thread);

/// \p Task begins on top of \p Current. There has been a transparent task.
void startRare(kmp_info_t *Thread, kmp_taskdata_t *Task,
               const kmp_taskdata_t *Current);

/// Whether a thread may begin or resume a task on top of one that waits.
enum class Admission {
  AsEver, ///< by the rules for all tasks
  Yes,    ///< for the waiting task it has to be over; whatever the rules say
  No
};
/// Whether \p Task may run on top of \p Waiter, an explicit task; one of both
/// is transparent, or \p Waiter is a guest. A transparent task may wait for
/// others than its descendants: it admits those, and does not begin on top of
/// them. They are guests there, and admit nobody but whom they wait for.
/// \p IsConstrained: the rules ask for the task scheduling constraint.
Admission admits(const kmp_info_t *Thread, const kmp_taskdata_t *Waiter,
                 const kmp_taskdata_t *Task, bool IsConstrained);

/// Whether children of \p Current may have to wait though it is final: for
/// others than its children.
static inline bool followsOthers(const kmp_taskdata_t *Current) {
  return Current->td_flags.transparent && Current->td_dephash &&
         !Current->td_flags.team_serial && !Current->td_flags.tasking_ser;
}

} // namespace locus

#endif // LOCUS_KMP_TRANSPARENT_H
