//===- queue/layout.cpp - Which cache line is whose -----------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Not in the headers, as the model check compiles these with larger atomics.
//
//===----------------------------------------------------------------------===//

#include "locus/queue/task_queue.h"
#include "locus/queue/work_deque.h"

#include <stddef.h>

namespace locus {

static constexpr size_t lineOf(size_t Offset) { return Offset / CacheLine; }

/// A friend of what it looks into.
struct Layout {
  static_assert(alignof(WorkDeque) == CacheLine &&
                    alignof(TaskQueue) == CacheLine,
                "a queue shares no line with what is before it");

  // A deque: the owner's lines, two where they are short; the thieves', and
  // those of their requests.
  static constexpr size_t Supply = offsetof(WorkDeque, Supply);
  static constexpr size_t Owners = lineOf(Supply + sizeof(Surplus) - 1) + 1;
  static_assert(offsetof(WorkDeque, Tail) == 0 &&
                    lineOf(offsetof(WorkDeque, HeadSeen)) == 0 &&
                    lineOf(offsetof(WorkDeque, Tasks) + sizeof(Ring) - 1) == 0,
                "of the owner's lines push() and pop() need the first only");
  static_assert(offsetof(Surplus, HadPlenty) < offsetof(Surplus, Enough) &&
                    lineOf(Supply + offsetof(Surplus, HadPlenty)) == 0,
                "that has what they ask of the surplus, too");
  static_assert(Owners <= 2 && offsetof(WorkDeque, Head) == Owners * CacheLine,
                "learning needs the owner's second line at most");
  static_assert(lineOf(offsetof(WorkDeque, Claimed)) == Owners &&
                    lineOf(offsetof(WorkDeque, Lock)) == Owners &&
                    offsetof(WorkDeque, Line) == (Owners + 1) * CacheLine,
                "thieves write one line, which pop() reads");

  // A queue: one line for all that its lock guards, and those of the requests.
  static_assert(offsetof(TaskQueue, Count) == 0 &&
                    lineOf(offsetof(TaskQueue, Counters) + sizeof(void *) -
                           1) == 0 &&
                    offsetof(TaskQueue, Line) == CacheLine,
                "who has the lock has the queue");
  static_assert(offsetof(TeamCounters, NonEmpty) < CacheLine &&
                    sizeof(TeamCounters) == CacheLine,
                "idle threads poll a line that nothing else lies in");
};

} // namespace locus
