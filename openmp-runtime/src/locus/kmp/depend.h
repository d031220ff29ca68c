//===- kmp/depend.h - Dependences of libomp's tasks -------------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What stands in for libomp's own graph of dependences: depend/ has the graph.
// A task's td_depnode is its Node, its td_dephash the Domain of its children.
// Three functions have upstream's names, and take the place of those.
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_KMP_DEPEND_H
#define LOCUS_KMP_DEPEND_H

#include "kmp.h"
#include "locus/flow/register.h"
#include "locus/flow/search.h"
#include "locus/kmp/drafts.h"
#include "locus/kmp/task_data.h"

namespace locus {

static inline Node *nodeOf(const kmp_taskdata_t *Task) {
  return KmpTasks::node(Task);
}
static inline Domain *domainOf(const kmp_taskdata_t *Task) {
  return reinterpret_cast<Domain *>(Task->td_dephash);
}

/// Whether \p Task is a descendant of \p From.
static inline bool descends(const kmp_taskdata_t *Task,
                            const kmp_taskdata_t *From) {
  do
    Task = Task->td_parent;
  while (Task && Task->td_level > From->td_level);
  return Task == From;
}

/// Where \p Thread's nodes are from.
NodePool &poolOf(kmp_info_t *Thread);

/// Adds \p Task, which \p Thread creates, to the graph, with a turn if it is
/// transparent. True if it is ready: the caller queues it. If not, the thread
/// that ends the last task before it does. May run other tasks first, where too
/// many have been created that have not ended.
bool registerTask(kmp_info_t *Thread, kmp_taskdata_t *Task,
                  const DependList &List);

/// \p Thread adds \p Task, transparent, or is about to run it.
void noteTransparent(const kmp_info_t *Thread, kmp_taskdata_t *Task);
/// The children of \p Task, which runs at once on top of the current task of
/// \p Thread, are added as those of that one.
void joinCreator(kmp_info_t *Thread, kmp_taskdata_t *Task);
/// Whether \p Task, transparent, has a turn of its own.
bool ownsDomain(const kmp_taskdata_t *Task);

/// taskwait depend: runs other tasks until those that \p List names have ended.
/// The thread's current task has children with dependences.
void waitForDepend(kmp_info_t *Thread, const DependList &List);

/// Whether what \p Creator adds next is held back behind a transparent task.
bool isHeldUp(const kmp_taskdata_t *Creator);
/// Whether a child of \p Creator that has dependences waits for an event.
bool mayWaitForEvent(const kmp_taskdata_t *Creator);

/// Whether \p Waiter, which is in a taskwait with dependences, may wait for
/// \p Task, which is queued. Of its own tasks and theirs it says no only if it
/// does not; of those that are not its own it never says so.
bool mayBeAwaited(const kmp_taskdata_t *Task, const kmp_taskdata_t *Waiter);

/// Whether a task with \p List, which \p Creator is about to create, would have
/// nothing to wait for, nor anything to hold.
bool isReady(const kmp_taskdata_t *Creator, const DependList &List);

/// Queues \p Ready, which the end of \p Ended has made ready, or keeps it for
/// \p Thread's next search.
void queueSuccessor(kmp_info_t *Thread, const kmp_taskdata_t *Ended,
                    kmp_taskdata_t *Ready);
/// \p Task, which has a node, has ended: queues those that become ready.
void releaseSuccessors(kmp_info_t *Thread, kmp_taskdata_t *Task);

/// \p Creator, current task of \p Thread, forgets what has ended: all.
void forgetEnded(kmp_info_t *Thread, const kmp_taskdata_t *Creator);
/// Frees \p Hash, a Domain, and forgets the children of its task.
void forgetChildren(kmp_info_t *Thread, kmp_dephash_t *Hash);

/// Those that wait for \p Task, as a list of libomp's, which nobody frees: for
/// its tests, while nothing ends.
kmp_depnode_list_t *successorsOf(const kmp_taskdata_t *Task);

/// \p Thread ends for good.
void abandonPool(kmp_info_t *Thread);

/// A thread that has a draft, for runsInPlace().
struct DraftCreator : KmpTasks {
  kmp_int32 Gtid;
  static bool mayRunInPlace() { return locus::mayRunInPlace(); }
  static bool followsDepend() { return locus::followsDepend(); }
  static bool isInPlace() { return locus::isInPlace(); }
  bool isReady(const DependList &List) const {
    return locus::isReady(__kmp_threads[Gtid]->th.th_current_task, List);
  }
};

/// Notes for \p Task, which has no hint, the data that it writes by its
/// dependences. Called before they are processed.
static inline void initHintFromDepend(kmp_info_t *Thread, kmp_taskdata_t *Task,
                                      kmp_int32 Count,
                                      const kmp_depend_info_t *List,
                                      kmp_int32 CountNoAlias,
                                      const kmp_depend_info_t *ListNoAlias) {
  if (flow::takesHintFromDepend(DraftCreator(), Task))
    hintFromDepend(Thread, Task, {Count, List, CountNoAlias, ListNoAlias});
}

/// __kmpc_omp_task_with_deps: runs \p Task in place and frees it, if it is a
/// draft that need not wait. If not, it is a real task now. Where tasks follow
/// the data of their dependences, none runs in place.
static inline bool runDraft(ident_t *Location, kmp_int32 Gtid, kmp_task_t *Task,
                            const DependList &List) {
  if (!KMP_TASK_TO_TASKDATA(Task)->td_locus.isDraft())
    return false;
  // (Where graphs are recorded td_dephash is libomp's own.)
  if (!OMPX_TASKGRAPH && flow::runsInPlace(DraftCreator{{}, Gtid}, List))
    return runDraft(Location, Gtid, Task);
  makeReal(Location, Gtid, Task);
  return false;
}

} // namespace locus

#if !OMPX_TASKGRAPH
/// Of an implicit task that has ended. Libomp would keep \p h for the next one
/// with this place in a team, and lose it where teams come and go; ours is as
/// soon made as kept.
static inline void __kmp_dephash_free_entries(kmp_info_t *thread,
                                              kmp_dephash_t *&h) {
  locus::forgetChildren(thread, h);
  h = nullptr;
}

static inline void __kmp_dephash_free(kmp_info_t *thread, kmp_dephash_t *h) {
  locus::forgetChildren(thread, h);
}

static inline void __kmp_release_deps(kmp_int32 gtid, kmp_taskdata_t *task) {
  if (task->td_dephash) {
    if (!UNLIKELY(task->td_flags.transparent) || locus::ownsDomain(task))
      __kmp_dephash_free(__kmp_threads[gtid], task->td_dephash);
    task->td_dephash = nullptr;
  }
  if (task->td_depnode)
    locus::releaseSuccessors(__kmp_threads[gtid], task);
}
#endif

#endif // LOCUS_KMP_DEPEND_H
