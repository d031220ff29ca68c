//===- queue/task_queue.h - A queue of placed tasks -------------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The queue that holds tasks for one thread or one NUMA node, and the barrier
// accounting that goes with it. queue/task_queue.md argues why a barrier
// neither opens early nor stays closed.
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_QUEUE_TASK_QUEUE_H
#define LOCUS_QUEUE_TASK_QUEUE_H

#include "locus/queue/combining.h"
#include "locus/support/lock.h"

#include <atomic>
#include <stddef.h>
#include <stdint.h>

namespace locus {

/// The counters of a team that its queues take part in.
struct alignas(64) TeamCounters {
  /// How many threads and non-empty queues still keep the barrier closed.
  /// Zero lets the primary thread leave the barrier. Belongs to the runtime.
  std::atomic<int32_t> *Unfinished = nullptr;
  /// How many queues of the team have a task. A hint that idle threads poll.
  std::atomic<int32_t> NonEmpty{0};
};

/// Who takes, and which tasks it may have.
struct Taker {
  /// The runtime's mark that this thread no longer counts in
  /// TeamCounters::Unfinished. Taking a task clears it, and counts it again.
  int *Finished;
  /// Whether the taker may run \p Task now. Called with the queue locked, so it
  /// must not touch any queue, and perhaps by another thread, which combines,
  /// while the taker waits. It may acquire what the task needs (OpenMP's
  /// mutexinoutset), as a task that it accepts is taken.
  bool (*Allowed)(void *Context, void *Task);
  void *Context;
  /// The thread's slot for combining, see queue/combining.h; without one it
  /// takes the lock itself.
  CombineSlot *Slot = nullptr;
  /// Whether the thread may keep tasks for later, in its own deque: it counts
  /// as unfinished, and no task of its own waits for others.
  bool MayKeep = false;
};

enum class Outcome {
  Taken,  ///< a task was removed; the caller runs it
  Empty,  ///< there was no task
  Refused ///< there were tasks, none that the taker may run
};

/// The end of the queue to take from.
enum class End { Oldest, Newest };

/// A double-ended queue of tasks under one lock, unbounded. All members may be
/// called from any thread; none blocks longer than the lock is held.
class TaskQueue {
public:
  /// \p Counters outlives the queue; \p OsNode is where its memory goes. A
  /// queue that is empty, and that nobody uses any more, is as new then, and
  /// keeps what memory it has there.
  void init(TeamCounters *TheCounters, int TheOsNode);
  /// Frees the memory. The queue is empty, and nobody uses it any more.
  void destroy();

  /// Appends \p Task as the newest. Returns false, with the queue unchanged,
  /// only if it had to grow and there is no memory.
  bool push(void *Task);

  /// Removes the task nearest to \p From that \p Who may run, into \p Task.
  Outcome take(End From, const Taker &Who, void *&Task);

  /// The number of tasks at some moment during the call. An empty answer that
  /// follows a sequentially consistent fence sees every push that precedes a
  /// fence which precedes it; see "Sleeping" in queue/task_queue.md.
  uint32_t size() const { return Count.load(std::memory_order_relaxed); }

  /// Those who wait to take a task. For tests and counts.
  const auto &line() const { return Line; }

  /// Checks the invariants of a queue that nobody else uses. For tests.
  bool isValid() const;

private:
  /// Tasks of the first allocation: one page of pointers.
  static constexpr uint32_t FirstCapacity = 512;

  /// A call of take().
  struct Request {
    const End From;
    const Taker &Who;
    void *&Task;
    Outcome Result;
  };

  bool grow();
  Outcome takeLocked(End From, const Taker &Who, void *&Task);
  uint32_t slot(uint32_t Index) const { return Index & (Capacity - 1); }

  // Polled without the lock by idle threads; everything below is touched only
  // under it.
  alignas(64) std::atomic<uint32_t> Count{0};
  SpinLock Lock;
  uint32_t Head = 0;     ///< slot of the oldest task
  uint32_t Capacity = 0; ///< a power of two, or 0 before the first push
  void **Ring = nullptr;
  TeamCounters *Counters = nullptr;
  int OsNode = -1;

  alignas(64) Combiner<Request> Line;
};

} // namespace locus

#endif // LOCUS_QUEUE_TASK_QUEUE_H
