//===- kmp/tasks.cpp - Tasks come and go in libomp ------------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Part of the adapter to libomp: queues tasks that become ready, and looks for
// tasks on behalf of its threads.
//
//===----------------------------------------------------------------------===//

#include "locus/kmp/depend.h"
#include "locus/kmp/hooks.h"
#include "locus/kmp/nesting.h"
#include "locus/kmp/wake.h"
#include "locus/team/find_task.h"

#include "kmp_i18n.h"
#include "kmp_itt.h"

namespace locus {

/// An oversubscribed thread gives its processor away after so many rounds
/// without a task.
static constexpr uint32_t RoundsBeforeYield = 16;
/// A thread in a tied task looks so many rounds for one that it may run there
/// before it starts an untied one that it should not.
static constexpr uint32_t RoundsBeforeUntied = 256;

static Task *toTask(kmp_taskdata_t *Data) {
  return reinterpret_cast<Task *>(Data);
}
static kmp_taskdata_t *toData(Task *Ready) {
  return reinterpret_cast<kmp_taskdata_t *>(Ready);
}
static const kmp_taskdata_t *toData(const Task *Ready) {
  return reinterpret_cast<const kmp_taskdata_t *>(Ready);
}

//===----------------------------------------------------------------------===//
// Tasks come
//===----------------------------------------------------------------------===//

/// Gives \p Data, a task which has none but dependences, a hint if they tell
/// where its memory is. Thread \p Pusher makes it ready; \p PusherThread is
/// null for a thread of another team, which does not ask.
static void inferHint(Team &Ours, kmp_taskdata_t *Data, int Pusher,
                      kmp_info_t *PusherThread) {
  int Node = UnknownNode;
  if (PusherThread) {
    Node =
        Ours.infer(Ours.worker(Pusher), Data->td_locus.kind(), targetOf(Data));
    // No more for a crowded node. Who has just run what it depends on has that
    // in its cache.
    if (Node != UnknownNode && Ours.isCrowded(Node) &&
        Data->td_parent != PusherThread->th.th_current_task)
      Node = UnknownNode;
  }
  freeHint(PusherThread ? PusherThread : callingThread(), Data);
  if (Node != UnknownNode)
    setHint(Data, Kind::Inferred, false, {uintptr_t(Node), 0});
  else
    Data->td_locus.clear();
  traceHint(Data, HintSource::Inferred);
}

/// A task with a hint of \p HintKind has been queued at \p Where; as place().
static void wakeForPlaced(Team &Ours, const Placement &Where, Kind HintKind,
                          const KmpWaker &Threads, int Pusher, bool IsMember) {
  // One of a crowd is for anybody. (Only a thread of the team infers.)
  if (!Ours.wakeFor(Where, IsMember ? Pusher : -1, Threads) &&
      HintKind == Kind::Inferred && Ours.isCrowded(Where.Index))
    Ours.wakeOne(Pusher, Threads);
}

/// Queues \p Data by its hint; thread \p Pusher of \p KmpTeam makes it ready,
/// and \p PusherThread is null if that is not the calling one. False if it has
/// no hint, or one that leaves it to the pusher.
static bool place(Team &Ours, kmp_taskdata_t *Data, kmp_team_t *KmpTeam,
                  kmp_task_team_t *TaskTeam, int Pusher,
                  kmp_info_t *PusherThread) {
  if (isFromDepend(Data->td_locus.kind()))
    inferHint(Ours, Data, Pusher, PusherThread);
  const TaskHint Hint = Data->td_locus;
  if (!Hint.hasHint())
    return false;
  warnUnbound(Ours.shape(), Hint.kind());
  const Placement Where = resolve(Ours.shape(), Hint.kind(), Hint.isStrict(),
                                  targetOf(Data), Pusher, unknownPolicy());
  if (Where.Place == Placement::Anywhere)
    return false;
  // A strict task may start on top of a waiting one that it does not descend
  // from. What it leaves behind in a deque then covers tasks that the waiting
  // one needs, as untied tasks do: look at whole deques from now on.
  if (Where.Strict)
    KMP_CHECK_UPDATE(TaskTeam->tt.tt_untied_task_encountered, 1);
  KMP_FSYNC_RELEASING(Data);
  traceReady(Data, Where, PusherThread ? Pusher : -1);
  if (!Ours.push(Where, toTask(Data))) {
    if (Where.Strict)
      KMP_FATAL(MemoryAllocFailed);
    if (Trace::enabled())
      Trace::takeBack();
    return false;
  }
  // Otherwise the first task of the region has woken all, and nobody has fallen
  // asleep since: sleep/README.md, "By default".
  if (mayBeAsleep())
    wakeForPlaced(Ours, Where, Hint.kind(), wakerOf(KmpTeam, TaskTeam), Pusher,
                  PusherThread != nullptr);
  return true;
}

/// How many tasks \p Thread's current one, which creates the next ones too, has
/// that are not complete. INT32_MAX for an implicit task: its children are a
/// loop, not a recursion.
static int32_t siblings(const kmp_info_t *Thread) {
  const kmp_taskdata_t *Current = Thread->th.th_current_task;
  return Current->td_flags.tasktype == TASK_IMPLICIT
             ? INT32_MAX
             : KMP_ATOMIC_LD_ACQ(&Current->td_incomplete_child_tasks) -
                   Thread->th.th_locus_advance.inHand();
}

/// Adds \p Data to the list of \p W, the worker of \p Thread, which is
/// perhaps throttled.
static Pushed pushOwn(Team &Ours, Worker &W, kmp_info_t *Thread,
                      kmp_taskdata_t *Data) {
  const kmp_int32 Gtid = Thread->th.th_info.ds.ds_gtid;
  kmp_taskdata_t *Creator = Thread->th.th_current_task;
  const std::atomic<int32_t> *Depth = Ours.inPlaceDepth(W);
  const bool IsOffered = __kmpc_task_inline.Allowed == Depth;
  if (!IsOffered)
    Ours.startOver(W);
  // Whoever ends the last task before this one makes it ready, or its creator.
  const bool IsReleased = Data->td_depnode && Data->td_parent != Creator;
  const bool IsDeep = Creator->td_level >= kmp_int32(Tuned.InplaceDepth);
  // One that is released never runs at once: it may release the next one, and
  // so on, and each would lie on the stack.
  if (UNLIKELY(Ours.updateThrottled(W, IsDeep)) && !IsReleased &&
      __kmp_task_is_allowed(Gtid, __kmp_task_stealing_constraint, Data,
                            Creator)) {
    Stats::count(Stat::Throttled);
    traceReady(Data, ReadyWhere::Throttled, W.Number);
    return Pushed::Throttled;
  }
  KMP_FSYNC_RELEASING(Creator);
  KMP_FSYNC_RELEASING(Data);
  traceReady(Data, ReadyWhere::Own, W.Number);
  if (!Ours.push(W, toTask(Data), siblings(Thread),
                 /*IsDependent=*/Data->td_depnode != nullptr))
    KMP_FATAL(MemoryAllocFailed);
  Stats::count(Stat::PushedOwn);
  if (!IsOffered)
    offerInPlace(Gtid, Depth);
  return Pushed::Queued;
}

/// Whether \p Task asks for its body: in a stock Clang's code the first part of
/// an untied task does nothing else. Who has begun it goes on with that.
static bool asksForBody(const kmp_info_t *Thread, const kmp_task_t *Task) {
  const kmp_taskdata_t *Data = KMP_TASK_TO_TASKDATA(Task);
  return Data->td_flags.tiedness == TASK_UNTIED && Task->part_id == 1 &&
         Thread->th.th_current_task == Data;
}

static Pushed leaveToLibomp(const kmp_info_t *Thread,
                            const kmp_taskdata_t *Data) {
  traceReady(Data, ReadyWhere::Libomp, Thread->th.th_info.ds.ds_tid);
  return Pushed::LeftToLibomp;
}

Pushed push(kmp_info_t *Thread, kmp_task_t *NewTask) {
  kmp_taskdata_t *Data = KMP_TASK_TO_TASKDATA(NewTask);
  // The threads of the hidden helper team wait in ways of their own.
  if (UNLIKELY(isStock() || Data->td_flags.hidden_helper ||
               KMP_HIDDEN_HELPER_THREAD(Thread->th.th_info.ds.ds_gtid)))
    return leaveToLibomp(Thread, Data);
  if (UNLIKELY(asksForBody(Thread, NewTask)))
    return Pushed::Throttled;
  kmp_task_team_t *TaskTeam = Thread->th.th_task_team;
  Team *Ours = teamOf(TaskTeam);
  if (UNLIKELY(!Ours)) {
    Ours = makeTeam(TaskTeam, Thread->th.th_team);
    if (!Ours)
      KMP_FATAL(MemoryAllocFailed);
  }
  const bool HasHint = Data->td_locus.hasHint();
  // Tasks with a priority are libomp's, but strict ones, which nobody else may
  // take.
  if (UNLIKELY(Data->td_flags.priority_specified &&
               NewTask->data2.priority > 0 && __kmp_max_task_priority > 0 &&
               !(HasHint && Data->td_locus.isStrict())))
    return leaveToLibomp(Thread, Data);
  const int Tid = Thread->th.th_info.ds.ds_tid;
  if (UNLIKELY(HasHint) &&
      place(*Ours, Data, Thread->th.th_team, TaskTeam, Tid, Thread))
    return Pushed::Queued;
  return pushOwn(*Ours, Ours->worker(Tid), Thread, Data);
}

void traceGiven(const kmp_taskdata_t *Data) {
  if (Data->td_flags.proxy != TASK_PROXY)
    recordReady(Data, ReadyWhere::Libomp, -1);
}

bool givePlaced(kmp_taskdata_t *Data, kmp_int32 Start) {
  // What is given of a proxy task is its completion, not its execution.
  if (Data->td_flags.proxy == TASK_PROXY || Data->td_flags.hidden_helper ||
      isStock())
    return false;
  kmp_team_t *KmpTeam = Data->td_team;
  kmp_task_team_t *TaskTeam = Data->td_task_team;
  // The task may be over before this thread is done with the team's queues.
  // Until then the barrier stays closed, so that nobody makes them anew.
  KMP_ATOMIC_INC(&TaskTeam->tt.tt_unfinished_threads);
  Team *Ours = makeTeam(TaskTeam, KmpTeam);
  const bool Placed = Ours && place(*Ours, Data, KmpTeam, TaskTeam,
                                    Start % KmpTeam->t.t_nproc, nullptr);
  KMP_ATOMIC_DEC(&TaskTeam->tt.tt_unfinished_threads);
  return Placed;
}

//===----------------------------------------------------------------------===//
// Tasks go
//===----------------------------------------------------------------------===//

/// A search of one of libomp's threads: what only libomp knows of it.
struct KmpSeeker : Seeker {
  KmpSeeker(const Team &Ours, kmp_info_t *Thread, kmp_task_team_t *TaskTeam,
            int *TheFinished, kmp_int32 IsConstrained);

