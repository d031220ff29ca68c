//===- queue/task_queue.cpp - A queue of placed tasks ---------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "locus/queue/task_queue.h"
#include "locus/machine/memory.h"

namespace locus {

void TaskQueue::init(TeamCounters *TheCounters, int TheOsNode) {
  if (OsNode != TheOsNode || Capacity > FirstCapacity)
    destroy();
  Counters = TheCounters;
  OsNode = TheOsNode;
  Head = 0;
  Line.reset();
}

void TaskQueue::destroy() {
  freeOnNode(Ring, size_t(Capacity) * sizeof(void *));
  Ring = nullptr;
  Capacity = 0;
}

bool TaskQueue::grow() {
  uint32_t Bigger = Capacity ? 2 * Capacity : FirstCapacity;
  void **Fresh = static_cast<void **>(
      allocateOnNode(size_t(Bigger) * sizeof(void *), OsNode));
  if (!Fresh)
    return false;
  uint32_t Tasks = Count.load(std::memory_order_relaxed);
  for (uint32_t I = 0; I < Tasks; ++I)
    Fresh[I] = Ring[slot(Head + I)];
  destroy();
  Ring = Fresh;
  Head = 0;
  Capacity = Bigger;
  return true;
}

bool TaskQueue::push(void *Task) {
  LockGuard Guard(Lock);
  uint32_t Tasks = Count.load(std::memory_order_relaxed);
  if (Tasks == Capacity && !grow())
    return false;
  Ring[slot(Head + Tasks)] = Task;
  if (Tasks == 0) {
    // The queue becomes one of those that keep the barrier closed. The caller
    // is one too, so the count is not zero before.
    Counters->Unfinished->fetch_add(1, std::memory_order_relaxed);
    Counters->NonEmpty.fetch_add(1, std::memory_order_relaxed);
  }
  Count.store(Tasks + 1, std::memory_order_relaxed);
  return true;
}

Outcome TaskQueue::take(End From, const Taker &Who, void *&Task) {
  if (size() == 0)
    return Outcome::Empty;
  Request Mine = {From, Who, Task, Outcome::Empty};
  Line.apply(Who.Slot, Lock, Mine, [this](Request &R) {
    R.Result = takeLocked(R.From, R.Who, R.Task);
  });
  return Mine.Result;
}

Outcome TaskQueue::takeLocked(End From, const Taker &Who, void *&Task) {
  const uint32_t Tasks = Count.load(std::memory_order_relaxed);
  if (Tasks == 0)
    return Outcome::Empty;

  uint32_t Steps = 0;
  auto Index = [&] { return From == End::Oldest ? Steps : Tasks - 1 - Steps; };
  while (!Who.Allowed(Who.Context, Ring[slot(Head + Index())]))
    if (++Steps == Tasks)
      return Outcome::Refused;

  const uint32_t Hole = Index();
  Task = Ring[slot(Head + Hole)];
  // Close the hole from the end that was searched: that side is the shorter
  // one in all but contrived cases.
  if (From == End::Oldest) {
    for (uint32_t I = Hole; I > 0; --I)
      Ring[slot(Head + I)] = Ring[slot(Head + I - 1)];
    Head = slot(Head + 1);
  } else {
    for (uint32_t I = Hole; I + 1 < Tasks; ++I)
      Ring[slot(Head + I)] = Ring[slot(Head + I + 1)];
  }
  Count.store(Tasks - 1, std::memory_order_relaxed);

  // Hand over what keeps the barrier closed, before the lock is released: from
  // then on the task is nobody's but the taker's.
  const bool Last = Tasks == 1;
  if (Last)
    Counters->NonEmpty.fetch_sub(1, std::memory_order_relaxed);
  if (*Who.Finished) {
    // The taker counts again. If the queue is empty now, it takes over the
    // queue's place.
    if (!Last)
      Counters->Unfinished->fetch_add(1, std::memory_order_relaxed);
    *Who.Finished = 0;
  } else if (Last) {
    // The taker counts, so this does not reach zero.
    Counters->Unfinished->fetch_sub(1, std::memory_order_release);
  }
  return Outcome::Taken;
}

bool TaskQueue::isValid() const {
  if (!Line.isValid())
    return false;
  uint32_t Tasks = size();
  if (Capacity == 0)
    return Tasks == 0 && !Ring;
  if (!Ring || (Capacity & (Capacity - 1)) || Head >= Capacity ||
      Tasks > Capacity)
    return false;
  for (uint32_t I = 0; I < Tasks; ++I)
    if (!Ring[slot(Head + I)])
      return false;
  return true;
}

} // namespace locus
