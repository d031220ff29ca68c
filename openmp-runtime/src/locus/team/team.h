//===- team/team.h - The threads of a team and their tasks ------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The scheduler of one team: where its tasks wait, and in which order a thread
// looks for one. After Virouleau et al., "Description, Implementation and
// Evaluation of an Affinity Clause for Task Directives" (IWOMP 2016), section
// 3.3: each thread and each NUMA node of the team has a private queue, from
// which only its own threads take (strict tasks), and a public one, from which
// anyone may. Tasks without a place lie in the deque of
// the thread that made them ready.
//
// Numbers: a "thread" is a thread number of the team, a "team node" is dense,
// 0 .. numNodes() - 1; see TeamShape.
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_TEAM_TEAM_H
#define LOCUS_TEAM_TEAM_H

#include "locus/lists/shared_lists.h"
#include "locus/machine/team_shape.h"
#include "locus/sleep/sleepers.h"
#include "locus/task/placement.h"
#include "locus/team/settings.h"
#include "locus/team/worker.h"

namespace locus {

/// The scheduler of one team. Built for one shape of team, which changes only
/// while nobody uses it: all but queues and Workers is read without
/// synchronization. A thread calls with its own Worker, and is the only one to
/// do so, unless said otherwise.
class Team {
public:
  /// A scheduler, which has to be rebuilt before its first use. \p Unfinished
  /// is the team's barrier counter, see TeamCounters. Null where there is no
  /// memory. Free with destroy().
  static Team *create(std::atomic<int32_t> *Unfinished);
  /// Tasks that are left are the caller's loss. Null does nothing.
  static void destroy(Team *);

  /// Makes this a new scheduler for \p NumThreads threads, in the memory that
  /// it has as far as that suffices; \p Homes as in ShapeCache::build(), other
  /// parameters as in TeamShape::build(). It is empty, and nobody uses it.
  /// False if there is no memory: it can only be destroyed then.
  bool rebuild(const Topology &Machine, int NumThreads,
               const NodeSet *ThreadNodes, const int *ThreadCpus = nullptr,
               const TeamOptions &Options = TeamOptions(),
               const int *Homes = nullptr);

  /// Takes on the shape that it had with threads of these homes
  /// (ShapeCache::find()), at no cost for each of them but one call of
  /// \p HomeOf. It is empty, and nobody uses it. The memory of its queues stays
  /// as it is; if it has that shape now, so does all that its threads have
  /// learned. False if it has to be rebuilt.
  template <class Function>
  bool recall(int NumThreads, Function HomeOf, const TeamOptions &Options) {
    if (!(Options == Told))
      return false;
    const TeamShape *Known = Shapes.find(NumThreads, HomeOf);
    if (Known && Known == Shape)
      return true;
    // As many lists as threads are none, but not for other numbers of threads.
    return Known && Told.NumLists == 0 && !Lists.areUsed() && adopt(*Known);
  }

  /// Tasks in a public queue, for each thread that it is for, from which on new
  /// ones stay with their creator: far beyond what threads work off while one
  /// is created.
  static constexpr uint32_t PublicLimit = 4096;

  const TeamShape &shape() const { return *Shape; }
  const Hierarchy &groups() const { return Shape->groups(); }
  int numThreads() const { return NumThreads; }
  Worker &worker(int Thread) {
    LOCUS_CHECK(Thread >= 0 && Thread < numThreads());
    return Workers[Thread];
  }
  SharedLists &lists() { return Lists; }
  StealPolicy stealPolicy() const { return Told.Steal; }
  bool runsInPlace() const { return InPlace; }
  std::atomic<int32_t> &unfinished() { return *Counters.Unfinished; }

  //===--------------------------------------------------------------------===//
  // Tasks come: submit.cpp
  //===--------------------------------------------------------------------===//

  /// The team node for a task that has dependences and no hint, of kind Depend
  /// or DependRanges, which \p W makes ready now: Inference::infer(). May ask
  /// the kernel.
  int infer(Worker &W, Kind HintKind, const TaskTarget &Target) {
    noteShape(W);
    return Inferred.infer(W.Ask, HintKind, Target);
  }
  /// Whether so many inferred hints name team node \p Node that a task with
  /// such a hint is better taken by whoever is idle.
  bool isCrowded(int Node) const { return Inferred.isCrowded(Node); }

