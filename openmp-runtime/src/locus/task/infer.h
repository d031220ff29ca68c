//===- task/infer.h - What dependences tell about data ----------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A task without a hint may go to the node of the data that its `depend` names.
// Nobody asked for that, so it must not cost more than it can gain: often what
// `depend` names is only a token. team/domains.md, "Inferred hints".
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_TASK_INFER_H
#define LOCUS_TASK_INFER_H

#include "locus/machine/memory.h"
#include "locus/support/array.h"

#include <atomic>
#include <stdint.h>

namespace locus {

/// What the answer of the kernel was good for.
enum class Worth : uint8_t {
  Much,   ///< the task goes to its data
  Little, ///< nobody knows, or too many tasks would go there
  Nothing ///< the tasks are too short to gain anything
};

/// Whether a thread asks the kernel for the node of a task's data, or does
/// without. Used by that thread alone.
class Asker {
public:
  /// Whether to ask for the next task, and learn() the answer. If not, guess()
  /// will do.
  bool asks() {
    if (Skip == 0)
      return true;
    --Skip;
    ++Alike;
    return false;
  }

  void learn(int Node, Worth Value) {
    Alike = Node == Last && Value == Worth::Little ? Alike + 1 : 0;
    Last = Node;
    Skip = Value == Worth::Nothing ? MostSkips : Alike / AlikeForEachSkip;
    Skip = Skip < MostSkips ? Skip : MostSkips;
    Guess = Value == Worth::Nothing ? UnknownNode : Node;
  }

  int guess() const { return Guess; }

  /// Of so many tasks in a row with the same answer the next one is taken to
  /// have it too: a wrong guess for each 64 right ones at most.
  static constexpr uint32_t AlikeForEachSkip = 64;
  static constexpr uint32_t MostSkips = 15;

private:
  int Last = UnknownNode;
  int Guess = UnknownNode;
  uint32_t Alike = 0; ///< answers in a row like Last
  uint32_t Skip = 0;  ///< tasks not to ask for
};

/// How the inferred hints of a team spread over its nodes. Any thread may call
/// its members at any time.
class Spread {
public:
  Spread() = default;
  Spread(const Spread &) = delete;
  Spread &operator=(const Spread &) = delete;
  ~Spread() { free(Nodes); }

  /// Memory for \p MostNodes nodes; false if there is none.
  bool reserve(int MostNodes) {
    free(Nodes);
    Nodes = makeArray<NodeCount>(size_t(MostNodes));
    return Nodes != nullptr;
  }
  /// A team without threads on \p TheNumNodes nodes. To be followed by
  /// addThread() for each.
  void clear(int TheNumNodes) {
    NumNodes = TheNumNodes;
    NumThreads = 0;
    Total.store(0, std::memory_order_relaxed);
    Short.store(false, std::memory_order_relaxed);
    for (int N = 0; N < NumNodes; ++N) {
      Nodes[N].Tasks.store(0, std::memory_order_relaxed);
      Nodes[N].NumThreads = 0;
    }
  }
  void addThread(int Node) {
    ++NumThreads;
    ++Nodes[Node].NumThreads;
  }

  /// An inferred hint names \p Node.
  void count(int Node) {
    Nodes[Node].Tasks.fetch_add(1, std::memory_order_relaxed);
    const uint32_t Sum = Total.fetch_add(1, std::memory_order_relaxed) + 1;
    if (Sum == MostTasks * uint32_t(NumThreads))
      forgetHalf();
  }

  /// Whether hints have named \p Node so much more often than others that its
  /// threads alone would keep the team waiting: they would have more than 3/2
  /// of the tasks of an even spread, and Allowance beyond.
  bool isCrowded(int Node) const {
    const uint64_t All = Total.load(std::memory_order_relaxed);
    const uint64_t Here = Nodes[Node].Tasks.load(std::memory_order_relaxed);
    const uint64_t Team = uint64_t(NumThreads);
    return 2 * Here * Team >
           (3 * All + 2 * Allowance * Team) * uint64_t(Nodes[Node].NumThreads);
  }

  /// A thread's placed tasks take \p Nanoseconds, in the mean; 0: not known.
  void noteTime(uint64_t Nanoseconds) {
    const bool IsShort = Nanoseconds < ShortTask;
    if (Nanoseconds != 0 && IsShort != Short.load(std::memory_order_relaxed))
      Short.store(IsShort, std::memory_order_relaxed);
  }
  /// Whether tasks take no longer than to place them.
  bool hasShortTasks() const { return Short.load(std::memory_order_relaxed); }

  /// Memory of another node makes a task take twice as long at most. The
  /// question and the way through a shared queue take 1 to 2 us.
  static constexpr uint64_t ShortTask = 4000;
  /// Tasks for each thread of a node: a loop may create all of one node first.
  static constexpr uint32_t Allowance = 24;
  /// Tasks for each thread of the team after which the older ones count half.
  static constexpr uint32_t MostTasks = 256;

private:
  struct alignas(64) NodeCount {
    std::atomic<uint32_t> Tasks{0};
    int NumThreads = 0;
  };

  void forgetHalf() {
    for (int N = 0; N < NumNodes; ++N) {
      uint32_t Tasks = Nodes[N].Tasks.load(std::memory_order_relaxed);
      while (!Nodes[N].Tasks.compare_exchange_weak(Tasks, Tasks - Tasks / 2,
                                                   std::memory_order_relaxed))
        ;
      Total.fetch_sub(Tasks / 2, std::memory_order_relaxed);
    }
  }

  NodeCount *Nodes = nullptr;
  int NumNodes = 0;
  int NumThreads = 0;
  alignas(64) std::atomic<uint32_t> Total{0};
  alignas(64) std::atomic<bool> Short{false};
};

} // namespace locus

#endif // LOCUS_TASK_INFER_H
