//===- kmp/transparent.cpp - Transparent tasks ----------------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "locus/kmp/transparent.h"
#include "locus/depend/seen_nodes.h"
#include "locus/kmp/hooks.h"
#include "locus/kmp/replay.h"

namespace locus {

void noteTransparent(const kmp_info_t *Thread, kmp_taskdata_t *Task) {
  noteOther(Thread->th.th_info.ds.ds_gtid, "a transparent task");
  // Searches look behind tasks that the thread may not run.
  if (kmp_task_team_t *TaskTeam = Thread->th.th_task_team)
    KMP_CHECK_UPDATE(TaskTeam->tt.tt_untied_task_encountered, 1);
  // Threads of its place might have to run it on top of what it waits for.
  if (Task->td_locus.hasHint() && Task->td_locus.isStrict()) {
    warnStrictTransparent();
    Task->td_locus.set(Task->td_locus.kind(), /*IsStrict=*/false);
  }
}

bool runsAtOnce(const kmp_info_t *Thread, const kmp_taskdata_t *Task,
                const DependList *List) {
  if (OMPX_TASKGRAPH) // td_dephash is libomp's own
    return false;
  const kmp_taskdata_t *Creator = Thread->th.th_current_task;
  // In a team of one thread a task waits only for what waits for an event. What
  // comes behind one with an event waits for that.
  static const DependList None = {};
  const bool IsFree = Creator->td_flags.final || Task->td_flags.merged_if0 ||
                      (!List && !Creator->td_flags.team_serial) ||
                      isReady(Creator, List ? *List : None);
  return Task->td_flags.task_serial && IsFree;
}

void beginUndeferred(kmp_info_t *Thread) {
  if (!OMPX_TASKGRAPH && isHeldUp(Thread->th.th_current_task))
    waitForDepend(Thread, {});
}

/// \p Task has no dependences. Whether the caller goes on with it: it runs at
/// once or is ready, or has been submitted before. If not, whoever makes it
/// ready queues it.
static bool submitFree(kmp_info_t *Thread, kmp_taskdata_t *Task) {
  if (OMPX_TASKGRAPH || Task->td_flags.started || Task->td_dephash)
    return true;
  if (runsAtOnce(Thread, Task, nullptr)) {
    beginUndeferred(Thread);
    return true;
  }
  if (!Task->td_flags.counted)
    __kmp_count_deferrable(Task);
  return registerTask(Thread, Task, {});
}

kmp_int32 submitTransparent(kmp_int32 Gtid, kmp_task_t *Task) {
  if (!submitFree(__kmp_threads[Gtid], KMP_TASK_TO_TASKDATA(Task)))
    return TASK_CURRENT_NOT_QUEUED;
  return __kmp_omp_task(Gtid, Task, /*serialize_immediate=*/false);
}

void startRare(kmp_info_t *Thread, kmp_taskdata_t *Task,
               const kmp_taskdata_t *Current) {
  if (OMPX_TASKGRAPH)
    return;
  Task->td_flags.guest =
      Current->td_flags.guest ||
      (Current->td_flags.transparent && !descends(Task, Current));
  if (!Task->td_flags.transparent)
    return;
  if (!Task->td_dephash) {
    LOCUS_CHECK(Task->td_flags.task_serial);
    noteTransparent(Thread, Task);
    joinCreator(Thread, Task);
  }
  // What comes behind it is held back until it is over; and its children are
  // not to wait for it.
  if (Task->td_depnode) {
    releaseSuccessors(Thread, Task);
    Task->td_depnode = nullptr;
  }
}

/// Whether \p Task itself is one that \p Wait is for: another one may be what
/// that one waits for, or begin on another thread, or later.
static bool isAwaited(const TaskWait &Wait, const kmp_taskdata_t *Task) {
  switch (Wait.Reason) {
  case WaitFor::Children:
    return Task->td_parent == Wait.Waiter;
  case WaitFor::Group:
    return Task->td_taskgroup &&
           Task->td_taskgroup == Wait.Waiter->td_taskgroup;
  case WaitFor::Predecessors:
    return Task == Wait.Waiter; // the node of the wait
  case WaitFor::Barrier:
  case WaitFor::Others:
    break;
  }
  return false;
}

/// Whether one that \p Wait is for comes behind \p Task.
static bool comesFirst(const TaskWait &Wait, const kmp_taskdata_t *Task) {
  auto IsAwaited = [=](const locus::Task *Behind) {
    return isAwaited(Wait, KmpTasks::data(Behind));
  };
  Node *N = nodeOf(Task);
  if (N && leadsTo(*N, IsAwaited))
    return true;
  const Domain *D = domainOf(Wait.Waiter);
  return D && D->turn() &&
         D->turn()->holdsUp(IsAwaited, [=](const locus::Task *Other) {
           return KmpTasks::data(Other) == Task ||
                  (N && leadsTo(*N, [=](const locus::Task *Behind) {
                     return Behind == Other;
                   }));
         });
}

bool isAllowed(int Gtid, kmp_int32 IsConstrained, const kmp_taskdata_t *Task,
               const kmp_taskdata_t *Waiter) {
  const bool IsGuest = Waiter->td_flags.guest;
  if (IsGuest || Waiter->td_flags.transparent || Task->td_flags.transparent) {
    const bool IsBelow = descends(Task, Waiter);
    // Without a wait it yields, or creates tasks.
    const TaskWait &Wait = __kmp_threads[Gtid]->th.th_locus_wait;
    const bool Waits = !OMPX_TASKGRAPH && Wait.Waiter == Waiter;
    const bool IsMine =
        IsBelow && (!IsGuest || (Waits && isAwaited(Wait, Task)));
    if (!IsMine && Waits && comesFirst(Wait, Task))
      return flow::acquireMutexes(nodeOf(Task));
    if (!IsMine && ((IsGuest && IsConstrained) ||
                    (Task->td_flags.transparent && !IsBelow)))
      return false;
  }
  return __kmp_rules_allow(Gtid, IsConstrained, Task, Waiter);
}

} // namespace locus
