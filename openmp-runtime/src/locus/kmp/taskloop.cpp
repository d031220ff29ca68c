//===- kmp/taskloop.cpp - Taskloops that place their tasks ----------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where the tasks of a taskloop belong; makes them, part by part. What belongs
// to one place is made there, by an auxiliary task like those that libomp has
// for the halves of a large loop.
//
//===----------------------------------------------------------------------===//

#include "locus/kmp/taskloop.h"
#include "locus/kmp/free_agents.h"
#include "locus/kmp/replay.h"
#include "locus/support/host.h"

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

/// What an auxiliary task makes, in its shareds: the tasks of a part that
/// belongs to one place. For makeParts().
struct LoopWork {
  KmpLoop Loop;
  LoopPart Part; ///< the whole of Loop
  bool EndsLoop; ///< its last iteration is that of the taskloop
  LoopHint Hint;
  int Threads; ///< of the place, for each of which a piece of it is cut
  LoopTrace Traced;

  LoopRange range() const { return {*Loop.Lower, *Loop.Upper, Loop.Step}; }
  bool endsWith(const LoopPart &Mine) const {
    return EndsLoop && Mine.Start + Mine.Chunks.Trips == range().trips();
  }
  void make(const LoopPart &Mine) const;
  void passOn(const LoopPart &Theirs, int TheirThreads) const;
  /// All tasks are made, or will be by others: the pattern is used up.
  void finish() const;
};

void LoopHint::give(kmp_task_t *To, int Place) const {
  setHint(KMP_TASK_TO_TASKDATA(To), What, IsStrict, {uintptr_t(Place), 0});
}

