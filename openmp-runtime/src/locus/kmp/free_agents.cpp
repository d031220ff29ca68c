//===- kmp/free_agents.cpp - Threads that run tasks of other teams --------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "locus/kmp/free_agents.h"
#include "locus/kmp/depend.h"
#include "locus/kmp/hooks.h"
#include "locus/kmp/wake.h"

#include "kmp_affinity.h"
#include "kmp_i18n.h"
#include "kmp_taskdeps.h"

#include <pthread.h>

namespace locus {

/// The free agents of the process, and the tasks that wait for one.
static struct {
  pthread_mutex_t Lock = PTHREAD_MUTEX_INITIALIZER;
  // Under the lock:
  pthread_cond_t HasTasks = PTHREAD_COND_INITIALIZER;
  PoolList Pools;
  pthread_t *Threads = nullptr; ///< MaxAgents of them
  int NumThreads = 0;           ///< that have been started
  int NumIdle = 0;              ///< that wait to be called
  int NumCalled = 0;            ///< that are to go on
  int NumBusy = 0;              ///< that run one
  bool IsEnding = false;
  pthread_mutex_t Ending = PTHREAD_MUTEX_INITIALIZER; ///< for endFreeAgents()
} Agents;

/// More are of no use on any machine that there is.
static constexpr int MaxAgents = 1024;

/// Tasks in a pool from which on its team's threads queue theirs elsewhere:
/// there is enough for all free agents.
static constexpr int32_t MostPooled = 4000;

class MutexGuard {
public:
  explicit MutexGuard(pthread_mutex_t &TheMutex) : Mutex(TheMutex) {
    pthread_mutex_lock(&Mutex);
  }
  ~MutexGuard() { pthread_mutex_unlock(&Mutex); }
  MutexGuard(const MutexGuard &) = delete;

private:
  pthread_mutex_t &Mutex;
};

static TaskPool &poolOf(kmp_task_team_t *TaskTeam) {
  return TaskTeam->tt.tt_locus_pool;
}

//===----------------------------------------------------------------------===//
// Which tasks
//===----------------------------------------------------------------------===//

/// How many free agents may run tasks of \p KmpTeam at a time, whose current
/// task on \p Thread creates one.
static int agentsFor(const kmp_info_t *Thread, const kmp_team_t *KmpTeam) {
  // A serialized region shares its kmp_team_t with those in it, and who is in a
  // league says so by more than its team.
  if (isStock() || (KmpTeam->t.t_serialized && KmpTeam->t.t_level != 0) ||
      Thread->th.th_teams_microtask)
    return 0;
  int Most = __kmp_cg_max_nth - (KMP_MAX(1, Reserved.Structured));
  if (Most > MaxAgents)
    Most = MaxAgents;
  int Wanted = Reserved.Agents;
  if (Wanted < 0) {
    // A processor for each, beside those of the team. A nested one is one of
    // several.
    const int Threads = Thread->th.th_current_task->td_icvs.nproc;
    Wanted = KmpTeam->t.t_active_level > 1
                 ? 0
                 : KMP_MIN(Threads, __kmp_avail_proc) - KmpTeam->t.t_nproc;
  }
  return KMP_MAX(0, KMP_MIN(Wanted, Most));
}

std::atomic<bool> HasFreeAgents{false};

/// There may be several threads from now on.
static void prepareAgents() {
  if (!TCR_4(__kmp_init_parallel))
    __kmp_parallel_initialize();
  HasFreeAgents.store(true, std::memory_order_relaxed);
}

bool checkEligible(kmp_info_t *Thread, kmp_tasking_flags_t *Flags) {
  const bool IsAwaited = Flags->proxy == TASK_PROXY ||
                         Flags->detachable == TASK_DETACHABLE ||
                         Flags->hidden_helper;
  if (!Flags->free_agent_eligible)
    return IsAwaited;
  if (IsAwaited || Flags->tiedness != TASK_TIED || Flags->final ||
      Flags->merged_if0 || Flags->transparent || Flags->native ||
      KMP_HIDDEN_HELPER_THREAD(Thread->th.th_info.ds.ds_gtid) ||
      __kmp_tasking_mode == tskm_immediate_exec ||
      agentsFor(Thread, Thread->th.th_team) == 0) {
    Flags->free_agent_eligible = 0;
    return IsAwaited;
  }
  // For the first time, or after a pause or fork.
  if (!TCR_4(__kmp_init_parallel) || !hasFreeAgents())
    prepareAgents();
  Thread->th.th_locus_asks_pool = true;
  return true;
}

/// Whether a task of \p Group may add to a private copy of a reduction: the
/// threads of the team have one, and who has opened the group.
static bool mayReduce(const kmp_taskgroup_t *Group) {
  for (; Group; Group = Group->parent)
    if (Group->reduce_num_data != 0 || Group->gomp_data)
      return true;
  return false;
}

bool isForPool(kmp_info_t *Thread, kmp_taskdata_t *Task) {
  kmp_tasking_flags_t &Flags = Task->td_flags;
  Thread->th.th_locus_asks_pool = Thread->th.th_locus_agent_team != nullptr;
  if (Flags.recorded || mayReduce(Task->td_taskgroup))
    Flags.free_agent_eligible = 0;
  if (Flags.final || Flags.merged_if0 || Flags.tasking_ser)
    return false;
  if (!isFreeAgent(Thread))
    return Flags.free_agent_eligible;
  // gcc's code has a private copy for each thread of the team, and combines
  // them itself. A free agent uses that of thread 0: its children run at once.
  const kmp_taskgroup_t *Group = Task->td_taskgroup;
  while (Group && !Group->gomp_data)
    Group = Group->parent;
  Flags.task_serial |= Group != nullptr;
  return !Group;
}

//===----------------------------------------------------------------------===//
// Tasks come
//===----------------------------------------------------------------------===//

#if KMP_ARCH_X86 || KMP_ARCH_X86_64
/// What libomp's threads have from the one that begins their region: how
/// floating-point numbers are rounded, and the like.
static uint64_t floatMode() {
  kmp_int16 X87;
  kmp_uint32 Mxcsr;
  __kmp_store_x87_fpu_control_word(&X87);
  __kmp_store_mxcsr(&Mxcsr);
  return uint64_t(Mxcsr & KMP_X86_MXCSR_MASK) << 16 | uint16_t(X87);
}
static void setFloatMode(uint64_t Mode) {
  if (!__kmp_inherit_fp_control || Mode == floatMode())
    return;
  kmp_int16 X87 = kmp_int16(Mode);
  kmp_uint32 Mxcsr = kmp_uint32(Mode >> 16);
  __kmp_clear_x87_fpu_status_word();
  __kmp_load_x87_fpu_control_word(&X87);
  __kmp_load_mxcsr(&Mxcsr);
}
#else
static uint64_t floatMode() { return 0; }
static void setFloatMode(uint64_t) {}
#endif

static void *runAgent(void *);

/// Under the lock: there is one task more for free agents of \p Pool.
static void callAgent(const TaskPool &Pool) {
  if (Agents.NumIdle > 0) {
    --Agents.NumIdle;
    ++Agents.NumCalled;
    pthread_cond_signal(&Agents.HasTasks);
    return;
  }
  if (Agents.NumThreads >= Pool.Limit || Agents.IsEnding)
    return;
  if (!Agents.Threads)
    Agents.Threads =
        static_cast<pthread_t *>(malloc(sizeof(pthread_t) * size_t(MaxAgents)));
  pthread_attr_t Attributes;
  if (!Agents.Threads || pthread_attr_init(&Attributes) != 0)
    return; // the team runs its tasks itself
  pthread_attr_setstacksize(&Attributes, __kmp_stksize);
  if (pthread_create(&Agents.Threads[Agents.NumThreads], &Attributes, runAgent,
                     reinterpret_cast<void *>(intptr_t(Agents.NumThreads))) ==
      0)
    ++Agents.NumThreads;
  pthread_attr_destroy(&Attributes);
}

bool pushToPool(kmp_info_t *Thread, kmp_task_t *NewTask) {
  kmp_taskdata_t *Task = KMP_TASK_TO_TASKDATA(NewTask);
  const bool ByAgent = isFreeAgent(Thread);
  const bool HasPriority =
      Task->td_flags.priority_specified && NewTask->data2.priority > 0;
  if (Task->td_locus.hasHint() || HasPriority)
    Task->td_flags.free_agent_eligible = 0; // it has its place in the team
  const bool IsForAgents = Task->td_flags.free_agent_eligible;
  if (!ByAgent && !IsForAgents)
    return false;
  kmp_task_team_t *TaskTeam = Task->td_task_team;
  TaskPool &Pool = poolOf(TaskTeam);
  if (!ByAgent && Pool.size() >= MostPooled)
    return false; // as any other task of the team's
  traceReady(Task, ReadyWhere::Libomp,
             ByAgent ? -1 : Thread->th.th_info.ds.ds_tid);
  KMP_ATOMIC_INC(&TaskTeam->tt.tt_unfinished_threads);
  {
    MutexGuard Guard(Agents.Lock);
    if (!Pool.push(KmpTasks::task(Task), IsForAgents))
      outOfMemory();
    Agents.Pools.update(Pool);
    if (IsForAgents) {
      if (!ByAgent) {
        Pool.Limit = agentsFor(Thread, Task->td_team);
        Pool.FloatMode = floatMode();
      }
      callAgent(Pool);
    }
  }
  if (ByAgent)
    wakeAll(Task->td_team, TaskTeam);
  return true;
}

//===----------------------------------------------------------------------===//
// Tasks go
//===----------------------------------------------------------------------===//

/// Whether \p Task goes to where its hint says. One with a priority, if it is
/// not strict, would go to libomp's list.
static bool hasPlace(const kmp_taskdata_t *Task) {
  return Task->td_locus.hasHint() &&
         (!Task->td_flags.priority_specified || Task->td_locus.isStrict());
}

/// Takes what takePooled() says, or, for a thread of the team, a task with a
/// place that a free agent has made ready.
static kmp_taskdata_t *takeNewest(const kmp_info_t *Thread,
                                  kmp_task_team_t *TaskTeam,
                                  kmp_int32 Constrained) {
  const bool IsAgent = isFreeAgent(Thread);
  const kmp_taskdata_t *Current = Thread->th.th_current_task;
  MutexGuard Guard(Agents.Lock);
  TaskPool &Pool = poolOf(TaskTeam);
  Task *Found = Pool.takeNewest([&](Task *T, bool IsForAgents) {
    const kmp_taskdata_t *Data = KmpTasks::data(T);
    if (hasPlace(Data))
      return !IsAgent;
    return (IsForAgents || !IsAgent) &&
           (!(Constrained & OnlyAwaited) || mayBeAwaited(Data, Current)) &&
           __kmp_task_is_allowed(Thread->th.th_info.ds.ds_gtid, Constrained & 1,
                                 Data, Current);
  });
  if (!Found)
    return nullptr;
  Agents.Pools.update(Pool);
  return KmpTasks::data(Found);
}

kmp_task_t *takePooled(kmp_info_t *Thread, kmp_task_team_t *TaskTeam,
                       kmp_int32 Constrained) {
  while (hasPooled(TaskTeam)) {
    kmp_taskdata_t *Data = takeNewest(Thread, TaskTeam, Constrained);
    if (!Data)
      return nullptr;
    // The thread counts itself, or its task does.
    KMP_ATOMIC_DEC(&TaskTeam->tt.tt_unfinished_threads);
    kmp_task_t *Task = KMP_TASKDATA_TO_TASK(Data);
    if (!hasPlace(Data) || push(Thread, Task) == Pushed::Throttled)
      return Task;
  }
  return nullptr;
}

//===----------------------------------------------------------------------===//
// A free agent
//===----------------------------------------------------------------------===//

/// What of a thread says which team it is in.
struct Membership {
  kmp_team_t *Team;
  kmp_info_t *Primary;
  kmp_task_team_t *TaskTeam;
  int Size, Serialized, Number;
  kmp_uint8 TaskState;

