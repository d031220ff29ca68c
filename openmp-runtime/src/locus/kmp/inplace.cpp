//===- kmp/inplace.cpp - Tasks in place, in libomp ------------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "locus/kmp/inplace.h"
#include "locus/flow/push.h"
#include "locus/kmp/drafts.h"
#include "locus/kmp/free_agents.h"
#include "locus/kmp/replay.h"
#include "locus/kmp/settings.h"
#include "locus/support/stats.h"
#include "locus/trace/recorder.h"
#if OMPT_SUPPORT
#include "ompt-specific.h"
#endif

namespace locus {

static ident_t InPlaceLocation = {0, KMP_IDENT_KMPC, 0, 0, ";unknown;;0;0;;"};

/// Ends the innermost task in place, which makeTasksKnown() has made real.
static void leaveInPlace() {
  const kmp_int32 Gtid = __kmpc_task_inline.Gtid;
  kmp_taskdata_t *Task = __kmp_threads[Gtid]->th.th_current_task;
  __kmpc_omp_task_complete_if0(&InPlaceLocation, Gtid,
                               KMP_TASKDATA_TO_TASK(Task));
}

void makeTasksKnown() {
  const kmp_int32 Gtid = __kmpc_task_inline.Gtid;
  int32_t Unknown = __kmpc_task_inline.Depth;
  LOCUS_CHECK(Gtid == __kmp_get_gtid());
  __kmpc_task_inline.Depth = 0;
  // Outermost first, each as if it had been undeferred from the beginning.
  for (; Unknown > 0; --Unknown) {
    kmp_tasking_flags_t Flags = {};
    Flags.tiedness = TASK_TIED;
    kmp_task_t *Task = __kmp_task_alloc(&InPlaceLocation, Gtid, &Flags,
                                        sizeof(kmp_task_t), 0, nullptr);
    __kmpc_omp_task_begin_if0(&InPlaceLocation, Gtid, Task);
  }
  if (flow::isRealAtLevel(__kmp_threads[Gtid]->th.th_current_task->td_level))
    forbidInPlace();
}

bool runInPlace(void (*Function)(void *), void *Data,
                void (*Copy)(void *To, void *From), long Size, long Align) {
  if (!mayRunInPlace())
    return false;
  // Its creator does not look at the data again.
  if (!Copy) {
    callInPlace([=] { Function(Data); });
    return true;
  }
  const kmp_int32 Gtid = __kmpc_task_inline.Gtid;
  const uintptr_t Mask = Align > 0 ? uintptr_t(Align) - 1 : 0;
  void *Memory = __kmp_fast_allocate(__kmp_threads[Gtid], size_t(Size) + Mask);
  void *Mine = reinterpret_cast<void *>(
      (reinterpret_cast<uintptr_t>(Memory) + Mask) & ~Mask);
  Copy(Mine, Data);
  callInPlace([=] { Function(Mine); });
  __kmp_fast_free(__kmp_threads[Gtid], Memory);
  return true;
}

void makeReal(ident_t *Location, kmp_int32 Gtid, kmp_task_t *Draft) {
  const kmp_taskdata_t *Data = KMP_TASK_TO_TASKDATA(Draft);
  LOCUS_CHECK(Data->td_locus.progress() == TaskHint::Progress::Ready);
  kmp_tasking_flags_t Flags = {};
  Flags.tiedness = Data->td_locus.isUntied() ? TASK_UNTIED : TASK_TIED;
  Flags.destructors_thunk = Data->td_locus.hasDestructors();
  const size_t Size = Data->td_size_alloc;
  __kmp_task_alloc(Location, Gtid, &Flags, Size - sizeof(kmp_taskdata_t), 0,
                   Draft->routine, nullptr, Draft);
}

bool allowsInPlace() {
#if OMPT_SUPPORT
  if (ompt_enabled.enabled)
    return false;
#endif
  return !__kmp_omp_cancellation && !isStock() && !Stats::enabled() &&
         !Trace::enabled();
}

void offerInPlace(kmp_int32 Gtid, const std::atomic<int32_t> *Allowed) {
  // What is recorded are real tasks; what a free agent creates it must not run.
  if (UNLIKELY(!Allowed || !allowsInPlace() || isRecording() ||
               isFreeAgent(__kmp_threads[Gtid]))) {
    forbidInPlace();
    return;
  }
  InPlaceState &State = __kmpc_task_inline;
  State.Gtid = Gtid;
  State.Leave = leaveInPlace;
  State.Allowed = Allowed;
}

} // namespace locus