  kmp_int32 Gtid;
  kmp_int32 Constrained; ///< asks for the task scheduling constraint
  kmp_taskdata_t *Current;
  mutable KmpWaker Threads; ///< set when it is asked for
};

static bool admit(const Taker &Who, Task *Candidate) {
  const KmpSeeker &S = static_cast<const KmpSeeker &>(*Who.Search);
  return __kmp_task_is_allowed(S.Gtid, Who.IsExempt ? 0 : S.Constrained,
                               toData(Candidate), S.Current);
}

static TaskPlace placeOf(const Task *Candidate) {
  const kmp_taskdata_t *Data = toData(Candidate);
  const Kind HintKind = Data->td_locus.kind();
  // The target lies on another cache line.
  return {HintKind != Kind::None, HintKind == Kind::Inferred,
          HintKind == Kind::Inferred ? int(Data->td_locus_target) : 0};
}

static const Waker *sleepersOf(const Seeker &Search) {
  if (!sleepsBetweenTasks())
    return nullptr;
  const KmpSeeker &S = static_cast<const KmpSeeker &>(Search);
  const kmp_info_t *Thread = __kmp_threads[S.Gtid];
  S.Threads = wakerOf(Thread->th.th_team, Thread->th.th_task_team);
  return &S.Threads;
}

/// Admits on behalf of a thread that looks only for what it waits for. (A
/// mutex that the task needs is taken last.)
static bool admitAwaited(const Taker &Who, Task *Candidate) {
  const KmpSeeker &S = static_cast<const KmpSeeker &>(*Who.Search);
  return mayBeAwaited(toData(Candidate), S.Current) && admit(Who, Candidate);
}

static const SeekerHost Libomp = {admit, placeOf, mayNest, sleepersOf};
static const SeekerHost ForAwaited = {admitAwaited, placeOf, mayNest,
                                      sleepersOf};

inline KmpSeeker::KmpSeeker(const Team &Ours, kmp_info_t *Thread,
                            kmp_task_team_t *TaskTeam, int *TheFinished,
                            kmp_int32 IsConstrained)
    : Gtid(Thread->th.th_info.ds.ds_gtid), Constrained(IsConstrained & 1),
      Current(Thread->th.th_current_task) {
  Rests = IsConstrained & LooksAtAll;
  ReachesFar = IsConstrained & FromAfar;
  Host = UNLIKELY(IsConstrained & OnlyAwaited) ? &ForAwaited : &Libomp;
  Where = &Ours;
  Finished = TheFinished;
  IsWaiting = Constrained != 0;
  // A finished thread has nothing in its deque.
  OwnsDeque = !*Finished;
  LOCUS_CHECK(
      !OwnsDeque ||
      TaskTeam->tt.tt_threads_data[Thread->th.th_info.ds.ds_tid].td.td_thr ==
          Thread);
  MayKeep =
      OwnsDeque && !IsWaiting && Current->td_flags.tasktype == TASK_IMPLICIT;
  ScanAll = Rests || TCR_4(TaskTeam->tt.tt_untied_task_encountered) != 0;
}

__thread bool RunsPlaced = false;

/// \p W, for which \p S has looked, has found \p Found, or nothing if that is
/// null. Libomp knows the task by another address.
static inline kmp_task_t *endRound(Team &Ours, Worker &W, const Seeker &S,
                                   Task *Found) {
  Round Result = Round::Empty;
  if (Found) {
    const kmp_taskdata_t *Data = toData(Found);
    RunsPlaced = Data->td_locus.hasHint() && Data->td_flags.proxy != TASK_PROXY;
    Result = RunsPlaced ? Round::PlacedTask : Round::Task;
  }
  if (Trace::enabled())
    Trace::noteSearch(!Found);
  Ours.endRound(W, Result, S);
  return Found ? KMP_TASKDATA_TO_TASK(toData(Found)) : nullptr;
}

void endPlaced() {
  RunsPlaced = false;
  kmp_info_t *Thread = __kmp_threads[__kmp_get_gtid()];
  kmp_task_team_t *TaskTeam = Thread->th.th_task_team;
  Team *Ours = TaskTeam ? teamOf(TaskTeam) : nullptr;
  const int Tid = Thread->th.th_info.ds.ds_tid;
  if (Ours && Tid < Ours->numThreads())
    Ours->endTask(Ours->worker(Tid));
}

kmp_task_t *findPlacedHere(Team &Ours, kmp_info_t *Thread,
                           kmp_task_team_t *TaskTeam, int *Finished,
                           kmp_int32 Constrained) {
  const int Tid = Thread->th.th_info.ds.ds_tid;
  // A thread that leaves a larger team may come by once more.
  if (Tid >= Ours.numThreads())
    return nullptr;
  KmpSeeker S(Ours, Thread, TaskTeam, Finished, Constrained);
  Worker &W = Ours.worker(Tid);
  Task *Found = Ours.findPlacedHere(W, S);
  return Found ? endRound(Ours, W, S, Found) : nullptr;
}

void napAfterMiss(kmp_info_t *Thread) {
  // The primary thread may dismiss this one meanwhile, in __kmp_free_thread().
  // So nothing of the team's (KMP_BLOCKTIME): its pointer is null then.
  const kmp_taskdata_t *Current =
      __atomic_load_n(&Thread->th.th_current_task, __ATOMIC_RELAXED);
  if (UNLIKELY(!Current))
    return;
  const int Block = Current->td_icvs.bt_set ? Current->td_icvs.blocktime
                                            : __kmp_dflt_blocktime;
  const uint64_t Time = Thread->th.th_locus_nap.onMiss(
      Block == KMP_MAX_BLOCKTIME ? UINT64_MAX : uint64_t(Block) * 1000,
      nanoseconds);
  if (UNLIKELY(Time != 0)) {
    const timespec Nap = {0, long(Time)};
    nanosleep(&Nap, nullptr);
  }
}

kmp_task_t *take(kmp_info_t *Thread, kmp_task_team_t *TaskTeam, int *Finished,
                 kmp_int32 Constrained) {
  Team *Ours = teamOf(TaskTeam);
  const int Tid = Thread->th.th_info.ds.ds_tid;
  if (UNLIKELY(!Ours || Tid >= Ours->numThreads()))
    return nullptr;
  KmpSeeker S(*Ours, Thread, TaskTeam, Finished, Constrained);
  Worker &W = Ours->worker(Tid);
  if (kmp_task_t *Found = endRound(*Ours, W, S, Ours->findAny(W, S)))
    return Found;
  // Libomp's taskwait and taskgroup poll without a pause. With more threads
  // than processors the thread that is waited for may need this one's.
  if (W.Delay.emptyRounds() % RoundsBeforeYield == 0)
    KMP_YIELD_OVERSUB();
  return nullptr;
}

bool mayFindMore(kmp_int32 Gtid) {
  kmp_info_t *Thread = __kmp_threads[Gtid];
  kmp_task_team_t *TaskTeam = Thread->th.th_task_team;
  if (!TaskTeam)
    return true;
  // A combiner may ask for a waiting thread, whose fields do not change
  // meanwhile.
  Team *Ours = isStock() ? nullptr : teamOf(TaskTeam);
  const int Tid = Thread->th.th_info.ds.ds_tid;
  return Ours && Tid < Ours->numThreads() &&
         Ours->worker(Tid).Delay.emptyRounds() < RoundsBeforeUntied;
}

bool holdsTasks(kmp_info_t *Thread, kmp_task_team_t *TaskTeam) {
  Team *Ours = teamOf(TaskTeam);
  const int Tid = Thread->th.th_info.ds.ds_tid;
  return Ours && Tid < Ours->numThreads() &&
         Ours->holdsTasks(Ours->worker(Tid));
}

} // namespace locus
