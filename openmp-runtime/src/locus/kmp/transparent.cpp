//===- kmp/transparent.cpp - Transparent tasks ----------------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "locus/kmp/transparent.h"
#include "locus/kmp/replay.h"

namespace locus {

/// \p Thread has created a transparent task.
static void note(const kmp_info_t *Thread) {
  noteOther(Thread->th.th_info.ds.ds_gtid, "a transparent task");
  // Searches look behind tasks that the thread may not run.
  if (kmp_task_team_t *TaskTeam = Thread->th.th_task_team)
    KMP_CHECK_UPDATE(TaskTeam->tt.tt_untied_task_encountered, 1);
}

bool enterTransparent(kmp_info_t *Thread, kmp_taskdata_t *Task,
                      const DependList *List) {
  if (OMPX_TASKGRAPH) // td_dephash is libomp's own
    return false;
  const kmp_taskdata_t *Creator = Thread->th.th_current_task;
  // In a team of one thread a task waits only for what waits for an event. What
  // comes behind one with an event waits for that, but not its children.
  const bool RunsNow = !List || Creator->td_flags.final ||
                       Task->td_flags.merged_if0 || isReady(Creator, *List);
  const bool HasNode = List && Task->td_flags.detachable == TASK_DETACHABLE;
  if (Task->td_flags.task_serial && RunsNow && !HasNode) {
    joinCreator(Thread, Task);
    return true;
  }
  note(Thread);
  branchDomain(Thread, Task);
  if (!List)
    registerFree(Thread, Task);
  return false;
}

void enterFree(kmp_info_t *Thread, kmp_taskdata_t *Task) {
  if (!Task->td_flags.joined && !Task->td_flags.started && !nodeOf(Task))
    enterTransparent(Thread, Task, nullptr);
}

void joinCreator(kmp_info_t *Thread, kmp_taskdata_t *Task) {
  if (OMPX_TASKGRAPH)
    return;
  note(Thread);
  LOCUS_CHECK(Task->td_parent == Thread->th.th_current_task);
  makeDomain(Thread);
  Task->td_dephash = Task->td_parent->td_dephash;
  Task->td_flags.joined = 1;
}

void waitBehindChildren(kmp_info_t *Thread) {
  if (!OMPX_TASKGRAPH && hasBranched(Thread->th.th_current_task))
    waitForDependent(Thread, /*AndOthers=*/false);
}

bool awaitsOther(const kmp_taskdata_t *Waiter, const kmp_taskdata_t *Task) {
  Node *N = OMPX_TASKGRAPH ? nullptr : nodeOf(Task);
  return N && N->leadsTo([=](locus::Task *Behind) {
    const kmp_taskdata_t *Data = KmpTasks::data(Behind);
    return Data == Waiter || KmpTasks::descends(Data, Waiter);
  });
}

} // namespace locus
