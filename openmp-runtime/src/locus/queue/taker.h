//===- queue/taker.h - Who takes a task, and how it went --------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_QUEUE_TAKER_H
#define LOCUS_QUEUE_TAKER_H

#include <stdint.h>

namespace locus {

/// The host's task descriptor. The core passes its address on, and looks at
/// nothing in there itself.
class Task;
class CombineSlot;
struct Seeker;

/// A thread that takes from a queue, and which tasks it may have.
struct Taker {
  /// Admits \p Candidate: true if the taker may begin it now. Then it is the
  /// taker's, with all that it needs (the locks of OpenMP's mutexinoutset are
  /// acquired). Called with the queue locked, so it must not touch any queue;
  /// and perhaps by another thread, which combines, while the taker waits.
  bool (*Admit)(const Taker &Who, Task *Candidate);
  /// The search that this is part of; what Admit() goes by.
  const Seeker *Search = nullptr;
  /// The host's mark that this thread no longer counts in
  /// TeamCounters::Unfinished. Taking a task clears it, and counts it again.
  int *Finished = nullptr;
  /// The thread's slot for combining; without one it takes the lock itself.
  CombineSlot *Slot = nullptr;
  /// Whether the thread may keep tasks for later, in its own deque: it counts
  /// as unfinished, and no task of its own waits for others.
  bool MayKeep = false;
  /// Whether the tasks are exempt from the task scheduling constraint, as
  /// strict ones are where only this thread or its node can run them.
  bool IsExempt = false;
};

enum class Outcome : uint8_t {
  Taken,   ///< a task was removed; the caller runs it
  Empty,   ///< there was no task
  Refused, ///< there were tasks, none that the taker may run
  Busy     ///< others take from there, and the taker has not waited for them
};

/// How a take went, and the task, if one was taken.
struct Take {
  Outcome Result;
  Task *Found = nullptr;

  bool hasTask() const { return Result == Outcome::Taken; }
};

} // namespace locus

#endif // LOCUS_QUEUE_TAKER_H
