//===- task/placement.h - Where a ready task goes ---------------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From a task's hint to the queue that it is for. task/README.md has the way of
// a hint as a whole.
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_TASK_PLACEMENT_H
#define LOCUS_TASK_PLACEMENT_H

#include "locus/machine/team_shape.h"
#include "locus/task/hint.h"
#include "locus/tuning.h"

#include <atomic>
#include <stdint.h>

namespace locus {

/// Where a ready task goes.
struct Placement {
  enum Where : uint8_t {
    Anywhere, ///< no constraint, or satisfied by the pushing thread's own deque
    OnThread, ///< queue of thread Index
    OnNode    ///< queue of team node Index
  };
  Where Place;
  bool Strict;
  int Index;
};

/// What to do with data whose node the kernel cannot tell.
enum class UnknownPolicy : uint8_t {
  First, ///< team node 0, as in Virouleau et al., IWOMP 2016, section 3.3
  Local  ///< the node of the thread that makes the task ready
};

/// Where a task with a hint goes that thread \p Pusher of the team \p Shape
/// makes ready now. \p HintKind and \p Target are the hint: a thread number,
/// the number of a team node, the address and length of data in bytes, or a
/// RangeList. Numbers out of range are reduced modulo the number of threads or
/// nodes; the index that comes out is in range.
///
/// Data goes to the team node nearest to the one that holds most of its bytes,
/// as nodeOfData() says, and by \p Unknown if nobody knows. A hint that is not
/// \p Strict and that the pusher's own deque satisfies gives Anywhere; so do no
/// hint and the kinds that Inference has to turn into a hint first.
///
/// Asks the directory or the kernel if the hint names data and the team has
/// several nodes: see nodeOfData(). So it must not be called before the task
/// is ready: the data may move until then.
Placement resolve(const TeamShape &Shape, Kind HintKind, bool Strict,
                  const TaskTarget &Target, int Pusher, UnknownPolicy Unknown);

/// The team node nearest to the one that holds most of the bytes that a hint of
/// kind \p HintKind names: Data or Depend, or Ranges or DependRanges.
/// UnknownNode if nobody can tell.
///
/// For a \p Strict task the kernel is asked each time, for a sample of the
/// pages. For a wish the directory of what our allocators placed
/// (data/README.md) goes before it, and answers without a system call; it
/// counts each range for the node that has most of that. Both are counted where
/// KMP_TASK_STATS does.
int nodeOfData(const TeamShape &Shape, Kind HintKind, bool Strict,
               const TaskTarget &Target);

//===----------------------------------------------------------------------===//
// What dependences tell about data
//===----------------------------------------------------------------------===//

// A task without a hint may go to the node of the data that its `depend` names.
// Nobody asked for that, so it must not cost more than it can gain: often what
// `depend` names is only a token. task/README.md, "Inferred hints".

/// What the answer of the kernel was good for.
enum class Worth : uint8_t {
  Much,   ///< the task goes to its data
  Little, ///< nobody knows, or too many tasks would go there
  Nothing ///< the tasks are too short to gain anything
};

/// Whether a thread asks the kernel for the node of a task's data, or takes it
/// to be like the last one. One a thread, used by that thread alone.
class Asker {
public:
  /// Of so many answers in a row alike the next one is taken to be so, too: a
  /// wrong guess for as many right ones at most. The kernel takes 0.6 us for a
  /// page that is there, 1.9 for one that is not.
  static constexpr uint32_t AlikeForSkip = 64;
  static constexpr uint32_t MostSkips = 15; ///< in a row

  /// Whether to ask for the next task, and learn() the answer. If not, guess()
  /// will do.
  bool asks() {
    if (Skip == 0)
      return true;
    --Skip;
    ++Alike;
    return false;
  }

  /// The kernel has said \p Node, a team node or UnknownNode.
  void learn(int Node, Worth Value) {
    Alike = Node == Last && Value == Worth::Little ? Alike + 1 : 0;
    Last = Node;
    Skip = Value == Worth::Nothing ? MostSkips : Alike / AlikeForSkip;
    Skip = Skip < MostSkips ? Skip : MostSkips;
    Guess = Value == Worth::Nothing ? UnknownNode : Node;
  }

  /// A team node or UnknownNode.
  int guess() const { return Guess; }

private:
  int Last = UnknownNode;
  int Guess = UnknownNode;
  uint32_t Alike = 0; ///< answers in a row like Last
  uint32_t Skip = 0;  ///< tasks not to ask for
};

/// Places tasks that have no hint, for one team, and knows how such hints load
/// its nodes. Any thread may call its members at any time, but for reset(),
/// while which none of the others runs.
class Inference {
public:
  /// Shorter tasks, in ns, gain nothing from their node: the question and the
  /// way through a shared queue take 1 to 2 us, remote memory doubles a task's
  /// time at most.
  static constexpr uint64_t ShortTask = 4000;
  /// A loop may create all tasks of one node first: so many for each of its
  /// threads.
  static constexpr uint64_t Allowance = 24;
  /// Older tasks count half after so many for each thread of the team.
  static constexpr uint32_t Memory = 256;

  /// Nothing is known of a team of this shape, which outlives this. Uses the
  /// memory of the last time as far as it suffices; false if there is none.
  bool reset(const TeamShape &Shape);

  /// The team node for a task that has dependences and no hint: \p HintKind is
  /// Depend or DependRanges, \p Target the data that it writes. The calling
  /// thread, to which \p Ask belongs, makes the task ready now. UnknownNode if
  /// it is better to have no hint. May ask the kernel: nodeOfMemory() says for
  /// how long.
  int infer(Asker &Ask, Kind HintKind, const TaskTarget &Target);

  /// An inferred hint names team node \p Node.
  void count(int Node);

  /// Whether hints have named \p Node so much more often than others that its
  /// threads alone would keep the team waiting: they would have more than
  /// Tuned.InferCrowded percent of the tasks of an even spread, and
  /// Allowance for each of them beyond.
  bool isCrowded(int Node) const {
    const uint64_t All = Total.load(std::memory_order_relaxed);
    const uint64_t Here = Nodes[Node].Tasks.load(std::memory_order_relaxed);
    const uint64_t Team = uint64_t(Shape->numThreads());
    return 100 * Here * Team >
           (Tuned.InferCrowded * All + 100 * Allowance * Team) *
               uint64_t(Shape->numThreadsOfNode(Node));
  }

  /// A thread's placed tasks take \p Nanoseconds, in the mean; 0: not known.
  void noteTime(uint64_t Nanoseconds) {
    const bool Short = Nanoseconds < ShortTask;
    if (Nanoseconds != 0 && Short != hasShortTasks())
      IsShort.store(Short, std::memory_order_relaxed);
  }
  /// Whether tasks take no longer than to place them.
  bool hasShortTasks() const { return IsShort.load(std::memory_order_relaxed); }

private:
  struct alignas(CacheLine) NodeLoad {
    std::atomic<uint32_t> Tasks{0};
  };

  uint32_t mostTasks() const;
  void forgetHalf();

  const TeamShape *Shape = nullptr;
  Array<NodeLoad> Nodes;                             ///< all zero if Total is
  alignas(CacheLine) std::atomic<uint32_t> Total{0}; ///< sum of all Tasks
  alignas(CacheLine) std::atomic<bool> IsShort{false};
};

} // namespace locus

#endif // LOCUS_TASK_PLACEMENT_H
