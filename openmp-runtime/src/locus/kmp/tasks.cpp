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

#include "locus/flow/successor.h"
#include "locus/kmp/depend.h"
#include "locus/kmp/free_agents.h"
#include "locus/kmp/hooks.h"
#include "locus/kmp/wake.h"

#include "kmp_i18n.h"
#include "kmp_taskdeps.h"

namespace locus {

/// An oversubscribed thread gives its processor away after so many rounds
/// without a task.
static constexpr uint32_t RoundsBeforeYield = 16;
/// A thread in a tied task looks so many rounds for one that it may run there
/// before it starts an untied one that it should not.
static constexpr uint32_t RoundsBeforeUntied = 256;

//===----------------------------------------------------------------------===//
// Tasks come
//===----------------------------------------------------------------------===//

/// A thread that makes a task ready, for flow/push.h.
struct Pusher : KmpTasks {
  kmp_info_t *Thread; ///< null: of another team
  kmp_team_t *KmpTeam;
  kmp_task_team_t *TaskTeam;
  int Number; ///< of the thread; of one that is in the team, if it is not

  int number() const { return Number; }
  bool isMember() const { return Thread != nullptr; }
  Data *current() const { return Thread->th.th_current_task; }
  const Advance &advance() const { return Thread->th.th_locus_advance; }
  ImmediateSuccessor &successor() const {
    return Thread->th.th_locus_successor;
  }
  /// Not what libomp queues, or other threads run, nor an untied task, of which
  /// libomp counts how often it is queued.
  bool mayKeep(const Data *D) const {
    const kmp_tasking_flags_t &Flags = D->td_flags;
    return D->td_task_team == TaskTeam && Flags.tiedness == TASK_TIED &&
           !Flags.task_serial && Flags.proxy != TASK_PROXY &&
           !Flags.hidden_helper && !Flags.priority_specified &&
           TaskTeam->tt.tt_num_task_pri == 0;
  }
  kmp_int32 gtid() const { return Thread->th.th_info.ds.ds_gtid; }

  bool mayRunNow(Data *D) const {
    // It may wait for what the thread is about to make ready.
    return !D->td_flags.transparent &&
           __kmp_task_is_allowed(gtid(), __kmp_task_stealing_constraint, D,
                                 current());
  }
  bool isOffered(const std::atomic<int32_t> *Depth) const {
    return __kmpc_task_inline.Allowed == Depth;
  }
  /// Not to a task that has set a hint for its next one: resumeTask(). The end
  /// of another one may push on its behalf.
  void offerInPlace(const std::atomic<int32_t> *Depth) const {
    if (!current()->td_locus.hasNext())
      locus::offerInPlace(gtid(), Depth);
  }

  void freeRanges(Data *D) const {
    freeHint(Thread ? Thread : callingThread(), D);
  }
  static UnknownPolicy unknownPolicy() { return Chosen.unknownPolicy(); }
  static void warnUnbound(const TeamShape &Shape, Kind HintKind) {
    locus::warnUnbound(Shape, HintKind);
  }
  void noteStrict() const {
    KMP_CHECK_UPDATE(TaskTeam->tt.tt_untied_task_encountered, 1);
  }

  static bool mayBeAsleep() { return locus::mayBeAsleep(); }
  static bool sleepsBetweenTasks() { return locus::sleepsBetweenTasks(); }
  KmpWaker waker() const { return {{wakeThread}, KmpTeam, TaskTeam}; }

  static void noteInferred(Data *D) { traceHint(D, HintSource::Inferred); }
  void noteReady(Data *D, const Placement &Where) const {
    KMP_FSYNC_RELEASING(D);
    traceReady(D,
               Where.Place == Placement::OnThread ? ReadyWhere::OnThread
                                                  : ReadyWhere::OnNode,
               Thread ? Number : -1, Where.Strict, Where.Index);
  }
  void noteReady(Data *D, ReadyWhere Where) const {
    if (Where == ReadyWhere::Own) {
      KMP_FSYNC_RELEASING(current());
      KMP_FSYNC_RELEASING(D);
    }
    traceReady(D, Where, Number);
  }
  static void takeBackReady() {
    if (Trace::enabled())
      Trace::takeBack();
  }
};

/// The calling thread in its team; of no use where it has none of ours.
static Pusher pusherOf(kmp_info_t *Thread) {
  const auto &Th = Thread->th;
  return {{}, Thread, Th.th_team, Th.th_task_team, Th.th_info.ds.ds_tid};
}

/// Whether \p Task asks for its body: in a stock Clang's code the first part of
/// an untied task does nothing else. The thread that runs it goes on with that.
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
  if (UNLIKELY(Thread->th.th_locus_asks_pool) && pushToPool(Thread, NewTask))
    return Pushed::Queued;
  kmp_task_team_t *TaskTeam = Thread->th.th_task_team;
  Team *Ours = teamOf(TaskTeam);
  if (UNLIKELY(!Ours)) {
    Ours = makeTeam(TaskTeam, Thread->th.th_team);
    if (!Ours)
      KMP_FATAL(MemoryAllocFailed);
  }
  if (UNLIKELY(Data->td_flags.priority_specified ||
               Data->td_flags.free_agent_eligible)) {
    if (pushToPool(Thread, NewTask))
      return Pushed::Queued;
    // Tasks with a priority are libomp's, but strict ones, which nobody else
    // may take.
    if (NewTask->data2.priority > 0 && __kmp_max_task_priority > 0 &&
        Data->td_flags.priority_specified &&
        !(Data->td_locus.hasHint() && Data->td_locus.isStrict()))
      return leaveToLibomp(Thread, Data);
  }
  Pusher Mine = pusherOf(Thread);
  return flow::pushReady(*Ours, Mine, Data) ? Pushed::Queued
                                            : Pushed::Throttled;
}

