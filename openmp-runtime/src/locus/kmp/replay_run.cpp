//===- kmp/replay_run.cpp - A graph runs again ----------------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A task of a graph is one of libomp's, whose memory the graph keeps. Who makes
// it ready queues it like others, or runs it itself, where others have enough
// to do; libomp hands one that it takes from a queue to runReplayed().
//
//===----------------------------------------------------------------------===//

#include "locus/kmp/hooks.h"
#include "locus/kmp/replay.h"

#include "kmp_itt.h"
#include "kmp_wait_release.h"

namespace locus {

/// A thread that runs tasks of a graph, one after the other.
class ReplayLoop {
public:
  ReplayLoop(kmp_info_t *TheThread, Replay &TheReplay)
      : Thread(TheThread), Gtid(TheThread->th.th_info.ds.ds_gtid),
        Below(TheThread->th.th_current_task), Of(TheReplay),
        Part(*TheReplay.Now), Parent(TheReplay.Parent),
        IsAlone(TheReplay.IsAlone),
        Rank(KMP_MAX(Below->td_rank, Parent->td_rank) + 1) {}

  void runRoots();
  void runFrom(ReplayTask &Taken);
  void keep(GraphNode &N) {
    N.Next = Ready;
    Ready = &N;
  }

private:
  void makeReady(GraphNode &N);
  bool queue(ReplayTask &T);
  GraphNode *take();
  void share();
  void runReady();
  void prepare(ReplayTask &T, kmp_taskdata_t *Data);
  void execute(ReplayTask &T, kmp_taskdata_t *Data);
  kmp_taskdata_t *carrier(ReplayTask &T);
  void makeCarrier(ReplayTask &T);
  void leaveCarrier();
  /// Whether the list, or the roots, have more.
  bool hasMore() const { return Ready || NextRoot != NumRoots; }
  void end(GraphNode &N) {
    Part.end(N, NumLast, IsAlone, [this](GraphNode &F) { makeReady(F); });
  }

