//===- kmp/replay_run.cpp - A graph runs again ----------------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A task of a graph is one of libomp's, whose memory the graph keeps. libomp
// hands one that it takes from a queue to runReplayed().
//
//===----------------------------------------------------------------------===//

#include "locus/flow/graph_loop.h"
#include "locus/kmp/hooks.h"
#include "locus/kmp/replay.h"

namespace locus {

/// A thread that runs tasks of a graph, one after the other.
class ReplayLoop : public flow::GraphLoop<ReplayLoop> {
public:
  ReplayLoop(kmp_info_t *TheThread, Replay &TheReplay)
      : GraphLoop(*TheReplay.Now), Thread(TheThread),
        Gtid(TheThread->th.th_info.ds.ds_gtid),
        Below(TheThread->th.th_current_task), Of(TheReplay),
        Parent(TheReplay.Context.Parent),
        Rank(KMP_MAX(Below->td_rank, Parent->td_rank) + 1) {}

  void begin();

  // What GraphLoop asks.
  static bool isPlain(GraphNode &N) { return taskOf(N).IsPlain; }
  __attribute__((always_inline)) void run(GraphNode &N) {
    prepare(taskOf(N));
    execute(taskOf(N));
  }
  void runQueued(GraphNode &N) {
    execute(taskOf(N));
    if (UNLIKELY(RunsPlaced)) // the kept ones behind it are not
      endPlaced();
  }
  static Kind hintKind(GraphNode &N) { return taskOf(N).Hint.kind(); }
  static TaskTarget target(GraphNode &N) {
    return {taskOf(N).HintTarget, taskOf(N).HintLength};
  }
  Team *team() const {
    return isStock() || KMP_HIDDEN_HELPER_THREAD(Gtid)
               ? nullptr
               : makeTeam(Thread->th.th_task_team, Thread->th.th_team);
  }
  Worker &worker(Team &Ours) const { return workerOf(Ours, Thread); }
  void queue(GraphNode &N, int Node);
  static bool mayRunInPlace() { return locus::mayRunInPlace(); }
  void endPart();

private:
  static ReplayTask &taskOf(GraphNode &N) {
    LOCUS_CHECK(!N.IsFence);
    return static_cast<ReplayTask &>(N);
  }
  void prepare(ReplayTask &T);
  void adopt(ReplayTask &T);
  void execute(ReplayTask &T);

