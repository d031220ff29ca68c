//===- kmp/replay_record.cpp - A region is recorded -----------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// While a region is recorded its tasks run as ever. Of each there is a copy,
// made before it is queued; the copies are what runs again.
//
//===----------------------------------------------------------------------===//

#include "locus/kmp/hooks.h"
#include "locus/kmp/replay.h"
#include "locus/support/host.h"

#include <new>
#include <stdlib.h>

namespace locus {

__thread Recording *Recorded = nullptr;

Recording::Recording(kmp_info_t *Thread, Replay *TheMade)
    : Outer(Recorded), Task(Thread->th.th_current_task), Made(TheMade),
      Tasks(poolOf(Thread)), NextPart(&TheMade->Parts) {}

bool recordsHere(kmp_int32 Gtid) {
  // A taskloop that is not recorded may be cut into tasks by other threads.
  return Recorded &&
         Recorded->Task == __kmp_threads[Gtid]->th.th_current_task &&
         !Recorded->Spoiled;
}

void spoilRecord(kmp_int32 Gtid, const char *Why) {
  if (recordsHere(Gtid))
    Recorded->Spoiled = Why;
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

static void *allocate(size_t Align, size_t Size) {
  void *Memory = nullptr;
  if (posix_memalign(&Memory, Align, Size) != 0)
    outOfMemory();
  return Memory;
}

/// Whether \p Task shares a variable of the body's own with it, which is gone
/// when the task runs again.
static bool usesBodyStack(const kmp_taskdata_t *Data, const kmp_task_t *Task) {
  const auto *At = static_cast<char *const *>(Task->shareds);
  const auto *End = reinterpret_cast<char *const *>(
      reinterpret_cast<const char *>(Data) + Data->td_size_alloc);
  const auto *Top = static_cast<const char *>(__builtin_frame_address(0));
  for (; At && At + 1 <= End; ++At)
    if (*At > Top && *At < Recorded->BodyStack)
      return true;
  return false;
}

/// Why there can be no copy of \p Data that runs again; null if there can.
static const char *unfit(const kmp_taskdata_t *Data, const kmp_task_t *Task,
                         bool IsUndeferred) {
  const kmp_tasking_flags_t &Flags = Data->td_flags;
  if (Flags.tiedness == TASK_UNTIED)
    return "an untied task";
  if (Flags.detachable == TASK_DETACHABLE)
    return "a task with an event";
  if (Flags.proxy == TASK_PROXY || Flags.hidden_helper || Flags.target)
    return "a target task";
  if (Flags.merged_if0)
    return "a merged task";
  if (Flags.transparent)
    return "a transparent task";
  if (Flags.destructors_thunk)
    return "a task with private objects that have destructors";
  if (Flags.native && IsUndeferred)
    return "an undeferred task of gcc's";
  const char *Shareds = static_cast<const char *>(Task->shareds);
  const char *Begin = reinterpret_cast<const char *>(Data);
  if (Shareds && (Shareds < Begin || Shareds > Begin + Data->td_size_alloc))
    return "a task whose data is elsewhere";
  if (usesBodyStack(Data, Task))
    return "a task that shares a variable of the body's own";
  return nullptr;
}

/// Moves what \p To, a copy of \p From, has of addresses in itself.
static void moveShareds(kmp_task_t *To, const kmp_task_t *From) {
  if (From->shareds)
    To->shareds =
        reinterpret_cast<char *>(To) + (static_cast<char *>(From->shareds) -
                                        reinterpret_cast<const char *>(From));
}

/// The hint of \p T, and what it owns.
static void copyHint(ReplayTask &T, const kmp_taskdata_t *Data) {
  T.Hint = Data->td_locus;
  T.Hint.setNext(Kind::None, false);
  T.HintTarget = Data->td_locus_target;
  T.HintLength = Data->td_locus_next_or_length;
  if (!hasRanges(T.Hint.kind()))
    return;
  auto *Ranges =
      static_cast<RangeList *>(allocate(CACHE_LINE, sizeof(RangeList)));
  *Ranges = *reinterpret_cast<const RangeList *>(T.HintTarget);
  T.HintTarget = reinterpret_cast<uintptr_t>(Ranges);
}

/// A copy of \p From, which has not begun.
static ReplayTask *copyTask(Replay &Of, const kmp_taskdata_t *From) {
  const kmp_task_t *Task = KMP_TASKDATA_TO_TASK(From);
  const size_t TaskBytes = From->td_size_alloc - sizeof(kmp_taskdata_t);
  const size_t Align = size_t(CACHE_LINE) << From->td_flags.log_align;
  auto RoundUp = [=](size_t Size) { return (Size + Align - 1) & ~(Align - 1); };
  // In front of the task, which is aligned, what libomp and the graph know.
  const size_t Front = RoundUp(sizeof(ReplayTask) + sizeof(kmp_taskdata_t));
  const size_t PrivateBytes = TaskBytes - sizeof(kmp_task_t);
  char *Memory = static_cast<char *>(
      allocate(Align, Front + RoundUp(TaskBytes) * (PrivateBytes ? 2 : 1)));
  auto *Data = reinterpret_cast<kmp_taskdata_t *>(Memory + Front) - 1;
  ReplayTask *T = new (reinterpret_cast<ReplayTask *>(Data) - 1) ReplayTask();
  KMP_MEMCPY(static_cast<void *>(Data), static_cast<const void *>(From),
             From->td_size_alloc);
  kmp_task_t *Mine = KMP_TASKDATA_TO_TASK(Data);
  moveShareds(Mine, Task);
  Data->td_allocated_child_tasks.begin(1);
  Data->td_dephash = nullptr;
  Data->td_depnode = nullptr;
  Data->td_last_tied = Data;
  T->Memory = Memory;
  T->Of = &Of;
  T->NextOf = Of.First;
  Of.First = T;
  T->PrivateBytes = PrivateBytes;
  T->Saved =
      reinterpret_cast<kmp_task_t *>(Memory + Front + RoundUp(TaskBytes));
  if (PrivateBytes)
    KMP_MEMCPY(static_cast<void *>(T->Saved), static_cast<const void *>(Mine),
               TaskBytes);
  copyHint(*T, From);
  T->Flags = From->td_flags;
  T->Flags.team_serial = T->Flags.tasking_ser = T->Flags.task_serial = 0;
  T->Flags.recorded = 0;
  T->Flags.started = T->Flags.executing = 1;
  // By its part: libomp has nothing to count when a child waits for an event.
  T->Flags.counted = 1;
  T->Flags.replayed = 1;
  T->IsPlain = !T->Hint.hasHint() &&
               !(T->Flags.priority_specified && Task->data2.priority > 0 &&
                 __kmp_max_task_priority > 0);
  return T;
}

/// A task without a hint belongs to the data that it writes by \p List.
static void followDepend(kmp_info_t *Thread, ReplayTask &T,
                         const DependList &List) {
  if (!T.IsPlain || !followsDepend())
    return;
  hintFromDepend(Thread, T.data(), List);
  copyHint(T, T.data());
  freeHint(Thread, T.data());
  T.IsPlain = !T.Hint.hasHint();
}

//===----------------------------------------------------------------------===//
// What libomp tells
//===----------------------------------------------------------------------===//

static void addDependences(Recorder &To, const DependList &List) {
  if (flow::hasAllMemory<KmpTasks>(List))
    To.addAll();
  else
    flow::forEach<KmpTasks>(List, [&](Dependence D) { To.addDependence(D); });
}

static void addTask(kmp_int32 Gtid, kmp_task_t *Task, const DependList &List,
                    bool IsUndeferred) {
  kmp_taskdata_t *Data = KMP_TASK_TO_TASKDATA(Task);
  Data->td_flags.recorded = 0;
  if (!recordsHere(Gtid))
    return;
  Recording &Now = *Recorded;
  if (Data->td_parent != Now.Task)
    Now.Spoiled = "a task of another one's";
  else
    Now.Spoiled = unfit(Data, Task, IsUndeferred);
  if (Now.Spoiled)
    return;
  ReplayTask &T = *copyTask(*Now.Made, Data);
  followDepend(__kmp_threads[Gtid], T, List);
  Now.Tasks.addTask(T);
  addDependences(Now.Tasks, List);
  Now.Tasks.endTask();
  if (IsUndeferred)
    Now.Tasks.waitForLast();
}

kmp_int32 recordTask(kmp_int32 Gtid, kmp_task_t *Task, bool SerializesAtOnce) {
  addTask(Gtid, Task, {}, /*IsUndeferred=*/false);
  return __kmp_omp_task(Gtid, Task, SerializesAtOnce);
}

kmp_int32 recordTask(ident_t *Location, kmp_int32 Gtid, kmp_task_t *Task,
                     kmp_int32 Count, kmp_depend_info_t *List,
                     kmp_int32 CountNoAlias, kmp_depend_info_t *ListNoAlias) {
  addTask(Gtid, Task, {Count, List, CountNoAlias, ListNoAlias},
          /*IsUndeferred=*/false);
  return __kmpc_omp_task_with_deps(Location, Gtid, Task, Count, List,
                                   CountNoAlias, ListNoAlias);
}

void recordUndeferred(kmp_int32 Gtid, kmp_task_t *Task) {
  addTask(Gtid, Task, {}, /*IsUndeferred=*/true);
}

void recordWait(const DependList *List) {
  if (Recorded->Spoiled)
    return;
  if (!List) {
    Recorded->endPart();
    return;
  }
  Recorded->Tasks.addWait();
  addDependences(Recorded->Tasks, *List);
  Recorded->Tasks.endTask();
  Recorded->Tasks.waitForLast();
}

void Recording::endPart() {
  *NextPart = Tasks.finish();
  NextPart = &(*NextPart)->Next;
}

//===----------------------------------------------------------------------===//
// The end of a record
//===----------------------------------------------------------------------===//

void freeReplay(Replay *Of, bool IsEnd) {
  while (ReplayTask *T = Of->First) {
    Of->First = T->NextOf;
    if (!IsEnd)
      awaitLastSteps(*T);
    if (hasRanges(T->Hint.kind()))
      free(reinterpret_cast<void *>(T->HintTarget));
    free(T->Memory);
  }
  while (Graph *Part = Of->Parts) {
    Of->Parts = Part->Next;
    Graph::destroy(Part);
  }
  free(Of);
}

} // namespace locus
