//===- queue/task_queue.h - A queue of placed tasks -------------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The queue that holds tasks for one thread or one NUMA node, and the barrier
// accounting that goes with it. queue/README.md argues why a barrier neither
// opens early nor stays closed.
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_QUEUE_TASK_QUEUE_H
#define LOCUS_QUEUE_TASK_QUEUE_H

#include "locus/queue/combining.h"
#include "locus/queue/ring.h"

namespace locus {

/// The counters of a team that its queues take part in.
struct alignas(CacheLine) TeamCounters {
  /// How many threads and non-empty queues still keep the barrier closed.
  /// Zero lets the primary thread leave the barrier. Belongs to the host.
  std::atomic<int32_t> *Unfinished = nullptr;
  /// How many queues of the team have a task. A hint that idle threads poll.
  std::atomic<int32_t> NonEmpty{0};
};

/// A double-ended queue of tasks under one lock, unbounded. All members may be
/// called from any thread; none blocks longer than the lock is held.
class TaskQueue {
public:
  /// \p Counters outlives the queue; \p OsNode is where its memory goes. A
  /// queue that is empty, and that nobody uses any more, is as new then, and
  /// keeps what memory it has there.
  void init(TeamCounters *TheCounters, int OsNode);
  /// Its line has its first node back: CombineSlot::reset().
  void resetLine() { Line.reset(); }

  /// Appends \p New as the newest. Returns false, with the queue unchanged,
  /// only if it had to grow and there is no memory.
  bool push(Task *New);

  /// Removes the task nearest to \p From that \p Who admits.
  Take take(End From, const Taker &Who);

  /// The number of tasks at some moment during the call. An empty answer that
  /// follows a sequentially consistent fence sees every push that precedes a
  /// fence which precedes it; see sleep/README.md.
  uint32_t size() const { return Count.load(std::memory_order_relaxed); }

  /// Those who wait to take a task. For tests and counts.
  const auto &line() const { return Line; }

  /// Checks the invariants of a queue that nobody else uses. For tests.
  bool isValid() const;

private:
  friend struct Layout;

  /// A call of take().
  struct Request {
    const End From;
    const Taker &Who;
    Take Got;
  };

  Take takeLocked(End From, const Taker &Who);
  void handOver(const Taker &Who, bool IsLast);

  // Polled without the lock by idle threads; everything below is touched only
  // under it.
  alignas(CacheLine) std::atomic<uint32_t> Count{0};
  SpinLock Lock;
  int64_t Head = 0; ///< index of the oldest task
  Ring Tasks;
  TeamCounters *Counters = nullptr;

  alignas(CacheLine) Combiner<Request> Line; ///< takers
};

/// The queues of one thread or one node.
struct PlacedQueues {
  TaskQueue Private; ///< strict tasks, which nobody else runs
  TaskQueue Public;  ///< tasks that are for its threads more than for others

  bool hasTasks() const { return Private.size() != 0 || Public.size() != 0; }

  // As the members of TaskQueue, for both.
  void init(TeamCounters *Counters, int OsNode) {
    Private.init(Counters, OsNode);
    Public.init(Counters, OsNode);
  }
  void resetLines() {
    Private.resetLine();
    Public.resetLine();
  }
};

} // namespace locus

#endif // LOCUS_QUEUE_TASK_QUEUE_H
