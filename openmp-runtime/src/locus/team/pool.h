//===- team/pool.h - The tasks that may run anywhere ------------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The task lists of a team at one level of the machine, and how threads steal
// from lists that are not theirs: Clet-Ortega et al., "Evaluation of OpenMP
// Task Scheduling Algorithms for Large NUMA Architectures" (Euro-Par 2014),
// section 3. The level may change during the run: Hofmann and Runger, "Towards
// an Adaptive Task Pool Implementation" (IPDPS 2008), section 4. team/pool.md
// has the details.
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_TEAM_POOL_H
#define LOCUS_TEAM_POOL_H

#include "locus/lists/adaptation.h"
#include "locus/machine/hierarchy.h"
#include "locus/queue/task_queue.h"
#include "locus/queue/work_deque.h"
#include "locus/steal/backoff.h"
#include "locus/steal/remote_delay.h"

namespace locus {

/// Whom a thread without a task robs. A list is that of one group of threads.
enum class StealPolicy : uint8_t {
  Hierarchical, ///< all lists, the nearest first
  Random,       ///< one list, drawn for each search
  RandomOrder,  ///< all lists, in an order drawn for each search
  RoundRobin,   ///< all lists in their order, from behind the thread's own on
  Producer,     ///< the one with most tasks; the others where that gives none
  ProducerOrder ///< all lists, those with most tasks first
};

/// How several threads take from one queue: KMP_TASK_SYNC.
enum class Sync : uint8_t { Combining, Lock };

/// How a team keeps its tasks: KMP_TASK_QUEUES, KMP_TASK_STEAL and
/// KMP_TASK_QUEUE_SIZE.
struct PoolOptions {
  Level Queues = Level::Thread; ///< one list for each group of this level
  bool Adaptive = false;        ///< Queues is only where to start
  StealPolicy Steal = StealPolicy::Hierarchical;
  /// Tasks in a list, for each thread that shares it, from which on new ones
  /// run at once; 0 = never. The default is no less than the team's threads:
  /// as many tasks may wait for each other.
  static constexpr uint32_t DefaultLimit = 256;
  uint32_t Limit = DefaultLimit;
  bool InPlace = false; ///< tasks may run in place, see inplace/README.md
  Sync How = Sync::Combining;
};

/// The lists of one team. All members that take a \p Thread are for the thread
/// with that number in the team.
class TaskPool {
public:
  TaskPool() = default;
  TaskPool(const TaskPool &) = delete;
  TaskPool &operator=(const TaskPool &) = delete;
  /// Frees all memory; tasks that are left are the caller's loss.
  ~TaskPool();

  /// Makes the lists for the team of \p Team, which outlives the pool, with
  /// memory on the nodes of \p Spots, which \p Team was built of. \p Unfinished
  /// is the team's barrier counter, see TeamCounters. Returns false if there is
  /// no memory. May be called again, also for another team, while the pool is
  /// empty and nobody uses it: it is as new then.
  bool build(const Hierarchy &Team, const ThreadSpot *Spots,
             const PoolOptions &Options, std::atomic<int32_t> *Unfinished);

  /// Adds \p Task to the list of \p Thread. False if there is no memory.
  /// Its creator has \p Siblings tasks that are not complete, this one among
  /// them.
  bool push(int Thread, void *Task, int32_t Siblings = 0);

  /// Whether \p Thread shall run new tasks at once instead of adding them:
  /// from the time that its list holds PoolOptions::Limit tasks until it has
  /// emptied by 30 % (Agathos et al., "Speeding Up OpenMP Tasking", Euro-Par
  /// 2012, section 2.1). Where tasks run in place, one that does not, because
  /// somebody waits for it or because the nest of tasks \p IsDeep, is added all
  /// the same, up to twice as many.
  bool isThrottled(int Thread, bool IsDeep = false);

  /// Where it says whether \p Thread has plenty of tasks for others, so that it
  /// may run new ones in place; null where tasks don't.
  const std::atomic<int32_t> *plenty(int Thread) const {
    return InPlace && level() == Level::Thread ? &Members[Thread].Deque.plenty()
                                               : nullptr;
  }
  /// What plenty() says was for the tasks of another creator.
  void startOver(int Thread) { Members[Thread].Deque.startOver(); }

  /// Whether there are tasks that \p Thread is responsible for: in its deque,
  /// or in a list that it shares. It must not finish the barrier or sleep then,
  /// though it may be unable to run them yet.
  bool hasOwn(int Thread) const {
    return Members[Thread].Deque.sizeForOwner() != 0 ||
           (Shares && hasShared(Thread));
  }

  /// The newest task of \p Thread's own deque, where its tasks are while each
  /// thread has a list of its own. Not for a thread that is finished.
  Outcome popOwn(int Thread, const Taker &Who, void *&Task) {
    return Members[Thread].Deque.pop(Who.Allowed, Who.Context, Task);
  }

  /// The newest task of \p Thread's own deque that \p Who may run, where
  /// popOwn() was refused. Not for a thread that is finished.
  Outcome popOwnBehind(int Thread, const Taker &Who, void *&Task) {
    return Members[Thread].Deque.popBehind(Who.Allowed, Who.Context, Task);
  }

