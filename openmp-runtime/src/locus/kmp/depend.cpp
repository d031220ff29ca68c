//===- kmp/depend.cpp - Dependences of libomp's tasks ---------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "locus/kmp/depend.h"
#include "locus/kmp/free_agents.h"
#include "locus/kmp/hooks.h"

#include "kmp_taskdeps.h"
#include "kmp_wait_release.h"

#if OMPT_SUPPORT
#include "ompt-specific.h"
#endif

namespace locus {

//===----------------------------------------------------------------------===//
// Tools
//===----------------------------------------------------------------------===//

#if OMPT_SUPPORT && OMPT_OPTIONAL
/// OMPT's event for an edge. \p Context is the creator's thread, whose task
/// data stands for a taskwait.
static void tellEdge(Task *First, Task *Next, void *Context) {
  if (!ompt_enabled.ompt_callback_task_dependence)
    return; // not any more
  auto Data = [](Task *Of) {
    return &reinterpret_cast<kmp_taskdata_t *>(Of)->ompt_task_info.task_data;
  };
  kmp_info_t *Thread = static_cast<kmp_info_t *>(Context);
  ompt_callbacks.ompt_callback(ompt_callback_task_dependence)(
      Data(First), Next ? Data(Next) : &Thread->th.ompt_thread_info.task_data);
}
#endif

/// Before the first dependence of a thread. Threads that have a pool have been
/// here one after the other.
static void askTool() {
#if OMPT_SUPPORT && OMPT_OPTIONAL
  static SpinLock Asking;
  static bool HasAsked = false;
  LockGuard Guard(Asking);
  if (!HasAsked && ompt_enabled.ompt_callback_task_dependence)
    OnEdge = tellEdge;
  HasAsked = true;
#endif
}

NodePool &poolOf(kmp_info_t *Thread) {
  if (UNLIKELY(!Thread->th.th_locus_nodes)) {
    askTool();
    Thread->th.th_locus_nodes = NodePool::adopt();
  }
  return *Thread->th.th_locus_nodes;
}

/// The turn of \p Creator, if it is to be asked; else null.
static Turn *openTurn(const kmp_taskdata_t *Creator) {
  const Domain *D = domainOf(Creator);
  Turn *Order = D ? D->turn() : nullptr;
  return UNLIKELY(Order != nullptr) && !Order->isIdle() ? Order : nullptr;
}

bool isHeldUp(const kmp_taskdata_t *Creator) {
  Turn *Order = openTurn(Creator);
  return Order && Order->isHeldUpNow();
}

bool mayWaitForEvent(const kmp_taskdata_t *Creator) {
  // What is held back is not known yet.
  return openTurn(Creator) || domainOf(Creator)->mayWaitForEvent();
}

bool isReady(const kmp_taskdata_t *Creator, const DependList &List) {
  return !openTurn(Creator) && flow::isReady<KmpTasks>(domainOf(Creator), List);
}

//===----------------------------------------------------------------------===//
// Running ahead
//===----------------------------------------------------------------------===//

/// As long as it lives, \p Thread's current task waits as in a taskwait.
/// Without that an implicit task counts as one in a barrier, and the tied tasks
/// of other implicit tasks may run on top of it. If it is in a barrier, it
/// shall count as that: an untied task on top of it need not descend from it,
/// nor what that one waits for.
class WaitInTask {
public:
  explicit WaitInTask(kmp_info_t *Thread)
      : Bound(boundBy(Thread->th.th_current_task)),
        Before(Bound->td_taskwait_thread) {
    Bound->td_taskwait_thread = Thread->th.th_info.ds.ds_gtid + 1;
  }
  ~WaitInTask() { Bound->td_taskwait_thread = Before; }
  WaitInTask(const WaitInTask &) = delete;

private:
  /// Whom __kmp_task_is_allowed() asks, if \p Current descends from that.
  static kmp_taskdata_t *boundBy(kmp_taskdata_t *Current) {
    kmp_taskdata_t *LastTied = Current->td_last_tied;
    return descends(Current, LastTied) ? LastTied : Current;
  }

