//===- locus_kmp_inline.cpp - Tasks in place, in libomp -------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "locus_kmp_inline.h"
#include "locus_kmp.h"
#include "locus_stats.h"
#if OMPT_SUPPORT
#include "ompt-specific.h"
#endif

namespace locus {

static ident_t InlineLocation = {0, KMP_IDENT_KMPC, 0, 0, ";unknown;;0;0;;"};

/// Ends the innermost task in place, which makeTasksKnown() has made real.
static void leaveInline() {
  const kmp_int32 Gtid = __kmpc_task_inline.Gtid;
  kmp_taskdata_t *Task = __kmp_threads[Gtid]->th.th_current_task;
  __kmpc_omp_task_complete_if0(&InlineLocation, Gtid,
                               KMP_TASKDATA_TO_TASK(Task));
}

void makeTasksKnown() {
  const kmp_int32 Gtid = __kmpc_task_inline.Gtid;
  int32_t Unknown = __kmpc_task_inline.Depth;
  __kmpc_task_inline.Depth = 0;
  // Outermost first, each as if it had been undeferred from the beginning.
  constexpr kmp_int32 Tied = 1;
  for (; Unknown > 0; --Unknown) {
    kmp_task_t *Task = __kmpc_omp_task_alloc(&InlineLocation, Gtid, Tied,
                                             sizeof(kmp_task_t), 0, nullptr);
    __kmpc_omp_task_begin_if0(&InlineLocation, Gtid, Task);
  }
}

/// Whether tasks may run in place in this process: tools see all tasks, counts
/// are of all tasks, and cancellation discards those that have not begun.
static bool mayInline() {
#if OMPT_SUPPORT
  if (ompt_enabled.enabled)
    return false;
#endif
  return !__kmp_omp_cancellation && !isStock() && !Stats::enabled();
}

void offerInline(kmp_int32 Gtid, const std::atomic<int32_t> *Allowed) {
  if (UNLIKELY(!Allowed || !mayInline())) {
    forbidInline();
    return;
  }
  InlineState &State = __kmpc_task_inline;
  State.Gtid = Gtid;
  State.Leave = leaveInline;
  State.Allowed = Allowed;
}

} // namespace locus
