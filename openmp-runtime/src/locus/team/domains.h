//===- team/domains.h - The places of a team and their queues ---*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A team's locality domains, after Virouleau et al., "Description,
// Implementation and Evaluation of an Affinity Clause for Task Directives"
// (IWOMP 2016), section 3.3: one domain for each thread and one for each NUMA
// node of the team, each with a private queue, which only the domain's own
// threads may take from (strict tasks), and a public one, which anyone may.
//
// Numbers: a "thread" is a thread number of the team. A "team node" is dense,
// 0 .. numNodes() - 1, over the OS nodes that the team's threads were assigned
// to, in order of first appearance by thread number.
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_TEAM_DOMAINS_H
#define LOCUS_TEAM_DOMAINS_H

#include "locus/machine/topology.h"
#include "locus/queue/task_queue.h"
#include "locus/sleep/sleepers.h"
#include "locus/support/stats.h"
#include "locus/task/hint.h"
#include "locus/task/infer.h"
#include "locus/team/pool.h"

namespace locus {

/// Where a ready task goes.
struct Placement {
  enum Where : uint8_t {
    Anywhere, ///< no constraint, or satisfied by the pushing thread's own queue
    OnThread, ///< queue of thread Index
    OnNode    ///< queue of team node Index
  };
  Where Place;
  bool Strict;
  int Index;
};

/// What to do with data whose node the kernel cannot tell.
enum class UnknownPolicy : uint8_t {
  First, ///< team node 0, as the paper has it
  Local  ///< the node of the thread that makes the task ready
};

/// What a team was like when its domains were found to fit. Only compared: as
/// long as the stamp is the same, nobody has to look at the team's threads.
struct TeamStamp {
  uint64_t Team = 0;   ///< of the list of threads and their places
  uint64_t Places = 0; ///< of all threads' own wishes
  int NumThreads = 0;
  int Bind = 0;       ///< the policy that the places come from
  int FirstPlace = 0; ///< of thread 0, which may have moved in another team

  bool operator==(const TeamStamp &Other) const {
    return Team == Other.Team && Places == Other.Places &&
           NumThreads == Other.NumThreads && Bind == Other.Bind &&
           FirstPlace == Other.FirstPlace;
  }
};

/// The domains of one team. Built for one shape of team, which changes only
/// while nobody uses them: all but the queues is read without synchronization.
class Domains {
public:
  /// Builds the domains for \p NumThreads threads. Thread I runs on the CPUs of
  /// the OS nodes \p ThreadNodes[I] (an empty set counts as the whole machine).
  /// Threads with the same set of several nodes are spread over it in blocks.
  /// \p ThreadCpus names a CPU of each thread, -1 for any of its nodes; or
  /// null.
  /// \p Unfinished is the team's barrier counter, see TeamCounters. Returns
  /// null where there is no memory. Free with destroy().
  static Domains *create(const Topology &Machine, int NumThreads,
                         const NodeSet *ThreadNodes,
                         std::atomic<int32_t> *Unfinished,
                         const int *ThreadCpus = nullptr,
                         const PoolOptions &Options = PoolOptions());
  static void destroy(Domains *);

  /// Makes these domains those that create() would give, in the memory that
  /// they have as far as it suffices. They are empty, and nobody uses them.
  /// False if there is no memory: they can only be destroyed then.
  bool rebuild(const Topology &Machine, int NumThreads,
               const NodeSet *ThreadNodes, const int *ThreadCpus = nullptr,
               const PoolOptions &Options = PoolOptions());

  /// Whether create() with these arguments would give the same domains.
  bool hasShape(int NumThreads, const NodeSet *ThreadNodes,
                const int *ThreadCpus = nullptr) const;

  int numThreads() const { return NumThreads; }
  int numNodes() const { return NumNodes; }
  /// The team node of thread \p Thread.
  int nodeOfThread(int Thread) const { return Threads[Thread].Node; }
  /// The OS node of team node \p Node.
  int osNode(int Node) const { return Nodes[Node].OsNode; }
  /// The team node of \p OsNode; -1 if no thread of the team is there.
  int teamNode(int OsNode) const;
  /// The team node nearest to \p OsNode (itself, if it is one).
  int nearestNode(int OsNode) const;
  /// False if some thread's CPUs span several nodes, so that the operating
  /// system may run it elsewhere than its domain says.
  bool isBound() const { return Bound; }
  /// The thread numbers of team node \p Node, ascending.
  const int *threadsOfNode(int Node) const { return Nodes[Node].Members; }
  int numThreadsOfNode(int Node) const { return Nodes[Node].NumMembers; }

  /// Resolves a hint for a task that thread \p Pusher makes ready now. Asks the
  /// kernel if the kind is Data, so it must not be called before.
  /// Out-of-range numbers are reduced modulo the number of resources; the
  /// result is never negative. A non-strict hint that the pusher's own queue
  /// satisfies gives Anywhere.
  Placement resolve(Kind What, bool Strict, const TaskTarget &Target,
                    int Pusher, UnknownPolicy Unknown) const;

  /// The team node for a task that has dependences and no hint: of kind Depend
  /// or DependRanges. Thread \p Pusher, the calling one, makes it ready now.
  /// UnknownNode if nothing is known: the task has no hint.
  int infer(Kind What, const TaskTarget &Target, int Pusher);

  /// Whether so many inferred hints name \p Node that a task with such a hint
  /// is better taken by whoever is idle.
  bool isCrowded(int Node) const { return Inferred.isCrowded(Node); }

  /// Queues \p Task at \p Where, which is not Anywhere. A strict task is always
  /// queued; false means that the task was not, as the public queue is full or
  /// there is no memory: the caller keeps it.
  bool push(const Placement &Where, void *Task);

