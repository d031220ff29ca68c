//===- steal/steal_search.h - A thief's way through the lists ---*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One search of one thread through the lists of others, for a task that may run
// anywhere: Clet-Ortega et al., "Evaluation of OpenMP Task Scheduling
// Algorithms for Large NUMA Architectures" (Euro-Par 2014), section 3.2.
// README.md has the policies, PROOF.md why each of them finds every task.
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_STEAL_STEAL_SEARCH_H
#define LOCUS_STEAL_STEAL_SEARCH_H

#include "locus/machine/topology.h"
#include "locus/queue/work_deque.h"

namespace locus {

/// Whom a thread without a task robs: X(policy, member of StealSearch, value of
/// KMP_TASK_STEAL). A list is that of one group of threads. All but the first
/// are those of Clet-Ortega et al. (Euro-Par 2014), section 3.2.
#define LOCUS_STEAL_POLICIES(X)                                                \
  /* the last that had a task, one of its node's, and one of all */            \
  X(Sample, sample, "sample")                                                  \
  /* all lists, the nearest first */                                           \
  X(Hierarchical, nearestFirst, "hierarchical")                                \
  /* one list, drawn for each search */                                        \
  X(Random, drawOne, "random")                                                 \
  /* all lists, in an order drawn for each search */                           \
  X(RandomOrder, drawOrder, "random_order")                                    \
  /* all lists in their order, from behind the thread's own on */              \
  X(RoundRobin, roundRobin, "round_robin")                                     \
  /* the one with most tasks; the others where that gives none */              \
  X(Producer, fullest, "producer")                                             \
  /* all lists, those with most tasks first */                                 \
  X(ProducerOrder, fullestFirst, "producer_order")

enum class StealPolicy : uint8_t {
#define LOCUS_POLICY(Name, Search, Value) Name,
  LOCUS_STEAL_POLICIES(LOCUS_POLICY)
#undef LOCUS_POLICY
};

class Team;
struct VictimOrder;
struct Worker;

class StealSearch {
public:
  /// A search of \p Thief in \p TheTeam, for \p Search. Team::taker() takes
  /// from lists of the thief's own NUMA node and, as far as reachOf() says,
  /// from others; Team::remoteTaker() from the rest of these.
  StealSearch(Team &TheTeam, Worker &Thief, const Seeker &Search)
      : T(TheTeam), W(Thief), S(Search) {}

  /// The oldest task of another thread's or group's list, by
  /// TeamOptions::Steal; null if there is none.
  Task *run();

private:
  /// StealPolicy::Sample looks at so many lists at most.
  static constexpr int SampleLooks = 3;
  /// A thief leaves a deque with few tasks where others are at work in so many
  /// searches. The next one that looks at all waits for them: it finds each
  /// task in the end.
  static constexpr uint32_t MostHasty = 64;

  // The policies, each for the lists of level L.
#define LOCUS_POLICY(Name, Search, Value) Task *Search();
  LOCUS_STEAL_POLICIES(LOCUS_POLICY)
#undef LOCUS_POLICY

  bool isLeftOut();
  Task *searchLevel(Level Which);
  Task *searchOtherLevels(Level But);
  Task *tryInOrder(const uint64_t *Order, int NumVictims);
  Task *tryList(int Group);
  Task *tryListAt(VictimOrder &Order, int Index);
  Task *robShared(int Group);
  Task *rob(int Number, uint32_t Size);
  Task *take(int Number, const Taker &Who, WorkDeque::Batch *More);
  Task *takeSeveral(int Number, const Taker &Who, bool IsFar);
  void noteSteal(int Victim) const;

  bool rests() const;
  VictimOrder &nearest();
  void sort(VictimOrder &Order);
  bool makeRoom();
  bool isFar(int Group) const;
  bool reachesFar(int Group, uint32_t Size);
  Taker takerOf(int Group, uint32_t Size, bool IsFar);
  uint32_t sizeOf(int Group) const;
  /// The group that comes \p Steps behind the thief's own, in a circle.
  int behind(int Steps) const;

  Team &T;
  Worker &W;
  const Seeker &S;
  Level L = Level::Thread; ///< of the lists to search
  int Count = 0;           ///< groups
  bool IsPatient = false;  ///< waits for other thieves
};

} // namespace locus

#endif // LOCUS_STEAL_STEAL_SEARCH_H
