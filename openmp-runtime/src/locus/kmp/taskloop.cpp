//===- kmp/taskloop.cpp - Taskloops that place their tasks ----------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes the tasks of a taskloop, part by part. What belongs to one place is
// made there, by an auxiliary task like those that libomp has for the halves of
// a large loop.
//
//===----------------------------------------------------------------------===//

#include "locus/kmp/taskloop.h"
#include "locus/kmp/hooks.h"

#if OMPT_SUPPORT
#include "ompt-specific.h"
#endif

// Of kmp_tasking.cpp, which has no header.
#if !OMPX_TASKGRAPH && OMPT_SUPPORT
kmp_task_t *__kmp_task_dup_alloc(kmp_info_t *thread, kmp_task_t *task_src);
#else
#error "the tasks of a taskloop are made without a taskgraph and with OMPT"
#endif

namespace locus {

/// What an auxiliary task makes: in its shareds.
struct LoopWork {
  KmpLoop Loop;
  LoopChunks Chunks;
  bool EndsLoop; ///< its last iteration is that of the whole loop
  LoopTrace Traced;
};

void LoopHint::give(kmp_task_t *To, int Place) const {
  setHint(KMP_TASK_TO_TASKDATA(To), What, IsStrict, {uintptr_t(Place), 0});
}

kmp_task_t *makeLoopTask(const KmpLoop &Loop, const LoopRange &Range,
                         uint64_t Start, uint64_t Trips, bool IsLast,
                         const LoopHint *Hint, int Place,
                         const LoopTrace &Traced) {
  kmp_task_t *Task = copyPattern(Loop, Range, Start, Trips, IsLast).Pattern;
  kmp_taskdata_t *Data = KMP_TASK_TO_TASKDATA(Task);
  if (Hint)
    Hint->give(Task, Place);
  if (Traced.HasClause && Trace::enabled())
    recordLoopHint(Data, Traced.NamesData ? &Traced.Line : nullptr,
                   Traced.Start + Start, Trips);
  // Before it is queued: it may be over afterwards.
  if (ompt_enabled.enabled) {
    const kmp_uint64 First = Range.at(Start),
                     Last = Range.at(Start + Trips - 1);
    OMPT_GET_DISPATCH_CHUNK(Data->ompt_task_info.dispatch_chunk, First, Last,
                            Loop.Step);
  }
  return Task;
}

/// Makes such a task, and queues it.
static void makeTask(const KmpLoop &Loop, const LoopRange &Range,
                     uint64_t Start, uint64_t Trips, bool IsLast,
                     const LoopHint *Hint, int Place, const LoopTrace &Traced) {
  __kmp_omp_taskloop_task(
      NULL, Loop.Gtid,
      makeLoopTask(Loop, Range, Start, Trips, IsLast, Hint, Place, Traced),
      Loop.Caller);
}

/// Makes the tasks of \p Work, and uses its pattern up.
static void makeTasks(const LoopWork &Work) {
  const KmpLoop &L = Work.Loop;
  const LoopChunks &C = Work.Chunks;
  const LoopRange Range = {*L.Lower, *L.Upper, L.Step};
  for (uint64_t I = 0; I < C.Tasks; ++I)
    makeTask(L, Range, C.start(I), C.start(I + 1) - C.start(I),
             Work.EndsLoop && I + 1 == C.Tasks, /*Hint=*/nullptr, /*Place=*/0,
             Work.Traced);
  traceDrop(KMP_TASK_TO_TASKDATA(L.Pattern));
  __kmp_taskloop_drop(L.Gtid, L.Pattern);
}

/// What an auxiliary task runs.
static kmp_int32 runAuxiliary(kmp_int32 Gtid, void *Aux) {
  LoopWork Work =
      *static_cast<LoopWork *>(static_cast<kmp_task_t *>(Aux)->shareds);
  Work.Loop.Gtid = Gtid;
  makeTasks(Work);
  return 0;
}

bool makesLoopTasks(const kmp_task_t *Task) {
  return Task->routine == kmp_routine_entry_t(runAuxiliary);
}

void followPattern(kmp_task_t *Aux, const kmp_task_t *Pattern) {
  const kmp_taskdata_t *From = KMP_TASK_TO_TASKDATA(Pattern);
  const TaskHint Hint = From->td_locus;
  if (Hint.hasHint() && !hasRanges(Hint.kind()))
    setHint(KMP_TASK_TO_TASKDATA(Aux), Hint.kind(), Hint.isStrict(),
            targetOf(From));
}

KmpLoop copyPattern(const KmpLoop &Loop, const LoopRange &Range, uint64_t Start,
                    uint64_t Trips, bool IsLast) {
  KmpLoop Copy = Loop;
  Copy.Pattern = __kmp_task_dup_alloc(__kmp_threads[Loop.Gtid], Loop.Pattern);
  auto InCopy = [&](kmp_uint64 *Bound) {
    return reinterpret_cast<kmp_uint64 *>(
        reinterpret_cast<char *>(Copy.Pattern) +
        (reinterpret_cast<char *>(Bound) -
         reinterpret_cast<char *>(Loop.Pattern)));
  };
  Copy.Lower = InCopy(Loop.Lower);
  Copy.Upper = InCopy(Loop.Upper);
  *Copy.Lower = Range.at(Start);
  *Copy.Upper = Range.at(Start + Trips - 1);
  // The program sees the last iteration's values: it wants that copy marked.
  using TaskDuplicate = void (*)(kmp_task_t *, kmp_task_t *, kmp_int32);
  if (Loop.Duplicate)
    reinterpret_cast<TaskDuplicate>(Loop.Duplicate)(Copy.Pattern, Loop.Pattern,
                                                    IsLast);
  return Copy;
}

/// Has the tasks of \p Part made: by a task that belongs where they do, or, if
/// it is a single one, here.
static void makeElsewhere(const KmpLoop &Loop, const LoopRange &Range,
                          const LoopPart &Part, const LoopHint &Hint,
                          LoopTrace Traced) {
  const bool EndsLoop = Part.Start + Part.Chunks.Trips == Range.trips();
  if (Part.Chunks.Tasks == 1)
    return makeTask(Loop, Range, Part.Start, Part.Chunks.Trips, EndsLoop, &Hint,
                    Part.Place, Traced);
  Traced.Start = Part.Start;
  KmpLoop Mine = copyPattern(Loop, Range, Part.Start, Part.Chunks.Trips,
                             /*IsLast=*/false);
  Hint.give(Mine.Pattern, Part.Place);
  // Its parent is that of the pattern; the taskgroup is the construct's.
  kmp_info_t *Thread = __kmp_threads[Loop.Gtid];
  kmp_taskdata_t *Current = Thread->th.th_current_task;
  Thread->th.th_current_task = KMP_TASK_TO_TASKDATA(Loop.Pattern)->td_parent;
  kmp_tasking_flags_t Flags = {};
  Flags.tiedness = TASK_TIED;
  kmp_task_t *Aux = __kmp_task_alloc(
      Loop.Location, Loop.Gtid, &Flags, sizeof(kmp_task_t), sizeof(LoopWork),
      kmp_routine_entry_t(runAuxiliary), /*member=*/Current);
  Thread->th.th_current_task = Current;
  *static_cast<LoopWork *>(Aux->shareds) = {Mine, Part.Chunks, EndsLoop,
                                            Traced};
  Hint.give(Aux, Part.Place);
  __kmp_omp_taskloop_task(NULL, Loop.Gtid, Aux, Loop.Caller);
}

/// A place's first pieces are handed out before others: somebody begins soon
/// on each node.
enum class Turn { First, Later };

/// Makes the tasks of all parts that \p ForEachPart calls its argument for.
/// Those that belong to \p OwnPlace are made here, with what is left of the
/// pattern.
template <class Enumerate>
static void makeParts(const KmpLoop &Loop, const LoopHint &Hint, int OwnPlace,
                      LoopTrace Traced, Enumerate ForEachPart) {
  const LoopRange Range = {*Loop.Lower, *Loop.Upper, Loop.Step};
  LoopPart Own = {};
  ForEachPart([&](const LoopPart &Part, Turn) {
    if (Own.Chunks.Tasks == 0 || Own.Place != OwnPlace)
      Own = Part;
  });
  const Turn Turns[] = {Turn::First, Turn::Later};
  for (Turn Now : Turns)
    ForEachPart([&](const LoopPart &Part, Turn Its) {
      if (Its == Now && Part.Start != Own.Start)
        makeElsewhere(Loop, Range, Part, Hint, Traced);
    });
  Traced.Start = Own.Start;
  const bool EndsLoop = Own.Start + Own.Chunks.Trips == Range.trips();
  const LoopWork Rest = {Loop, Own.Chunks, EndsLoop, Traced};
  *Loop.Lower = Range.at(Own.Start);
  *Loop.Upper = Range.at(Own.Start + Own.Chunks.Trips - 1);
  Hint.give(Loop.Pattern, Own.Place);
  makeTasks(Rest);
}

/// Whether a loop without a clause, whose tasks are like \p Pattern, goes to
/// all nodes. The tasks that it comes from have no place, or it would stay with
/// them.
static bool spreadsLoop(const kmp_info_t *Thread, const kmp_taskdata_t *Pattern,
                        const kmp_task_t *Task) {
  return !isStock() && Chosen.hasLoopAffinity() && Topology::mayHaveNodes() &&
         !Pattern->td_locus.hasHint() &&
         !Thread->th.th_current_task->td_locus.hasHint() &&
         !(Pattern->td_flags.priority_specified && Task->data2.priority > 0);
}

bool placeTaskloop(const KmpLoop &Loop, const LoopChunks &Chunks,
                   kmp_taskloop_places_t *Places) {
  kmp_info_t *Thread = __kmp_threads[Loop.Gtid];
  const kmp_taskdata_t *Data = KMP_TASK_TO_TASKDATA(Loop.Pattern);
  if (!Places && !spreadsLoop(Thread, Data, Loop.Pattern))
    return false;
  // GOMP_taskloop has its bounds elsewhere; the others run at once.
  const auto &Flags = Data->td_flags;
  if (Flags.native || Flags.task_serial || Flags.tasking_ser ||
      Flags.team_serial)
    return false;
  Team *Ours = loopTeam(Thread);
  if (!Ours)
    return false;
  const int Tid = Thread->th.th_info.ds.ds_tid;
  const TeamShape &Shape = Ours->shape();
  const int OwnNode = Shape.nodeOfThread(Tid);
  auto OfThread = [&](auto Do) {
    return [Do](const LoopPart &Part) { Do(Part, Turn::First); };
  };
  auto OfNode = [&](auto Do) {
    return [&Shape, Do](const LoopPart &Part) {
      divideAmongThreads(
          Part, Shape.numThreadsOfNode(Part.Place), [&](const LoopPart &Piece) {
            Do(Piece, Piece.Start == Part.Start ? Turn::First : Turn::Later);
          });
    };
  };
  if (Places && Places->hint().What == Kind::Thread)
    makeParts(Loop, Places->hint(), Tid, Places->trace(),
              [&](auto Do) { Places->Core.forEachPart(Shape, OfThread(Do)); });
  else if (Places)
    makeParts(Loop, Places->hint(), OwnNode, Places->trace(),
              [&](auto Do) { Places->Core.forEachPart(Shape, OfNode(Do)); });
  else if (Shape.numNodes() == 1 || !Shape.isBound())
    return false;
  else
    makeParts(Loop, {Kind::Node, false}, OwnNode, LoopTrace(), [&](auto Do) {
      spreadChunks(Shape, Chunks.Trips, 0, Chunks, OfNode(Do));
    });
  return true;
}

} // namespace locus
