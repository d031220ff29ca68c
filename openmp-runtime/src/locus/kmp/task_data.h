//===- kmp/task_data.h - Libomp's tasks, as the flow sees them --*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_KMP_TASK_DATA_H
#define LOCUS_KMP_TASK_DATA_H

#include "kmp.h"
#include "locus/depend/domain.h"
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

} // namespace locus

#endif // LOCUS_KMP_TASK_DATA_H
