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

namespace locus {

/// A thread that runs tasks of a graph, one after the other.
class ReplayLoop {
public:
  ReplayLoop(kmp_info_t *TheThread, Replay &TheReplay)
      : Thread(TheThread), Gtid(TheThread->th.th_info.ds.ds_gtid),
        Below(TheThread->th.th_current_task), Of(TheReplay),
        Part(*TheReplay.Now), Parent(TheReplay.Context.Parent),
        Rank(KMP_MAX(Below->td_rank, Parent->td_rank) + 1) {}

  void runAlone();
  void runAll();
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
  void prepare(ReplayTask &T);
  void adopt(ReplayTask &T);
  void execute(ReplayTask &T);
  /// Whether the list, or the roots, have more.
  bool hasMore() const { return Ready || NextRoot != NumRoots; }
  __attribute__((always_inline)) void end(GraphNode &N) {
    Part.end(N, NumLast, [this](GraphNode &F) { makeReady(F); });
  }

  kmp_info_t *const Thread;
  const kmp_int32 Gtid;
  kmp_taskdata_t *const Below; ///< the thread's task, which is suspended
  const Replay &Of;
  Graph &Part;
  kmp_taskdata_t *const Parent; ///< of the graph's tasks
  const kmp_uint64 Rank;        ///< of its tasks: see __kmp_task_start
  GraphNode *Ready = nullptr;   ///< a list, for this thread
  uint32_t NextRoot = 0;        ///< of those that this thread sees to
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

/// Queues \p T where libomp would. False if there was no room: the loop has it
/// again.
bool ReplayLoop::queue(ReplayTask &T) {
  kmp_taskdata_t *Data = T.data();
  prepare(T);
  Data->td_locus = T.Hint;
  Data->td_locus_target = T.HintTarget;
  Data->td_locus_next_or_length = T.HintLength;
  T.NumContext = 0; // libomp may change its flags
  const GraphNode *Before = Ready;
  Queueing = this;
  __kmp_omp_task(Gtid, T.task(), false);
  Queueing = nullptr;
  // Behind that T may have ended: only its address is looked at.
  return Ready == Before;
}

__attribute__((always_inline)) inline void ReplayLoop::makeReady(GraphNode &N) {
  if (!N.IsFence && !taskOf(N).IsPlain)
    queue(taskOf(N));
  else
    keep(N);
}

/// The next task for this thread; null if there is none. Does not look at the
/// graph then: all may be over.
__attribute__((always_inline)) inline GraphNode *ReplayLoop::take() {
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
__attribute__((noinline)) void ReplayLoop::share() {
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

/// Runs what is ready, and what that makes ready.
inline void ReplayLoop::runReady() {
  while (GraphNode *N = take()) {
    if (!N->IsFence) {
      if (hasMore() && !mayRunInPlace())
        share();
      ReplayTask &T = taskOf(*N);
      prepare(T);
      execute(T);
    }
    end(*N);
  }
  if (NumLast == 0 || !Part.endLast(NumLast))
    return;
  // As runAll() has counted. Behind that the parent may be gone.
  kmp_taskgroup_t *Group = Parent->td_taskgroup;
  flow::addChildren<KmpTasks>(Parent, -1);
  KMP_ATOMIC_DEC(&Group->count);
}

/// Nobody else runs tasks of the team, and nobody counts: as the body did.
void ReplayLoop::runAlone() {
  for (uint32_t I = 0, NumTasks = Part.numTasks(); I < NumTasks; ++I) {
    ReplayTask &T = taskOf(Part.task(I));
    prepare(T);
    execute(T);
  }
}

/// All of a part are a child of the parent, and of its taskgroup.
void ReplayLoop::runAll() {
  flow::addChildren<KmpTasks>(Parent, 1);
  KMP_ATOMIC_INC(&Parent->td_taskgroup->count);
  NumRoots = Part.numRoots();
  runReady();
}

void ReplayLoop::runFrom(ReplayTask &Taken) {
  execute(Taken);
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
    Loop.runAlone();
  else
    Loop.runAll();
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
