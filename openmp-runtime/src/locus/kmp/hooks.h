//===- kmp/hooks.h - What libomp calls of Locus -----------------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The interface between libomp's tasking and the scheduling core. The hooks in
// openmp-runtime/patches/hooks call these functions and nothing else of ours.
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_KMP_HOOKS_H
#define LOCUS_KMP_HOOKS_H

#include "kmp.h"
#include "locus/team/domains.h"

namespace locus {

/// The domains of \p TaskTeam if they fit its team as it is now, else null: its
/// tasks are in our queues then, and libomp's own deques are used beside them
/// only for proxy and hidden helper tasks.
static inline Domains *domains(kmp_task_team_t *TaskTeam) {
  // Pairs with the release at the end of domainsOf().
  return TaskTeam->tt.tt_locus_current.load(std::memory_order_acquire)
             ? TaskTeam->tt.tt_locus.load(std::memory_order_relaxed)
             : nullptr;
}

bool isStock();
bool followDepend();
void hintFromDepend(kmp_info_t *Thread, kmp_taskdata_t *Task, kmp_int32 Count,
                    const kmp_depend_info_t *List, kmp_int32 CountNoAlias,
                    const kmp_depend_info_t *ListNoAlias);
void freeRanges(kmp_info_t *Thread, kmp_taskdata_t *Task);
void consumeNextHint(kmp_taskdata_t *Task, kmp_taskdata_t *Parent);
bool givePlaced(kmp_taskdata_t *Task, kmp_int32 Start);
kmp_task_t *takePinned(Domains *Places, kmp_info_t *Thread, int *Finished,
                       kmp_int32 Constrained);

/// Initializes the hint of \p Task, which the current task \p Parent creates.
static inline void initHint(kmp_taskdata_t *Task, kmp_taskdata_t *Parent) {
  Task->td_locus = TaskHint();
  Stats::count(Stat::Created);
  if (UNLIKELY(Parent->td_locus.NextKind != Kind::None))
    consumeNextHint(Task, Parent);
}

/// Notes for \p Task, which has no hint, the data that it writes by its
/// dependences. Called before they are processed.
static inline void initHintFromDepend(kmp_info_t *Thread, kmp_taskdata_t *Task,
                                      kmp_int32 Count,
                                      const kmp_depend_info_t *List,
                                      kmp_int32 CountNoAlias,
                                      const kmp_depend_info_t *ListNoAlias) {
  if (Task->td_locus.OwnKind == Kind::None && followDepend())
    hintFromDepend(Thread, Task, Count, List, CountNoAlias, ListNoAlias);
}

/// \p Task is a copy of another one, which keeps what its hint owns.
static inline void copyHint(kmp_taskdata_t *Task) {
  if (UNLIKELY(hasRanges(Task->td_locus.OwnKind)))
    Task->td_locus.OwnKind = Kind::None;
}

/// The standard clause affinity, of task \p Ptask: its list is a wish for the
/// node that holds most bytes of it. A clause with a kind, or
/// omp_set_task_affinity, goes before it. The list is the caller's; it is
/// copied.
void setAffinityList(ident_t *Location, kmp_int32 Gtid, kmp_task_t *Ptask,
                     kmp_int32 Count, const kmp_task_affinity_info_t *List);

/// Frees what the hint of \p Task owns.
static inline void freeHint(kmp_info_t *Thread, kmp_taskdata_t *Task) {
  if (UNLIKELY(hasRanges(Task->td_locus.OwnKind)))
    freeRanges(Thread, Task);
}

/// A task of this thread begins to run.
static inline void countRun() { Stats::count(Stat::Run); }

/// Queues \p Task, which \p Thread makes ready, where its hint says or in the
/// thread's own deque. Returns false if libomp has to queue it. \p Result is
/// TASK_SUCCESSFULLY_PUSHED, or TASK_NOT_PUSHED to run it now.
bool push(kmp_info_t *Thread, kmp_task_t *Task, kmp_int32 &Result);

/// Queues \p Task by its hint, for a thread that need not belong to its team.
/// Returns false if libomp has to queue it.
static inline bool give(kmp_taskdata_t *Task, kmp_int32 Start) {
  return UNLIKELY(Task->td_locus.OwnKind != Kind::None) &&
         givePlaced(Task, Start);
}

/// Takes a task that is placed on \p Thread; null if there is none. \p Finished
/// is libomp's mark that the thread does not count as unfinished; \p
/// Constrained asks for the task scheduling constraint.
static inline kmp_task_t *takeOwn(kmp_info_t *Thread, kmp_task_team_t *Team,
                                  int *Finished, kmp_int32 Constrained) {
  Domains *Places = domains(Team);
  if (UNLIKELY(Places && Places->mayHaveTasks()))
    return takePinned(Places, Thread, Finished, Constrained);
  return nullptr;
}

/// Takes any other task that \p Thread may run: of its own deque, placed on its
/// node, or stolen; null if there is none. A thread calls takeOwn() first.
kmp_task_t *take(kmp_info_t *Thread, kmp_task_team_t *Team, int *Finished,
                 kmp_int32 Constrained);

/// Whether libomp's own deques may hold tasks.
static inline bool usesDeques(kmp_int32 Gtid, kmp_task_team_t *Team) {
  return !domains(Team) || isStock() || KMP_HIDDEN_HELPER_THREAD(Gtid) ||
         TCR_4(Team->tt.tt_found_proxy_tasks) ||
         TCR_4(Team->tt.tt_hidden_helper_task_encountered);
}

/// Whether thread \p Gtid, which waits in a tied task, goes on looking for one
/// that it may run there, before it starts an untied one that it should not.
bool mayFindMore(kmp_int32 Gtid);

/// Whether \p Task may begin where the task scheduling constraint forbids it:
/// nobody but the threads of its place can run it.
static inline bool isStrict(const kmp_taskdata_t *Task) {
  return Task->td_locus.OwnStrict;
}

/// Adds \p Number to both counters of an explicit task's children, those not
/// complete and those not freed, in one locked instruction. Returns the new
/// value of td_allocated_child_tasks.
static inline kmp_int32 countChild(kmp_taskdata_t *Parent, kmp_int32 Number) {
  static_assert(offsetof(kmp_taskdata_t, td_incomplete_child_tasks) ==
                        offsetof(kmp_taskdata_t, td_allocated_child_tasks) +
                            sizeof(kmp_int32) &&
                    offsetof(kmp_taskdata_t, td_allocated_child_tasks) %
                            sizeof(kmp_int64) ==
                        0,
                "the two counters are one word");
  if (sizeof(void *) < sizeof(kmp_int64)) {
    // The one instruction might be a lock, of which users of the halves do not
    // know. The parent may be freed after the second addition.
    Parent->td_incomplete_child_tasks.fetch_add(Number,
                                                std::memory_order_acq_rel);
    return Parent->td_allocated_child_tasks.fetch_add(
               Number, std::memory_order_acq_rel) +
           Number;
  }
  // Neither half becomes negative, so nothing is carried to the other one.
  const kmp_int64 Both = ((kmp_int64(1) << 32) + 1) * Number;
  auto *Word = reinterpret_cast<std::atomic<kmp_int64> *>(
      &Parent->td_allocated_child_tasks);
  const kmp_int64 Counts =
      Word->fetch_add(Both, std::memory_order_acq_rel) + Both;
#if defined(__BYTE_ORDER__) && (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)
  return kmp_int32(Counts >> 32);
#else
  return kmp_int32(Counts);
#endif
}

/// Whether \p Thread has tasks in its deque, which it perhaps could not run
/// yet. It must not finish the barrier then.
bool holdsTasks(kmp_info_t *Thread, kmp_task_team_t *Team);

/// Whether there are tasks that \p Thread should look for. Asked after it has
/// published that it sleeps, so that a push either sees the sleeper or is seen
/// here.
bool hasWork(kmp_info_t *Thread);

/// Wakes a thread, if one sleeps, for the task that \p Thread has just queued.
/// Needed under a passive wait policy only: otherwise nobody sleeps in a region
/// that has had tasks. Returns false if libomp has to look for sleepers itself.
bool wakeSleeper(kmp_info_t *Thread);

/// \p Team has other threads, or they have other places.
void stampTeam(kmp_team_t *Team);

/// Some thread has moved on its own account, in whichever teams it is.
extern std::atomic<kmp_uint64> PlacesStamp;
static inline void stampPlaces() {
  // Release: who reads this sees where the thread is now.
  PlacesStamp.fetch_add(1, std::memory_order_release);
}

/// To be asked before one looks at the places of \p Team: what changes
/// meanwhile is noticed the next time.
static inline TeamStamp stampOf(const kmp_team_t *Team) {
  TeamStamp Stamp;
  Stamp.Places = PlacesStamp.load(std::memory_order_acquire);
  Stamp.Team = Team->t.t_locus_stamp.load(std::memory_order_relaxed);
  Stamp.NumThreads = Team->t.t_nproc;
#if KMP_AFFINITY_SUPPORTED
  Stamp.Bind = int(Team->t.t_proc_bind);
  Stamp.FirstPlace = Team->t.t_threads[0]->th.th_new_place;
#endif
  return Stamp;
}

/// \p TaskTeam is about to serve \p Team in a new region, or behind a barrier.
/// Nobody uses it yet. Its domains stay if they fit.
static inline void resetTeam(kmp_task_team_t *TaskTeam,
                             const kmp_team_t *Team) {
  const Domains *Kept = TaskTeam->tt.tt_locus.load(std::memory_order_relaxed);
  TaskTeam->tt.tt_locus_current.store(Kept && Kept->Stamp == stampOf(Team),
                                      std::memory_order_relaxed);
}

/// The threads of \p Team from number \p From on are about to leave it: waits
/// until none of them looks for tasks any more.
void dismissThreads(kmp_team_t *Team, int From);

/// \p Thread has left its task team. Whoever waits for that in
/// dismissThreads() may free what it looked at.
static inline void letGo(kmp_info_t *Thread) {
  __atomic_store_n(&Thread->th.th_reap_state, KMP_SAFE_TO_REAP,
                   __ATOMIC_RELEASE);
}

/// Frees what the task team holds of ours, at the end of the program.
void freeTeam(kmp_task_team_t *Team);

/// Frees what is known of libomp's places, before it frees them.
void freePlaces();

/// Says so if libgomp is in the process too and has taken its processors, as
/// where LD_PRELOAD puts this runtime under a gcc program: libgomp starts
/// first, and binds the initial thread if the environment asks for binding.
/// Called when libomp knows how many processors there are for the process.
void warnOfLibgomp();

/// Sets the environment variable \p Name, one of ours. A value that it can't
/// have gets a warning that names the legal ones, and the default.
void parseSetting(char const *Name, char const *Value, void *Data);
/// The value in force of the variable \p Name.
const char *settingValue(char const *Name);

/// Our rows in libomp's table of settings; kmp_settings.cpp knows their type.
#define LOCUS_SETTING(Name)                                                    \
  {Name,                                                                       \
   locus::parseSetting,                                                        \
   [](kmp_str_buf_t *Buffer, char const *Setting, void *) {                    \
     __kmp_stg_print_str(Buffer, Setting, locus::settingValue(Setting));       \
   },                                                                          \
   nullptr,                                                                    \
   0,                                                                          \
   0}
#define LOCUS_SETTINGS                                                         \
  LOCUS_SETTING("KMP_TASK_SCHEDULER"), LOCUS_SETTING("KMP_TASK_QUEUES"),       \
      LOCUS_SETTING("KMP_TASK_STEAL"), LOCUS_SETTING("KMP_TASK_SYNC"),         \
      LOCUS_SETTING("KMP_TASK_QUEUE_SIZE"), LOCUS_SETTING("KMP_TASK_STATS"),   \
      LOCUS_SETTING("KMP_TASK_DEPEND_AFFINITY"),                               \
      LOCUS_SETTING("KMP_TASK_UNKNOWN_NODE")

} // namespace locus

#endif // LOCUS_KMP_HOOKS_H
