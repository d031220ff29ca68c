//===- team/worker.h - What a thread of a team owns -------------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One struct for each thread of a team, with all that the scheduler knows of
// it. What others touch comes first, each part on cache lines of its own; then
// what only the thread itself touches. team/README.md has the table of who
// writes what.
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_TEAM_WORKER_H
#define LOCUS_TEAM_WORKER_H

#include "locus/queue/task_queue.h"
#include "locus/queue/work_deque.h"
#include "locus/steal/backoff.h"
#include "locus/steal/remote_delay.h"
#include "locus/support/stats.h"
#include "locus/task/placement.h"
#include "locus/team/seeker.h"

#include <stddef.h>

namespace locus {

/// Where a thread's time goes that adaptive lists count: see lists/README.md.
/// Ticks. Written by the thread, read by whoever decides.
struct ListTimes {
  std::atomic<uint64_t> Access{0}; ///< in shared lists
  std::atomic<uint64_t> Idle{0};   ///< without a task
  IdleClock Clock;                 ///< adds to Idle
  uint32_t Accesses = 0;
};

/// The groups of a level in the order in which a thread steals from them.
struct VictimOrder {
  Array<uint64_t> Groups; ///< empty before the first search
  bool IsKnown = false;   ///< Groups is in order, for the present shape,
  int NumNear = 0;        ///< and so many are of the thread's NUMA node
  int Last = -1;          ///< index of that which had a task; -1: none
  int Far = -1;           ///< the last of another node that had one; -1: none
  int Samples = 0;        ///< in vain, since the last look at all
};

struct alignas(CacheLine) Worker {
  //===--------------------------------------------------------------------===//
  // Others put tasks here, or take them. Each part has its own cache lines.
  //===--------------------------------------------------------------------===//

  WorkDeque Deque; ///< its tasks that may run anywhere
  PlacedQueues Placed;
  CombineSlot Slot; ///< for its requests to others' queues

  //===--------------------------------------------------------------------===//
  // Only the thread itself. Written anew while the team is built.
  //===--------------------------------------------------------------------===//

  alignas(CacheLine) int Number = 0; ///< of the thread in the team
  uint64_t ShapeSeen = 0;            ///< Team::noteShape()
  RemoteDelay Delay;
  StealBackoff Backoff;
  Asker Ask;
  uint32_t Random = 0;
  uint32_t Hasty = 0;     ///< searches of deques since a patient one
  bool Throttled = false; ///< runs new tasks at once
  bool LayDown = false;   ///< since it last found a task: sleep/README.md
  /// At each level, in memory of the thread's own node.
  VictimOrder Victims[NumGroupings];

  alignas(CacheLine) ListTimes Times;

  /// As a new one, but for the lines in front of its queues. The deque and the
  /// queues keep their memory if it is on \p OsNode.
  void renew(int TheNumber, int OsNode, TeamCounters &Counters);
  /// Its slot and its lines have their first nodes back.
  void resetLines();
  /// The team has another shape than when the thread was here last: forgets
  /// the numbers of threads, groups and nodes that it knows.
  void forgetNumbers();

  /// The task nearest to \p Side of \p From that \p Who, which is this thread,
  /// may run. Null if there is none, or if it leaves such queues alone now.
  Task *takeFrom(TaskQueue &From, End Side, const Taker &Who) {
    if (From.size() == 0 || !(Delay.looksAgain() || Who.Search->Rests))
      return nullptr;
    const Take Got = From.take(Side, Who);
    if (Got.Result == Outcome::Refused)
      Delay.noteRefusal();
    return Got.Found;
  }

  /// A number in 0 .. \p Below - 1, by Marsaglia's xorshift.
  int draw(int Below) {
    Random ^= Random << 13;
    Random ^= Random >> 17;
    Random ^= Random << 5;
    return int(uint64_t(Random) * uint64_t(Below) >> 32);
  }
};

// What thieves poll must not move with what the thread writes all the time.
static_assert(alignof(CombineSlot) == CacheLine,
              "each part that others touch begins a line: queue/layout.cpp");
static_assert(offsetof(Worker, Number) % CacheLine == 0 &&
                  offsetof(Worker, Number) >=
                      offsetof(Worker, Slot) + sizeof(CombineSlot),
              "the thread's own fields share no line with others'");
static_assert(offsetof(Worker, Times) % CacheLine == 0,
              "whoever decides reads the times from a line of their own");

} // namespace locus

#endif // LOCUS_TEAM_WORKER_H