  /// The newest task that \p Who may run of the list that \p Thread shares.
  Outcome popShared(int Thread, const Taker &Who, void *&Task) {
    return Shares ? takeShared(Thread, Who, Task) : Outcome::Empty;
  }

  /// The oldest task of another list, by PoolOptions::Steal. A thread that
  /// finds nothing asks those who have tasks that they have not published, and
  /// after RoundsBeforeForce searches without an answer publishes for one of
  /// them. \p ScanAll looks behind tasks that the thief may not run. For lists
  /// of other NUMA nodes the thief is \p Afar until it has waited for long
  /// enough, which \p Far says.
  Outcome steal(int Thread, const Taker &Who, const Taker &Afar, Reach Far,
                bool ScanAll, void *&Task);

  /// Whether a thread may take a task that is placed on another node, from a
  /// list with \p Backlog tasks that \p Owners threads share.
  static bool mayRobAfar(Reach Far, uint32_t Backlog, int Owners) {
    return Far == Reach::Anything ||
           (Far == Reach::Backlog &&
            Backlog > BacklogPerOwner * uint32_t(Owners));
  }

  /// Whether a list that \p Thread shares has a task.
  bool hasShared(int Thread) const;

  /// Whether there is any task. After a sequentially consistent fence it sees
  /// those that were pushed before one in their pusher. A task that its owner
  /// has just failed to take may be missed.
  bool hasTasks() const;

  /// Whether \p Thread, the calling one, has asked others for tasks and has no
  /// answer, or rests and has not looked whether they have any.
  bool awaitsAnswer(int Thread) const {
    return Members[Thread].Asked >= 0 || Members[Thread].Past.hasSkipped();
  }

  /// \p Thread has looked for a task, and found one or not. Adaptive pools
  /// count the time until it does as idle.
  void endSearch(int Thread, bool Found) {
    if (__builtin_expect(Adaptive, 0))
      countIdle(Thread, Found);
  }

  /// The level whose groups have lists now.
  Level level() const { return Level(Current.load(std::memory_order_relaxed)); }
  uint64_t levelChanges() const {
    return Changes.load(std::memory_order_relaxed);
  }

  /// Searches without a task before a thief publishes another thread's tasks
  /// itself: longer than it takes a thread that runs small tasks to do it.
  static constexpr uint32_t RoundsBeforeForce = 32;
  /// See mayRobAfar().
  static constexpr uint32_t BacklogPerOwner = 2;

private:
  /// Of one thread. All but the deque is written by that thread alone; others
  /// read the times.
  struct Member {
    WorkDeque Deque;
    std::atomic<uint64_t> AccessTime{0};
    std::atomic<uint64_t> IdleTime{0};
    uint64_t IdleSince = 0; ///< in ticks; 0 while it has a task
    uint32_t Accesses = 0;
    /// The thread whose tasks are wanted and not published; -1 for none.
    int Asked = -1;
    uint32_t UnansweredSearches = 0; ///< since then
    int Forced = -1; ///< the thread that it forced last, in vain; -1 for none
    uint32_t Random = 0;
    bool Throttled = false;
    StealBackoff Past;
    uint64_t *Orders[NumLevels] = {}; ///< victims, made when first needed
  };

  struct Search {
    int Thread;
    const Taker &Who;
    const Taker &Afar;
    Reach Far;
    bool ScanAll;
  };

  void freeLists();
  bool renewMembers(int NumThreads);
  Outcome takeShared(int Thread, const Taker &Who, void *&Task);
  bool pushShared(Level L, int Thread, void *Task);
  bool tryList(Search &S, Level L, int Group, void *&Task);
  bool searchLevel(Search &S, Level L, void *&Task);
  uint32_t sizeHint(Level L, int Group) const;
  uint64_t *orderOf(Level L, int Thread);
  void countIdle(int Thread, bool Found);
  void countAccess(int Thread, uint64_t Since);
  void adapt();

  const Hierarchy *Team = nullptr;
  TeamCounters Counters[NumLevels];
  Member *Members = nullptr;
  int Room = 0;                     ///< number of Members, used or not
  TaskQueue *Lists[NumLevels] = {}; ///< of the levels that may be used
  int NumLists[NumLevels] = {};
  StealPolicy Policy = StealPolicy::Hierarchical;
  bool Shares = false; ///< some level above Thread may be used
  bool Adaptive = false;
  bool InPlace = false;
  uint32_t Limit = 0;
  std::atomic<uint8_t> Current{0};

  // For adaptive pools; all but the atomics is written under Deciding.
  SpinLock Deciding;
  Adaptation Control;
  Level Steps[Adaptation::MaxSteps] = {};
  int NumSteps = 0;
  uint64_t AccessBefore = 0, IdleBefore = 0; ///< sums at the last decision
  uint64_t TicksBefore = 0;
  std::atomic<uint64_t> DecidedAt{0}; ///< in nanoseconds
  std::atomic<uint64_t> Changes{0};
};

} // namespace locus

#endif // LOCUS_TEAM_POOL_H