  explicit Membership(const kmp_info_t *Thread)
      : Team(Thread->th.th_team), Primary(Thread->th.th_team_master),
        TaskTeam(Thread->th.th_task_team), Size(Thread->th.th_team_nproc),
        Serialized(Thread->th.th_team_serialized),
        Number(Thread->th.th_info.ds.ds_tid),
        TaskState(Thread->th.th_task_state) {}

  /// That of free agent \p Index in a task of \p Other and \p OtherTasks.
  Membership(kmp_team_t *Other, kmp_task_team_t *OtherTasks, int Index)
      : Team(Other), Primary(Other->t.t_threads[0]), TaskTeam(OtherTasks),
        Size(Other->t.t_nproc), Serialized(Other->t.t_serialized),
        Number(Other->t.t_nproc + Index),
        TaskState(Other->t.t_task_team[1] == OtherTasks) {}

  void put(kmp_info_t *Thread) const {
    Thread->th.th_team = Team;
    Thread->th.th_team_master = Primary;
    Thread->th.th_task_team = TaskTeam;
    Thread->th.th_team_nproc = Size;
    Thread->th.th_team_serialized = Serialized;
    Thread->th.th_info.ds.ds_tid = Number;
    Thread->th.th_task_state = TaskState;
  }
};

/// Under the lock: a task for \p Thread, which is a member of its team then, or
/// null.
static kmp_taskdata_t *join(kmp_info_t *Thread, int Index,
                            const Membership &Own) {
  Task *Found = Agents.Pools.take([&](TaskPool &, Task *T) {
    const kmp_taskdata_t *Data = KmpTasks::data(T);
    Membership(Data->td_team, Data->td_task_team, Index).put(Thread);
    if (__kmp_task_is_allowed(Thread->th.th_info.ds.ds_gtid, 0, Data,
                              Thread->th.th_current_task))
      return true;
    Own.put(Thread);
    return false;
  });
  if (!Found)
    return nullptr;
  TaskPool &Pool = poolOf(Thread->th.th_task_team);
  ++Pool.Running;
  setFloatMode(Pool.FloatMode);
  ++Agents.NumBusy;
  return KmpTasks::data(Found);
}

static void run(kmp_info_t *Thread, kmp_taskdata_t *Task,
                const Membership &Own) {
  kmp_task_team_t *TaskTeam = Thread->th.th_task_team;
  Thread->th.th_locus_agent_team = Thread->th.th_team;
  Thread->th.th_locus_asks_pool = true;
  __kmp_invoke_task(Thread->th.th_info.ds.ds_gtid, KMP_TASKDATA_TO_TASK(Task),
                    Thread->th.th_current_task);
  endSearches(Thread);
  Thread->th.th_locus_agent_team = nullptr;
  Thread->th.th_locus_asks_pool = false;
  Own.put(Thread);
  {
    MutexGuard Guard(Agents.Lock);
    --poolOf(TaskTeam).Running;
    --Agents.NumBusy;
  }
  KMP_ATOMIC_DEC(&TaskTeam->tt.tt_unfinished_threads); // its team may be gone
}

/// Binds \p Thread, the caller, if threads are bound. The first threads of a
/// team are on the first places; so agent \p Index is on the one behind Index.
static void bindAgent(kmp_info_t *Thread, int Index) {
  __kmp_assign_root_init_mask();
  const int NumPlaces = int(__kmp_affinity.num_masks);
  if (!KMP_AFFINITY_CAPABLE() || KMP_AFFINITY_NON_PROC_BIND || NumPlaces == 0 ||
      __kmp_nested_proc_bind.bind_types[0] == proc_bind_false)
    return;
  Thread->th.th_new_place = (Index + 1) % NumPlaces;
  Thread->th.th_first_place = 0;
  Thread->th.th_last_place = NumPlaces - 1;
  __kmp_affinity_bind_place(Thread->th.th_info.ds.ds_gtid);
}

static void *runAgent(void *Argument) {
  const int Index = int(reinterpret_cast<intptr_t>(Argument));
  // To libomp it is like a thread of the program.
  kmp_info_t *Thread = __kmp_threads[__kmp_get_global_thread_id_reg()];
  bindAgent(Thread, Index);
  const Membership Own(Thread);
  pthread_mutex_lock(&Agents.Lock);
  while (!Agents.IsEnding) {
    if (kmp_taskdata_t *Task = join(Thread, Index, Own)) {
      pthread_mutex_unlock(&Agents.Lock);
      run(Thread, Task, Own);
      pthread_mutex_lock(&Agents.Lock);
    } else {
      ++Agents.NumIdle;
      while (Agents.NumCalled == 0 && !Agents.IsEnding)
        pthread_cond_wait(&Agents.HasTasks, &Agents.Lock);
      if (Agents.NumCalled > 0)
        --Agents.NumCalled;
    }
  }
  pthread_mutex_unlock(&Agents.Lock);
  return nullptr;
}

bool endFreeAgents() {
  MutexGuard OneByOne(Agents.Ending);
  int NumThreads;
  {
    MutexGuard Guard(Agents.Lock);
    if (Agents.NumBusy > 0)
      return false;
    NumThreads = Agents.NumThreads;
    Agents.IsEnding = true;
    pthread_cond_broadcast(&Agents.HasTasks);
  }
  for (int I = 0; I < NumThreads; ++I)
    pthread_join(Agents.Threads[I], nullptr);
  MutexGuard Guard(Agents.Lock);
  Agents.NumThreads = Agents.NumIdle = Agents.NumCalled = 0;
  Agents.IsEnding = false;
  free(Agents.Threads);
  Agents.Threads = nullptr;
  return true;
}

void forgetFreeAgents() {
  pthread_mutex_init(&Agents.Lock, nullptr);
  pthread_mutex_init(&Agents.Ending, nullptr);
  pthread_cond_init(&Agents.HasTasks, nullptr);
  Agents.Pools = PoolList();
  Agents.NumThreads = Agents.NumBusy = Agents.NumIdle = Agents.NumCalled = 0;
  Agents.IsEnding = false;
}

} // namespace locus