  /// Queues \p NewTask at \p Where, which is not Anywhere. Any thread may call.
  /// False if it was not queued: the public queue is full (never for a strict
  /// task), or there is no memory. The caller keeps it then.
  bool push(const Placement &Where, Task *NewTask);

  /// Queues \p NewTask in the list of \p W, which has called startOver() in
  /// this shape of the team. Its creator has \p Siblings tasks that are not
  /// complete, this one among them. \p IsDependent: it has dependences. False
  /// if there is no memory.
  bool push(Worker &W, Task *NewTask, int32_t Siblings = 0,
            bool IsDependent = false) {
    LOCUS_CHECK(W.ShapeSeen == ShapeNumber);
    const Level L = Lists.level();
    if (__builtin_expect(L == Level::Thread, 1))
      return W.Deque.push(NewTask, Siblings, IsDependent);
    return Lists.push(L, W, NewTask);
  }

  /// Decides whether \p W runs new tasks at once instead of queueing them, and
  /// says so. It does from the time that its list holds TeamOptions::Limit
  /// tasks until no more than Tuned.Hysteresis percent of that are left
  /// (Agathos et al., "Speeding Up OpenMP Tasking", Euro-Par 2012,
  /// section 2.1). Where tasks run in place, one that does not, because
  /// somebody waits for it or because the nest of tasks \p IsDeep, is queued
  /// all the same, up to twice as many.
  bool updateThrottled(Worker &W, bool IsDeep = false);
  /// Whether it would say no and change nothing, as can be seen here: \p W is
  /// not throttled, and its own deque, where its tasks go, holds fewer than the
  /// limit.
  bool hasRoom(Worker &W) const {
    return !W.Throttled && Lists.level() == Level::Thread &&
           W.Deque.isShorterThan(Limit);
  }

  /// How deep tasks may nest in place on the thread of \p W: 0 or less while
  /// thieves want its tasks. Null where tasks don't run in place.
  const std::atomic<int32_t> *inPlaceDepth(const Worker &W) const {
    return InPlace && Lists.level() == Level::Thread ? &W.Deque.inPlaceDepth()
                                                     : nullptr;
  }
  /// Forgets what inPlaceDepth() says: another task creates tasks now, or the
  /// first one in a region.
  void startOver(Worker &W) {
    noteShape(W);
    W.Deque.startOver();
  }

  //===--------------------------------------------------------------------===//
  // Tasks go: find_task.h has the order of the search
  //===--------------------------------------------------------------------===//

  /// A quick test without false negatives for the calling thread's own work:
  /// whether any queue of placed tasks might have one.
  bool mayHavePlacedTasks() const {
    return Counters.NonEmpty.load(std::memory_order_relaxed) != 0;
  }

  bool hasLocalHints() const {
    return LocalHints.load(std::memory_order_relaxed);
  }
  /// Deques may have tasks from now on that a hint has left to their pusher:
  /// most belong to its node.
  void noteLocalHint() {
    if (!hasLocalHints())
      LocalHints.store(true, std::memory_order_relaxed);
  }

  /// A task that is placed on the thread of \p W; null if there is none. To be
  /// called before findAny(), with what the host itself puts first in between.
  Task *findPlacedHere(Worker &W, const Seeker &S);
  /// Whether \p S, the search of \p W, may take \p Candidate, which is in no
  /// queue. Then it has the mutexes that the task needs.
  bool admits(Worker &W, const Seeker &S, Task *Candidate) const {
    return S.OwnsDeque && S.Host->Admit(taker(W, S), Candidate);
  }
  /// The thread of \p W, as one that takes from queues for \p S, ...
  Taker taker(Worker &W, const Seeker &S) const;
  /// ... and from other nodes what may run anywhere.
  Taker remoteTaker(Worker &W, const Seeker &S) const;
  /// Any other task that the thread of \p W may run; null if there is none.
  Task *findAny(Worker &W, const Seeker &S);

