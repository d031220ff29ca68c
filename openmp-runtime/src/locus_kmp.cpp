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

/// The nodes of each place, and behind them those of the whole process. Made
/// once: libomp fixes the places when it initializes affinity.
static const NodeSet *placeNodes() {
  static SpinLock Lock;
  static std::atomic<NodeSet *> Table{nullptr};
  static unsigned Rows; // guarded by Lock
  const unsigned Places = __kmp_affinity.num_masks;
  NodeSet *Made = Table.load(std::memory_order_acquire);
  if (Made)
    return Made;
  LockGuard Guard(Lock);
  Made = Table.load(std::memory_order_relaxed);
  if (Made)
    return Made;
  Rows = Places + 1;
  Made = static_cast<NodeSet *>(__kmp_allocate(Rows * sizeof(NodeSet)));
  for (unsigned I = 0; I < Places; ++I)
    Made[I] = nodesOfMask(KMP_CPU_INDEX(__kmp_affinity.masks, I));
  Made[Places] = nodesOfMask(__kmp_affin_fullMask);
  Table.store(Made, std::memory_order_release);
  return Made;
}
#endif

/// All nodes that have CPUs, where the process' own mask is not known.
static NodeSet nodesOfMachine() {
  const Topology &Machine = Topology::get();
  NodeSet Set;
  for (int I = 0; I < Machine.numCpus(); ++I)
    Set.add(Machine.nodeOfCpu(Machine.cpuAt(I)));
  return Set;
}

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
    const int Places = int(__kmp_affinity.num_masks);
    // With proc_bind the primary thread has chosen the place before the
    // workers start; they bind themselves, and set their masks, only later.
    int Place = Thread->th.th_new_place;
    const kmp_proc_bind_t Bind = Team->t.t_proc_bind;
    if (Bind != proc_bind_false && Bind != proc_bind_intel && Place >= 0 &&
        Place < Places)
      return placeNodes()[Place];
    if (Thread->th.th_current_place == KMP_PLACE_ALL)
      return placeNodes()[Places];
    if (Thread->th.th_affin_mask)
      return nodesOfMask(Thread->th.th_affin_mask);
    return placeNodes()[Places];
  }
#endif
  return nodesOfMachine();
}

