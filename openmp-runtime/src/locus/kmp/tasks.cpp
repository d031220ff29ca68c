//===- kmp/tasks.cpp - Locus in libomp ------------------------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The adapter to libomp: only these files include kmp.h. This one
// queues and takes tasks, and has the entry points for compilers.
//
//===----------------------------------------------------------------------===//

#include "locus/kmp/inplace.h"
#include "locus/kmp/internal.h"
#include "locus/support/clock.h"

#include "kmp_i18n.h"
#include "kmp_wait_release.h"

namespace locus {

/// Rounds without a task after which an oversubscribed thread yields.
static constexpr uint32_t RoundsBeforeYield = 16;

//===----------------------------------------------------------------------===//
// Hints
//===----------------------------------------------------------------------===//

void consumeNextHint(kmp_taskdata_t *Task, kmp_taskdata_t *Parent) {
  // Tasks that the program did not write as `task` leave the hint alone.
  if (Task->td_flags.proxy == TASK_PROXY || Task->td_flags.hidden_helper)
    return;
  Task->td_locus.OwnKind = Parent->td_locus.NextKind;
  Task->td_locus.OwnStrict = Parent->td_locus.NextStrict;
  Task->td_locus_target = {Parent->td_locus_next, 0};
  Parent->td_locus.NextKind = Kind::None;
}

/// Gives \p Task the ranges that \p Get returns for 0 .. \p Count - 1: as of
/// kind \p OfOne if it is one, else \p OfMany.
template <class Getter>
static void setRanges(kmp_info_t *Thread, kmp_taskdata_t *Task, Kind OfOne,
                      Kind OfMany, int Count, Getter Get) {
  if (Count <= 0)
    return;
  if (Count == 1) {
    MemoryRange Only = Get(0);
    Task->td_locus.OwnKind = OfOne;
    Task->td_locus_target = {Only.Base, Only.Length};
  } else {
    RangeList *List = static_cast<RangeList *>(
        __kmp_fast_allocate(Thread, sizeof(RangeList)));
    List->Count = KMP_MIN(Count, int(RangeList::MaxRanges));
    for (int I = 0; I < List->Count; ++I)
      List->Ranges[I] = Get(int(kmp_int64(I) * Count / List->Count));
    Task->td_locus.OwnKind = OfMany;
    Task->td_locus_target = {reinterpret_cast<uintptr_t>(List), 0};
  }
  Task->td_locus.OwnStrict = 0;
}

void freeRanges(kmp_info_t *Thread, kmp_taskdata_t *Task) {
  __kmp_fast_free(Thread,
                  reinterpret_cast<void *>(Task->td_locus_target.Value));
  Task->td_locus.OwnKind = Kind::None;
}

bool followDepend() {
  // 0: not known yet. Threads that race here find the same answer.
  static std::atomic<int> Answer{0};
  int Known = Answer.load(std::memory_order_relaxed);
  if (UNLIKELY(Known == 0)) {
    bool Follow = followsDepend() && Topology::mayHaveNodes();
    Known = Follow ? 1 : -1;
    Answer.store(Known, std::memory_order_relaxed);
  }
  return Known > 0;
}

void hintFromDepend(kmp_info_t *Thread, kmp_taskdata_t *Task, kmp_int32 Count,
                    const kmp_depend_info_t *List, kmp_int32 CountNoAlias,
                    const kmp_depend_info_t *ListNoAlias) {
  MemoryRange Written[RangeList::MaxRanges];
  int Found = 0;
  auto Collect = [&](const kmp_depend_info_t *Items, kmp_int32 NumItems) {
    for (int I = 0; I < NumItems && Found < RangeList::MaxRanges; ++I) {
      const kmp_depend_info_t &Item = Items[I];
      bool Writes = Item.flags.out || Item.flags.mtx || Item.flags.set;
      // omp_all_memory says nothing about where the data is.
      if (Writes && Item.base_addr != 0 &&
          Item.base_addr != kmp_intptr_t(KMP_SIZE_T_MAX))
        Written[Found++] = {uintptr_t(Item.base_addr), Item.len};
    }
  };
  Collect(List, Count);
  Collect(ListNoAlias, CountNoAlias);
  setRanges(Thread, Task, Kind::Depend, Kind::DependRanges, Found,
            [&](int I) { return Written[I]; });
}

/// Whether threads may sleep in a region that has had tasks.
static bool sleepsBetweenTasks() {
  return __kmp_wpolicy_passive && __kmp_dflt_blocktime != KMP_MAX_BLOCKTIME;
}

/// Wakes \p Thread if it sleeps in a barrier of \p Team, not in one of a
/// region that it has begun in a task; false if it does not.
static bool wake(kmp_info_t *Thread, kmp_task_team_t *Team) {
  if (Thread->th.th_task_team != Team ||
      TCR_PTR(CCAST(void *, Thread->th.th_sleep_loc)) == NULL)
    return false;
  __kmp_null_resume_wrapper(Thread);
  return true;
}

/// Wakes a thread that can take the task just queued at \p Where, unless one
/// is awake for certain: then, false. queue/task_queue.md, "Sleeping", has the
/// argument.
static bool wakeFor(const Placement &Where, const Domains &Places,
                    kmp_team_t *Team, kmp_task_team_t *TaskTeam,
                    kmp_info_t *Pusher) {
  if (__kmp_dflt_blocktime == KMP_MAX_BLOCKTIME &&
      __kmp_pause_status != kmp_soft_paused)
    return false; // nobody ever sleeps
  // Orders the push before the look at th_sleep_loc; pairs with hasWork().
  std::atomic_thread_fence(std::memory_order_seq_cst);
  int Node = Where.Index;
  if (Where.Place == Placement::OnThread) {
    if (wake(Team->t.t_threads[Where.Index], TaskTeam))
      return true;
    if (Where.Strict)
      return false;
    Node = Places.nodeOfThread(Where.Index);
  }
  const int *Members = Places.threadsOfNode(Node);
  for (int I = 0; I < Places.numThreadsOfNode(Node); ++I) {
    kmp_info_t *Member = Team->t.t_threads[Members[I]];
    if (Member != Pusher && wake(Member, TaskTeam))
      return true;
  }
  return false;
}

/// Wakes a thread of \p Thread's team, if one sleeps, for a task that any may
/// run.
static void wakeOne(Domains &Places, kmp_info_t *Thread) {
  // Orders the push before the look at who has lain down; pairs with hasWork().
  std::atomic_thread_fence(std::memory_order_seq_cst);
  const int Tid = Thread->th.th_info.ds.ds_tid;
  for (int T; (T = Places.claimSleeper(Tid)) >= 0;)
    if (wake(Thread->th.th_team->t.t_threads[T], Thread->th.th_task_team))
      return;
}

void wakeAll(kmp_team_t *Team, kmp_task_team_t *TaskTeam) {
  if (!sleepsBetweenTasks())
    return;
  std::atomic_thread_fence(std::memory_order_seq_cst); // pairs with hasWork()
  for (int T = 0; T < Team->t.t_nproc; ++T)
    wake(Team->t.t_threads[T], TaskTeam);
}

bool wakeSleeper(kmp_info_t *Thread) {
  kmp_task_team_t *Team = Thread->th.th_task_team;
  if (isStock() || !Team)
    return false;
  Domains *Places = domains(Team);
  if (!Places || Thread->th.th_info.ds.ds_tid >= Places->numThreads())
    return false;
  wakeOne(*Places, Thread);
  return true;
}

/// Says once that node numbers of an unbound team are only an assignment.
static void warnUnbound(const Domains &Places, Kind What) {
  static std::atomic<bool> Said{false};
  if (What == Kind::Thread || Places.isBound() || Places.numNodes() == 1 ||
      Said.load(std::memory_order_relaxed) ||
      Said.exchange(true, std::memory_order_relaxed))
    return;
  warn("task affinity: threads are not bound to one NUMA node each, so the "
       "operating system may run a task on another node than its affinity "
       "says. Set OMP_PROC_BIND=close and OMP_PLACES=cores to bind them.");
}

/// Gives \p Task, which has none but dependences, a hint if they tell where its
/// data is. Thread \p Pusher makes it ready; \p PusherThread is null for a
/// thread of another team, which does not ask.
static void infer(Domains &Places, kmp_taskdata_t *Task, int Pusher,
                  kmp_info_t *PusherThread) {
  int Node = UnknownNode;
  if (PusherThread) {
    Node = Places.infer(Task->td_locus.OwnKind, Task->td_locus_target, Pusher);
    // A crowd has no use for it. Who has just run what it depends on has that
    // in its cache.
    if (Node != UnknownNode && Places.isCrowded(Node) &&
        Task->td_parent != PusherThread->th.th_current_task)
      Node = UnknownNode;
  }
  freeHint(PusherThread ? PusherThread : callingThread(), Task);
  Task->td_locus.OwnKind = Node != UnknownNode ? Kind::Inferred : Kind::None;
  Task->td_locus_target = {uintptr_t(Node), 0};
}

/// Queues \p Task by its hint; thread \p Pusher of \p Team makes it ready.
/// False if it has none, or one that leaves it to the pusher.
static bool place(Domains &Places, kmp_taskdata_t *Task, kmp_team_t *Team,
                  kmp_task_team_t *TaskTeam, int Pusher,
                  kmp_info_t *PusherThread) {
  if (isFromDepend(Task->td_locus.OwnKind))
    infer(Places, Task, Pusher, PusherThread);
  const TaskHint Hint = Task->td_locus;
  if (Hint.OwnKind == Kind::None)
    return false;
  warnUnbound(Places, Hint.OwnKind);
  Placement Where =
      Places.resolve(Hint.OwnKind, Hint.OwnStrict, Task->td_locus_target,
                     Pusher, unknownPolicy());
  if (Where.Place == Placement::Anywhere)
    return false;
  // A strict task may start on top of a waiting one that it does not descend
  // from. What it leaves behind in a deque then covers tasks that the waiting
  // one needs, as untied tasks do: look at whole deques from now on.
  if (Where.Strict)
    KMP_CHECK_UPDATE(TaskTeam->tt.tt_untied_task_encountered, 1);
  KMP_FSYNC_RELEASING(Task);
  if (!Places.push(Where, Task)) {
    if (Where.Strict)
      KMP_FATAL(MemoryAllocFailed);
    return false;
  }
  if (!wakeFor(Where, Places, Team, TaskTeam, PusherThread) &&
      Hint.OwnKind == Kind::Inferred && Places.isCrowded(Where.Index) &&
      sleepsBetweenTasks())
    wakeOne(Places, PusherThread);
  return true;
}

/// How many tasks the current one, which creates the next ones too, has that
/// are not complete. Those of an implicit task never count as the leavings of a
/// recursion.
static int32_t siblings(const kmp_taskdata_t *Current) {
  return Current->td_flags.tasktype == TASK_IMPLICIT
             ? INT32_MAX
             : KMP_ATOMIC_LD_ACQ(&Current->td_incomplete_child_tasks);
}

bool push(kmp_info_t *Thread, kmp_task_t *NewTask, kmp_int32 &Result) {
  kmp_taskdata_t *Task = KMP_TASK_TO_TASKDATA(NewTask);
  // The threads of the hidden helper team wait in ways of their own.
  if (UNLIKELY(isStock() || Task->td_flags.hidden_helper ||
               KMP_HIDDEN_HELPER_THREAD(Thread->th.th_info.ds.ds_gtid)))
    return false;
  kmp_task_team_t *Team = Thread->th.th_task_team;
  Domains *Places = domains(Team);
  if (UNLIKELY(!Places)) {
    Places = domainsOf(Team, Thread->th.th_team);
    if (!Places)
      KMP_FATAL(MemoryAllocFailed);
  }
  const int Tid = Thread->th.th_info.ds.ds_tid;
  Result = TASK_SUCCESSFULLY_PUSHED;
  const bool HasHint = Task->td_locus.OwnKind != Kind::None;
  // Priorities are libomp's; only a strict place goes before them.
  if (UNLIKELY(Task->td_flags.priority_specified &&
               NewTask->data2.priority > 0 && __kmp_max_task_priority > 0 &&
               !(HasHint && Task->td_locus.OwnStrict)))
    return false;
  if (UNLIKELY(HasHint) &&
      place(*Places, Task, Thread->th.th_team, Team, Tid, Thread))
    return true;
  TaskPool &Pool = Places->pool();
  const kmp_taskdata_t *Creator = Thread->th.th_current_task;
  const std::atomic<int32_t> *Plenty = Pool.plenty(Tid);
  if (__kmpc_task_inline.Allowed != Plenty)
    Pool.startOver(Tid);
  if (UNLIKELY(Pool.isThrottled(Tid, Creator->td_level >= DeepestInline)) &&
      __kmp_task_is_allowed(Thread->th.th_info.ds.ds_gtid,
                            __kmp_task_stealing_constraint, Task,
                            Thread->th.th_current_task)) {
    Result = TASK_NOT_PUSHED;
    Stats::count(Stat::Inlined);
    return true;
  }
  KMP_FSYNC_RELEASING(Thread->th.th_current_task);
  KMP_FSYNC_RELEASING(Task);
  if (!Pool.push(Tid, Task, siblings(Creator)))
    KMP_FATAL(MemoryAllocFailed);
  Stats::count(Stat::PushedOwn);
  offerInline(Thread->th.th_info.ds.ds_gtid, Plenty);
  return true;
}

bool givePlaced(kmp_taskdata_t *Task, kmp_int32 Start) {
  // What is given of a proxy task is its completion, not its execution.
  if (Task->td_flags.proxy == TASK_PROXY || Task->td_flags.hidden_helper ||
      isStock())
    return false;
  kmp_team_t *Team = Task->td_team;
  kmp_task_team_t *TaskTeam = Task->td_task_team;
  // The task may be over before this thread is done with the team's domains.
  // Until then the barrier stays closed, so that nobody makes them anew.
  KMP_ATOMIC_INC(&TaskTeam->tt.tt_unfinished_threads);
  Domains *Places = domainsOf(TaskTeam, Team);
  const bool Placed = Places && place(*Places, Task, Team, TaskTeam,
                                      Start % Team->t.t_nproc, nullptr);
  KMP_ATOMIC_DEC(&TaskTeam->tt.tt_unfinished_threads);
  return Placed;
}

//===----------------------------------------------------------------------===//
// Taking tasks
//===----------------------------------------------------------------------===//

/// What Taker::Allowed needs to know.
struct Candidate {
  kmp_int32 Gtid;
  kmp_int32 Constrained;
  kmp_taskdata_t *Current;
  const Domains *Places;
};

static bool isAllowed(void *Context, void *Task) {
  const Candidate *Who = static_cast<Candidate *>(Context);
  return __kmp_task_is_allowed(Who->Gtid, Who->Constrained,
                               static_cast<kmp_taskdata_t *>(Task),
                               Who->Current);
}

/// The same for a thread that takes tasks only if they may run anywhere, or are
/// inferred to belong to a node that has too many of them.
static bool isAllowedAfar(void *Context, void *Task) {
  const kmp_taskdata_t *It = static_cast<kmp_taskdata_t *>(Task);
  const Kind What = It->td_locus.OwnKind;
  if (What == Kind::Inferred
          ? !static_cast<Candidate *>(Context)->Places->isCrowded(
                int(It->td_locus_target.Value))
          : What != Kind::None)
    return false;
  return isAllowed(Context, Task);
}

/// Whether a thread in a taskwait may start a strict task that is not a
/// descendant of the waiting one, after \p EmptyRounds rounds without a task.
///
/// It must in the end, or two threads that wait for tasks pinned to each other
/// wait for ever. But each such task starts on top of the waiting one, and the
/// new one may wait as well. So they start at once while the stack has room,
/// and ever more slowly beyond its half.
static bool mayNest(uint32_t EmptyRounds) {
  constexpr size_t Steps = 64;
  // Libomp knows the stacks of its own threads only.
  static thread_local char *Lowest = nullptr;
  static thread_local size_t Size = 0;
  char *Here = static_cast<char *>(__builtin_frame_address(0));
  if (UNLIKELY(Size == 0)) {
    pthread_attr_t Attributes;
    void *Address = nullptr;
    if (pthread_getattr_np(pthread_self(), &Attributes) == 0) {
      if (pthread_attr_getstack(&Attributes, &Address, &Size) != 0)
        Size = 0;
      pthread_attr_destroy(&Attributes);
    }
    if (Size < Steps) { // not known: assume room for a small stack from here
      Size = 256 * 1024;
      Address = Here - Size;
    }
    Lowest = static_cast<char *>(Address);
  }
  if (Here < Lowest || Here > Lowest + Size) // a stack of the program's own
    return true;
  const size_t UsedSteps = size_t(Lowest + Size - Here) / (Size / Steps);
  if (UsedSteps < Steps / 2)
    return true;
  return EmptyRounds >> KMP_MIN(UsedSteps - Steps / 2, size_t(20)) != 0;
}

/// The search of one thread for a task.
class Search {
public:
  Search(Domains &Places, kmp_info_t *Thread, int *Finished,
         kmp_int32 Constrained)
      : Any{Thread->th.th_info.ds.ds_gtid, Constrained,
            Thread->th.th_current_task, &Places},
        Pinned(Any), Strict{Finished, isAllowed, &Pinned,
                            Places.slot(Thread->th.th_info.ds.ds_tid)},
        Public{Finished, isAllowed, &Any, Strict.Slot} {
    // Strict tasks are exempt from the task scheduling constraint where only
    // this thread or its node can run them.
    if (Constrained &&
        mayNest(Places.emptyRounds(Thread->th.th_info.ds.ds_tid)))
      Pinned.Constrained = 0;
  }

private:
  Candidate Any, Pinned;

public:
  Taker Strict, Public;
};

__thread bool RunsPlaced = false;

/// \p Thread has found \p Task, which libomp knows by another address.
static kmp_task_t *endRound(Domains &Places, kmp_info_t *Thread, void *Task) {
  const int Tid = Thread->th.th_info.ds.ds_tid;
  kmp_taskdata_t *It = static_cast<kmp_taskdata_t *>(Task);
  const bool IsPlaced =
      It->td_locus.OwnKind != Kind::None && It->td_flags.proxy != TASK_PROXY;
  RunsPlaced = IsPlaced;
  Places.endRound(Tid, IsPlaced ? Round::PlacedTask : Round::Task, nanoseconds);
  // Whoever woke it may have done so for another task than this one.
  if (UNLIKELY(Places.endRest(Tid))) {
    std::atomic_thread_fence(std::memory_order_seq_cst);
    if (Places.pool().hasTasks())
      wakeOne(Places, Thread);
  }
  return KMP_TASKDATA_TO_TASK(It);
}

void endPlaced() {
  RunsPlaced = false;
  kmp_info_t *Thread = __kmp_threads[__kmp_get_gtid()];
  Domains *Places =
      Thread->th.th_task_team ? domains(Thread->th.th_task_team) : nullptr;
  const int Tid = Thread->th.th_info.ds.ds_tid;
  if (Places && Tid < Places->numThreads())
    Places->endTask(Tid, nanoseconds);
}

kmp_task_t *takePinned(Domains *Places, kmp_info_t *Thread, int *Finished,
                       kmp_int32 Constrained) {
  const int Tid = Thread->th.th_info.ds.ds_tid;
  // A thread that left a larger team may come by once more.
  if (Tid >= Places->numThreads())
    return nullptr;
  Search S(*Places, Thread, Finished, Constrained);
  void *Task;
  if (Places->takeOwn(Tid, S.Strict, S.Public, Task) != Outcome::Taken)
    return nullptr;
  return endRound(*Places, Thread, Task);
}

kmp_task_t *take(kmp_info_t *Thread, kmp_task_team_t *Team, int *Finished,
                 kmp_int32 Constrained) {
  Domains *Places = domains(Team);
  const int Tid = Thread->th.th_info.ds.ds_tid;
  if (UNLIKELY(!Places || Tid >= Places->numThreads()))
    return nullptr;
  Candidate Any = {Thread->th.th_info.ds.ds_gtid, Constrained,
                   Thread->th.th_current_task, Places};
  // A finished thread has nothing in its deque. It may be a late one, whose
  // number in the team is already another thread's.
  const bool Owns =
      !*Finished && Team->tt.tt_threads_data[Tid].td.td_thr == Thread;
  // In a barrier, where all that it takes is as good as another's.
  const bool MayKeep =
      Owns && !Constrained &&
      Thread->th.th_current_task->td_flags.tasktype == TASK_IMPLICIT;
  Taker Public = {Finished, isAllowed, &Any, Places->slot(Tid), MayKeep};
  void *Task;
  TaskPool &Pool = Places->pool();
  const Outcome Own = Owns ? Pool.popOwn(Tid, Public, Task) : Outcome::Empty;
  if (Own == Outcome::Taken ||
      Pool.popShared(Tid, Public, Task) == Outcome::Taken) {
    Stats::count(Stat::TakenOwn);
    return endRound(*Places, Thread, Task);
  }
  // While this thread tried its own task, it could not be seen there.
  if (UNLIKELY(Own == Outcome::Refused) && sleepsBetweenTasks())
    wakeOne(*Places, Thread);
  const bool Placed = Places->mayHaveTasks();
  bool Found = false;
  if (Placed) {
    Search S(*Places, Thread, Finished, Constrained);
    Found = Places->takeFromNode(Tid, S.Strict, S.Public, Constrained != 0,
                                 Task) == Outcome::Taken;
  }
  // Without untied or strict tasks the near end of a deque speaks for all of
  // it.
  const bool ScanAll = TCR_4(Team->tt.tt_untied_task_encountered) != 0;
  // In a barrier a deque may hold what a trip brought, of which the newest may
  // want a lock (mutexinoutset) whose owner waits for an older one.
  Found = Found || ((ScanAll || !Constrained) && Owns &&
                    Pool.popOwnBehind(Tid, Public, Task) == Outcome::Taken);
  Taker Afar = {Finished, isAllowedAfar, &Any, Public.Slot};
  // Nobody else may be able to run what a constrained thread waits for.
  const Reach Far =
      Constrained ? Places->reachByRounds(Tid) : Places->reach(Tid);
  Found = Found ||
          Pool.steal(Tid, Public, Afar, Far, ScanAll, Task) == Outcome::Taken;
  // What came along was in no list for a moment.
  if (UNLIKELY(Found && sleepsBetweenTasks() && Pool.hasOwn(Tid)))
    wakeOne(*Places, Thread);
  Found = Found ||
          (Placed &&
           (Places->takeFromCrowd(Tid, Afar, Task) == Outcome::Taken ||
            Places->takeFromAfar(Tid, Public, Far, Task) == Outcome::Taken));
  if (Found)
    return endRound(*Places, Thread, Task);
  Places->endRound(Tid, Round::Empty, nanoseconds);
  // Libomp's taskwait and taskgroup poll without a pause. With more threads
  // than processors the thread that is waited for may need this one's.
  if (Places->emptyRounds(Tid) % RoundsBeforeYield == 0)
    KMP_YIELD_OVERSUB();
  return nullptr;
}

bool mayFindMore(kmp_int32 Gtid) {
  constexpr uint32_t LeastEmptyRounds = 256;
  kmp_info_t *Thread = __kmp_threads[Gtid];
  kmp_task_team_t *Team = Thread->th.th_task_team;
  if (!Team)
    return true;
  // Stealing by a combiner, this may be for another thread, which stands still.
  Domains *Places = isStock() ? nullptr : domains(Team);
  const int Tid = Thread->th.th_info.ds.ds_tid;
  return Places && Tid < Places->numThreads() &&
         Places->emptyRounds(Tid) < LeastEmptyRounds;
}

bool holdsTasks(kmp_info_t *Thread, kmp_task_team_t *Team) {
  Domains *Places = domains(Team);
  const int Tid = Thread->th.th_info.ds.ds_tid;
  return Places && Tid < Places->numThreads() && Places->pool().hasOwn(Tid);
}

/// Whether libomp's own lists have a task: one with a priority, or the rest of
/// a detached one.
static bool hasTasksOfLibomp(kmp_task_team_t *Team) {
  if (Team->tt.tt_num_task_pri.load(std::memory_order_relaxed))
    return true;
  for (int T = 0; T < Team->tt.tt_nproc; ++T)
    if (TCR_4(Team->tt.tt_threads_data[T].td.td_deque_ntasks))
      return true;
  return false;
}

bool hasWork(kmp_info_t *Thread) {
  // Orders the store to th_sleep_loc before the look at the queues; pairs with
  // wakeFor().
  std::atomic_thread_fence(std::memory_order_seq_cst);
  kmp_task_team_t *Team = Thread->th.th_task_team;
  if (!Team || !TCR_4(Team->tt.tt_active) || !TCR_4(Team->tt.tt_found_tasks))
    return false;
  // The first task of a region finds its threads in the barrier, perhaps about
  // to sleep. They have to take part, or at least to say that they found
  // nothing to do: __kmp_enable_tasking() wakes those that it sees asleep.
  // Under a passive policy a thread that has looked since then (it is not safe
  // to reap) may sleep.
  if (!sleepsBetweenTasks() || Thread->th.th_reap_state == KMP_SAFE_TO_REAP)
    return true;
  if (isStock())
    return false;
  Domains *Places = domains(Team);
  const int Tid = Thread->th.th_info.ds.ds_tid;
  if (!Places || Tid >= Places->numThreads()) // None yet: see wakeAll().
    return false;
  Places->lieDown(Tid);
  std::atomic_thread_fence(std::memory_order_seq_cst); // pairs with wakeOne()
  return Places->hasWorkFor(Tid) || Places->pool().hasTasks() ||
         hasTasksOfLibomp(Team);
}

} // namespace locus

