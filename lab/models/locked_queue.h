//===- models/locked_queue.h - A queue of tasks, under a lock ---*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_LAB_MODELS_LOCKED_QUEUE_H
#define LOCUS_LAB_MODELS_LOCKED_QUEUE_H

#include "lab/models/model.h"

#include <algorithm>

namespace locus::lab {

/// Tasks of one queue, under a lock.
struct LockedQueue {
  explicit LockedQueue(Engine &E)
      : Lock(E), Line(uint64_t(allocate(LineBytes))),
        Slots(uint64_t(allocate(NumSlots * sizeof(void *)))) {}
  /// The line of the task that the \p At-th push has put here.
  uint64_t slot(uint64_t At) const {
    return Slots + At % NumSlots * sizeof(void *) / LineBytes * LineBytes;
  }
  static constexpr uint64_t NumSlots = 256;
  SimLock Lock;
  uint64_t Line;  ///< of its indices
  uint64_t Slots; ///< of pointers to tasks
  uint64_t NumPushed = 0;
  std::deque<TaskRef> Tasks;
};
using Queues = std::vector<std::unique_ptr<LockedQueue>>;

inline Queues makeQueues(Engine &E, int Count) {
  Queues All;
  for (int I = 0; I < Count; ++I)
    All.push_back(std::make_unique<LockedQueue>(E));
  return All;
}

inline bool hasAny(const Queues &All) {
  return std::any_of(All.begin(), All.end(),
                     [](const auto &Q) { return !Q->Tasks.empty(); });
}
inline int numWithTasks(const Queues &All) {
  return int(std::count_if(All.begin(), All.end(),
                           [](const auto &Q) { return !Q->Tasks.empty(); }));
}

} // namespace locus::lab

#endif // LOCUS_LAB_MODELS_LOCKED_QUEUE_H