/// The domains of \p TaskTeam, which \p Team uses now: made, or made anew if
/// the team has other threads or places than last time. Null if there is no
/// memory.
static Domains *domainsOf(kmp_task_team_t *TaskTeam, kmp_team_t *Team) {
  // Pairs with the release below.
  if (TaskTeam->tt.tt_locus_current.load(std::memory_order_acquire))
    return TaskTeam->tt.tt_locus.load(std::memory_order_relaxed);

  const int NumThreads = Team->t.t_nproc;
  NodeSet *Shape = static_cast<NodeSet *>(
      __kmp_allocate(size_t(NumThreads) * sizeof(NodeSet)));
  for (int Tid = 0; Tid < NumThreads; ++Tid)
    Shape[Tid] = nodesOfThread(Team, Tid);

  __kmp_acquire_bootstrap_lock(&TaskTeam->tt.tt_threads_lock);
  Domains *Newest = TaskTeam->tt.tt_locus.load(std::memory_order_relaxed);
  if (!TaskTeam->tt.tt_locus_current.load(std::memory_order_relaxed)) {
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
  }
  __kmp_release_bootstrap_lock(&TaskTeam->tt.tt_threads_lock);
  __kmp_free(Shape);
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
static bool place(kmp_taskdata_t *Task, kmp_team_t *Team,
                  kmp_task_team_t *TaskTeam, int Pusher,
                  kmp_info_t *PusherThread) {
  if (Scheduler.Chosen != 0)
    return false;
  const TaskHint Hint = Task->td_locus;
  Domains *Places = domainsOf(TaskTeam, Team);
  if (Places) {
    warnUnbound(*Places, Hint.OwnKind);
    Placement Where = Places->resolve(
        Hint.OwnKind, Hint.OwnStrict, Task->td_locus_target, Pusher,
        UnknownNodeChoice.Chosen == 0 ? UnknownPolicy::First
                                      : UnknownPolicy::Local);
    if (Where.Place == Placement::Anywhere)
      return false;
    KMP_FSYNC_RELEASING(Task);
    if (Places->push(Where, Task)) {
      wakeFor(Where, *Places, Team, PusherThread);
      return true;
    }
  }
  if (Hint.OwnStrict)
    KMP_FATAL(MemoryAllocFailed);
  return false;
}

bool pushPlaced(kmp_info_t *Thread, kmp_taskdata_t *Task) {
  return place(Task, Thread->th.th_team, Thread->th.th_task_team,
               Thread->th.th_info.ds.ds_tid, Thread);
}

bool givePlaced(kmp_taskdata_t *Task, kmp_int32 Start) {
  // What is given of a proxy task is its completion, not its execution.
  if (Task->td_flags.proxy == TASK_PROXY)
    return false;
  kmp_team_t *Team = Task->td_team;
  return place(Task, Team, Task->td_task_team, Start % Team->t.t_nproc,
               nullptr);
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
static bool mayNest(kmp_info_t *Thread, uint32_t EmptyRounds) {
  constexpr size_t Steps = 64;
  const size_t Size = Thread->th.th_info.ds.ds_stacksize;
  const char *Base =
      static_cast<const char *>(TCR_PTR(Thread->th.th_info.ds.ds_stackbase));
  const char *Here = static_cast<const char *>(__builtin_frame_address(0));
  if (Size < Steps || Here > Base)
    return true; // not known
  const size_t UsedSteps = size_t(Base - Here) / (Size / Steps);
  if (UsedSteps < Steps / 2)
    return true;
  return EmptyRounds >> KMP_MIN(UsedSteps - Steps / 2, size_t(20)) != 0;
}

kmp_task_t *takeFrom(Stage From, kmp_info_t *Thread, kmp_task_team_t *Team,
                     int *Finished, kmp_int32 Constrained) {
  Domains *Places = Team->tt.tt_locus.load(std::memory_order_acquire);
  const int Tid = Thread->th.th_info.ds.ds_tid;
  // A thread that left a larger team may come by once more.
  if (Tid >= Places->numThreads())
    return nullptr;
  const kmp_int32 Gtid = Thread->th.th_info.ds.ds_gtid;
  Candidate Any = {Gtid, Constrained, Thread->th.th_current_task};
  // Strict tasks are exempt from the task scheduling constraint where only
  // this thread or its node can run them.
  Candidate Pinned = Any;
  if (Constrained && From != Stage::Afar &&
      mayNest(Thread, Places->emptyRounds(Tid)))
    Pinned.Constrained = 0;
  Taker Public = {Finished, isAllowed, &Any};
  Taker Strict = {Finished, isAllowed, &Pinned};

  void *Task = nullptr;
  Outcome Result = Outcome::Empty;
  switch (From) {
  case Stage::Own:
    Places->beginRound(Tid);
    Result = Places->takeOwn(Tid, Strict, Public, Task);
    break;
  case Stage::Node:
    Result = Places->takeFromNode(Tid, Strict, Public, Constrained != 0, Task);
    break;
  case Stage::Afar:
    Result = Places->takeFromAfar(Tid, Public, Task);
    break;
  }
  if (Result != Outcome::Taken)
    return nullptr;
  return KMP_TASKDATA_TO_TASK(static_cast<kmp_taskdata_t *>(Task));
}

bool hasWork(kmp_info_t *Thread) {
  // Orders the store to th_sleep_loc before the look at the queues; pairs with
  // wakeFor().
  std::atomic_thread_fence(std::memory_order_seq_cst);
  kmp_task_team_t *Team = Thread->th.th_task_team;
  if (!Team)
    return false;
  Domains *Places = Team->tt.tt_locus.load(std::memory_order_acquire);
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
      const NodeSet *Table = placeNodes();
      const int NumPlaces = int(__kmp_affinity.num_masks);
      if (__kmp_nested_proc_bind.bind_types[0] != proc_bind_false)
        for (int I = 0; I < NumPlaces; ++I)
          add(Table[I]);
      else
        add(Table[NumPlaces]);
    }
#endif
    if (Count == 0)
      add(nodesOfMachine());
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
  KMP_DEBUG_ASSERT(kind >= 0 && kind <= kmp_int32(Kind::Data));
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
