//===- kmp/loop_places.h - Where a taskloop's tasks belong ------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The questions that compiled code answers before a taskloop with an affinity
// clause, and what it has answered.
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_KMP_LOOP_PLACES_H
#define LOCUS_KMP_LOOP_PLACES_H

#include "locus/kmp/taskloop.h"
#include "locus/loop/data_line.h"
#include "locus/loop/loop_places.h"
#include "locus/task/hint.h"
#include "locus/team/team.h"

/// Open taskloops of a thread form a list, the innermost first: evaluating a
/// clause may execute another taskloop.
struct kmp_taskloop_places_t {
  /// What the clause gives. The values are ABI.
  enum class Gives : kmp_int32 { Thread = 1, Node = 2, Data = 3, List = 4 };

  kmp_taskloop_places_t(const locus::LoopRange &TheRange, Gives TheKind,
                        locus::LoopSchedule Schedule, kmp_uint64 Amount,
                        bool IsScheduleStrict, const locus::Team &Ours);

  locus::Kind placeKind() const {
    return What == Gives::Thread ? locus::Kind::Thread : locus::Kind::Node;
  }
  bool namesData() const { return What == Gives::Data || What == Gives::List; }
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

} // namespace locus

#endif // LOCUS_KMP_LOOP_PLACES_H
