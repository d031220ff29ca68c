//===- kmp/taskloop.h - Taskloops that place their tasks --------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A taskloop divides its tasks by the places where they belong: loop/README.md.
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_KMP_TASKLOOP_H
#define LOCUS_KMP_TASKLOOP_H

#include "kmp.h"
#include "locus/kmp/trace.h"
#include "locus/loop/loop_places.h"
#include "locus/team/team.h"

/// A taskloop whose tasks have dependences and are not all made yet. Opened by
/// __kmpc_taskloop_dependent, closed by the last __kmpc_taskloop_depend_next.
struct kmp_taskloop_depends_t;

// Of kmp_tasking.cpp, which has no header.
kmp_int32 __kmp_omp_taskloop_task(ident_t *loc_ref, kmp_int32 gtid,
                                  kmp_task_t *new_task, void *codeptr_ra);
void __kmp_taskloop_drop(int gtid, kmp_task_t *task);

namespace locus {

/// Where the tasks of a loop belong: \p What is a thread or a node.
struct LoopHint {
  Kind What;
  bool IsStrict;

  void give(kmp_task_t *To, int Place) const;
};

/// What a trace says of the tasks of a loop, if it has a clause.
struct LoopTrace {
  bool HasClause = false;
  bool NamesData = false; ///< the clause does: Line
  DataLine Line;
  uint64_t Start = 0; ///< the ordinal of the first iteration
};

} // namespace locus

/// Where the iterations of a taskloop belong that its thread is about to
/// execute: the questions that compiled code answers before it, and what it has
/// answered. Opened by __kmpc_taskloop_places, closed by
/// __kmpc_taskloop_placed. Open ones of a thread form a list, the innermost
/// first: evaluating a clause may execute another taskloop.
struct kmp_taskloop_places_t {
  /// What the clause gives. The values are ABI.
  enum class Gives : kmp_int32 { Thread = 1, Node = 2, Data = 3, List = 4 };

  kmp_taskloop_places_t(const locus::LoopRange &TheRange, Gives TheKind,
                        locus::LoopSchedule Schedule, kmp_uint64 Amount,
                        bool IsScheduleStrict, const locus::Team &Ours);

  locus::LoopHint hint() const {
    return {What == Gives::Thread ? locus::Kind::Thread : locus::Kind::Node,
            IsStrict};
  }
  locus::LoopTrace trace() const {
    return {true, What == Gives::Data || What == Gives::List, Line, 0};
  }
  void setAnswer(kmp_uintptr_t Value, size_t Length, bool Strict);
  /// Hands the answer to the last question on, if there was one.
  void finishAnswer();

  locus::LoopPlaces Core;
  const locus::LoopRange Range;
  const Gives What;
  const locus::Team &Ours;
  bool IsStrict = false; ///< one of the answers was
  bool IsAsked = false;  ///< a question waits for its answer
  locus::RangeList Answer = {};
  kmp_uint64 AskedFirst = 0; ///< the ordinals of that question
  kmp_uint64 AskedLast = 0;
  locus::DataLine
      Line; ///< of the iterations' data, by the first range of each answer

  kmp_taskloop_places_t *Outer = nullptr;
  const void *Frame = nullptr; ///< of the function that has opened it
  const void *Call = nullptr;  ///< in it: the address behind
};

namespace locus {

/// The Team whose threads the tasks of a taskloop of \p Thread may go to; null
/// if there is no choice.
Team *loopTeam(kmp_info_t *Thread);

/// A taskloop, as libomp has it.
struct KmpLoop {
  ident_t *Location;
  kmp_int32 Gtid;
  kmp_task_t *Pattern; ///< what its tasks are copies of
  kmp_uint64 *Lower;   ///< the bounds of the loop, in the pattern
  kmp_uint64 *Upper;
  kmp_int64 Step;
  void *Duplicate; ///< null, or what the compiler wants called for each copy
  void *Caller;    ///< the program's address, for tools
};

/// Makes all tasks of \p Loop, whose chunks are \p Chunks, or has other tasks
/// make them, each where it belongs: as \p Places says, or, if that is null, on
/// its share of the nodes. Uses the pattern up. False if there is nothing to
/// place: then nothing has happened.
bool placeTaskloop(const KmpLoop &Loop, const LoopChunks &Chunks,
                   kmp_taskloop_places_t *Places);

/// A copy of the pattern of \p Loop, whose values are \p Range, for the \p
/// Trips iterations from the ordinal \p Start on. \p IsLast: it is a task, not
/// a pattern itself, and has the last iteration, whose values the program sees.
KmpLoop copyPattern(const KmpLoop &Loop, const LoopRange &Range, uint64_t Start,
                    uint64_t Trips, bool IsLast);

/// The task of \p Trips iterations, from the ordinal \p Start of \p Range on,
/// by the pattern of \p Loop, whose hint it has.
kmp_task_t *makeLoopTask(const KmpLoop &Loop, const LoopRange &Range,
                         uint64_t Start, uint64_t Trips, bool IsLast,
                         const LoopTrace &Traced);

/// Gets \p Loop, whose chunks are \p Chunks, ready for
/// __kmpc_taskloop_depend_next, which makes its tasks in the order of the
/// iterations and ends the construct. Each belongs where \p Places says, if
/// that is not null; it is not needed afterwards. If the tasks are \p
/// Undeferred, each is made when its dependences are fulfilled, and runs at
/// once. \p Group: there is a taskgroup to end.
kmp_taskloop_depends_t *openDependent(const KmpLoop &Loop,
                                      const LoopChunks &Chunks,
                                      kmp_taskloop_places_t *Places,
                                      bool Undeferred, bool Group);

/// Whether \p Task makes tasks of a taskloop. Such a task must run although
/// its taskgroup is cancelled: it carries the pattern.
bool makesLoopTasks(const kmp_task_t *Task);

/// The tasks of \p Aux, which makes tasks for \p Pattern, belong where those of
/// the pattern do.
void followPattern(kmp_task_t *Aux, const kmp_task_t *Pattern);

/// Frees \p Places, if it is not null, and whatever the thread has opened since
/// and never closed.
void closePlaces(kmp_int32 Gtid, kmp_taskloop_places_t *Places);

/// \p Thread is about to be reaped: frees what it has never closed.
void closeAllPlaces(kmp_info_t *Thread);

} // namespace locus

#endif // LOCUS_KMP_TASKLOOP_H
