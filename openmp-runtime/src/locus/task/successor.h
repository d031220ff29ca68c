//===- task/successor.h - The task that a thread runs next ------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// When a task ends that a thread has found in a search, the thread keeps the
// task that it makes ready, the last one of several, and runs it next: no
// queue, no thief that fetches the queue's lines. In a chain of tasks, each
// after the one before, thieves that find nothing else would do that all the
// time.
//
// The task is in no queue, so nobody else can run it. That is right only if the
// thread goes on with it at once: so it keeps none for a task that it has begun
// elsewhere than in a search, whose caller goes on first; and it queues the one
// it has before it looks for any other, and before it stops looking.
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_TASK_SUCCESSOR_H
#define LOCUS_TASK_SUCCESSOR_H

namespace locus {

class Task;

/// One for each thread, which alone calls these functions. All zeros, as memory
/// of libomp's is: no task.
class ImmediateSuccessor {
public:
  /// A search has found \p Found, which the thread runs now, or nothing if that
  /// is null.
  void endSearch(const Task *Found) { Running = Found; }
  /// The thread does something else than to search. Returns what has been kept,
  /// which has to be queued, or null.
  Task *endSearches() {
    Running = nullptr;
    return keep(nullptr);
  }
  /// Whether a search follows the end of \p Ended at once.
  bool isFollowedBySearch(const Task *Ended) const { return Running == Ended; }

  /// What has been kept, or null.
  Task *kept() const { return Kept; }
  /// Keeps \p Ready, or nothing if that is null, instead of what is returned.
  Task *keep(Task *Ready) {
    Task *Before = Kept;
    Kept = Ready;
    return Before;
  }

private:
  const Task *Running;
  Task *Kept;
};

} // namespace locus

#endif // LOCUS_TASK_SUCCESSOR_H
