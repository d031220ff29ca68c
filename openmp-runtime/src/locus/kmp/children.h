//===- kmp/children.h - Counting a task's children --------------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_KMP_CHILDREN_H
#define LOCUS_KMP_CHILDREN_H

#include "kmp.h"
#include "kmp_itt.h"
#include "locus/flow/count.h"
#include "locus/kmp/task_data.h"

namespace locus {

/// What a taskwait of \p Waiting waits for: one of libomp's flags, as far as
/// the search for tasks asks it. Those of libomp's own look at words of 32
/// bits.
class ChildrenFlag {
public:
  explicit ChildrenFlag(const kmp_taskdata_t *Waiting) : Task(Waiting) {}
  bool done_check() const {
    return KMP_ATOMIC_LD_ACQ(&Task->td_incomplete_child_tasks) == 0;
  }
  /// Defined in kmp_tasking.cpp, as its like of other flags are.
  int execute_tasks(kmp_info_t *Thread, kmp_int32 Gtid, int FinalSpin,
                    int *Finished USE_ITT_BUILD_ARG(void *Sync),
                    kmp_int32 Constrained);

private:
  const kmp_taskdata_t *Task;
};

/// \p Thread has made \p Child, which its parent counts. \p IsOfCurrent: the
/// parent is the task that the thread is executing.
static inline void countNext(kmp_info_t *Thread, const kmp_taskdata_t *Child,
                             bool IsOfCurrent) {
  kmp_taskdata_t *Parent = Child->td_parent;
  // A part of an untied task is over while the next one runs elsewhere; proxy
  // tasks may be made in the middle of a search; and in a serial team children
  // are counted or not by whether there are some.
  const bool InAdvance =
      IsOfCurrent && Parent->td_flags.tiedness == TASK_TIED &&
      Child->td_flags.proxy == TASK_FULL && !Child->td_flags.team_serial &&
      !Child->td_flags.tasking_ser;
  LOCUS_CHECK(!InAdvance || Thread->th.th_current_task == Parent);
  const kmp_int32 Number =
      InAdvance ? Thread->th.th_locus_advance.countNext() : 1;
  if (Number != 0)
    flow::addChildren<KmpTasks>(Parent, Number);
}

/// Gives back what \p Thread has counted in advance for its current task.
static inline void giveBack(kmp_info_t *Thread) {
  flow::giveBack<KmpTasks>(Thread->th.th_locus_advance,
                           Thread->th.th_current_task);
}

/// \p Thread's current task changes, or is over.
static inline void checkGivenBack(const kmp_info_t *Thread) {
  LOCUS_CHECK(Thread->th.th_locus_advance.inHand() == 0);
}

} // namespace locus

#endif // LOCUS_KMP_CHILDREN_H