using namespace locus;

//===----------------------------------------------------------------------===//
// What a program asks
//===----------------------------------------------------------------------===//

/// Whether the ancestor of \p Thread at \p Level, 0 to that of its team, is a
/// free agent, or the primary thread of a region that one has met.
static bool isFreeAgentAt(const kmp_info_t *Thread, int Level) {
  const kmp_team_t *In = Thread->th.th_team;
  int Number = Thread->th.th_info.ds.ds_tid;
  // A serialized region has the kmp_team_t of that around it, if that is one.
  auto OutermostLevel = [&] {
    return In->t.t_level - KMP_MAX(0, In->t.t_serialized - 1);
  };
  while (In->t.t_parent && (Number == 0 || Level < OutermostLevel())) {
    Number = In->t.t_master_tid;
    In = In->t.t_parent;
  }
  return Number >= In->t.t_nproc;
}

int locus::initialThreadNumber(const kmp_info_t *Thread) {
  return isFreeAgentAt(Thread, 0) ? UnassignedThread : 0;
}

/// OpenMP 6.0, 23.1.5.
extern "C" int omp_ancestor_is_free_agent(int level) {
  if (!TCR_4(__kmp_init_parallel))
    return 0;
  const kmp_info_t *Thread = __kmp_threads[__kmp_entry_gtid()];
  return level >= 0 && level <= Thread->th.th_team->t.t_level &&
         isFreeAgentAt(Thread, level);
}

/// OpenMP 6.0, 23.1.4.
extern "C" int omp_is_free_agent(void) {
  if (!TCR_4(__kmp_init_parallel))
    return 0;
  const kmp_info_t *Thread = __kmp_threads[__kmp_entry_gtid()];
  return isFreeAgentAt(Thread, Thread->th.th_team->t.t_level);
}
