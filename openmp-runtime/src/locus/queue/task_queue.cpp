//===- queue/task_queue.cpp - A queue of placed tasks ---------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "locus/queue/task_queue.h"

namespace locus {

void TaskQueue::init(TeamCounters *TheCounters, int OsNode) {
  LOCUS_CHECK(size() == 0);
  Tasks.init(OsNode);
  Counters = TheCounters;
  Head = 0;
}

bool TaskQueue::push(Task *New) {
  LockGuard Guard(Lock);
  const uint32_t Size = Count.load(std::memory_order_relaxed);
  LOCUS_CHECK(Size <= Tasks.capacity());
  if (Size == Tasks.capacity() &&
      !Tasks.grow(uint64_t(Size) + 1, Head, Head + Size))
    return false;
  Tasks[Head + Size] = New;
  if (Size == 0) {
    // The queue becomes one of those that keep the barrier closed. The caller
    // is one too, so the count is not zero before.
    Counters->Unfinished->fetch_add(1, std::memory_order_relaxed);
    Counters->NonEmpty.fetch_add(1, std::memory_order_relaxed);
  }
  Count.store(Size + 1, std::memory_order_relaxed);
  return true;
}

Take TaskQueue::take(End From, const Taker &Who) {
  if (size() == 0)
    return {Outcome::Empty};
  Request Mine = {From, Who, {Outcome::Empty}};
  Line.apply(Who.Slot, Lock, Mine,
             [this](Request &R) { R.Got = takeLocked(R.From, R.Who); });
  return Mine.Got;
}

Take TaskQueue::takeLocked(End From, const Taker &Who) {
  const uint32_t Size = Count.load(std::memory_order_relaxed);
  if (Size == 0)
    return {Outcome::Empty};
  const int64_t Index = Tasks.find(From, Head, Head + Size, Who);
  if (Index == Ring::None)
    return {Outcome::Refused};
  Task *const Found = Tasks.remove(From, Index, Head, Head + Size);
  if (From == End::Oldest)
    ++Head;
  Count.store(Size - 1, std::memory_order_relaxed);
  handOver(Who, /*IsLast=*/Size == 1);
  return {Outcome::Taken, Found};
}

/// Hands over to \p Who what keeps the barrier closed, before the lock is
/// released: from then on the task is nobody's but the taker's.
void TaskQueue::handOver(const Taker &Who, bool IsLast) {
  if (IsLast)
    Counters->NonEmpty.fetch_sub(1, std::memory_order_relaxed);
  if (*Who.Finished) {
    // The taker counts again. If the queue is empty now, it takes over the
    // queue's place.
    if (!IsLast)
      Counters->Unfinished->fetch_add(1, std::memory_order_relaxed);
    *Who.Finished = 0;
  } else if (IsLast) {
    // The taker counts, so this does not reach zero.
    Counters->Unfinished->fetch_sub(1, std::memory_order_relaxed);
  }
}

bool TaskQueue::isValid() const {
  if (!Line.isValid() || !Tasks.isValid() || Head < 0 ||
      size() > Tasks.capacity())
    return false;
  for (uint32_t I = 0; I < size(); ++I)
    if (!Tasks[Head + I])
      return false;
  return true;
}

} // namespace locus
