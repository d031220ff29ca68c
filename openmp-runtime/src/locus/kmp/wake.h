//===- kmp/wake.h - Who sleeps in libomp, and who wakes it ------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_KMP_WAKE_H
#define LOCUS_KMP_WAKE_H

#include "kmp.h"
#include "locus/team/seeker.h"

namespace locus {

/// For Waker::Wake, of a KmpWaker.
bool wakeThread(const Waker &Threads, int Tid);

/// The threads of one of libomp's teams, for the core.
struct KmpWaker : Waker {
  kmp_team_t *KmpTeam;
  kmp_task_team_t *TaskTeam;
};
/// Whether threads may sleep in a region that has had tasks.
static inline bool sleepsBetweenTasks() {
  return __kmp_wpolicy_passive && __kmp_dflt_blocktime != KMP_MAX_BLOCKTIME;
}

/// Whether a thread may be asleep in a region that has had tasks: as above, or
/// since before the first task, which wakes nobody where threads never sleep
/// but in a soft pause.
static inline bool mayBeAsleep() {
  return sleepsBetweenTasks() || __kmp_pause_status == kmp_soft_paused;
}

/// Wakes the threads of \p KmpTeam that fell asleep before \p TaskTeam had
/// queues, so that they lie down in its list of sleepers, or find a task.
void wakeAll(kmp_team_t *KmpTeam, kmp_task_team_t *TaskTeam);

} // namespace locus

#endif // LOCUS_KMP_WAKE_H
