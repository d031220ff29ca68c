//===- kmp/internal.h - Between the parts of the adapter --------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the files of the adapter to libomp share.
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_KMP_INTERNAL_H
#define LOCUS_KMP_INTERNAL_H

#include "locus/kmp/hooks.h"

namespace locus {

// Settings.

/// Whether KMP_TASK_DEPEND_AFFINITY, and the scheduler, let tasks follow the
/// data of their dependences.
bool followsDepend();
UnknownPolicy unknownPolicy();
PoolOptions poolOptions();

// Places.

/// The domains of \p TaskTeam, which \p Team uses now: made, or made anew if
/// the team has other threads or places than last time. Null if there is no
/// memory.
Domains *domainsOf(kmp_task_team_t *TaskTeam, kmp_team_t *Team);

/// Wakes the threads of \p Team that fell asleep before \p TaskTeam had
/// domains, so that they lie down in their list of sleepers, or find a task.
void wakeAll(kmp_team_t *Team, kmp_task_team_t *TaskTeam);

/// The calling thread, registered with libomp if it was not.
kmp_info_t *callingThread();

} // namespace locus

#endif // LOCUS_KMP_INTERNAL_H
