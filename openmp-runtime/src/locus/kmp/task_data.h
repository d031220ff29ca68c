//===- kmp/task_data.h - Libomp's tasks, as the flow sees them --*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file also counts the children of libomp's tasks, and has ChildrenFlag,
// which a taskwait waits for.
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_KMP_TASK_DATA_H
#define LOCUS_KMP_TASK_DATA_H

#include "kmp.h"
#include "kmp_itt.h"
#include "locus/depend/domain.h"
#include "locus/flow/count.h"
#include "locus/kmp/hints.h"

namespace locus {

/// flow/README.md says what these are.
struct KmpTasks {
  using Data = kmp_taskdata_t;
  static Task *task(Data *D) { return reinterpret_cast<Task *>(D); }
  static const Task *task(const Data *D) {
    return reinterpret_cast<const Task *>(D);
  }
  static Data *data(Task *T) { return reinterpret_cast<Data *>(T); }
  static const Data *data(const Task *T) {
    return reinterpret_cast<const Data *>(T);
  }

  static Data *parent(const Data *D) { return D->td_parent; }
  static int32_t level(const Data *D) { return D->td_level; }
  static bool isImplicit(const Data *D) {
    return D->td_flags.tasktype == TASK_IMPLICIT;
  }
  static bool isAlone(const Data *D) { return D->td_flags.team_serial; }
  static bool isCounted(const Data *D) { return D->td_flags.counted; }
  static bool endsInOne(const Data *D) {
    return !D->td_flags.team_serial && !D->td_flags.tasking_ser &&
           !D->td_flags.hidden_helper;
  }
  static bool isUndeferred(const Data *D) { return D->td_flags.task_serial; }
  static bool endsByEvent(const Data *D) {
    return D->td_flags.detachable == TASK_DETACHABLE ||
           D->td_flags.proxy == TASK_PROXY || D->td_flags.hidden_helper;
  }
  static bool isPlaced(const Data *D) {
    return D->td_locus.hasHint() && D->td_flags.proxy != TASK_PROXY;
  }

  static TaskHint &hint(Data *D) { return D->td_locus; }
  static const TaskHint &hint(const Data *D) { return D->td_locus; }
  static TaskTarget target(const Data *D) { return targetOf(D); }
  static void setHint(Data *D, Kind HintKind, bool IsStrict,
                      TaskTarget Target) {
    locus::setHint(D, HintKind, IsStrict, Target);
  }

  static AllocatedChildren &allocated(Data *D) {
    return D->td_allocated_child_tasks;
  }
  static IncompleteChildren &incomplete(Data *D) {
    return D->td_incomplete_child_tasks;
  }

  static Node *node(const Data *D) {
    return reinterpret_cast<Node *>(D->td_depnode);
  }
  static void setNode(Data *D, Node *N) {
    D->td_depnode = reinterpret_cast<kmp_depnode_t *>(N);
  }

  /// Compilers say omp_all_memory by the type or by the address.
  static bool isAllMemory(const kmp_depend_info_t &Item) {
    return Item.flag == KMP_DEP_ALL ||
           Item.base_addr == kmp_intptr_t(KMP_SIZE_T_MAX);
  }
  static size_t length(const kmp_depend_info_t &Item) { return Item.len; }
  static Dependence dependence(const kmp_depend_info_t &Item) {
    Access How = Access::Out; // what orders most, for types that we don't know
    switch (Item.flag) {
    case KMP_DEP_IN:
      How = Access::In;
      break;
    case KMP_DEP_MTX:
      How = Access::Mutex;
      break;
    case KMP_DEP_SET:
      How = Access::Set;
      break;
    }
    return {uintptr_t(Item.base_addr), How};
  }
};

//===----------------------------------------------------------------------===//
// Counting children
//===----------------------------------------------------------------------===//

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

#endif // LOCUS_KMP_TASK_DATA_H
