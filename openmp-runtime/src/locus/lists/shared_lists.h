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

#include "locus/machine/hierarchy.h"
#include "locus/queue/task_queue.h"

namespace locus {

/// How tasks are divided into lists: KMP_TASK_QUEUES.
struct ListsOptions {
  /// One list of tasks for each group of this level. FirstCut: for each object
  /// of Topology::wantObjects()'s type, or, if NumLists is not 0, so many
  /// lists, each of as many neighbours as any other.
  Level Lists = Level::Thread;
  int NumLists = 0;
  bool Adaptive = false; ///< Lists is only where to start

  bool operator==(const ListsOptions &O) const {
    return Lists == O.Lists && NumLists == O.NumLists && Adaptive == O.Adaptive;
  }
};

/// What KMP_TASK_QUEUES may be, for messages.
extern const char LegalQueues[];

/// Sets how \p Options divide tasks into lists as \p Text says: the name of a
/// level ("thread", ... "machine"), of any other type of hwloc's objects, a
/// number of lists from 1 on, or "adaptive"; in any case of letters. False, and
/// no change, for anything else. Topology::wantObjects() is told the type, so
/// the topology must not be loaded yet.
bool parseQueues(const char *Text, ListsOptions &Options);

// The decision of the adaptive task pool of Hofmann and Runger, "Towards an
// Adaptive Task Pool Implementation" (IPDPS 2008): the number of queues follows
// the measured time that threads lose in queue access and the time that they
// wait for tasks. The paper shows that the number of queues with the least sum
// of both is the best one; this finds it step by step during the run.

/// What a team's threads lost during some interval, in ticks.
struct Overhead {
  uint64_t Access; ///< time in queue access, of all threads
  uint64_t Idle;   ///< time without a task, of all threads
  uint64_t Total;  ///< length of the interval times the number of threads
};

/// Walks over a scale of steps: 0 has the most queues, the last step the
/// fewest. Used by one thread at a time; knows nothing of threads or queues.
class Adaptation {
public:
  static constexpr int MaxSteps = 18; ///< NumGroupings

  /// Starts at \p Step of \p NumSteps (1 .. MaxSteps).
  void init(int NumSteps, int Step);

  int step() const { return Step; }

  /// Learns what the interval at the current step has cost, and returns the
  /// step for the next one: the same or a neighbour.
  ///
  /// Below GoodEnough it stays. Else it tries the neighbour that
  /// promises to help (more queues if access costs more than waiting, else
  /// fewer), and stays there only if that was better. What was worse is not
  /// tried again for a number of intervals that doubles each time.
  int learn(const Overhead &Lost);

private:
  /// Below this loss of time nothing is tried; a trial must gain so much to be
  /// kept.
  static constexpr float GoodEnough = 0.020f, Margin = 0.010f;
  /// A trial in vain costs so many intervals first, and at most.
  static constexpr uint32_t PenaltyLeast = 4, PenaltyMost = 256;

  struct Experience {
    float Cost = -1;    ///< lost share of the time; negative: not known
    uint32_t Until = 0; ///< not to be tried before this interval
    uint32_t Penalty = PenaltyLeast; ///< intervals of the next failure
  };

  bool mayTry(int Next) const {
    return Next >= 0 && Next < NumSteps && Steps[Next].Until <= Interval;
  }

  Experience Steps[MaxSteps];
  int NumSteps = 1;
  int Step = 0;
  int Home = 0; ///< where a trial started; Step itself if there is none
  uint32_t Interval = 0;
};

class TeamShape;
struct Worker;

/// The shared lists of one team; none in the default setting.
class SharedLists {
public:
  /// Makes the lists for the team of \p Shape, whose groups it cuts as \p
  /// Options want, and \p Workers, which outlive them. \p Unfinished is the
  /// team's barrier counter, see TeamCounters. False if there is no memory. May
  /// be called again while nobody uses the lists, which are empty.
  bool build(TeamShape &Shape, Worker *Workers, const ListsOptions &Options,
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
  bool cut(Hierarchy &Groups, const ListsOptions &Options, Level &Start);
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
  Array<TaskQueue> Lists[NumGroupings]; ///< of the steps but Level::Thread
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