  kmp_info_t *const Thread;
  const kmp_int32 Gtid;
  kmp_taskdata_t *const Below; ///< the thread's task, which is suspended
  const Replay &Of;
  kmp_taskdata_t *const Parent; ///< of the graph's tasks
  const kmp_uint64 Rank;        ///< of its tasks: see __kmp_task_start
};

/// The loop of this thread that is queueing a task. If the queue has no room,
/// the task comes back to it: to run it there would fill the stack.
static
    __attribute__((tls_model("initial-exec"))) __thread ReplayLoop *Queueing =
        nullptr;

/// Makes \p T a task of this run's context.
__attribute__((noinline)) void ReplayLoop::adopt(ReplayTask &T) {
  const ReplayContext &Now = Of.Context;
  kmp_taskdata_t *Data = T.data();
  awaitLastSteps(T);
  Data->td_flags = T.Flags;
  Data->td_flags.team_serial = Now.IsTeamSerial;
  Data->td_flags.tasking_ser = Now.IsTaskingSerial;
  Data->td_flags.task_serial = Now.isAlone();
  Data->td_parent = Parent;
  Data->td_taskgroup = Now.Group;
  Data->td_task_team = Now.TaskTeam;
  Data->td_team = Now.Team;
  Data->td_level = Now.Level;
  T.NumContext = Of.NumContext;
}

/// Makes a new task of \p T, for this run: what the task itself may have
/// changed in the last one is as its parent has it.
__attribute__((always_inline)) inline void ReplayLoop::prepare(ReplayTask &T) {
  if (UNLIKELY(T.NumContext != Of.NumContext))
    adopt(T);
  kmp_taskdata_t *Data = T.data();
  Data->td_locus = TaskHint();
  copy_icvs(&Data->td_icvs, &Parent->td_icvs);
}

/// Queues it where libomp would.
void ReplayLoop::queue(GraphNode &N, int Node) {
  ReplayTask &T = taskOf(N);
  kmp_taskdata_t *Data = T.data();
  prepare(T);
  if (!isFromDepend(T.Hint.kind())) {
    Data->td_locus = T.Hint;
    Data->td_locus_target = T.HintTarget;
    Data->td_locus_next_or_length = T.HintLength;
  } else if (Node != UnknownNode) {
    setHint(Data, Kind::Inferred, false, {uintptr_t(Node), 0});
  }
  T.NumContext = 0; // libomp may change its flags
  Queueing = this;
  __kmp_omp_task(Gtid, T.task(), false);
  Queueing = nullptr;
}

/// Runs \p T, which is prepared.
__attribute__((always_inline)) inline void ReplayLoop::execute(ReplayTask &T) {
  if (UNLIKELY(__kmp_omp_cancellation) && isCancelled(Thread, Parent))
    return;
  kmp_taskdata_t *Data = T.data();
  kmp_task_t *Task = T.task();
  // What is private to it is as it was recorded.
  if (T.PrivateBytes)
    KMP_MEMCPY(Task + 1, T.Saved + 1, T.PrivateBytes);
  countRun();
  Data->td_rank = Rank;
  Thread->th.th_current_task = Data;
  if (Data->td_flags.native)
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

/// All of a part are a child of the parent, and of its taskgroup.
void ReplayLoop::begin() {
  flow::addChildren<KmpTasks>(Parent, 1);
  KMP_ATOMIC_INC(&Parent->td_taskgroup->count);
  runAll();
}

void ReplayLoop::endPart() {
  // As begin() has counted. Behind that the parent may be gone.
  kmp_taskgroup_t *Group = Parent->td_taskgroup;
  flow::addChildren<KmpTasks>(Parent, -1);
  KMP_ATOMIC_DEC(&Group->count);
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

/// A hint for the next task is the first one's, which has what it had when it
/// was recorded.
static void dropNextHint(kmp_taskdata_t *Parent) {
  if (!Parent->td_locus.hasNext())
    return;
  Parent->td_locus.setNext(Kind::None, false);
  Parent->td_locus_next_or_length = 0; // see targetOf()
}

/// The context of a run by \p Thread.
static ReplayContext contextOf(const kmp_info_t *Thread) {
  kmp_taskdata_t *Parent = Thread->th.th_current_task;
  return {Parent,
          Parent->td_taskgroup,
          Thread->th.th_team,
          Thread->th.th_task_team,
          Parent->td_level + 1,
          Parent->td_flags.team_serial != 0,
          Parent->td_flags.tasking_ser != 0};
}

static void runPart(kmp_info_t *Thread, Replay &Of, Graph &Part) {
  const ReplayContext Context = contextOf(Thread);
  if (!(Context == Of.Context)) {
    Of.Context = Context;
    ++Of.NumContext;
  }
  Of.Now = &Part;
  Context.Parent->td_flags.executing = 0;
  ReplayLoop Loop(Thread, Of);
  if (Context.isAlone())
    Loop.runInOrder();
  else
    Loop.begin();
  Context.Parent->td_flags.executing = 1;
  resumeTask(Context.Parent);
}

void replay(kmp_info_t *Thread, Replay &Of, ident_t *Location) {
  giveBack(Thread);
  dropNextHint(Thread->th.th_current_task);
  for (Graph *Part = Of.Parts; Part; Part = Part->Next) {
    if (Part->size() != 0)
      runPart(Thread, Of, *Part);
    // The body's taskwait, which waits for tasks that are not the graph's, too.
    if (Part->Next)
      __kmpc_omp_taskwait(Location, Thread->th.th_info.ds.ds_gtid);
  }
}

} // namespace locus