bool wakeSleeper(kmp_info_t *Thread) {
  Team *Ours = teamOf(Thread);
  if (Ours) {
    Pusher Mine = pusherOf(Thread);
    flow::wakeForAny(*Ours, Mine);
  }
  return Ours != nullptr;
}

static bool givePlaced(kmp_taskdata_t *Data, kmp_int32 Start) {
  kmp_team_t *KmpTeam = Data->td_team;
  kmp_task_team_t *TaskTeam = Data->td_task_team;
  // The task may be over before this thread is done with the team's queues.
  // Until then the barrier stays closed, so that nobody makes them anew.
  KMP_ATOMIC_INC(&TaskTeam->tt.tt_unfinished_threads);
  Team *Ours = makeTeam(TaskTeam, KmpTeam);
  Pusher Giver = {{}, nullptr, KmpTeam, TaskTeam, Start % KmpTeam->t.t_nproc};
  const bool Placed = Ours && flow::place(*Ours, Giver, Data);
  KMP_ATOMIC_DEC(&TaskTeam->tt.tt_unfinished_threads);
  return Placed;
}

bool give(kmp_taskdata_t *Data, kmp_int32 Start) {
  // What is given of a proxy task is its completion, not its execution.
  if (Data->td_flags.proxy == TASK_PROXY)
    return false;
  if (Data->td_locus.hasHint() && !Data->td_flags.hidden_helper && !isStock() &&
      givePlaced(Data, Start))
    return true;
  traceReady(Data, ReadyWhere::Libomp, -1);
  return false;
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
                               KmpTasks::data(Candidate), S.Current);
}

static const Waker *sleepersOf(const Seeker &Search) {
  if (!sleepsBetweenTasks())
    return nullptr;
  const KmpSeeker &S = static_cast<const KmpSeeker &>(Search);
  const kmp_info_t *Thread = __kmp_threads[S.Gtid];
  S.Threads = {{wakeThread}, Thread->th.th_team, Thread->th.th_task_team};
  return &S.Threads;
}

/// Admits on behalf of a thread that looks only for what it waits for. (A
/// mutex that the task needs is taken last.)
static bool admitAwaited(const Taker &Who, Task *Candidate) {
  const KmpSeeker &S = static_cast<const KmpSeeker &>(*Who.Search);
  return mayBeAwaited(KmpTasks::data(Candidate), S.Current) &&
         admit(Who, Candidate);
}

static const SeekerHost Libomp = {admit, flow::placeOf<KmpTasks>, mayNest,
                                  sleepersOf};
static const SeekerHost ForAwaited = {admitAwaited, flow::placeOf<KmpTasks>,
                                      mayNest, sleepersOf};

inline KmpSeeker::KmpSeeker(const Team &Ours, kmp_info_t *Thread,
                            kmp_task_team_t *TaskTeam, int *TheFinished,
                            kmp_int32 IsConstrained)
    : Gtid(Thread->th.th_info.ds.ds_gtid), Constrained(IsConstrained & 1),
      Current(Thread->th.th_current_task) {
  Host = &Libomp;
  if (UNLIKELY(IsConstrained > 1)) {
    Rests = IsConstrained & LooksAtAll;
    ReachesFar = IsConstrained & FromAfar;
    Host = IsConstrained & OnlyAwaited ? &ForAwaited : &Libomp;
  }
  flow::beginSearch<KmpTasks>(
      *this, Ours, Current, TheFinished, Constrained != 0,
      TCR_4(TaskTeam->tt.tt_untied_task_encountered) != 0);
  LOCUS_CHECK(
      !OwnsDeque ||
      TaskTeam->tt.tt_threads_data[Thread->th.th_info.ds.ds_tid].td.td_thr ==
          Thread);
}

__thread bool RunsPlaced = false;