kmp_task_t *makeLoopTask(const KmpLoop &Loop, const LoopRange &Range,
                         uint64_t Start, uint64_t Trips, bool IsLast,
                         const LoopTrace &Traced) {
  kmp_task_t *Task = copyPattern(Loop, Range, Start, Trips, IsLast).Pattern;
  kmp_taskdata_t *Data = KMP_TASK_TO_TASKDATA(Task);
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

void LoopWork::make(const LoopPart &Mine) const {
  const LoopRange Range = range();
  const LoopChunks &C = Mine.Chunks;
  const bool Ends = endsWith(Mine);
  Hint.give(Loop.Pattern, Mine.Place); // and so to its copies
  for (uint64_t I = 0; I < C.Tasks; ++I)
    __kmp_omp_taskloop_task(NULL, Loop.Gtid,
                            makeLoopTask(Loop, Range, Mine.Start + C.start(I),
                                         C.start(I + 1) - C.start(I),
                                         Ends && I + 1 == C.Tasks, Traced),
                            Loop.Caller);
}

void LoopWork::finish() const {
  traceDrop(KMP_TASK_TO_TASKDATA(Loop.Pattern));
  __kmp_taskloop_drop(Loop.Gtid, Loop.Pattern);
}

/// What an auxiliary task runs.
static kmp_int32 runAuxiliary(kmp_int32 Gtid, void *Aux) {
  LoopWork Work =
      *static_cast<LoopWork *>(static_cast<kmp_task_t *>(Aux)->shareds);
  Work.Loop.Gtid = Gtid;
  makePart(Work, Work.Part, Work.Threads);
  Work.finish();
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

void LoopWork::passOn(const LoopPart &Part, int TheirThreads) const {
  LoopWork Theirs = {copyPattern(Loop, range(), Part.Start, Part.Chunks.Trips,
                                 /*IsLast=*/false),
                     {0, Part.Chunks, Part.Place},
                     endsWith(Part),
                     Hint,
                     TheirThreads,
                     Traced};
  Theirs.Traced.Start += Part.Start;
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
  *static_cast<LoopWork *>(Aux->shareds) = Theirs;
  Hint.give(Aux, Part.Place);
  __kmp_omp_taskloop_task(NULL, Loop.Gtid, Aux, Loop.Caller);
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
  if (makesTasksInOrder(Loop.Gtid) ||
      (!Places && !spreadsLoop(Thread, Data, Loop.Pattern)))
    return false;
  // GOMP_taskloop has its bounds elsewhere; the others run at once.
  const auto &Flags = Data->td_flags;
  if (Flags.native || Flags.task_serial || Flags.tasking_ser ||
      Flags.team_serial)
    return false;
  Team *Ours = loopTeam(Thread);
  if (!Ours)
    return false;
  const TeamShape &Shape = Ours->shape();
  if (!Places && (Shape.numNodes() == 1 || !Shape.isBound()))
    return false;
  LoopWork Work = {Loop, {}, /*EndsLoop=*/true, {Kind::Node, false}, 0, {}};
  if (Places) {
    Work.Hint = Places->hint();
    Work.Traced = Places->trace();
  }
  const bool OnThreads = Work.Hint.What == Kind::Thread;
  const int Tid = Thread->th.th_info.ds.ds_tid;
  makeParts(
      Work, OnThreads ? Tid : Shape.nodeOfThread(Tid),
      [&](auto Do) {
        if (Places)
          Places->Core.forEachPart(Shape, Do);
        else
          spreadChunks(Shape, Chunks.Trips, 0, Chunks, Do);
      },
      [&](int Place) { return OnThreads ? 1 : Shape.numThreadsOfNode(Place); });
  Work.finish();
  return true;
}

} // namespace locus

using namespace locus;

//===----------------------------------------------------------------------===//
// Where the tasks belong: what compiled code is asked
//===----------------------------------------------------------------------===//

kmp_taskloop_places_t::kmp_taskloop_places_t(
    const LoopRange &TheRange, Gives TheKind, LoopSchedule Schedule,
    kmp_uint64 Amount, bool IsScheduleStrict, const Team &TheTeam)
    : Core(TheRange.trips(), Schedule, Amount, IsScheduleStrict,
           TheTeam.numThreads(),
           TheKind == Gives::Thread || TheKind == Gives::Node
               ? LoopPlaces::Asks::First
               : LoopPlaces::Asks::All),
      Range(TheRange), What(TheKind), Ours(TheTeam) {}

void kmp_taskloop_places_t::setAnswer(kmp_uintptr_t Value, size_t Length,
                                      bool Strict) {
  IsStrict |= Strict;
  if (Answer.Count < MaxRanges)
    Answer.Ranges[Answer.Count++] = {Value, Length};
}

void kmp_taskloop_places_t::finishAnswer() {
  if (!IsAsked)
    return;
  IsAsked = false;
  int Place = SpreadPlace;
  const TeamShape &Shape = Ours.shape();
  const int Tid = __kmp_threads[__kmp_get_gtid()]->th.th_info.ds.ds_tid;
  const MemoryRange First = Answer.Ranges[0];
  if (Answer.Count > 0)
    Line.add(AskedFirst, AskedLast - AskedFirst + 1, First);
  if (Answer.Count == 0) {
    // Nothing is said of these iterations.
  } else if (What == Gives::Thread || What == Gives::Node) {
    Place = resolve(Shape, hint().What, /*Strict=*/true, {First.Base, 0}, Tid,
                    Chosen.unknownPolicy())
                .Index;
  } else {
    Place = Answer.Count == 1
                ? nodeOfData(Shape, Kind::Data, IsStrict,
                             {First.Base, First.Length})
                : nodeOfData(Shape, Kind::Ranges, IsStrict,
                             {reinterpret_cast<uintptr_t>(&Answer), 0});
    // The first touch gives it a node: better by turns than all on one.
    if (Place == UnknownNode)
      Place = !IsStrict ? SpreadPlace
              : Chosen.unknownPolicy() == UnknownPolicy::First
                  ? 0
                  : Shape.nodeOfThread(Tid);
  }
  Answer.Count = 0;
  Core.answer(Place);
}

namespace locus {

Team *loopTeam(kmp_info_t *Thread) {
  kmp_team_t *KmpTeam = Thread->th.th_team;
  kmp_task_team_t *TaskTeam = Thread->th.th_task_team;
  if (KmpTeam->t.t_serialized || KmpTeam->t.t_nproc == 1 || !TaskTeam ||
      isStock() || isFreeAgent(Thread) ||
      KMP_HIDDEN_HELPER_THREAD(Thread->th.th_info.ds.ds_gtid))
    return nullptr;
  return makeTeam(TaskTeam, KmpTeam);
}

static void closeInnermost(kmp_info_t *Thread) {
  kmp_taskloop_places_t *Open = Thread->th.th_locus_loops;
  Thread->th.th_locus_loops = Open->Outer;
  Open->~kmp_taskloop_places_t();
  free(Open);
}

void closePlaces(kmp_int32 Gtid, kmp_taskloop_places_t *Places) {
  kmp_info_t *Thread = __kmp_threads[Gtid];
  const kmp_taskloop_places_t *Open = Thread->th.th_locus_loops;
  while (Open && Open != Places)
    Open = Open->Outer;
  if (!Open)
    return;
  const kmp_taskloop_places_t *Outer = Open->Outer;
  while (Thread->th.th_locus_loops != Outer)
    closeInnermost(Thread);
}

void closeAllPlaces(kmp_info_t *Thread) {
  while (Thread->th.th_locus_loops)
    closeInnermost(Thread);
}

/// Closes what an exception has left open: what \p Frame, which is about to
/// open the places of a loop by the call \p Call, has opened by the same call,
/// and what functions have opened that it would have called.
static void closeAbandoned(kmp_info_t *Thread, const void *Frame,
                           const void *Call) {
  while (const kmp_taskloop_places_t *Open = Thread->th.th_locus_loops) {
    // Stacks grow downwards.
    if (Open->Frame > Frame || (Open->Frame == Frame && Open->Call != Call))
      return;
    closeInnermost(Thread);
  }
}

} // namespace locus

/// The taskloop that the calling thread \p gtid meets next has an affinity
/// clause. Returns what to hand to __kmpc_taskloop_placed: where its iterations
/// belong, asked for by __kmpc_taskloop_places_next. Null if there is nothing
/// to place; it may be handed on all the same.
///
/// \p kind is 1 for a thread, 2 for a node, 3 for data, 4 for a list; \p lb and
/// \p ub are the first and the last value of the loop, and st is its step, not
/// 0; \p sched is 0, or 1 for grainsize and 2 for num_tasks, whose argument is
/// \p grainsize; \p modifier is 1 for strict.
///
/// An exception may leave it open: the thread frees it when it opens one from
/// the same place or further up on its stack, or closes one that is older.
extern "C" kmp_taskloop_places_t *__kmpc_taskloop_places(
    ident_t *loc, kmp_int32 gtid, kmp_int32 kind, kmp_uint64 lb, kmp_uint64 ub,
    kmp_int64 st, kmp_int32 sched, kmp_uint64 grainsize, kmp_int32 modifier) {
  using Gives = kmp_taskloop_places_t::Gives;
  __kmp_assert_valid_gtid(gtid);
  kmp_info_t *Thread = __kmp_threads[gtid];
  const void *Frame = __builtin_frame_address(0);
  // Not loc: without -g all loops have the same, and a recursive function that
  // is inlined into itself has one for two.
  const void *Call = __builtin_return_address(0);
  closeAbandoned(Thread, Frame, Call);
  const LoopRange Range = {lb, ub, st};
  if (kind < 1 || kind > 4 || sched < 0 || sched > 2 || st == 0 ||
      Range.trips() == 0) {
    KMP_DEBUG_ASSERT(kind >= 1 && kind <= 4 && sched >= 0 && sched <= 2 && st);
    return nullptr; // nothing to do, or a compiler newer than us
  }
  Team *Ours = loopTeam(Thread);
  if (!Ours || (Gives(kind) != Gives::Thread && Ours->shape().numNodes() == 1))
    return nullptr;
  void *Memory = malloc(sizeof(kmp_taskloop_places_t));
  if (!Memory)
    outOfMemory();
  auto *Places = new (Memory) kmp_taskloop_places_t(
      Range, Gives(kind), LoopSchedule(sched), grainsize, modifier != 0, *Ours);
  Places->Outer = Thread->th.th_locus_loops;
  Places->Frame = Frame;
  Places->Call = Call;
  Thread->th.th_locus_loops = Places;
  return Places;
}

/// The next question: 1, and the values of the iterations for which to evaluate
/// the clause, from \p first to \p last in steps of the loop; 0 if there is no
/// more. Asks the kernel where the last answer's data is.
extern "C" kmp_int32 __kmpc_taskloop_places_next(kmp_taskloop_places_t *places,
                                                 kmp_uint64 *first,
                                                 kmp_uint64 *last) {
  if (!places)
    return 0;
  places->finishAnswer();
  uint64_t First, Last;
  if (!places->Core.next(First, Last))
    return 0;
  places->AskedFirst = First;
  places->AskedLast = Last;
  *first = places->Range.at(First);
  *last = places->Range.at(Last);
  places->IsAsked = true;
  return 1;
}

/// The answer: the number of a thread or node, or \p len bytes of data at
/// \p value, and whether that is \p strict. Data and lists may have several;
/// what is beyond 16 is left out.
extern "C" void __kmpc_taskloop_places_set(kmp_taskloop_places_t *places,
                                           kmp_uintptr_t value, kmp_size_t len,
                                           kmp_int32 strict) {
  if (places)
    places->setAnswer(value, len, strict != 0);
}