  kmp_info_t *const Thread;
  const kmp_int32 Gtid;
  kmp_taskdata_t *const Below; ///< the thread's task, which is suspended
  Replay &Of;
  Graph &Part;
  kmp_taskdata_t *const Parent; ///< of the graph's tasks
  const bool IsAlone;
  const kmp_uint64 Rank; ///< of its tasks: see __kmp_task_start
  kmp_taskdata_t *Carrier = nullptr;
  GraphNode *Ready = nullptr; ///< a list, for this thread
  uint32_t NextRoot = 0;      ///< of those that this thread sees to
  uint32_t NumRoots = 0;
  uint32_t NumLast = 0; ///< that have ended and that nobody follows
};

/// The loop of this thread that is queueing a task. If the queue has no room,
/// the task comes back to it: to run it there would fill the stack.
static
    __attribute__((tls_model("initial-exec"))) __thread ReplayLoop *Queueing =
        nullptr;

static ReplayTask &taskOf(GraphNode &N) {
  LOCUS_CHECK(!N.IsFence);
  return static_cast<ReplayTask &>(N);
}

/// Makes a new task of \p Data, for this run of \p T.
inline void ReplayLoop::prepare(ReplayTask &T, kmp_taskdata_t *Data) {
  Data->td_flags = T.Flags;
  Data->td_parent = Parent;
  Data->td_taskgroup = Of.Group;
  Data->td_task_team = Of.TaskTeam;
  Data->td_team = Of.Team;
  Data->td_level = Of.Level;
  Data->td_locus = TaskHint();
  copy_icvs(&Data->td_icvs, &Parent->td_icvs);
}

/// Queues \p T where libomp would. False if there was no room: the loop has it
/// again.
bool ReplayLoop::queue(ReplayTask &T) {
  kmp_taskdata_t *Data = T.data();
  prepare(T, Data);
  Data->td_locus = T.Hint;
  Data->td_locus_target = T.HintTarget;
  Data->td_locus_next_or_length = T.HintLength;
  const GraphNode *Before = Ready;
  Queueing = this;
  __kmp_omp_task(Gtid, T.task(), false);
  Queueing = nullptr;
  // Behind that T may have ended: only its address is looked at.
  return Ready == Before;
}

inline void ReplayLoop::makeReady(GraphNode &N) {
  if (!N.IsFence && !taskOf(N).IsPlain && !IsAlone)
    queue(taskOf(N));
  else
    keep(N);
}

/// The next task for this thread; null if there is none. Does not look at the
/// graph then: all may be over.
inline GraphNode *ReplayLoop::take() {
  while (!Ready) {
    if (NextRoot == NumRoots)
      return nullptr;
    makeReady(Part.root(NextRoot++));
  }
  GraphNode *N = Ready;
  Ready = N->Next;
  return N;
}

/// Leaves tasks to others until they have enough, or none is left.
inline void ReplayLoop::share() {
  while (!mayRunInPlace()) {
    GraphNode *N = take();
    if (!N)
      return;
    if (N->IsFence) {
      end(*N);
      continue;
    }
    if (!queue(taskOf(*N)))
      return;
  }
}

static bool isCancelled(const kmp_info_t *Thread, const Replay &Of) {
  return (Of.Group && Of.Group->cancel_request) ||
         Thread->th.th_team->t.t_cancel_request == cancel_parallel;
}

/// Runs \p T, for which libomp knows \p Data.
__attribute__((always_inline)) inline void
ReplayLoop::execute(ReplayTask &T, kmp_taskdata_t *Data) {
  if (UNLIKELY(__kmp_omp_cancellation) && isCancelled(Thread, Of))
    return;
  kmp_task_t *Task = T.task();
  // What is private to it is as it was recorded.
  if (T.PrivateBytes)
    KMP_MEMCPY(Task + 1, T.Saved + 1, T.PrivateBytes);
  countRun();
  Data->td_rank = Rank;
  Thread->th.th_current_task = Data;
  if (T.Flags.native)
    reinterpret_cast<void (*)(void *)>(Task->routine)(Task->shareds);
  else
    Task->routine(Gtid, Task);
  LOCUS_CHECK(!isInPlace() && Thread->th.th_current_task == Data);
  giveBack(Thread);
  if (UNLIKELY(Data->td_dephash != nullptr)) {
    forgetChildren(Thread, Data->td_dephash);
    Data->td_dephash = nullptr;
  }
  Thread->th.th_current_task = Below;
}

/// What libomp knows of a task that is not queued: the same memory for one
/// after the other, so that it stays in the cache. It belongs to the children
/// of a task that has ended before them.
inline kmp_taskdata_t *ReplayLoop::carrier(ReplayTask &T) {
  if (UNLIKELY(!Carrier || !Carrier->td_allocated_child_tasks.isItselfAlone()))
    makeCarrier(T);
  // What a task can change of it.
  Carrier->td_flags = T.Flags;
  Carrier->td_locus = TaskHint();
  copy_icvs(&Carrier->td_icvs, &Parent->td_icvs);
  return Carrier;
}

void ReplayLoop::makeCarrier(ReplayTask &T) {
  leaveCarrier();
  constexpr size_t Bytes = sizeof(kmp_taskdata_t) + sizeof(kmp_task_t);
  Carrier = static_cast<kmp_taskdata_t *>(__kmp_fast_allocate(Thread, Bytes));
  KMP_MEMCPY(static_cast<void *>(Carrier), static_cast<void *>(T.data()),
             Bytes);
  Carrier->td_allocated_child_tasks.begin(1);
  Carrier->td_last_tied = Carrier;
  prepare(T, Carrier);
}

void ReplayLoop::leaveCarrier() {
  if (!Carrier)
    return;
  // Its last child frees it, or this thread, like a task that has ended. Its
  // parent does not count it.
  kmp_tasking_flags_t &Flags = Carrier->td_flags;
  Flags.replayed = Flags.log_align = Flags.executing = 0;
  Flags.complete = 1;
  Carrier->td_locus = TaskHint();
  if (Carrier->td_allocated_child_tasks.isItselfAlone() ||
      KMP_ATOMIC_DEC(&Carrier->td_allocated_child_tasks) == 1)
    __kmp_fast_free(Thread, Carrier);
  Carrier = nullptr;
}

/// Runs what is ready, and what that makes ready.
inline void ReplayLoop::runReady() {
  while (GraphNode *N = take()) {
    if (!N->IsFence) {
      if (!IsAlone && hasMore())
        share();
      ReplayTask &T = taskOf(*N);
      execute(T, carrier(T));
    }
    end(*N);
  }
  leaveCarrier();
  // The last access: from here on the graph may run again, or be freed.
  if (NumLast != 0)
    Part.endLast(NumLast);
}

void ReplayLoop::runRoots() {
  NumRoots = Part.numRoots();
  runReady();
}

void ReplayLoop::runFrom(ReplayTask &Taken) {
  execute(Taken, Taken.data());
  end(Taken);
  runReady();
}

void runReplayed(kmp_int32 Gtid, kmp_taskdata_t *Data, kmp_taskdata_t *Below) {
  ReplayTask &T = *ReplayTask::of(Data);
  if (UNLIKELY(Queueing != nullptr)) {
    Queueing->keep(T);
    return;
  }
  kmp_info_t *Thread = __kmp_threads[Gtid];
  LOCUS_CHECK(!isInPlace() && Thread->th.th_current_task == Below);
  LOCUS_CHECK(!Thread->th.th_locus_successor.kept());
  giveBack(Thread);
  Below->td_flags.executing = 0;
  ReplayLoop(Thread, *T.Of).runFrom(T);
  Below->td_flags.executing = 1;
  resumeTask(Below);
}

/// As long as it lives, the thread's task waits as in a taskwait.
class WaitsInTask {
public:
  explicit WaitsInTask(kmp_info_t *Thread)
      : Bound(Thread->th.th_current_task->td_last_tied),
        Before(Bound->td_taskwait_thread) {
    Bound->td_taskwait_thread = Thread->th.th_info.ds.ds_gtid + 1;
  }
  ~WaitsInTask() { Bound->td_taskwait_thread = Before; }
  WaitsInTask(const WaitsInTask &) = delete;
  WaitsInTask &operator=(const WaitsInTask &) = delete;

private:
  kmp_taskdata_t *const Bound;
  const kmp_int32 Before;
};

static void waitForEnd(kmp_info_t *Thread, std::atomic<uint32_t> &Unfinished) {
  kmp_flag_32<false, false> Flag(
      reinterpret_cast<std::atomic<kmp_uint32> *>(&Unfinished), 0U);
  int Finished = FALSE;
  WaitsInTask Waits(Thread);
  while (Unfinished.load(std::memory_order_acquire) != 0)
    Flag.execute_tasks(Thread, Thread->th.th_info.ds.ds_gtid, FALSE,
                       &Finished USE_ITT_BUILD_ARG(nullptr),
                       __kmp_task_stealing_constraint);
}

/// The tasks of \p Of are children of \p Thread's current task from now on.
static void bind(kmp_info_t *Thread, Replay &Of) {
  kmp_taskdata_t *Parent = Thread->th.th_current_task;
  Of.Parent = Parent;
  Of.Group = Parent->td_taskgroup;
  Of.Team = Thread->th.th_team;
  Of.TaskTeam = Thread->th.th_task_team;
  Of.Level = Parent->td_level + 1;
  const bool IsSerial = Of.Team->t.t_serialized;
  const bool RunsAtOnce = __kmp_tasking_mode == tskm_immediate_exec;
  const bool WasAlone = Of.IsAlone;
  Of.IsAlone = IsSerial || RunsAtOnce || Parent->td_flags.final;
  // Rarely: what it takes to be a task of such a team.
  if (Of.First &&
      (Of.First->Flags.team_serial != IsSerial ||
       Of.First->Flags.tasking_ser != RunsAtOnce || WasAlone != Of.IsAlone))
    for (ReplayTask *T = Of.First; T; T = T->NextOf) {
      T->Flags.team_serial = IsSerial;
      T->Flags.tasking_ser = RunsAtOnce;
      T->Flags.task_serial = Of.IsAlone;
    }
}

/// A hint for the next task is the first one's, which has what it had when it
/// was recorded.
static void dropNextHint(const Replay &Of) {
  if (!Of.First || !Of.Parent->td_locus.hasNext())
    return;
  Of.Parent->td_locus.setNext(Kind::None, false);
  Of.Parent->td_locus_next_or_length = 0; // see targetOf()
}

/// Runs \p Part, and waits for its end.
static void runPart(kmp_info_t *Thread, Replay &Of, Graph &Part) {
  if (!Part.begin())
    return;
  Of.Now = &Part;
  kmp_taskdata_t *Parent = Of.Parent;
  Parent->td_flags.executing = 0;
  ReplayLoop(Thread, Of).runRoots();
  waitForEnd(Thread, Part.unfinished());
  Parent->td_flags.executing = 1;
  resumeTask(Parent);
}

void replay(kmp_info_t *Thread, Replay &Of, ident_t *Location) {
  giveBack(Thread);
  bind(Thread, Of);
  dropNextHint(Of);
  for (Graph *Part = Of.Parts; Part; Part = Part->Next) {
    runPart(Thread, Of, *Part);
    // The body's taskwait, which waits for tasks that are not the graph's, too.
    if (Part->Next)
      __kmpc_omp_taskwait(Location, Thread->th.th_info.ds.ds_gtid);
  }
}

} // namespace locus