  const Hierarchy &team() const { return Team; }
  /// The tasks without a place of their own.
  TaskPool &pool() { return Pool; }

  /// A quick test without false negatives for the calling thread's own work:
  /// whether any queue of the team might have a task.
  bool mayHaveTasks() const {
    return Counters.NonEmpty.load(std::memory_order_relaxed) != 0;
  }

  /// Tasks that are for \p Thread more than for others: its private queue, then
  /// its public one, newest first.
  Outcome takeOwn(int Thread, const Taker &Strict, const Taker &Public,
                  void *&Task);

  /// Tasks of \p Thread's node, private before public, the oldest first
  /// (newest first if \p Waiting, which keeps the stack of a taskwait short),
  /// then the public queues of the node's other threads.
  Outcome takeFromNode(int Thread, const Taker &Strict, const Taker &Public,
                       bool Waiting, void *&Task);

  /// Inferred tasks of other nodes that are crowded, nearest first. \p Afar
  /// refuses placed tasks, but not these, as in TaskPool::steal().
  Outcome takeFromCrowd(int Thread, const Taker &Afar, void *&Task);

  /// Public tasks of other nodes, nearest first, as far as \p Far allows:
  /// TaskPool::mayRobAfar().
  Outcome takeFromAfar(int Thread, const Taker &Public, Reach Far, void *&Task);

  /// What \p Thread's takers bring along: Taker::Slot.
  CombineSlot *slot(int Thread) {
    return How == Sync::Combining ? &Threads[Thread].Slot : nullptr;
  }

  /// How many rounds in a row \p Thread went through without finding a task.
  /// Only \p Thread itself may ask.
  uint32_t emptyRounds(int Thread) const {
    return Threads[Thread].Wait.emptyRounds();
  }
  /// What \p Thread, the calling one, may take of other nodes' placed tasks;
  /// and for a thread that may run few tasks, however long its own took.
  Reach reach(int Thread) const { return Threads[Thread].Wait.reach(); }
  Reach reachByRounds(int Thread) const {
    return Threads[Thread].Wait.reachByRounds();
  }
  /// \p Thread, the calling one, found a task (whosever it was), or none.
  template <class Clock> void endRound(int Thread, Round What, Clock Now) {
    Threads[Thread].Wait.endRound(What, Now);
    if (What == Round::PlacedTask)
      Inferred.noteTime(Threads[Thread].Wait.taskTime());
    Pool.endSearch(Thread, What != Round::Empty);
    Stats::countSearch(What != Round::Empty, osNode(nodeOfThread(Thread)));
  }

  /// The last task that \p Thread, the calling one, found has ended.
  template <class Clock> void endTask(int Thread, Clock Now) {
    Threads[Thread].Wait.endTask(Now);
  }

  /// Whether a queue that \p Thread is responsible for has a task: one of its
  /// own, of its node or of a crowded one; or it has asked for tasks and has no
  /// answer. Asked by a thread before it sleeps.
  bool hasWorkFor(int Thread) const;

  /// \p Thread, the calling one, is about to sleep. It does not if there is
  /// hasWorkFor() it or the pool hasTasks() after a sequentially consistent
  /// fence.
  void lieDown(int Thread) {
    Threads[Thread].LayDown.store(true, std::memory_order_relaxed);
    Down.lieDown(Thread);
  }
  /// Whether \p Thread, the calling one, has lain down since it asked last.
  bool endRest(int Thread) {
    std::atomic<bool> &LayDown = Threads[Thread].LayDown;
    if (__builtin_expect(!LayDown.load(std::memory_order_relaxed), 1))
      return false;
    LayDown.store(false, std::memory_order_relaxed);
    return true;
  }
  /// A thread to wake for a task that any may run: Sleepers::claim().
  int claimSleeper(int Thread) { return Down.claim(Thread); }

  /// Public queues hold at most this many tasks; beyond, tasks with a
  /// non-strict hint stay with the thread that creates them.
  static constexpr uint32_t PublicLimit = 4096;

  /// The team that this was last found to fit. For the adapter alone.
  TeamStamp Stamp;

private:
  struct ThreadDomain {
    TaskQueue Private, Public;
    CombineSlot Slot;
    RemoteDelay Wait;
    Asker Ask;
    int Node = 0;
    std::atomic<bool> LayDown{false};
  };
  struct NodeDomain {
    TaskQueue Private, Public;
    int OsNode = 0;
    int NumMembers = 0;
    int *Members = nullptr; ///< thread numbers, ascending
    int *Nearest = nullptr; ///< the other team nodes, nearest first
  };

  Domains() = default;
  bool reserve(int MostThreads);
  void freeQueues();
  void assignNodes(const NodeSet *ThreadNodes, const int *ThreadCpus);
  void sortNodes();
  bool buildPool(const PoolOptions &Options);
  int nodeOfData(Kind What, const TaskTarget &Target) const;

  TeamCounters Counters;
  Sync How = Sync::Combining;
  Hierarchy Team;
  TaskPool Pool;
  Sleepers Down;
  Spread Inferred;
  const Topology *Machine = nullptr;
  int NumThreads = 0;
  int NumNodes = 0;
  bool Bound = true;
  ThreadDomain *Threads = nullptr;
  NodeDomain *Nodes = nullptr;
  NodeSet *Shape = nullptr; ///< what create() was given
  int *ShapeCpus = nullptr; ///< the same
  int *Indices = nullptr;   ///< storage of all Members and Nearest
  int Room = 0;             ///< threads that there is memory for
  int NodeRoom = 0;
};

} // namespace locus

#endif // LOCUS_TEAM_DOMAINS_H