/// Ends a round. Libomp knows the task by another address.
static inline kmp_task_t *endRound(Team &Ours, Worker &W, const Seeker &S,
                                   Task *Found) {
  flow::endRound<KmpTasks>(Ours, W, S, Found, RunsPlaced);
  return Found ? KMP_TASKDATA_TO_TASK(KmpTasks::data(Found)) : nullptr;
}

void endPlaced() {
  RunsPlaced = false;
  kmp_info_t *Thread = __kmp_threads[__kmp_get_gtid()];
  if (Team *Ours = teamOf(Thread))
    Ours->endTask(workerOf(*Ours, Thread));
}

static void queue(kmp_info_t *Thread, kmp_taskdata_t *Ready) {
  const kmp_int32 Gtid = Thread->th.th_info.ds.ds_gtid;
  kmp_task_t *Task = KMP_TASKDATA_TO_TASK(Ready);
  // In a team of one thread tasks run at once. One that has waited does not: it
  // would lie on top of the one that is about to make others ready, or waits
  // with a lock that it wants.
  if (UNLIKELY(Ready->td_flags.task_serial) && !Ready->td_flags.tasking_ser)
    Ready->td_flags.task_serial = 0;
  // A thread of the hidden helper team runs only its own tasks.
  if (UNLIKELY(KMP_HIDDEN_HELPER_THREAD(Gtid) &&
               !Ready->td_flags.hidden_helper))
    __kmpc_give_task(Task, __kmp_tid_from_gtid(
                               Ready->td_alloc_thread->th.th_info.ds.ds_gtid));
  else
    __kmp_omp_task(Gtid, Task, false);
}

void queueSuccessor(kmp_info_t *Thread, const kmp_taskdata_t *Ended,
                    kmp_taskdata_t *Ready) {
  Pusher Mine = pusherOf(Thread);
  auto Queue = [=](kmp_taskdata_t *Task) { queue(Thread, Task); };
  if (Team *Ours = teamOf(Thread))
    flow::keepOrQueue(*Ours, Mine, Ended, Ready, Queue);
  else
    Queue(Ready);
}

void queueKept(kmp_info_t *Thread) {
  Pusher Mine = pusherOf(Thread);
  flow::endSearches(Mine, [=](kmp_taskdata_t *Kept) { queue(Thread, Kept); });
}

kmp_task_t *takeFirstOf(Team &Ours, kmp_info_t *Thread,
                        kmp_task_team_t *TaskTeam, int *Finished,
                        kmp_int32 Constrained) {
  Pusher Mine = pusherOf(Thread);
  // A thread that leaves a larger team may come by once more.
  if (Mine.number() >= Ours.numThreads())
    return nullptr;
  KmpSeeker S(Ours, Thread, TaskTeam, Finished, Constrained);
  Worker &W = Ours.worker(Mine.number());
  Task *Found = flow::takeKeptOrPlaced(
      Ours, Mine, W, S, [=](kmp_taskdata_t *Kept) { queue(Thread, Kept); });
  return Found ? endRound(Ours, W, S, Found) : nullptr;
}

void napIfLong(kmp_info_t *Thread) {
  if (isStock())
    return;
  // The primary thread may dismiss this one meanwhile, in __kmp_free_thread().
  // So nothing of the team's (KMP_BLOCKTIME): its pointer is null then.
  const kmp_taskdata_t *Current =
      __atomic_load_n(&Thread->th.th_current_task, __ATOMIC_RELAXED);
  if (UNLIKELY(!Current))
    return;
  const int Block = Current->td_icvs.bt_set ? Current->td_icvs.blocktime
                                            : __kmp_dflt_blocktime;
  const uint64_t Time = Thread->th.th_locus_nap.rest(
      Block == KMP_MAX_BLOCKTIME ? UINT64_MAX : uint64_t(Block) * 1000,
      nanoseconds());
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
  if (Task *Found = Ours->findAny(W, S))
    return endRound(*Ours, W, S, Found);
  flow::endRound<KmpTasks>(*Ours, W, S, nullptr, RunsPlaced);
  // Libomp's taskwait and taskgroup poll without a pause. With more threads
  // than processors the thread that is waited for may need this one's.
  if (W.Delay.emptyRounds() % RoundsBeforeYield == 0)
    KMP_YIELD_OVERSUB();
  return nullptr;
}

bool mayFindMore(kmp_int32 Gtid) {
  kmp_info_t *Thread = __kmp_threads[Gtid];
  if (!Thread->th.th_task_team)
    return !isStock();
  // A combiner may ask for a waiting thread, whose fields do not change
  // meanwhile.
  Team *Ours = teamOf(Thread);
  return Ours &&
         workerOf(*Ours, Thread).Delay.emptyRounds() < RoundsBeforeUntied;
}

} // namespace locus
