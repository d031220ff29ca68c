//===- kmp/children.h - Counting a task's children --------------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_KMP_CHILDREN_H
#define LOCUS_KMP_CHILDREN_H

#include "kmp.h"

namespace locus {

/// Adds \p Number to both counters of an explicit task's children, those not
/// complete and those not freed, in one locked instruction. Returns the new
/// value of td_allocated_child_tasks.
static inline kmp_int32 countChild(kmp_taskdata_t *Parent, kmp_int32 Number) {
  constexpr size_t Allocated =
      offsetof(kmp_taskdata_t, td_allocated_child_tasks);
  static_assert(offsetof(kmp_taskdata_t, td_incomplete_child_tasks) ==
                        Allocated + sizeof(kmp_int32) &&
                    Allocated % sizeof(kmp_int64) == 0,
                "the two counters are one word");
  static_assert(sizeof(void *) == sizeof(kmp_int64) &&
                    __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
                "Locus runs on 64-bit little-endian machines: there one "
                "instruction adds to both counters, and the first one is the "
                "low half of the word");
  // Neither half becomes negative, so nothing is carried to the other one.
  const kmp_int64 Both = ((kmp_int64(1) << 32) + 1) * Number;
  auto *Word = reinterpret_cast<std::atomic<kmp_int64> *>(
      &Parent->td_allocated_child_tasks);
  const kmp_int64 Counts =
      Word->fetch_add(Both, std::memory_order_acq_rel) + Both;
  LOCUS_CHECK(kmp_int32(Counts) >= 0 && Counts >> 32 >= 0);
  return kmp_int32(Counts);
}

/// Adds \p Number to the counters of \p Parent's children. Nobody frees an
/// implicit task, so it has only those that are not complete.
static inline void addChildren(kmp_taskdata_t *Parent, kmp_int32 Number) {
  if (Parent->td_flags.tasktype == TASK_EXPLICIT) {
    countChild(Parent, Number);
    return;
  }
  const kmp_int32 Before = Parent->td_incomplete_child_tasks.fetch_add(
      Number, std::memory_order_acq_rel);
  LOCUS_CHECK(Before + Number >= 0);
  (void)Before; // but for the check
}

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
    addChildren(Parent, Number);
}

/// Gives back what \p Thread has counted in advance for its current task.
static inline void giveBack(kmp_info_t *Thread) {
  Advance &Mine = Thread->th.th_locus_advance;
  if (Mine.isUntouched())
    return;
  if (const kmp_int32 Rest = Mine.giveBack())
    addChildren(Thread->th.th_current_task, -Rest);
}

/// \p Thread's current task changes, or is over.
static inline void checkGivenBack(const kmp_info_t *Thread) {
  (void)Thread; // but for the checks
  LOCUS_CHECK(Thread->th.th_locus_advance.inHand() == 0);
}

} // namespace locus

#endif // LOCUS_KMP_CHILDREN_H
