//===- locus_kmp.cpp - Locus in libomp ------------------------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The adapter: the only file of ours that includes kmp.h. It turns libomp's
// threads, places and task teams into the plain data of the core, and holds
// the entry points for compilers and users.
//
//===----------------------------------------------------------------------===//

#include "locus_kmp.h"
#if KMP_AFFINITY_SUPPORTED
#include "kmp_affinity.h"
#endif
#include "kmp_i18n.h"
#include "kmp_io.h"
#include "kmp_str.h"
#include "kmp_wait_release.h"
#include "locus_fence.h"
#include "locus_memory.h"

namespace locus {

void warn(const char *Text) {
  if (__kmp_generate_warnings != kmp_warnings_off)
    __kmp_printf("OMP: Warning: %s\n", Text);
}

//===----------------------------------------------------------------------===//
// Environment
//===----------------------------------------------------------------------===//

/// One row for each variable: what it may say, and where it is kept.
struct Setting {
  const char *Name;
  const char *Values[2]; ///< the first is the default
  int Chosen;
};

static Setting Settings[] = {
    {"KMP_TASK_SCHEDULER", {"domains", "stock"}, 0},
    {"KMP_TASK_UNKNOWN_NODE", {"first", "local"}, 0},
    {"KMP_TASK_DEPEND_AFFINITY", {"1", "0"}, 0},
};
static const Setting &Scheduler = Settings[0];
static const Setting &UnknownNodeChoice = Settings[1];
static const Setting &DependAffinity = Settings[2];

/// How many tasks a thread's deque holds before new ones run at once; the size
/// of libomp's own deques.
static constexpr uint32_t ThrottleAt = 256;

/// Rounds without a task after which an oversubscribed thread yields.
static constexpr uint32_t RoundsBeforeYield = 16;

static Setting *findSetting(const char *Name) {
  for (Setting &S : Settings)
    if (strcmp(S.Name, Name) == 0)
      return &S;
  return nullptr;
}

void parseSetting(char const *Name, char const *Value, void *) {
  Setting *S = findSetting(Name);
  KMP_DEBUG_ASSERT(S);
  for (int I = 0; I < 2; ++I)
    if (__kmp_str_match(S->Values[I], 0, Value)) {
      S->Chosen = I;
      return;
    }
  kmp_str_buf_t Text;
  __kmp_str_buf_init(&Text);
  __kmp_str_buf_print(&Text, "%s=\"%s\": legal values are %s and %s; using %s.",
                      Name, Value, S->Values[0], S->Values[1], S->Values[0]);
  warn(Text.str);
  __kmp_str_buf_free(&Text);
  S->Chosen = 0;
}

const char *settingValue(char const *Name) {
  Setting *S = findSetting(Name);
  KMP_DEBUG_ASSERT(S);
  return S->Values[S->Chosen];
}

//===----------------------------------------------------------------------===//
// From places to nodes
//===----------------------------------------------------------------------===//

#if KMP_AFFINITY_SUPPORTED
static NodeSet nodesOfMask(kmp_affin_mask_t *Mask) {
  const Topology &Machine = Topology::get();
  NodeSet Set;
  int Cpu;
  KMP_CPU_SET_ITERATE(Cpu, Mask) {
    if (KMP_CPU_ISSET(Cpu, Mask))
      Set.add(Machine.nodeOfCpu(Cpu));
  }
  return Set;
}

/// What placeNodes() has found out about one list of places.
struct PlaceTable {
  const void *Masks; ///< identifies the list, with NumPlaces
  int NumPlaces;
  NodeSet Process; ///< the nodes of the process' own CPUs
  NodeSet Places[1];
};

/// The nodes of each place of libomp's list, which it makes once (and once more
/// in a forked child). Old tables stay, as another thread may read them.
static const PlaceTable &placeNodes() {
  static SpinLock Lock;
  static std::atomic<PlaceTable *> Newest{nullptr};
  const int NumPlaces = int(__kmp_affinity.num_masks);
  auto Fits = [&](const PlaceTable *T) {
    return T && T->Masks == __kmp_affinity.masks && T->NumPlaces == NumPlaces;
  };
  PlaceTable *Table = Newest.load(std::memory_order_acquire);
  if (Fits(Table))
    return *Table;
  LockGuard Guard(Lock);
  Table = Newest.load(std::memory_order_relaxed);
  if (Fits(Table))
    return *Table;
  Table = static_cast<PlaceTable *>(
      __kmp_allocate(sizeof(PlaceTable) + size_t(NumPlaces) * sizeof(NodeSet)));
  Table->Masks = __kmp_affinity.masks;
  Table->NumPlaces = NumPlaces;
  Table->Process = nodesOfMask(__kmp_affin_fullMask);
  for (int I = 0; I < NumPlaces; ++I)
    Table->Places[I] = nodesOfMask(KMP_CPU_INDEX(__kmp_affinity.masks, I));
  Newest.store(Table, std::memory_order_release);
  return *Table;
}
#endif

/// The nodes of the CPUs that thread \p Tid of \p Team may run on.
static NodeSet nodesOfThread(kmp_team_t *Team, int Tid) {
  const Topology &Machine = Topology::get();
  NodeSet Set;
  if (!Machine.isThisSystem()) {
    // A what-if topology: the threads take its CPUs in order.
    Set.add(Machine.nodeOfCpu(Machine.cpuAt(Tid % Machine.numCpus())));
    return Set;
  }
#if KMP_AFFINITY_SUPPORTED
  if (KMP_AFFINITY_CAPABLE()) {
    kmp_info_t *Thread = Team->t.t_threads[Tid];
    const PlaceTable &Table = placeNodes();
    // With proc_bind the primary thread has chosen the place before the
    // workers start; they bind themselves, and set their masks, only later.
    int Place = Thread->th.th_new_place;
    const kmp_proc_bind_t Bind = Team->t.t_proc_bind;
    if (Bind != proc_bind_false && Bind != proc_bind_intel && Place >= 0 &&
        Place < Table.NumPlaces)
      return Table.Places[Place];
    if (Thread->th.th_current_place != KMP_PLACE_ALL &&
        Thread->th.th_affin_mask)
      return nodesOfMask(Thread->th.th_affin_mask);
    return Table.Process;
  }
#endif
  return Topology::get().nodesWithCpus();
}

/// The domains of \p TaskTeam if they fit its team as it is now, else null.
static inline Domains *currentDomains(kmp_task_team_t *TaskTeam) {
  // Pairs with the release at the end of domainsOf().
  return TaskTeam->tt.tt_locus_current.load(std::memory_order_acquire)
             ? TaskTeam->tt.tt_locus.load(std::memory_order_relaxed)
             : nullptr;
}

/// The domains of \p TaskTeam, which \p Team uses now: made, or made anew if
/// the team has other threads or places than last time. Null if there is no
/// memory.
static Domains *domainsOf(kmp_task_team_t *TaskTeam, kmp_team_t *Team) {
  if (Domains *Current = currentDomains(TaskTeam))
    return Current;

  __kmp_acquire_bootstrap_lock(&TaskTeam->tt.tt_threads_lock);
  Domains *Newest = TaskTeam->tt.tt_locus.load(std::memory_order_relaxed);
  if (!TaskTeam->tt.tt_locus_current.load(std::memory_order_relaxed)) {
    const int NumThreads = Team->t.t_nproc;
    NodeSet *Shape = static_cast<NodeSet *>(
        __kmp_allocate(size_t(NumThreads) * sizeof(NodeSet)));
    for (int Tid = 0; Tid < NumThreads; ++Tid)
      Shape[Tid] = nodesOfThread(Team, Tid);
    // No placed task is queued: it would have kept the last barrier closed. So
    // the sets can be exchanged. Old ones stay allocated, as a thread that
    // leaves that barrier late may still look for tasks in them; they serve
    // again when the team gets their shape back.
    Domains *Found = nullptr, *Before = nullptr;
    for (Domains *D = Newest; D; Before = D, D = D->Next)
      if (D->hasShape(NumThreads, Shape)) {
        Found = D;
        break;
      }
    if (Found && Before) {
      Before->Next = Found->Next;
      Found->Next = Newest;
    } else if (!Found) {
      prepareFences();
      Found = Domains::create(Topology::get(), NumThreads, Shape,
                              &TaskTeam->tt.tt_unfinished_threads);
      if (Found)
        Found->Next = Newest;
    }
    if (Found) {
      TaskTeam->tt.tt_locus.store(Found, std::memory_order_release);
      TaskTeam->tt.tt_locus_current.store(TRUE, std::memory_order_release);
    }
    Newest = Found;
    __kmp_free(Shape);
  }
  __kmp_release_bootstrap_lock(&TaskTeam->tt.tt_threads_lock);
  return Newest;
}

void freeTeam(kmp_task_team_t *Team) {
  Domains *Next;
  for (Domains *D = Team->tt.tt_locus.load(std::memory_order_relaxed); D;
       D = Next) {
    Next = D->Next;
    Domains::destroy(D);
  }
  Team->tt.tt_locus.store(nullptr, std::memory_order_relaxed);
}

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

/// Gives \p Task the ranges that \p Get returns for 0 .. \p Count - 1.
template <class Getter>
static void setRanges(kmp_info_t *Thread, kmp_taskdata_t *Task, int Count,
                      Getter Get) {
  if (Count <= 0)
    return;
  if (Count == 1) {
    MemoryRange Only = Get(0);
    Task->td_locus.OwnKind = Kind::Data;
    Task->td_locus_target = {Only.Base, Only.Length};
  } else {
    RangeList *List = static_cast<RangeList *>(
        __kmp_fast_allocate(Thread, sizeof(RangeList)));
    List->Count = KMP_MIN(Count, int(RangeList::MaxRanges));
    for (int I = 0; I < List->Count; ++I)
      List->Ranges[I] = Get(int(kmp_int64(I) * Count / List->Count));
    Task->td_locus.OwnKind = Kind::Ranges;
    Task->td_locus_target = {reinterpret_cast<uintptr_t>(List), 0};
  }
  Task->td_locus.OwnStrict = 0;
}

void freeRanges(kmp_info_t *Thread, kmp_taskdata_t *Task) {
  __kmp_fast_free(Thread,
                  reinterpret_cast<void *>(Task->td_locus_target.Value));
  Task->td_locus.OwnKind = Kind::None;
}

bool isStock() { return Scheduler.Chosen != 0; }

bool followDepend() {
  // 0: not known yet. Threads that race here find the same answer.
  static std::atomic<int> Answer{0};
  int Known = Answer.load(std::memory_order_relaxed);
  if (UNLIKELY(Known == 0)) {
    bool Follow = Scheduler.Chosen == 0 && DependAffinity.Chosen == 0 &&
                  Topology::mayHaveNodes();
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
  setRanges(Thread, Task, Found, [&](int I) { return Written[I]; });
}

/// Wakes \p Thread if it sleeps; false if it does not.
static bool wake(kmp_info_t *Thread) {
  if (TCR_PTR(CCAST(void *, Thread->th.th_sleep_loc)) == NULL)
    return false;
  __kmp_null_resume_wrapper(Thread);
  return true;
}

/// Wakes a thread that can take the task just queued at \p Where, unless one
/// is awake for certain. locus_queue.md, "Sleeping", has the argument.
static void wakeFor(const Placement &Where, const Domains &Places,
                    kmp_team_t *Team, kmp_info_t *Pusher) {
  if (__kmp_dflt_blocktime == KMP_MAX_BLOCKTIME &&
      __kmp_pause_status != kmp_soft_paused)
    return; // nobody ever sleeps
  // Orders the push before the look at th_sleep_loc; pairs with hasWork().
  std::atomic_thread_fence(std::memory_order_seq_cst);
  int Node = Where.Index;
  if (Where.Place == Placement::OnThread) {
    if (wake(Team->t.t_threads[Where.Index]) || Where.Strict)
      return;
    Node = Places.nodeOfThread(Where.Index);
  }
  const int *Members = Places.threadsOfNode(Node);
  for (int I = 0; I < Places.numThreadsOfNode(Node); ++I) {
    kmp_info_t *Member = Team->t.t_threads[Members[I]];
    if (Member != Pusher && wake(Member))
      return;
  }
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

/// Queues \p Task by its hint; thread \p Pusher of \p Team makes it ready.
/// False if it has none, or one that leaves it to the pusher.
static bool place(Domains &Places, kmp_taskdata_t *Task, kmp_team_t *Team,
                  kmp_task_team_t *TaskTeam, int Pusher,
                  kmp_info_t *PusherThread) {
  const TaskHint Hint = Task->td_locus;
  warnUnbound(Places, Hint.OwnKind);
  Placement Where = Places.resolve(
      Hint.OwnKind, Hint.OwnStrict, Task->td_locus_target, Pusher,
      UnknownNodeChoice.Chosen == 0 ? UnknownPolicy::First
                                    : UnknownPolicy::Local);
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
  wakeFor(Where, Places, Team, PusherThread);
  return true;
}

bool push(kmp_info_t *Thread, kmp_task_t *NewTask, kmp_int32 &Result) {
  kmp_taskdata_t *Task = KMP_TASK_TO_TASKDATA(NewTask);
  // The threads of the hidden helper team wait in ways of their own.
  if (UNLIKELY(Scheduler.Chosen != 0 || Task->td_flags.hidden_helper ||
               KMP_HIDDEN_HELPER_THREAD(Thread->th.th_info.ds.ds_gtid)))
    return false;
  kmp_task_team_t *Team = Thread->th.th_task_team;
  Domains *Places = currentDomains(Team);
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
  if (UNLIKELY(Places->isThrottled(
          Tid, __kmp_enable_task_throttling ? ThrottleAt : 0)) &&
      __kmp_task_is_allowed(Thread->th.th_info.ds.ds_gtid,
                            __kmp_task_stealing_constraint, Task,
                            Thread->th.th_current_task)) {
    Result = TASK_NOT_PUSHED;
    return true;
  }
  KMP_FSYNC_RELEASING(Thread->th.th_current_task);
  KMP_FSYNC_RELEASING(Task);
  if (!Places->pushOwn(Tid, Task))
    KMP_FATAL(MemoryAllocFailed);
  return true;
}

bool givePlaced(kmp_taskdata_t *Task, kmp_int32 Start) {
  // What is given of a proxy task is its completion, not its execution.
  if (Task->td_flags.proxy == TASK_PROXY || Task->td_flags.hidden_helper ||
      Scheduler.Chosen != 0)
    return false;
  kmp_team_t *Team = Task->td_team;
  Domains *Places = domainsOf(Task->td_task_team, Team);
  return Places && place(*Places, Task, Team, Task->td_task_team,
                         Start % Team->t.t_nproc, nullptr);
}

//===----------------------------------------------------------------------===//
// Taking tasks
//===----------------------------------------------------------------------===//

/// What Taker::Allowed needs to know.
struct Candidate {
  kmp_int32 Gtid;
  kmp_int32 Constrained;
  kmp_taskdata_t *Current;
};

static bool isAllowed(void *Context, void *Task) {
  const Candidate *Who = static_cast<Candidate *>(Context);
  return __kmp_task_is_allowed(Who->Gtid, Who->Constrained,
                               static_cast<kmp_taskdata_t *>(Task),
                               Who->Current);
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
            Thread->th.th_current_task},
        Pinned(Any), Strict{Finished, isAllowed, &Pinned},
        Public{Finished, isAllowed, &Any} {
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

static kmp_task_t *taskOf(void *Task) {
  return KMP_TASKDATA_TO_TASK(static_cast<kmp_taskdata_t *>(Task));
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
  Places->endRound(Tid, true);
  return taskOf(Task);
}

kmp_task_t *take(kmp_info_t *Thread, kmp_task_team_t *Team, int *Finished,
                 kmp_int32 Constrained) {
  Domains *Places = domains(Team);
  const int Tid = Thread->th.th_info.ds.ds_tid;
  if (UNLIKELY(!Places || Tid >= Places->numThreads()))
    return nullptr;
  Candidate Any = {Thread->th.th_info.ds.ds_gtid, Constrained,
                   Thread->th.th_current_task};
  Taker Public = {Finished, isAllowed, &Any};
  void *Task;
  // A finished thread has nothing in its deque. It may be a late one, whose
  // number in the team is already another thread's.
  if (!*Finished && Places->popOwn(Tid, Public, Task) == Outcome::Taken) {
    Places->endRound(Tid, true);
    return taskOf(Task);
  }
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
  Found = Found || (ScanAll && !*Finished &&
                    Places->popOwnBehind(Tid, Public, Task) == Outcome::Taken);
  Found =
      Found || Places->stealOwn(Tid, Public, ScanAll, Task) == Outcome::Taken;
  Found = Found ||
          (Placed && Places->takeFromAfar(Tid, Public, Task) == Outcome::Taken);
  Places->endRound(Tid, Found);
  if (Found)
    return taskOf(Task);
  // Libomp's taskwait and taskgroup poll without a pause. With more threads
  // than processors the thread that is waited for may need this one's.
  if (Places->emptyRounds(Tid) % RoundsBeforeYield == 0)
    KMP_YIELD_OVERSUB();
  return nullptr;
}

bool holdsTasks(kmp_info_t *Thread, kmp_task_team_t *Team) {
  Domains *Places = domains(Team);
  const int Tid = Thread->th.th_info.ds.ds_tid;
  return Places && Tid < Places->numThreads() && Places->hasOwn(Tid);
}

bool hasWork(kmp_info_t *Thread) {
  // Orders the store to th_sleep_loc before the look at the queues; pairs with
  // wakeFor().
  std::atomic_thread_fence(std::memory_order_seq_cst);
  kmp_task_team_t *Team = Thread->th.th_task_team;
  if (!Team)
    return false;
  // The first task of a region finds its threads in the barrier, perhaps about
  // to sleep. They have to take part, or at least to say that they found
  // nothing to do: __kmp_enable_tasking() wakes those that it sees asleep.
  // Under a passive policy a thread that has looked since then (it is not safe
  // to reap) may sleep.
  if (TCR_4(Team->tt.tt_active) && TCR_4(Team->tt.tt_found_tasks) &&
      (!__kmp_wpolicy_passive || Thread->th.th_reap_state == KMP_SAFE_TO_REAP))
    return true;
  Domains *Places = domains(Team);
  const int Tid = Thread->th.th_info.ds.ds_tid;
  return Places && Tid < Places->numThreads() && Places->hasWorkFor(Tid);
}

//===----------------------------------------------------------------------===//
// Entry points
//===----------------------------------------------------------------------===//

/// The calling thread, registered with libomp if it was not.
static kmp_info_t *callingThread() {
  if (!TCR_4(__kmp_init_parallel))
    __kmp_parallel_initialize();
  return __kmp_threads[__kmp_entry_gtid()];
}

/// The node numbers of the calling thread's team. With its own domains where
/// it has several threads; else the OS nodes in order.
class TeamNodes {
public:
  explicit TeamNodes(kmp_info_t *Thread) {
    kmp_team_t *Team = Thread->th.th_team;
    kmp_task_team_t *TaskTeam = Thread->th.th_task_team;
    if (!Team->t.t_serialized && Team->t.t_nproc > 1 && TaskTeam)
      Places = domainsOf(TaskTeam, Team);
    if (Places)
      return;
    // The initial team speaks for all places that it could use; a serialized
    // region within a parallel one for its only thread.
    if (Team->t.t_level == 0)
      addInitial();
    else
      add(nodesOfThread(Team, Thread->th.th_info.ds.ds_tid));
    if (Count == 0) // CPUs that hwloc does not show
      add(Topology::get().nodesWithCpus());
  }

  int count() const { return Places ? Places->numNodes() : Count; }

  int find(int OsNode) const {
    if (Places)
      return Places->teamNode(OsNode);
    for (int I = 0; I < Count; ++I)
      if (Order[I] == OsNode)
        return I;
    return -1;
  }

  int assigned(kmp_info_t *Thread) const {
    return Places ? Places->nodeOfThread(Thread->th.th_info.ds.ds_tid) : 0;
  }

private:
  void add(const NodeSet &Set) {
    for (int I = 0; I < Set.size(); ++I)
      if (find(Set.at(I)) < 0)
        Order[Count++] = int16_t(Set.at(I));
  }

  void addInitial() {
#if KMP_AFFINITY_SUPPORTED
    if (Topology::get().isThisSystem() && KMP_AFFINITY_CAPABLE()) {
      const PlaceTable &Table = placeNodes();
      if (__kmp_nested_proc_bind.bind_types[0] != proc_bind_false)
        for (int I = 0; I < Table.NumPlaces; ++I)
          add(Table.Places[I]);
      else
        add(Table.Process);
    }
#endif
  }

  const Domains *Places = nullptr;
  int Count = 0;
  int16_t Order[MaxOsNodes];
};

} // namespace locus

using namespace locus;

/// Contract: see docs/clause.md, "ABI".
extern "C" void __kmpc_omp_task_affinity(ident_t *, kmp_int32 gtid,
                                         kmp_task_t *task, kmp_int32 kind,
                                         kmp_uintptr_t value, kmp_size_t len,
                                         kmp_int32 strict) {
  __kmp_assert_valid_gtid(gtid);
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

/// The standard clause: its list is a wish for the node that holds most bytes
/// of it. A clause with a kind, or omp_set_task_affinity, goes before it. The
/// list is the caller's; it is copied.
extern "C" kmp_int32
__kmpc_omp_reg_task_with_affinity(ident_t *, kmp_int32 gtid, kmp_task_t *task,
                                  kmp_int32 naffins,
                                  kmp_task_affinity_info_t *affin_list) {
  __kmp_assert_valid_gtid(gtid);
  kmp_taskdata_t *Task = KMP_TASK_TO_TASKDATA(task);
  if (Task->td_locus.OwnKind == Kind::None && Topology::mayHaveNodes())
    setRanges(__kmp_threads[gtid], Task, naffins, [=](int I) {
      return MemoryRange{uintptr_t(affin_list[I].base_addr), affin_list[I].len};
    });
  return 0;
}

extern "C" void omp_set_task_affinity(int kind, kmp_uintptr_t value,
                                      int strict) {
  kmp_taskdata_t *Current = callingThread()->th.th_current_task;
  if (kind < 0 || kind > int(Kind::Data)) {
    warn("omp_set_task_affinity: unknown kind; the next task has no affinity.");
    kind = int(Kind::None);
  }
  Current->td_locus.NextKind = Kind(kind);
  Current->td_locus.NextStrict = strict != 0;
  Current->td_locus_next = value;
}

extern "C" int omp_get_num_nodes(void) {
  return TeamNodes(callingThread()).count();
}

extern "C" int omp_get_node_num(void) {
  kmp_info_t *Thread = callingThread();
  TeamNodes Nodes(Thread);
  const Topology &Machine = Topology::get();
  int Node = -1;
  if (Machine.isThisSystem())
    Node = Nodes.find(Machine.nodeOfCpu(sched_getcpu()));
  // An unbound thread can be on a node where its team has no domain.
  return Node >= 0 ? Node : Nodes.assigned(Thread);
}

extern "C" int omp_get_node_from_data(const void *address) {
  int OsNode = nodeOfMemory(address, 0);
  return OsNode == UnknownNode ? -1 : TeamNodes(callingThread()).find(OsNode);
}
