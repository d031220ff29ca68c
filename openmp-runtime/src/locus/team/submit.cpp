//===- team/submit.cpp - Where a task waits -------------------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "locus/team/team.h"

namespace locus {

bool Team::push(const Placement &Where, Task *NewTask) {
  LOCUS_CHECK(Where.Place != Placement::Anywhere);
  const bool OnThread = Where.Place == Placement::OnThread;
  const int Node = OnThread ? Shape->nodeOfThread(Where.Index) : Where.Index;
  PlacedQueues &Of = OnThread ? Workers[Where.Index].Placed : Nodes[Node];
  TaskQueue &Queue = Where.Strict ? Of.Private : Of.Public;
  // The limit is a thread's; a node has one for each of its threads.
  const uint32_t Most =
      PublicLimit * uint32_t(OnThread ? 1 : Shape->numThreadsOfNode(Node));
  if ((!Where.Strict && Queue.size() >= Most) || !Queue.push(NewTask))
    return false;
  Stats::count(Where.Strict ? Stat::PushedStrict
               : OnThread   ? Stat::PushedThread
                            : Stat::PushedNode);
  Stats::countPlaced(Shape->osNode(Node), Where.Strict);
  return true;
}

bool Team::updateThrottled(Worker &W, bool IsDeep) {
  const Level L = Lists.level();
  if (__builtin_expect(L != Level::Thread, 0))
    return Lists.updateThrottled(L, W, Limit);
  if (!W.Throttled && W.Deque.isShorterThan(Limit))
    return false;
  W.Throttled = !W.Deque.isShorterThan(
      uint32_t(uint64_t(Limit) * Tuned.Hysteresis / 100) + 1);
  const bool IsWanted =
      IsDeep || W.Deque.inPlaceDepth().load(std::memory_order_relaxed) <= 0;
  return W.Throttled &&
         !(InPlace && IsWanted && W.Deque.isShorterThan(2 * Limit));
}

} // namespace locus