  /// Ends a round of \p W, which led to \p Result. \p S has looked.
  LOCUS_ALWAYS_INLINE void endRound(Worker &W, Round Result, const Seeker &S) {
    W.Delay.endRound(Result, nanoseconds);
    if (Result == Round::PlacedTask)
      Inferred.noteTime(W.Delay.taskTime());
    Lists.endSearch(W, Result != Round::Empty);
    if (Stats::enabled())
      Stats::countSearch(Result != Round::Empty, Shape->osNode(nodeOf(W)));
    if (__builtin_expect(W.LayDown && Result != Round::Empty, 0))
      passOnWake(W, S);
  }
  /// The last task that \p W found has ended.
  void endTask(Worker &W) { W.Delay.endTask(nanoseconds); }

  /// Whether the thread of \p W has tasks in its deque or in a list that it
  /// shares, though it may be unable to run them yet. It must not finish the
  /// barrier or sleep then.
  bool holdsTasks(const Worker &W) const {
    return W.Deque.sizeForOwner() != 0 ||
           (Lists.areUsed() && Lists.hasTasksFor(W));
  }

  //===--------------------------------------------------------------------===//
  // Sleep: sleep/protocol.cpp, and sleep/README.md for the argument
  //===--------------------------------------------------------------------===//

  /// The thread of \p W is about to sleep: it lies down, so that wakeOne() sees
  /// it, and looks. False: there is a task that it should look for, so it must
  /// not sleep.
  bool lieDown(Worker &W);

  /// Wakes one sleeping thread that may take the task just queued at \p Where:
  /// its thread, else (not for a strict task) a member of its node. \p Pusher
  /// is the thread that queued it; -1 for one of another team. False if none
  /// was woken.
  bool wakeFor(const Placement &Where, int Pusher, const Waker &Host);
  /// Wakes one thread, if one sleeps, for a task that any may run, and that
  /// thread \p Pusher has queued.
  void wakeOne(int Pusher, const Waker &Host);

  /// Whether no queue has a task. For checks, while nobody uses them.
  bool isEmpty() const { return !mayHavePlacedTasks() && !hasTasks(); }

private:
  bool reserve(const TeamShape &Wanted);
  bool adopt(const TeamShape &New);
  void resetLines();

  /// The team node of the thread of \p W.
  int nodeOf(const Worker &W) const { return Shape->nodeOfThread(W.Number); }

  /// To be called by a thread before it pushes, steals, infers or lies down. A
  /// new shape does not touch the threads' Workers: each makes its own fit when
  /// it comes by.
  void noteShape(Worker &W) const {
    if (__builtin_expect(W.ShapeSeen != ShapeNumber, 0))
      fitWorker(W);
  }
  void fitWorker(Worker &W) const;

  static bool admitRemote(const Taker &Who, Task *Candidate);

  Task *takeStrict(Worker &W, const Seeker &S, TaskQueue &Queue, End From);
  Task *takeOwnNewest(Worker &W, const Seeker &S);
  Task *takeFromNode(Worker &W, const Seeker &S);
  Task *takeOwnBehind(Worker &W, const Seeker &S);
  Task *steal(Worker &W, const Seeker &S);
  Task *takeFromCrowdedNodes(Worker &W, const Seeker &S);
  Task *takeFromOtherNodes(Worker &W, const Seeker &S);
  void passOnWake(Worker &W, const Seeker &S);
  void wakeForSeen(Worker &W, const Seeker &S);
  void noteSteal(const Worker &W, int Victim, int Node) const;
  bool hasTasksFor(const Worker &W) const;
  bool hasTasks() const;

  TeamCounters Counters; ///< of the queues of placed tasks
  // What recall() writes, on one cache line.
  const TeamShape *Shape = nullptr; ///< one of Shapes
  int NumThreads = 0;               ///< of Shape
  bool InPlace = false;
  std::atomic<bool> LocalHints{false}; ///< stays true
  uint64_t ShapeNumber = 0;            ///< counts the changes of Shape
  uint32_t Limit = 0;

  ShapeCache Shapes;
  TeamOptions Told;          ///< in the last rebuild()
  Array<Worker> Workers;     ///< at least numThreads()
  Array<PlacedQueues> Nodes; ///< at least as many as the shape has
  SharedLists Lists;
  Sleepers Asleep;
  Inference Inferred;
};

} // namespace locus

#endif // LOCUS_TEAM_TEAM_H
