//===- kmp/wake.cpp - Who sleeps in libomp, and who wakes it --------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// libomp's part of the protocol of sleep/README.md.
//
//===----------------------------------------------------------------------===//

#include "locus/kmp/wake.h"
#include "locus/kmp/hooks.h"

#include "kmp_wait_release.h"

namespace locus {

/// Wakes \p Thread if it sleeps in a barrier of \p TaskTeam, not in one of a
/// region that it has begun in a task; false if it does not.
static bool wake(kmp_info_t *Thread, kmp_task_team_t *TaskTeam) {
  if (Thread->th.th_task_team != TaskTeam ||
      TCR_PTR(CCAST(void *, Thread->th.th_sleep_loc)) == NULL)
    return false;
  if (Trace::enabled())
    Trace::record(Event::Wake, 0, 0, NoThread, 0,
                  uint32_t(Thread->th.th_info.ds.ds_tid));
  __kmp_null_resume_wrapper(Thread);
  return true;
}

bool wakeThread(const Waker &Threads, int Tid) {
  const KmpWaker &Mine = static_cast<const KmpWaker &>(Threads);
  return wake(Mine.KmpTeam->t.t_threads[Tid], Mine.TaskTeam);
}

void wakeAll(kmp_team_t *KmpTeam, kmp_task_team_t *TaskTeam) {
  if (!sleepsBetweenTasks())
    return;
  // Pairs with lieDown().
  std::atomic_thread_fence(std::memory_order_seq_cst);
  for (int Tid = 0; Tid < KmpTeam->t.t_nproc; ++Tid)
    wake(KmpTeam->t.t_threads[Tid], TaskTeam);
}

/// Whether libomp's own lists have a task, one with a priority or the rest of a
/// detached one, or the pool of free agents.
static bool hasTasksOfLibomp(kmp_task_team_t *TaskTeam) {
  if (TaskTeam->tt.tt_num_task_pri.load(std::memory_order_relaxed) ||
      TaskTeam->tt.tt_locus_pool.mayHaveTasks())
    return true;
  for (int T = 0; T < TaskTeam->tt.tt_nproc; ++T)
    if (TCR_4(TaskTeam->tt.tt_threads_data[T].td.td_deque_ntasks))
      return true;
  return false;
}

static bool mayLieDown(kmp_info_t *Thread) {
  kmp_task_team_t *TaskTeam = Thread->th.th_task_team;
  // It has published th_sleep_loc. Whoever sets tt_found_tasks, at which it
  // looks below, calls mayHaveSleepers() then.
  noteSleeper(TaskTeam ? &TaskTeam->tt.tt_locus_slept : nullptr);
  if (!TaskTeam || !TCR_4(TaskTeam->tt.tt_active) ||
      !TCR_4(TaskTeam->tt.tt_found_tasks))
    return true;
  // The first task of a region finds its threads in the barrier, perhaps about
  // to sleep. They have to take part, or at least to say that they found
  // nothing to do: __kmp_enable_tasking() wakes those that it sees asleep.
  // Under a passive policy a thread that has looked since then (it is not safe
  // to reap) may sleep.
  if (!sleepsBetweenTasks() || Thread->th.th_reap_state == KMP_SAFE_TO_REAP)
    return false;
  Team *Ours = teamOf(Thread, TaskTeam); // none yet: see wakeAll()
  return !Ours || (Ours->lieDown(workerOf(*Ours, Thread)) &&
                   !hasTasksOfLibomp(TaskTeam));
}

bool tryToLieDown(kmp_info_t *Thread) {
  if (!mayLieDown(Thread))
    return false;
  if (Trace::enabled())
    Trace::record(Event::Sleep, 0);
  return true;
}

} // namespace locus