  kmp_taskdata_t *const Bound;
  const kmp_int32 Before; ///< waits may be nested
};

/// The Team in whose queues \p Thread can look for tasks, or null. As
/// __kmpc_omp_taskyield: a task team has what a search needs from its first
/// task on.
static Team *searchedTeam(const kmp_info_t *Thread) {
  kmp_task_team_t *TaskTeam = Thread->th.th_task_team;
  const bool CanSearch = !Thread->th.th_current_task->td_flags.team_serial &&
                         TaskTeam && KMP_TASKING_ENABLED(TaskTeam);
  return CanSearch ? teamOf(Thread, TaskTeam) : nullptr;
}

/// Runs a task that \p Thread may run on top of its current one; \p How is
/// what it looks for beside (hooks.h). False if it has found none.
static bool runAny(kmp_info_t *Thread, kmp_int32 How = 0) {
  // In a team of one thread, too: a free agent may wait for such a task.
  if (hasPooled(Thread)) {
    WaitInTask Waits(Thread);
    if (runPooled(Thread, __kmp_task_stealing_constraint | How))
      return true;
  }
  Team *Ours = searchedTeam(Thread);
  if (!Ours)
    return false;
  // Libomp does not say whether it has run one. If not, it has searched once in
  // vain. (That a task has done so just as often is nothing to worry about.)
  const RemoteDelay &Rounds = workerOf(*Ours, Thread).Delay;
  const uint32_t Before = Rounds.emptyRounds();
  int Finished = FALSE;
  WaitInTask Waits(Thread);
  __kmp_execute_tasks_32(Thread, Thread->th.th_info.ds.ds_gtid,
                         (kmp_flag_32<false, false> *)nullptr, FALSE,
                         &Finished USE_ITT_BUILD_ARG(nullptr),
                         __kmp_task_stealing_constraint | How);
  // The count stays at its largest value.
  return Rounds.emptyRounds() != Before + 1 && Before != UINT32_MAX;
}

//===----------------------------------------------------------------------===//
// Tasks come
//===----------------------------------------------------------------------===//

namespace {

/// A thread that creates a task with dependences, for flow/register.h.
struct Creator : KmpTasks {
  kmp_info_t *Thread;