using namespace locus;

/// Contract: see docs/clause.md, "ABI".
extern "C" void __kmpc_omp_task_affinity(ident_t *loc_ref, kmp_int32 gtid,
                                         kmp_task_t *task, kmp_int32 kind,
                                         kmp_uintptr_t value, kmp_size_t len,
                                         kmp_int32 strict) {
  __kmp_assert_valid_gtid(gtid);
  finishDraft(loc_ref, gtid, task);
  kmp_taskdata_t *Task = KMP_TASK_TO_TASKDATA(task);
  if (kind < 0 || kind > kmp_int32(Kind::Data)) { // a compiler newer than us
    KMP_DEBUG_ASSERT(0);
    kind = kmp_int32(Kind::None);
  }
  freeHint(__kmp_threads[gtid], Task);
  Task->td_locus.OwnKind = Kind(kind);
  Task->td_locus.OwnStrict = strict != 0;
  Task->td_locus_target = {value, len};
}

void locus::setAffinityList(ident_t *Location, kmp_int32 Gtid,
                            kmp_task_t *Ptask, kmp_int32 Count,
                            const kmp_task_affinity_info_t *List) {
  __kmp_assert_valid_gtid(Gtid);
  finishDraft(Location, Gtid, Ptask);
  kmp_taskdata_t *Task = KMP_TASK_TO_TASKDATA(Ptask);
  if (Task->td_locus.OwnKind == Kind::None && Topology::mayHaveNodes())
    setRanges(__kmp_threads[Gtid], Task, Kind::Data, Kind::Ranges, Count,
              [=](int I) {
                return MemoryRange{uintptr_t(List[I].base_addr), List[I].len};
              });
}
