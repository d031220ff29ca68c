//===- kmp/trace.cpp - A record of libomp's tasks -------------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "locus/kmp/trace.h"
#include "locus/kmp/depend.h"
#include "locus/kmp/hooks.h"
#include "locus/loop/data_line.h"
#include "locus/machine/page_node.h"
#include "locus/support/clock.h"

#include <sched.h>

namespace locus {

/// libomp's number for what a debugger has not numbered: not recorded yet.
constexpr kmp_int32 NoNumber = ~0;

static uint32_t numberOf(const kmp_taskdata_t *Task) {
  return Task->td_task_id != NoNumber ? uint32_t(Task->td_task_id) : 0;
}

static uint16_t threadOf(const kmp_info_t *Thread) {
  const int Tid = Thread->th.th_info.ds.ds_tid;
  return Tid < NoThread ? uint16_t(Tid) : NoThread;
}

/// The processor that the calling thread is on.
static uint32_t processor() { return uint32_t(sched_getcpu()); }

/// The shape of the team whose tasks \p Thread runs; null if it has none.
static const TeamShape *shapeOf(const kmp_info_t *Thread) {
  kmp_task_team_t *TaskTeam = Thread->th.th_task_team;
  Team *Ours = TaskTeam && !isStock() ? teamOf(TaskTeam) : nullptr;
  const int Tid = Thread->th.th_info.ds.ds_tid;
  return Ours && Tid < Ours->numThreads() ? &Ours->shape() : nullptr;
}

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

/// The number of an implicit task. One that has none gets it, and is recorded:
/// in a region of one thread, or outside of all regions.
static uint32_t numberOfImplicit(kmp_taskdata_t *Task, kmp_info_t *Thread) {
  if (Task->td_task_id == NoNumber) {
    Task->td_task_id = kmp_int32(Trace::newNumber());
    describeMachine();
    Trace::record(Event::Implicit, numberOf(Task), 0, threadOf(Thread), 0, 0,
                  processor());
  }
  return numberOf(Task);
}

/// The number of \p Thread's current task.
static uint32_t numberOfCurrent(kmp_info_t *Thread) {
  kmp_taskdata_t *Task = Thread->th.th_current_task;
  if (!Task)
    return 0;
  return Task->td_flags.tasktype == TASK_IMPLICIT
             ? numberOfImplicit(Task, Thread)
             : numberOf(Task);
}

void recordRegion(kmp_team_t *KmpTeam, bool IsEnd) {
  if (IsEnd) {
    Trace::noteSearch(false);
    Trace::record(Event::RegionEnd, 0, 0, NoThread, 0,
                  KmpTeam->t.t_locus_region);
    return;
  }
  describeMachine();
  KmpTeam->t.t_locus_region = Trace::newNumber();
  // The creator is the parent of the implicit tasks.
  kmp_taskdata_t *Creator = KmpTeam->t.t_implicit_task_taskdata[0].td_parent;
  const uint32_t Parent =
      !Creator ? 0
      : Creator->td_flags.tasktype == TASK_IMPLICIT
          ? numberOfImplicit(Creator, KmpTeam->t.t_threads[0])
          : numberOf(Creator);
  const char *Where =
      KmpTeam->t.t_ident ? KmpTeam->t.t_ident->psource : nullptr;
  Trace::record(Event::Region, Parent, 0, NoThread, Trace::nameOf(Where),
                KmpTeam->t.t_locus_region, uint32_t(KmpTeam->t.t_nproc));
}

void recordImplicit(kmp_info_t *Thread, bool IsEnd) {
  kmp_taskdata_t *Task = Thread->th.th_current_task;
  Trace::noteSearch(false); // in the barrier before
  if (IsEnd) {
    Trace::record(Event::ImplicitEnd, numberOf(Task), 0, threadOf(Thread), 0,
                  Thread->th.th_team->t.t_locus_region, processor());
    return;
  }
  Task->td_task_id = kmp_int32(Trace::newNumber());
  Trace::record(Event::Implicit, numberOf(Task), 0, threadOf(Thread),
                uint64_t(Thread->th.th_info.ds.ds_gtid),
                Thread->th.th_team->t.t_locus_region, processor());
}

//===----------------------------------------------------------------------===//
// Tasks come
//===----------------------------------------------------------------------===//

void recordCreated(kmp_taskdata_t *Task, bool IsCopy) {
  kmp_info_t *Thread = Task->td_alloc_thread;
  kmp_taskdata_t *Parent = Task->td_parent;
  const uint32_t Creator = Parent->td_flags.tasktype == TASK_IMPLICIT
                               ? numberOfImplicit(Parent, Thread)
                               : numberOf(Parent);
  const kmp_tasking_flags_t &Is = Task->td_flags;
  uint8_t Flags = 0;
  Flags |= Is.tiedness == TASK_UNTIED ? CreatedUntied : 0;
  Flags |= Is.final ? CreatedFinal : 0;
  Flags |= Is.task_serial ? CreatedUndeferred : 0;
  Flags |= Is.detachable == TASK_DETACHABLE ? CreatedDetachable : 0;
  Flags |= IsCopy ? CreatedCopy : 0;
  Flags |= Is.target || Is.proxy == TASK_PROXY ? CreatedTarget : 0;
  Flags |= Is.priority_specified ? CreatedPriority : 0;
  Task->td_task_id = kmp_int32(Trace::newNumber());
  const char *Where = Task->td_ident ? Task->td_ident->psource : nullptr;
  const kmp_task_t *Body = KMP_TASKDATA_TO_TASK(Task);
  Trace::record(Event::Create, numberOf(Task), Flags, threadOf(Thread),
                reinterpret_cast<uint64_t>(Body->routine), Creator,
                Trace::nameOf(Where));
}

/// Records the hint \p HintKind to \p Target. Where it has several ranges that
/// is the first one, and the bytes of all.
static void recordRange(const kmp_taskdata_t *Task, Kind HintKind,
                        TaskTarget Target, HintSource Source) {
  const uint32_t Length =
      Target.Length < UINT32_MAX ? uint32_t(Target.Length) : UINT32_MAX;
  const uint8_t Strict = Task->td_locus.isStrict() ? HintStrict : 0;
  Trace::record(Event::Hint, numberOf(Task), uint8_t(HintKind) | Strict,
                NoThread, Target.Value, Length, uint32_t(Source));
}

void recordHint(const kmp_taskdata_t *Task, HintSource Source) {
  const Kind HintKind = Task->td_locus.kind();
  if (HintKind == Kind::None)
    return;
  TaskTarget Target = targetOf(Task);
  if (hasRanges(HintKind)) {
    const RangeList *List = reinterpret_cast<const RangeList *>(Target.Value);
    Target = {List->Ranges[0].Base, 0};
    for (int I = 0; I < List->Count; ++I)
      Target.Length += List->Ranges[I].Length;
  }
  recordRange(Task, HintKind, Target, Source);
}

/// Whether the kernel's answer to where a page is fits the machine.
static bool hasRealNodes() {
  return Topology::mayHaveNodes() && Topology::get().isThisSystem();
}

/// Records on which OS node the data at the ranges is now, of which one is the
/// first. \p Event is DataNode or DependNode.
static void recordNode(Event What, const kmp_taskdata_t *Task,
                       const MemoryRange *Ranges, int Count) {
  const uint64_t Began = nanoseconds();
  const PageAnswer Answer = askForNode(Ranges, Count);
  Trace::hasAsked(Began);
  Trace::record(What, numberOf(Task), 0, NoThread, uint64_t(Ranges[0].Base),
                uint32_t(Answer.Node),
                uint32_t(Answer.Pages << 16 | Answer.OnNode));
}

void recordLoopHint(const kmp_taskdata_t *Task, const DataLine *Line,
                    uint64_t Start, uint64_t Trips) {
  if (!Line || !Line->knows(Start, Trips))
    return recordHint(Task, HintSource::Clause);
  const MemoryRange Range = Line->of(Start, Trips);
  recordRange(Task, Kind::Data, {Range.Base, Range.Length}, HintSource::Clause);
  if (hasRealNodes() && Trace::mayAsk())
    recordNode(Event::DataNode, Task, &Range, 1);
}

void recordDepend(const kmp_taskdata_t *Task, const DependList &List) {
  const bool Asks = hasRealNodes() && Trace::mayAsk();
  auto Record = [=](const kmp_depend_info_t *Items, kmp_int32 Count) {
    for (kmp_int32 I = 0; I < Count; ++I) {
      const kmp_depend_info_t &Item = Items[I];
      // Compilers say omp_all_memory by the type or by the address. Null is no
      // dependence.
      const bool IsAll = Item.flag == KMP_DEP_ALL ||
                         Item.base_addr == kmp_intptr_t(KMP_SIZE_T_MAX);
      if (IsAll || Item.base_addr != 0)
        Trace::record(Event::Depend, numberOf(Task),
                      IsAll ? KMP_DEP_ALL : uint8_t(Item.flag), NoThread,
                      uint64_t(Item.base_addr), uint32_t(Item.len),
                      uint32_t(Item.len >> 32));
      const MemoryRange Range = {uintptr_t(Item.base_addr), Item.len};
      if (Asks && !IsAll && Item.base_addr != 0)
        recordNode(Event::DependNode, Task, &Range, 1);
    }
  };
  Record(List.Items, List.Count);
  Record(List.ItemsNoAlias, List.CountNoAlias);
}

/// Records that \p Task is ready. \p Index is the thread or node of \p Where.
static void recordReadyAt(const kmp_taskdata_t *Task, ReadyWhere Where,
                          bool IsStrict, int Index, int Pusher) {
  const uint8_t Flags = uint8_t(uint8_t(Where) | (IsStrict ? ReadyStrict : 0) |
                                (Pusher < 0 ? ReadyForeign : 0));
  const uint16_t By =
      Pusher >= 0 && Pusher < NoThread ? uint16_t(Pusher) : NoThread;
  Trace::record(Event::Ready, numberOf(Task), Flags, By, 0, uint32_t(Index),
                uint32_t(Task->td_locus.kind()));
}

void recordReady(const kmp_taskdata_t *Task, const Placement &Where,
                 int Pusher) {
  recordReadyAt(Task,
                Where.Place == Placement::OnThread ? ReadyWhere::OnThread
                                                   : ReadyWhere::OnNode,
                Where.Strict, Where.Index, Pusher);
}

void recordReady(const kmp_taskdata_t *Task, ReadyWhere Where, int Pusher) {
  recordReadyAt(Task, Where, /*IsStrict=*/false, 0, Pusher);
}

//===----------------------------------------------------------------------===//
// Tasks go
//===----------------------------------------------------------------------===//

/// Records on which OS node the data of \p Task's hint is now.
static void recordDataNode(const kmp_taskdata_t *Task) {
  const Kind HintKind = Task->td_locus.kind();
  if ((HintKind != Kind::Data && HintKind != Kind::Ranges) || !hasRealNodes() ||
      !Trace::mayAsk())
    return;
  const TaskTarget Target = targetOf(Task);
  if (HintKind == Kind::Ranges) {
    const RangeList *List = reinterpret_cast<const RangeList *>(Target.Value);
    return recordNode(Event::DataNode, Task, List->Ranges, List->Count);
  }
  const MemoryRange Range = {uintptr_t(Target.Value), Target.Length};
  recordNode(Event::DataNode, Task, &Range, 1);
}

uint32_t recordStart(kmp_info_t *Thread, const kmp_taskdata_t *Task) {
  const uint32_t Number = numberOf(Task);
  Trace::noteSearch(false);
  recordDataNode(Task);
  const TeamShape *Shape = shapeOf(Thread);
  const uint16_t Tid = threadOf(Thread);
  const uint8_t Flags = (Task->td_flags.task_serial ? StartUndeferred : 0) |
                        (Shape && !Shape->isBound() ? StartUnbound : 0);
  Trace::record(Event::Start, Number, Flags, Tid,
                uint64_t(Thread->th.th_info.ds.ds_gtid), processor(),
                Shape ? uint32_t(Shape->nodeOfThread(Tid)) : NoNode);
  return Number;
}

void recordEnd(uint32_t Number) {
  Trace::noteSearch(false);
  Trace::record(Event::End, Number, 0, NoThread, 0, processor());
}

void recordDrop(const kmp_taskdata_t *Task) {
  Trace::noteSearch(false);
  Trace::record(Event::Drop, numberOf(Task));
}

void recordWait(kmp_int32 Gtid, WaitFor What, bool IsEnd) {
  kmp_info_t *Thread = __kmp_threads[Gtid];
  Trace::noteSearch(false);
  Trace::record(IsEnd ? Event::WaitEnd : Event::Wait, numberOfCurrent(Thread),
                uint8_t(What), threadOf(Thread));
}

} // namespace locus
