//===- kmp/replay.h - Recording and running graphs in libomp ----*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The taskgraph construct: what libomp tells of the tasks that a region creates
// while it is recorded, and the tasks of a graph that runs again.
// replay/README.md describes both.
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_KMP_REPLAY_H
#define LOCUS_KMP_REPLAY_H

#include "locus/kmp/depend.h"
#include "locus/replay/recorder.h"
#include "locus/replay/store.h"

namespace locus {

struct Replay;

/// A recorded task. Its libomp task lies behind it: kmp_taskdata_t at once, and
/// behind that kmp_task_t and what is private to the task. Most runs use the
/// first cache line of this, and kmp_task_t.
struct alignas(CACHE_LINE) ReplayTask : GraphNode {
  /// Of the context that its libomp task is made for; 0: none.
  uint64_t NumContext = 0;
  size_t PrivateBytes; ///< of what is behind kmp_task_t
  kmp_task_t *Saved;   ///< as it was recorded, if anything is private
  /// Has neither hint nor priority: who makes it ready may run it.
  bool IsPlain;
  // Rarely:
  alignas(CACHE_LINE) kmp_tasking_flags_t Flags; ///< of a run
  Replay *Of;
  void *Memory;       ///< that all this lies in
  ReplayTask *NextOf; ///< of the same graph
  uintptr_t HintTarget;
  size_t HintLength;
  TaskHint Hint;

  kmp_taskdata_t *data() {
    return reinterpret_cast<kmp_taskdata_t *>(this + 1);
  }
  kmp_task_t *task() { return KMP_TASKDATA_TO_TASK(data()); }
  static ReplayTask *of(kmp_taskdata_t *Data) {
    return reinterpret_cast<ReplayTask *>(Data) - 1;
  }
};
static_assert(sizeof(ReplayTask) == 2 * CACHE_LINE,
              "two lines, the first one often used");

/// What libomp's tasks have from the team and the task that run their graph.
struct ReplayContext {
  kmp_taskdata_t *Parent;
  kmp_taskgroup_t *Group;
  kmp_team_t *Team;
  kmp_task_team_t *TaskTeam;
  kmp_int32 Level;
  bool IsTeamSerial;
  bool IsTaskingSerial;

  /// Whether no other thread runs tasks of the team.
  bool isAlone() const { return IsTeamSerial || IsTaskingSerial; }
  bool operator==(const ReplayContext &Other) const {
    return Parent == Other.Parent && Group == Other.Group &&
           Team == Other.Team && TaskTeam == Other.TaskTeam &&
           Level == Other.Level && IsTeamSerial == Other.IsTeamSerial &&
           IsTaskingSerial == Other.IsTaskingSerial;
  }
};

/// A recorded region. Behind it lie ArgumentBytes of the body's argument.
struct Replay : StoredGraph {
  /// The tasks between two taskwaits of the body each; Graph::Next is a list.
  Graph *Parts = nullptr;
  ReplayTask *First = nullptr; ///< of a list of all tasks
  // What it has been recorded with.
  void *Argument = nullptr; ///< the body's
  size_t ArgumentBytes = 0;
  void *copied() { return this + 1; }
  const void *copied() const { return this + 1; }
  // Of a run: written by who begins it, before a task is ready.
  Graph *Now; ///< the part
  ReplayContext Context = {};
  uint64_t NumContext = 0; ///< another one for another context
};

/// A region that is being recorded; on the stack of the thread that does.
struct Recording {
  Recording *Outer;     ///< of the same thread
  kmp_taskdata_t *Task; ///< whose children are recorded
  Replay *Made;
  Recorder Tasks; ///< of the part that is being recorded
  Graph **NextPart;
  const char *BodyStack;         ///< the body's own variables lie below
  const char *Spoiled = nullptr; ///< why nothing is recorded any more

  Recording(kmp_info_t *Thread, Replay *TheMade);
  /// What comes now comes behind all that is recorded.
  void endPart();
};

extern __attribute__((tls_model("initial-exec"))) __thread Recording *Recorded;

/// Whether the calling thread is in a region that is being recorded.
static inline bool isRecording() { return UNLIKELY(Recorded != nullptr); }

void recordUndeferred(kmp_int32 Gtid, kmp_task_t *Task);
void recordWait(const DependList *List);
void spoilRecord(kmp_int32 Gtid, const char *Why);
bool recordsHere(kmp_int32 Gtid);

// What libomp calls.

/// The current task has created \p Task, which is to be recorded: records it,
/// and goes on as __kmp_omp_task, which has called this.
kmp_int32 recordTask(kmp_int32 Gtid, kmp_task_t *Task, bool SerializesAtOnce);
/// The same for __kmpc_omp_task_with_deps.
kmp_int32 recordTask(ident_t *Location, kmp_int32 Gtid, kmp_task_t *Task,
                     kmp_int32 Count, kmp_depend_info_t *List,
                     kmp_int32 CountNoAlias, kmp_depend_info_t *ListNoAlias);
/// It has created \p Task, which is undeferred.
static inline void noteUndeferred(kmp_int32 Gtid, kmp_task_t *Task) {
  if (UNLIKELY(KMP_TASK_TO_TASKDATA(Task)->td_flags.recorded))
    recordUndeferred(Gtid, Task);
}
/// \p Current, the thread's task, waits for its children.
static inline void noteWait(const kmp_taskdata_t *Current) {
  if (UNLIKELY(Current->td_locus.recordsChildren()))
    recordWait(nullptr);
}
/// It waits for what \p List names.
static inline void noteWait(const kmp_taskdata_t *Current,
                            const DependList &List) {
  if (UNLIKELY(Current->td_locus.recordsChildren()))
    recordWait(&List);
}
/// The current task does what cannot be recorded.
static inline void noteOther(kmp_int32 Gtid, const char *Why) {
  if (isRecording())
    spoilRecord(Gtid, Why);
}
/// Whether the current task is being recorded: a taskloop makes its tasks one
/// after the other then.
static inline bool makesTasksInOrder(kmp_int32 Gtid) {
  return isRecording() && recordsHere(Gtid);
}

/// \p Task, of a graph, has been taken from a queue by thread \p Gtid, whose
/// task is \p Below: runs it, and what becomes ready by that.
void runReplayed(kmp_int32 Gtid, kmp_taskdata_t *Task, kmp_taskdata_t *Below);

// Between the sources of the adapter.

/// Runs \p Of again, of which nothing runs: its tasks are children of the
/// thread's current task, in its taskgroup, whose end waits for them.
void replay(kmp_info_t *Thread, Replay &Of, ident_t *Location);
/// Frees \p Of, whose tasks do not run. \p IsEnd: no other thread runs.
void freeReplay(Replay *Of, bool IsEnd = false);
/// The end of the library: frees all.
void freeReplays();

/// A child that \p T left behind in its last run is over; but its last steps
/// look at T's flags and counters behind the end of the taskgroup. Waits for
/// them; they wait for nothing.
static inline void awaitLastSteps(ReplayTask &T) {
  while (!T.data()->td_allocated_child_tasks.isItselfAlone())
    KMP_YIELD(TRUE);
}

/// Whether tasks of \p Parent that have not begun do not run any more.
static inline bool isCancelled(const kmp_info_t *Thread,
                               const kmp_taskdata_t *Parent) {
  return Parent->td_taskgroup->cancel_request != cancel_noreq ||
         Thread->th.th_team->t.t_cancel_request == cancel_parallel;
}

} // namespace locus

#endif // LOCUS_KMP_REPLAY_H
