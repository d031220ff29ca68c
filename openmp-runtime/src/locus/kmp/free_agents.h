//===- kmp/free_agents.h - Threads that run tasks of other teams -*- C++
//-*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// OpenMP 6.0's threadset(omp_pool): such a task may run on a thread that is not
// in its team, a free agent. docs/free-agents.md says what a program sees.
//
// A *pool* holds tasks of one team that free agents have to do with: those that
// they may run, and all that a free agent makes ready, which it may not keep.
// Its team's threads take from it too, when they find nothing else. Everything
// here is under one mutex (free_agents.cpp).
//
// The barrier stays closed for a pool as for the team's threads: each task in
// it counts as one of tt_unfinished_threads, until who takes it counts itself,
// and each that a free agent runs, until it has ended. So a free agent may use
// the team and the task team of what it runs, as long as that takes.
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_KMP_FREE_AGENTS_H
#define LOCUS_KMP_FREE_AGENTS_H

#include "locus/kmp/hooks.h"

namespace locus {

/// Whether \p Thread, which is that of a free agent, runs a task of a team that
/// it is not in. (It may also be in one of its own, in a parallel region of
/// such a task.)
static inline bool isFreeAgent(const kmp_info_t *Thread) {
  return UNLIKELY(Thread->th.th_locus_agent_team != nullptr) &&
         Thread->th.th_locus_agent_team == Thread->th.th_team;
}

/// Whether there have been free agents: who meets one sees it.
extern __attribute__((visibility("hidden"))) std::atomic<bool> HasFreeAgents;
static inline bool hasFreeAgents() {
  return HasFreeAgents.load(std::memory_order_relaxed);
}

/// \p Thread is about to create a task with \p Flags, which lose
/// free_agent_eligible if there are no free agents for it. Returns whether the
/// task has to do with others than the threads of the team, or an event.
bool checkEligible(kmp_info_t *Thread, kmp_tasking_flags_t *Flags);

/// \p Thread, which asks for the pool, creates \p Task, whose hint and
/// taskgroup are set. Returns whether it is not one that runs at once because
/// the team has one thread: free agents may run it, or one creates it.
bool isForPool(kmp_info_t *Thread, kmp_taskdata_t *Task);

/// Queues \p Task, which \p Thread makes ready, if that goes to the pool.
bool pushToPool(kmp_info_t *Thread, kmp_task_t *Task);

/// Whether the pool of \p TaskTeam may have tasks.
static inline bool hasPooled(const kmp_task_team_t *TaskTeam) {
  return UNLIKELY(TaskTeam->tt.tt_locus_pool.mayHaveTasks());
}
/// The same of its team.
static inline bool hasPooled(const kmp_info_t *Thread) {
  return Thread->th.th_task_team && hasPooled(Thread->th.th_task_team);
}

/// A task for \p Thread, which counts as unfinished, from the pool of its
/// \p TaskTeam; null if it may run none of them. \p Constrained as in take().
kmp_task_t *takePooled(kmp_info_t *Thread, kmp_task_team_t *TaskTeam,
                       kmp_int32 Constrained);

/// Runs such a task on top of the thread's current one; false if there is none.
static inline bool runPooled(kmp_info_t *Thread, kmp_int32 Constrained) {
  kmp_task_t *Task = takePooled(Thread, Thread->th.th_task_team, Constrained);
  if (!Task)
    return false;
  Thread->th.th_locus_nap.end();
  __kmp_invoke_task(Thread->th.th_info.ds.ds_gtid, Task,
                    Thread->th.th_current_task);
  return true;
}

/// The wait of a free agent in a task of another team: runs what it may, until
/// \p Until is done or there is no more. Null: it yields, and runs one at most.
template <class Flag>
int waitAsFreeAgent(kmp_info_t *Thread, Flag *Until, kmp_int32 Constrained) {
  while (runPooled(Thread, Constrained))
    if (!Until || Until->done_check())
      return TRUE;
  if (!Until || Until->done_check())
    return TRUE;
  KMP_YIELD(TRUE);
  napAfterMiss(Thread);
  return FALSE;
}

/// Ends the free agents. False if the calling thread is one, or one is in a
/// task: then the process has to leave libomp's memory as it is.
bool endFreeAgents();
/// A process that fork has made has none.
void forgetFreeAgents();

/// The number in the initial team of the ancestor of \p Thread there.
int initialThreadNumber(const kmp_info_t *Thread);

/// What omp_get_thread_num() returns for a thread with this number in a team of
/// that size.
constexpr int UnassignedThread = -2; // omp_unassigned_thread
static inline int threadNumber(int Tid, int TeamSize) {
  return UNLIKELY(Tid >= TeamSize) ? UnassignedThread : Tid;
}

} // namespace locus

#endif // LOCUS_KMP_FREE_AGENTS_H
