//===- kmp/loop_places.cpp - Where a taskloop's tasks belong --------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "locus/kmp/hooks.h"
#include "locus/kmp/taskloop.h"
#include "locus/support/host.h"

#include <new>
#include <stdlib.h>

using namespace locus;

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
      isStock() || KMP_HIDDEN_HELPER_THREAD(Thread->th.th_info.ds.ds_gtid))
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
