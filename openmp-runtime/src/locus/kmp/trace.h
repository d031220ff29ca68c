//===- kmp/trace.h - A record of libomp's tasks -----------------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// KMP_TASK_TRACE: what the hooks record. trace/FORMAT.md says what the records
// mean. Each function costs one predicted branch while there is no trace. A
// task's number is in td_task_id, which libomp leaves to debuggers.
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_KMP_TRACE_H
#define LOCUS_KMP_TRACE_H

#include "kmp.h"
#include "locus/task/placement.h"
#include "locus/trace/recorder.h"

namespace locus {

class DataLine;
struct DependList; // hints.h

// For the functions below, while there is a trace.
void recordCreated(kmp_taskdata_t *Task, bool IsCopy);
void recordHint(const kmp_taskdata_t *Task, HintSource Source);
/// \p Task has the \p Trips iterations from \p Start on of a taskloop whose
/// clause says where they belong; \p Line is null if it names no data.
void recordLoopHint(const kmp_taskdata_t *Task, const DataLine *Line,
                    uint64_t Start, uint64_t Trips);
/// \p Task waits for others by \p List; or is about to find out that it need
/// not.
void recordDepend(const kmp_taskdata_t *Task, const DependList &List);
void recordReady(const kmp_taskdata_t *Task, ReadyWhere Where, int Pusher,
                 bool IsStrict, int Index);
uint32_t recordStart(kmp_info_t *Thread, const kmp_taskdata_t *Task);
void recordEnd(uint32_t Number);
void recordDrop(const kmp_taskdata_t *Task);
void recordWait(kmp_int32 Gtid, WaitFor What, bool IsEnd);
void recordRegion(kmp_team_t *KmpTeam, bool IsEnd);
void recordImplicit(kmp_info_t *Thread, bool IsEnd);

/// Writes once in each process what a reader has to know of the machine.
void describeMachine();

/// \p Task has been created, as a copy of another one if \p IsCopy.
static inline void traceCreated(kmp_taskdata_t *Task, bool IsCopy) {
  if (Trace::enabled())
    recordCreated(Task, IsCopy);
}

/// \p Task has a hint, from \p Source.
static inline void traceHint(const kmp_taskdata_t *Task, HintSource Source) {
  if (Trace::enabled())
    recordHint(Task, Source);
}

/// Thread \p Pusher of the task's team (-1 for one of another team) makes \p
/// Task ready, and is about to queue it at \p Where: thread or node \p Index.
static inline void traceReady(const kmp_taskdata_t *Task, ReadyWhere Where,
                              int Pusher, bool IsStrict = false,
                              int Index = 0) {
  if (Trace::enabled())
    recordReady(Task, Where, Pusher, IsStrict, Index);
}

/// \p Task, which may not run or has nothing to run, ends without having begun.
static inline void traceDrop(const kmp_taskdata_t *Task) {
  if (Trace::enabled())
    recordDrop(Task);
}

/// An undeferred task begins, on thread \p Gtid, or ends.
static inline void traceStart(kmp_int32 Gtid, const kmp_taskdata_t *Task) {
  if (Trace::enabled())
    recordStart(__kmp_threads[Gtid], Task);
}
static inline void traceEnd(const kmp_taskdata_t *Task) {
  if (Trace::enabled())
    recordEnd(uint32_t(Task->td_task_id));
}

/// A part of a task, for a scope. When the part ends the task may be gone.
class TracedPart {
public:
  TracedPart(kmp_int32 Gtid, const kmp_taskdata_t *Task)
      : Number(Trace::enabled() ? recordStart(__kmp_threads[Gtid], Task) : 0) {}
  ~TracedPart() {
    if (__builtin_expect(Number != 0, 0))
      recordEnd(Number);
  }
  TracedPart(const TracedPart &) = delete;

private:
  const uint32_t Number;
};

/// Thread \p Gtid waits, for a scope. (It naps only if this wait is long.)
class TracedWait {
public:
  TracedWait(WaitFor TheReason, kmp_int32 TheGtid)
      : Reason(TheReason), Gtid(TheGtid) {
    auto &Th = __kmp_threads[Gtid]->th;
    Th.th_locus_nap.end();
    // Whoever asks for it waits in what a transparent task has begun.
    if (UNLIKELY(hasTransparent())) {
      Before = Th.th_locus_wait;
      Th.th_locus_wait = {Th.th_current_task, Reason};
    }
    if (Trace::enabled())
      recordWait(Gtid, Reason, /*IsEnd=*/false);
  }
  ~TracedWait() {
    auto &Th = __kmp_threads[Gtid]->th;
    Th.th_locus_nap.end();
    if (UNLIKELY(hasTransparent()))
      Th.th_locus_wait = Before;
    if (Trace::enabled())
      recordWait(Gtid, Reason, /*IsEnd=*/true);
  }
  TracedWait(const TracedWait &) = delete;

private:
  const WaitFor Reason;
  const kmp_int32 Gtid;
  TaskWait Before = {}; ///< of a task below
};

/// A region of \p KmpTeam begins, before its threads do, or has ended.
static inline void traceRegion(kmp_team_t *KmpTeam, bool IsEnd) {
  if (Trace::enabled())
    recordRegion(KmpTeam, IsEnd);
}

/// \p Thread begins its part of a region, or has come to the end of it, where
/// it waits for the others.
static inline void traceImplicit(kmp_info_t *Thread, bool IsEnd) {
  if (Trace::enabled())
    recordImplicit(Thread, IsEnd);
}

/// The calling thread has slept.
static inline void traceAwake() {
  if (Trace::enabled())
    Trace::record(Event::Awake, 0);
}

} // namespace locus

#endif // LOCUS_KMP_TRACE_H
