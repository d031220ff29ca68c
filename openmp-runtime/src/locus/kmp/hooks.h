//===- kmp/hooks.h - What libomp calls of Locus -----------------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The interface between libomp's tasking and the scheduling core: what the
// hooks in openmp-runtime/patches/hooks call. This file has the queues of a
// team, and includes the rest: hints, places, tasks in place, settings.
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_KMP_HOOKS_H
#define LOCUS_KMP_HOOKS_H

#include "kmp.h"
#include "locus/flow/push.h"
#include "locus/kmp/hints.h"
#include "locus/kmp/inplace.h"
#include "locus/kmp/places.h"
#include "locus/kmp/settings.h"
#include "locus/kmp/task_data.h"
#include "locus/kmp/taskloop.h"
#include "locus/sleep/protocol.h"

namespace locus {

/// The Team of \p TaskTeam if it fits libomp's team as that is now, else null.
/// Where there is one, tasks are in its queues, and libomp's own deques are
/// used beside them only for proxy and hidden helper tasks.
static inline Team *teamOf(kmp_task_team_t *TaskTeam) {
  // Pairs with the release at the end of makeTeam().
  if (!TaskTeam->tt.tt_locus_current.load(std::memory_order_acquire))
    return nullptr;
  Team *Ours = TaskTeam->tt.tt_locus.load(std::memory_order_relaxed);
  LOCUS_CHECK(Ours);
  if (!Ours)
    __builtin_unreachable(); // or callers look once more
  return Ours;
}

/// The Team of \p TaskTeam, null or that of \p Thread, whose tasks it may run;
/// null if there is none. A thread that leaves a larger team may come by once
/// more.
static inline Team *teamOf(const kmp_info_t *Thread,
                           kmp_task_team_t *TaskTeam) {
  Team *Ours = TaskTeam && !isStock() ? teamOf(TaskTeam) : nullptr;
  return Ours && Thread->th.th_info.ds.ds_tid < Ours->numThreads() ? Ours
                                                                   : nullptr;
}

static inline Team *teamOf(const kmp_info_t *Thread) {
  return teamOf(Thread, Thread->th.th_task_team);
}

/// What the core knows of \p Thread, a member of \p Ours.
static inline Worker &workerOf(Team &Ours, const kmp_info_t *Thread) {
  return Ours.worker(Thread->th.th_info.ds.ds_tid);
}

/// What a search asks for, in libomp's argument for the task scheduling
/// constraint, which is 0 or 1: only what the thread's task waits for
/// (mayBeAwaited); what is on other nodes, too; at all queues, as the thread
/// rests between its looks (Seeker::Rests).
constexpr kmp_int32 OnlyAwaited = 2, FromAfar = 4, LooksAtAll = 8;

/// A task of this thread begins to run.
static inline void countRun() { Stats::count(Stat::Run); }

/// What became of a ready task. The first two are what __kmp_push_task returns.
enum class Pushed : kmp_int32 {
  Queued = TASK_SUCCESSFULLY_PUSHED,
  Throttled = TASK_NOT_PUSHED, ///< the thread runs it now
  LeftToLibomp                 ///< not ours to queue
};

/// Queues \p Task, which \p Thread makes ready, where its hint says or in the
/// thread's own deque.
Pushed push(kmp_info_t *Thread, kmp_task_t *Task);

/// Queues \p Task by its hint, for a thread that need not belong to its team.
/// \p Start, modulo the team's size, is the thread of the team that counts as
/// its pusher. Returns false if libomp has to queue it.
bool give(kmp_taskdata_t *Task, kmp_int32 Start);

kmp_task_t *takeFirstOf(Team &Ours, kmp_info_t *Thread,
                        kmp_task_team_t *TaskTeam, int *Finished,
                        kmp_int32 Constrained);
void queueKept(kmp_info_t *Thread);

/// \p Thread does something else than to look for another task.
static inline void endSearches(kmp_info_t *Thread) {
  Thread->th.th_locus_successor.endSearches();
  if (UNLIKELY(Thread->th.th_locus_successor.kept()))
    queueKept(Thread);
}

/// Takes what \p Thread runs before any other task: the successor of the one
/// that it has just run, or one that is placed on it; null if there is none.
/// \p Finished is libomp's mark that the thread does not count as unfinished;
/// \p Constrained asks for the task scheduling constraint.
static inline kmp_task_t *takeFirst(kmp_info_t *Thread,
                                    kmp_task_team_t *TaskTeam, int *Finished,
                                    kmp_int32 Constrained) {
  Team *Ours = teamOf(TaskTeam);
  return Thread->th.th_locus_successor.kept() ||
                 UNLIKELY(Ours && Ours->mayHavePlacedTasks())
             ? takeFirstOf(*Ours, Thread, TaskTeam, Finished, Constrained)
             : nullptr;
}

/// Takes any other task that \p Thread may run: of its own deque, placed on its
/// node, or stolen; null if there is none. A thread calls takeFirst() first.
kmp_task_t *take(kmp_info_t *Thread, kmp_task_team_t *TaskTeam, int *Finished,
                 kmp_int32 Constrained);

/// Whether libomp's own deques may hold tasks.
static inline bool usesDeques(kmp_int32 Gtid, kmp_task_team_t *TaskTeam) {
  return !teamOf(TaskTeam) || isStock() || KMP_HIDDEN_HELPER_THREAD(Gtid) ||
         TCR_4(TaskTeam->tt.tt_found_proxy_tasks) ||
         TCR_4(TaskTeam->tt.tt_hidden_helper_task_encountered);
}

/// For napAfterMiss(), now and then.
void napIfLong(kmp_info_t *Thread);
/// \p Thread has looked in vain. If it has for longer than the block time, it
/// sleeps for a moment.
static inline void napAfterMiss(kmp_info_t *Thread) {
  if (UNLIKELY(Thread->th.th_locus_nap.onMiss()))
    napIfLong(Thread);
}

/// Whether \p Thread's search, in our queues and in libomp's, has found a task.
/// If not, the thread may nap.
static inline bool foundTask(kmp_info_t *Thread, const kmp_task_t *Task) {
  LOCUS_CHECK(!Thread->th.th_locus_successor.kept());
  Thread->th.th_locus_successor.endSearch(
      Task ? KmpTasks::task(KMP_TASK_TO_TASKDATA(Task)) : nullptr);
  if (Task)
    Thread->th.th_locus_nap.end();
  else
    napAfterMiss(Thread);
  return Task != nullptr;
}

/// Whether thread \p Gtid, which waits in a tied task, goes on looking for one
/// that it may run there, before it starts an untied one that it should not.
bool mayFindMore(kmp_int32 Gtid);

/// Whether \p Thread has tasks in its deque, which it perhaps could not run
/// yet. It must not finish the barrier then.
static inline bool holdsTasks(kmp_info_t *Thread, kmp_task_team_t *TaskTeam) {
  // Not teamOf(Thread, TaskTeam): kmp_set_defaults() may choose stock
  // meanwhile.
  Team *Ours = teamOf(TaskTeam);
  return Ours && Thread->th.th_info.ds.ds_tid < Ours->numThreads() &&
         Ours->holdsTasks(workerOf(*Ours, Thread));
}

/// \p Thread, which has published that it sleeps, lies down unless there are
/// tasks that it should look for: then false, and it must not sleep. A push
/// either sees the sleeper or is seen here.
bool tryToLieDown(kmp_info_t *Thread);

/// Whether a thread may sleep that has \p TaskTeam, whose tt_found_tasks the
/// caller has set. A thread that lies down later sees that.
static inline bool mayHaveSleepers(const kmp_task_team_t *TaskTeam) {
  return isStock() || mayHaveSlept(TaskTeam->tt.tt_locus_slept);
}

/// Wakes a thread, if one sleeps, for the task that \p Thread has just queued.
/// Needed under a passive wait policy only: otherwise nobody sleeps in a region
/// that has had tasks. Returns false if libomp has to look for sleepers itself.
bool wakeSleeper(kmp_info_t *Thread);

/// Whether the calling thread runs a task with a hint, as far as it is the
/// one that the thread took last.
extern __attribute__((tls_model("initial-exec"))) __thread bool RunsPlaced;
/// That task has ended.
void endPlaced();

/// The calling thread, as it runs tasks and returns from them.
struct Runner : KmpTasks {
  kmp_int32 Gtid;

