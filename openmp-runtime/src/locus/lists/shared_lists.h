//===- lists/shared_lists.h - Lists of tasks for groups ---------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For KMP_TASK_QUEUES other than `thread`: one list of tasks for each group of
// threads at some level of the machine, after Clet-Ortega et al., "Evaluation
// of OpenMP Task Scheduling Algorithms for Large NUMA Architectures" (Euro-Par
// 2014), section 3. The level may change during the run, after Hofmann and
// Runger, "Towards an Adaptive Task Pool Implementation" (IPDPS 2008), section
// 4. README.md says why no task is lost then.
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_LISTS_SHARED_LISTS_H
#define LOCUS_LISTS_SHARED_LISTS_H

#include "locus/lists/adaptation.h"
#include "locus/machine/hierarchy.h"
#include "locus/queue/task_queue.h"

namespace locus {

class TeamShape;
struct TeamOptions;
struct Worker;

/// The shared lists of one team; none in the default setting.
class SharedLists {
public:
  ~SharedLists() { clear(); }

  /// Makes the lists for the team of \p Shape, whose groups it cuts as \p
  /// Options want, and \p Workers, which outlive them. \p Unfinished is the
  /// team's barrier counter, see TeamCounters. False if there is no memory. May
  /// be called again while nobody uses the lists, which are empty.
  bool build(TeamShape &Shape, Worker *Workers, const TeamOptions &Options,
             std::atomic<int32_t> *Unfinished);

  /// Whether there are any.
  bool areUsed() const { return Used; }
  /// Whether the level may change.
  bool areAdaptive() const { return Adaptive; }
  /// The level whose groups have lists now; Level::Thread: the threads' deques.
  Level level() const { return Level(Current.load(std::memory_order_relaxed)); }

  /// The levels that level() may be at, from fine to coarse.
  int numSteps() const { return NumSteps; }
  Level step(int I) const { return Steps[I]; }
  /// The list of \p Group at \p L, which is a step other than Level::Thread.
  TaskQueue &list(Level L, int Group) { return Lists[int(L)][Group]; }
  /// Whether a list at \p L seems to have a task.
  bool mayHaveTasks(Level L) const {
    return Counters[int(L)].NonEmpty.load(std::memory_order_relaxed) != 0;
  }

  /// Adds \p NewTask to the list that \p W shares at \p L, which is not
  /// Level::Thread. False if there is no memory.
  bool push(Level L, Worker &W, Task *NewTask);

  /// The newest task that \p Who may run of the lists that \p W shares; null if
  /// there is none.
  Task *take(Worker &W, const Taker &Who) {
    return __builtin_expect(Used, 0) ? takeShared(W, Who) : nullptr;
  }

  /// As Team::updateThrottled(), by the list that \p W shares at \p L, where
  /// \p Limit is for each thread that shares it.
  bool updateThrottled(Level L, Worker &W, uint32_t Limit);

  /// Whether a list that \p W shares has a task.
  bool hasTasksFor(const Worker &W) const;
  /// Whether any list has a task.
  bool hasTasks() const;

  /// \p W has looked for a task, and found one or not. Adaptive lists count the
  /// time until it does as idle.
  void endSearch(Worker &W, bool Found) {
    if (__builtin_expect(Adaptive, 0))
      countIdle(W, Found);
  }

private:
  void clear();
  bool cut(Hierarchy &Groups, const TeamOptions &Options, Level &Start);
  bool addStep(Level L, const TeamShape &Shape);
  bool addHalves(int Least, TeamShape &Shape);
  Task *takeShared(Worker &W, const Taker &Who);
  Task *takeFrom(Level L, Worker &W, const Taker &Who);
  void countAccess(Worker &W, uint64_t Since);
  void countIdle(Worker &W, bool Found);
  void adapt();
  void decide(uint64_t Passed);

  const Hierarchy *Groups = nullptr;
  Worker *Workers = nullptr;
  TeamCounters Counters[NumGroupings];
  TaskQueue *Lists[NumGroupings] = {}; ///< of the steps but Level::Thread
  int NumLists[NumGroupings] = {};
  bool Used = false;
  bool Adaptive = false;
  Level Steps[Adaptation::MaxSteps] = {};
  int NumSteps = 0;
  std::atomic<uint8_t> Current{0};

  // For adaptive lists; all but the atomics is written under Deciding.
  SpinLock Deciding;
  Adaptation Control;
  uint64_t AccessBefore = 0, IdleBefore = 0; ///< sums at the last decision
  uint64_t TicksBefore = 0;
  std::atomic<uint64_t> DecidedAt{0}; ///< in nanoseconds
};

} // namespace locus

#endif // LOCUS_LISTS_SHARED_LISTS_H
