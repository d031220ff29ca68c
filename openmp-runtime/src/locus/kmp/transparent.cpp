//===- kmp/transparent.cpp - Transparent tasks ----------------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "locus/kmp/transparent.h"
#include "locus/kmp/replay.h"

namespace locus {

/// Whether \p Task, which \p Thread creates, runs at once if nothing is before
/// it. The parts of an untied task do so only where nothing is deferred.
static bool canJoin(const kmp_info_t *Thread, const kmp_taskdata_t *Task) {
  const kmp_tasking_flags_t Flags = Task->td_flags;
  return Task->td_parent == Thread->th.th_current_task &&
         (Flags.task_serial ||
          (Flags.tiedness == TASK_TIED && !Task->td_locus.isStrict()));
}

bool mayJoin(kmp_info_t *Thread, const kmp_taskdata_t *Task,
             const DependList &List) {
  if (OMPX_TASKGRAPH) // td_dephash is libomp's own
    return false;
  const kmp_taskdata_t *Creator = Thread->th.th_current_task;
  // For what it depends on the creator has waited.
  const bool IsUndeferred =
      Task->td_flags.merged_if0 || Creator->td_flags.final;
  // Behind one with an event others come when that is fulfilled.
  if (Task->td_flags.detachable != TASK_DETACHABLE && canJoin(Thread, Task) &&
      (IsUndeferred || isReady(Creator, List)))
    return true;
  if (IsUndeferred && Creator->td_dephash)
    waitForDependent(Thread);
  return false;
}

bool submitTransparent(kmp_int32 Gtid, kmp_task_t *Ptask) {
  kmp_info_t *Thread = __kmp_threads[Gtid];
  kmp_taskdata_t *Task = KMP_TASK_TO_TASKDATA(Ptask);
  if (OMPX_TASKGRAPH || nodeOf(Task) || // it is ready by now
      Task->td_flags.started ||         // the next part
      Task->td_flags.proxy == TASK_PROXY || Task->td_flags.hidden_helper)
    return false;
  if (!canJoin(Thread, Task))
    return !registerTask(Thread, Task, {});
  joinCreator(Thread, Task);
  Task->td_flags.task_serial = 1;
  return false;
}

void joinCreator(kmp_info_t *Thread, kmp_taskdata_t *Task) {
  if (OMPX_TASKGRAPH)
    return;
  noteOther(Thread->th.th_info.ds.ds_gtid, "a transparent task");
  kmp_taskdata_t *Creator = Thread->th.th_current_task;
  LOCUS_CHECK(Task->td_parent == Creator);
  makeDomain(Thread);
  Task->td_dephash = Creator->td_dephash;
  Task->td_flags.joined = 1;
  // What waits in it may run all that could run in its creator.
  if (Task->td_flags.tiedness == TASK_TIED)
    Task->td_last_tied = Creator->td_last_tied;
  if (Creator->td_flags.tasktype == TASK_IMPLICIT)
    Creator->td_taskwait_thread = Thread->th.th_info.ds.ds_gtid + 1;
}

void endTransparent(kmp_info_t *Thread, kmp_taskdata_t *Task) {
  if (!Task->td_flags.joined) {
    if (!OMPX_TASKGRAPH && Task->td_dephash)
      waitForDependent(Thread);
    return;
  }
  Task->td_dephash = nullptr;
  kmp_taskdata_t *Creator = Task->td_parent;
  if (Creator->td_flags.tasktype == TASK_IMPLICIT)
    Creator->td_taskwait_thread = -Creator->td_taskwait_thread;
}

} // namespace locus