  void alwaysOfferInPlace() const { offerInPlace(Gtid, &AlwaysInPlace); }
  static void forbidInPlace() { locus::forbidInPlace(); }
  static bool runsPlaced() { return RunsPlaced; }
  static void endPlaced() { locus::endPlaced(); }
};

/// \p Task will run at once on the calling thread, \p Gtid.
static inline void offerInPlaceAlone(kmp_int32 Gtid,
                                     const kmp_taskdata_t *Task) {
  const Runner Mine = {{}, Gtid};
  flow::runsAtOnce(Mine, Task);
}

/// The calling thread returns to \p Task from another one in it.
static inline void resumeCreator(const kmp_taskdata_t *Task) {
  const Runner Mine = {};
  flow::returnTo(Mine, Task);
}

/// The same from one that it has found; \p Task may have set a hint for its
/// next child.
static inline void resumeTask(const kmp_taskdata_t *Task) {
  const Runner Mine = {};
  flow::resume(Mine, Task);
}

/// Says so if libgomp is in the process too and has taken its processors, as
/// where LD_PRELOAD puts this runtime under a gcc program: libgomp starts
/// first, and binds the initial thread if the environment asks for binding.
/// Called when libomp knows how many processors there are for the process. Not
/// if the scheduler is stock.
void warnOfLibgomp();

/// The number of threads of a team where nobody says one: that of the
/// processors, \p Available, or as many of them as a control group's quota of
/// CPU time pays for, unless the scheduler is stock.
int defaultThreads(int Available);

/// Says so, in the first rank of each machine, if an MPI launcher has left it
/// fewer processors than it has threads, or the same as other ranks, whose
/// bound threads share them then. Without a launcher, if the process has one
/// processor of several, and the settings want more. Called when libomp knows
/// its places and the number of threads. Not if the scheduler is stock.
void warnOfRanks();

} // namespace locus

#endif // LOCUS_KMP_HOOKS_H
