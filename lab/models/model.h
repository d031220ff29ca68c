//===- models/model.h - Other schedulers, as models -------------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A scheduler that is not ours, on the simulated machine: what it does in which
// order, with its locks and cache lines, but not its code. What all of them
// have in common is here: tasks, dependences, waits and barriers of OpenMP. A
// Pool is where ready tasks wait. What each contender costs stands beside it,
// with its source.
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_LAB_MODELS_MODEL_H
#define LOCUS_LAB_MODELS_MODEL_H

#include "lab/contenders/contenders.h"
#include "lab/engine/context.h"

#include <deque>
#include <memory>
#include <random>
#include <unordered_map>

namespace locus::lab {

struct ModelTask;
using TaskRef = std::shared_ptr<ModelTask>;

/// Who touched an address last, among the children of a task.
struct Accesses {
  std::vector<TaskRef> Writers; ///< the last ones: several of an inoutset
  std::vector<TaskRef> Readers; ///< since then
  DepKind Kind = DepKind::Out;  ///< of Writers
};

/// Cache lines of one size that go from hand to hand, as blocks of libomp's
/// fast memory. Their first word has the next free one.
class Blocks {
public:
  explicit Blocks(int TheLines) : Lines(TheLines) {}
  /// Those of the last one that was freed, which has been written by who freed
  /// it.
  uint64_t get();
  void put(uint64_t Block) { Free.push_back(Block); }
  int lines() const { return Lines; }

private:
  const int Lines;
  std::vector<uint64_t> Free;
};

/// Of a task with dependences, which outlives it while others may ask whether
/// it has ended: the task and its successors; the lock; the counters of
/// predecessors and references.
struct DependNode {
  explicit DependNode(Blocks &TheFrom) : From(TheFrom), Line(From.get()) {}
  ~DependNode() { From.put(Line); }
  DependNode(const DependNode &) = delete;
  DependNode &operator=(const DependNode &) = delete;

  uint64_t state() const { return Line; }
  uint64_t lock() const { return Line + LineBytes; }
  uint64_t counters() const { return Line + 2 * LineBytes; }
  static constexpr int Lines = 3;

private:
  Blocks &From;
  const uint64_t Line;
};

struct ModelTask {
  TaskSpec Spec;
  TaskRef Parent;
  int Depth = 0;
  int Creator = 0;                  ///< thread
  uint64_t Line = 0;                ///< in the arena: the descriptor's lines
  std::unique_ptr<DependNode> Node; ///< null without dependences
  static constexpr int Lines = 4;   ///< of a descriptor
  /// Of the children that have not ended, and of the node.
  uint64_t counters() const { return Line + LineBytes; }
  int Children = 0; ///< that have not ended
  int Waiter = -1;  ///< the thread that waits for them
  int Missing = 0;  ///< predecessors that have not ended
  bool HasEnded = false;
  std::vector<TaskRef> Successors;
  std::unordered_map<uint64_t, Accesses> Depends; ///< of its children
  uint64_t Number = 0;
  double Created = 0;
};

/// A lock for which threads wait in line, as a ticket lock. Waiting costs no
/// steps.
class SimLock {
public:
  explicit SimLock(Engine &E) : E(E), Word(uint64_t(allocate(LineBytes))) {}
  void acquire();
  /// \p Syscall: what a release with waiters costs beside, in ns.
  void release(double SyscallNs = 0);
  bool isHeld() const { return Holder >= 0; }

private:
  Engine &E;
  uint64_t Word;
  int Holder = -1;
  std::deque<int> Waiters;
};

/// Where ready tasks wait. Calls are of the simulated thread that runs.
class Pool {
public:
  virtual ~Pool() = default;
  /// \p Task has become ready. False: its caller has to run it at once.
  virtual bool push(const TaskRef &Task) = 0;
  /// Whether a new task without dependences runs at once, as an included one,
  /// before anything is spent on it.
  virtual bool refuses() { return false; }
  /// A task for the calling thread; null: none. \p Under is the task that it
  /// waits in, if the new one has to be a descendant of it; null: any.
  virtual TaskRef take(const ModelTask *Under) = 0;
  /// Around the creation and at the end of a task: what is locked meanwhile.
  virtual void beginCreate() {}
  virtual void endCreate() {}
  virtual void beginEnd() {}
  virtual void endEnd() {}
  /// How long the idle threads, of which there are \p Idle, take until the next
  /// one of them looks where a task is; ns.
  virtual double discoveryNs(int Idle) = 0;
  /// What waking an idle thread costs who pushes; ns.
  virtual double wakeNs() const { return 0; }
  /// Whether a task of the clause goes where it belongs.
  virtual bool obeysHints() const { return false; }
  /// Whether thread \p Thread may take some task that is there.
  virtual bool hasFor(int Thread) const = 0;
  /// Whether hasFor() is the same for all threads.
  virtual bool isOneForAll() const { return true; }
};

class Model;
std::unique_ptr<Pool> makePool(Model &);

/// A team, its tasks and its threads.
class Model {
public:
  Model(Engine &TheEngine, Book &TheNumbers, const std::vector<int> &Processors,
        const Program &TheProgram);