  explicit Creator(kmp_info_t *TheThread) : Thread(TheThread) {}
  Data *current() const { return Thread->th.th_current_task; }
  NodePool &pool() const { return poolOf(Thread); }
  uint32_t dependentLimit() const {
    return locus::dependentLimit(Thread->th.th_team_nproc);
  }
  Domain *domain() const { return domainOf(current()); }
  void setDomain(Domain *D) const {
    current()->td_dephash = reinterpret_cast<kmp_dephash_t *>(D);
  }
  void *toolContext() const { return Thread; }
  struct RunningBehind : TracedWait {
    explicit RunningBehind(const Creator &C)
        : TracedWait(WaitFor::Others, C.Thread->th.th_info.ds.ds_gtid) {}
  };
  bool runAny() const { return locus::runAny(Thread); }
  static void pause() {
    KMP_CPU_PAUSE();
    KMP_YIELD_OVERSUB();
  }
};

} // namespace

static bool registerTransparent(Creator &Mine, kmp_taskdata_t *Task,
                                const DependList &List) {
  if (!Mine.domain())
    Mine.setDomain(Domain::create(Mine.pool()));
  Turn &Order = Turn::of(Mine.pool(), *Mine.domain());
  Domain *Inside = Order.makeInside(Mine.pool(), Mine.task(Task));
  Task->td_dephash = reinterpret_cast<kmp_dephash_t *>(Inside);
  return flow::registerInTurn(Mine, Task, Order, List, Inside);
}

/// There has been a transparent task.
__attribute__((cold, noinline)) static bool
registerPerhapsInTurn(kmp_info_t *Thread, kmp_taskdata_t *Task,
                      const DependList &List) {
  Creator Mine(Thread);
  Turn *Order = openTurn(Mine.current());
  if (!Order && !Task->td_flags.transparent)
    return flow::registerTask(Mine, Task, List);
  flow::keepUp(Mine, Mine.pool());
  if (!Task->td_flags.transparent)
    return flow::registerInTurn(Mine, Task, *Order, List);
  noteTransparent(Thread, Task);
  return registerTransparent(Mine, Task, List);
}

bool registerTask(kmp_info_t *Thread, kmp_taskdata_t *Task,
                  const DependList &List) {
  if (Trace::enabled())
    recordDepend(Task, List);
  if (UNLIKELY(hasTransparent()))
    return registerPerhapsInTurn(Thread, Task, List);
  Creator Mine(Thread);
  return flow::registerTask(Mine, Task, List);
}

bool ownsDomain(const kmp_taskdata_t *Task) {
  const Turn *Order = Task->td_dephash ? domainOf(Task)->turn() : nullptr;
  return Order && Order->owner() == KmpTasks::task(Task);
}

void joinCreator(kmp_info_t *Thread, kmp_taskdata_t *Task) {
  kmp_taskdata_t *Creator = Task->td_parent;
  if (!Creator->td_dephash) {
    Creator->td_dephash =
        reinterpret_cast<kmp_dephash_t *>(Domain::create(poolOf(Thread)));
    // One of a serial team that is not counted would not free it.
    if (Creator->td_flags.tasktype == TASK_EXPLICIT)
      __kmp_count_deferrable(Creator);
  }
  Task->td_dephash = Creator->td_dephash;
}

//===----------------------------------------------------------------------===//
// Waiting for some
//===----------------------------------------------------------------------===//

bool mayBeAwaited(const kmp_taskdata_t *Task, const kmp_taskdata_t *Waiter) {
  constexpr int MostLevels = 64;
  constexpr uint32_t MostLooks = 32;
  // What is queued of a proxy task is its end.
  if (Task->td_flags.proxy == TASK_PROXY)
    return true;
  const kmp_taskdata_t *Child = Task;
  for (int Level = 0; Child->td_parent != Waiter; ++Level) {
    Child = Child->td_parent;
    // An implicit task descends from no task of this region.
    if (Child->td_flags.tasktype == TASK_IMPLICIT || Level == MostLevels)
      return true;
  }
  const Node *N = nodeOf(Child);
  if (!N) // children of a transparent one are in the waiting task's table
    return Child != Task && Child->td_flags.transparent;
  // A child that has begun may end now, and its node may be gone.
  return Child != Task || N->mayBeAwaited(MostLooks);
}

/// \p Thread does nothing for \p Time ns, or until \p Pending is 0. How long
/// it was.
static uint64_t rest(kmp_info_t *Thread, const std::atomic<int32_t> &Pending,
                     uint64_t Time) {
  const uint64_t Begin = nanoseconds();
  uint64_t Passed = 0;
  do {
    Creator::pause();
    napAfterMiss(Thread);
    Passed = nanoseconds() - Begin;
  } while (Passed < Time && Pending.load(std::memory_order_acquire) > 0);
  return Passed;
}

/// Until \p Pending is 0, \p Thread runs what it waits for, and others only
/// when its patience is over. It rests after each look in vain, so every look
/// is at all queues: none may leave some out by turns that the other one takes.
static void runAwaited(kmp_info_t *Thread,
                       const std::atomic<int32_t> &Pending) {
  Patience Left(nanoseconds());
  while (Pending.load(std::memory_order_acquire) > 0) {
    bool HasRun = runAny(Thread, LooksAtAll | OnlyAwaited |
                                     (Left.reachesFar() ? FromAfar : 0));
    // What has run may have taken long, and have been the last one.
    if (Pending.load(std::memory_order_acquire) > 0 &&
        Left.isOver(nanoseconds()) && runAny(Thread, LooksAtAll | FromAfar))
      HasRun = true;
    if (!HasRun)
      Left.noteRest(rest(Thread, Pending, Left.rest()));
  }
}

/// Runs tasks until \p Pending is 0.
static void runTasks(kmp_info_t *Thread, std::atomic<int32_t> &Pending) {
  kmp_flag_32<false, false> Flag(
      reinterpret_cast<std::atomic<kmp_uint32> *>(&Pending), 0U);
  int Finished = FALSE;
  while (Pending.load(std::memory_order_acquire) > 0)
    Flag.execute_tasks(Thread, Thread->th.th_info.ds.ds_gtid, FALSE,
                       &Finished USE_ITT_BUILD_ARG(nullptr),
                       __kmp_task_stealing_constraint);
}

/// Lets \p N, which waits in the current task of \p Mine, follow those that
/// \p List names, in turn if there is an \p Order. Whether there is nothing to
/// wait for.
static bool followThose(Creator &Mine, Turn *Order, Node &N,
                        const DependList &List) {
  Domain &D = *Mine.domain();
  if (Order) {
    Order->submit(Mine.pool(),
                  flow::entryOf(Mine, N, List, /*HoldsMutexes=*/false));
    return N.pending().load(std::memory_order_acquire) == 0;
  }
  if (flow::hasAllMemory<KmpTasks>(List))
    D.awaitAll(Mine.pool(), N, Mine.toolContext());
  else
    flow::forEach<KmpTasks>(List, [&](Dependence Item) {
      if (Item.How == Access::Mutex)
        Item.How = Access::Out; // there is nothing to hold
      D.await(Mine.pool(), N, Item, Mine.toolContext());
    });
  return N.endRegistration();
}

void waitForDepend(kmp_info_t *Thread, const DependList &List) {
  const TracedWait Waits(WaitFor::Predecessors, Thread->th.th_info.ds.ds_gtid);
  Creator Mine(Thread);
  Turn *Order = openTurn(Mine.current());
  Node *N = Node::makeWait(Mine.pool(), Mine.task(Mine.current()));
  if (!followThose(Mine, Order, *N, List)) {
    WaitInTask Waits(Thread);
    // What an event waits for may be any task, as may what is held back.
    if (Order || N->isBehindEvent() || isStock() || !searchedTeam(Thread))
      runTasks(Thread, N->pending());
    else
      runAwaited(Thread, N->pending());
  }
  if (Order)
    Order->synchronize();
  Node::destroy(Mine.pool(), N);
}

//===----------------------------------------------------------------------===//
// Tasks go
//===----------------------------------------------------------------------===//

void releaseSuccessors(kmp_info_t *Thread, kmp_taskdata_t *Task) {
  Node *N = nodeOf(Task);
  N->end(poolOf(Thread), [=](locus::Task *Ready) {
    queueSuccessor(Thread, Task, KmpTasks::data(Ready));
  });
}

kmp_depnode_list_t *successorsOf(const kmp_taskdata_t *Task) {
  kmp_depnode_list_t *List = nullptr;
  nodeOf(Task)->forEachFollower([&](Node &N) {
    auto *Fresh =
        static_cast<kmp_depnode_list_t *>(__kmp_allocate(sizeof(*List)));
    Fresh->node = reinterpret_cast<kmp_depnode_t *>(&N);
    Fresh->next = List;
    List = Fresh;
  });
  return List;
}

void forgetEnded(kmp_info_t *Thread, const kmp_taskdata_t *Creator) {
  domainOf(Creator)->clear(poolOf(Thread));
}

void forgetChildren(kmp_info_t *Thread, kmp_dephash_t *Hash) {
  NodePool &Mine = poolOf(Thread);
  Domain *D = reinterpret_cast<Domain *>(Hash);
  Turn *Order = D->turn();
  if (!Order)
    return Domain::destroy(Mine, D);
  Order->end(Mine, [=](locus::Task *Ready) {
    queueSuccessor(Thread, Thread->th.th_current_task, KmpTasks::data(Ready));
  });
}

void abandonPool(kmp_info_t *Thread) {
  // Nobody ends the implicit task of serialized regions, which has dependences
  // on detached tasks.
  kmp_team_t *Serial = Thread->th.th_serial_team;
  kmp_taskdata_t *Task = Serial ? Serial->t.t_implicit_task_taskdata : nullptr;
  if (!OMPX_TASKGRAPH && Task && Task->td_dephash) {
    forgetChildren(Thread, Task->td_dephash);
    Task->td_dephash = nullptr;
  }
  NodePool::abandon(Thread->th.th_locus_nodes);
  Thread->th.th_locus_nodes = nullptr;
}

} // namespace locus