  /// What thread \p Thread does.
  void runThread(int Thread);

  Engine &engine() { return E; }
  Book &numbers() { return Numbers; }
  const std::vector<int> &teamNodes() const { return TeamNodes; }
  const Costs &costs() const { return E.machine().Cost; }
  int numThreads() const { return E.numThreads(); }
  int nodeOf(int Thread) const { return E.processor(Thread).Node; }
  /// Team nodes are dense; see OpenMP's clause.
  int teamNodeOf(int Thread) const { return TeamNodes[size_t(nodeOf(Thread))]; }
  int numTeamNodes() const { return NumNodes; }
  void pass(double Ns) { E.advance(toPs(Ns)); }
  /// A number from 0 to \p Below - 1.
  int draw(int Below) { return int(Draw() % uint64_t(Below)); }
  /// Exponentially distributed.
  double drawExponential(double Mean) {
    return Mean * std::exponential_distribution<double>(1)(Draw);
  }
  bool isUnder(const ModelTask *Task, const ModelTask *Ancestor) const;
  /// Where a hint says that a task belongs.
  int hintedThread(const Hint &) const;
  int hintedNode(const Hint &) const;

  // What a running task does; \p Self is it.
  void create(const TaskRef &Self, const TaskSpec &Spec);
  void taskwait(const TaskRef &Self);
  void barrier();

  void noteSteal(int Thief, int Victim);

private:
  void makeReady(const TaskRef &Task);
  void runTask(const TaskRef &Task, bool IsIncluded = false);
  void addDepends(const TaskRef &Task);
  void addPredecessor(const TaskRef &Task, const TaskRef &Before);
  void forget(std::vector<TaskRef> &Those);
  void fillIn(uint64_t Block, int Lines);
  void releaseSuccessors(const TaskRef &Task);
  void complete(const TaskRef &Task, bool IsIncluded);
  void includeTask(const TaskRef &Self, const TaskSpec &Spec);
  TaskRef newTask(const TaskRef &Self, const TaskSpec &Spec);
  /// Runs tasks until \p IsOver.
  template <typename F> void workUntil(const ModelTask *Under, F &&IsOver);
  void callIdle();
  size_t chooseIdle();
  void stopBeingIdle(int Thread);
  void releaseBarrier();

  Engine &E;
  Book &Numbers;
  const Program &P;
  const std::vector<int> TeamNodes; ///< by OS node
  int NumNodes = 0;                 ///< of the team
  std::mt19937_64 Draw;
  Blocks Descriptors{ModelTask::Lines}, Nodes{DependNode::Lines};
  std::unique_ptr<Pool> Ready;
  std::vector<TaskRef> Implicit;

  std::vector<int> Idle; ///< threads that are blocked
  int Called = -1;       ///< the one that is on its way; -1: none
  int Misses = 0;        ///< of those who were called, in a row
  int64_t Queued = 0;    ///< tasks in the pool; a push counts a bit later
  uint64_t Unfinished = 0;
  int Arrived = 0; ///< threads at the barrier
  uint64_t BarrierRound = 0;
  uint64_t BarrierLine;

  std::vector<uint64_t> NumReturned; ///< by thread: descriptors of others
};

} // namespace locus::lab

#endif // LOCUS_LAB_MODELS_MODEL_H
