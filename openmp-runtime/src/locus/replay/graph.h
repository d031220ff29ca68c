//===- replay/graph.h - A graph of tasks that runs again --------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A recorded graph: each task knows who follows it, and by how many it is
// followed. To run it takes no look at an address and no memory, and nobody
// sweeps over its counters: each is as it was when its task is ready. README.md
// has the protocol and why it is right.
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_REPLAY_GRAPH_H
#define LOCUS_REPLAY_GRAPH_H

#include "locus/support/check.h"
#include "locus/support/cpu.h"

#include <atomic>
#include <stddef.h>
#include <stdint.h>

namespace locus {

class Graph;

/// A task of a recorded graph, or a fence: a node without a task, which others
/// follow. Its owner derives from it.
struct GraphNode {
  /// Of those that it follows, how many have not ended in this run.
  std::atomic<uint32_t> Pending{0};
  uint32_t NumBefore = 0;      ///< that it follows
  uint32_t NumAfter = 0;       ///< that follow it
  bool IsFence = false;        ///< it has no task
  GraphNode **After = nullptr; ///< those; the one that was created first first
  GraphNode *Next = nullptr;   ///< in a list of ready ones; whose list it is
};

class Graph {
public:
  Graph() = default;
  Graph(const Graph &) = delete;
  Graph &operator=(const Graph &) = delete;
  /// Frees what Recorder::finish() has made. The nodes of tasks are the
  /// caller's.
  static void destroy(Graph *G);

  /// What comes behind all of this, as its owner says: another part of a
  /// region.
  Graph *Next = nullptr;

  /// Tasks and fences.
  uint32_t size() const { return NumNodes; }
  /// Those that follow nobody.
  uint32_t numRoots() const { return NumRoots; }
  GraphNode &root(uint32_t I) {
    LOCUS_CHECK(I < NumRoots);
    return *Roots[I];
  }
  /// Those with a task, in the order in which they were created. One thread may
  /// run them in this order, each run all of them: then nobody calls end().
  uint32_t numTasks() const { return NumTasks; }
  GraphNode &task(uint32_t I) {
    LOCUS_CHECK(I < NumTasks);
    return *Tasks[I];
  }

  //===--------------------------------------------------------------------===//
  // A run by several threads. One at a time: the caller sees to the roots, if
  // there are any
  //===--------------------------------------------------------------------===//

  /// The task of \p N has ended: calls \p Ready(GraphNode) for each that is
  /// ready by that, the one that was created first comes last. Adds to
  /// \p NumLast if nobody follows it: the caller tells endLast(), sooner or
  /// later.
  template <class Action>
  __attribute__((always_inline)) void end(GraphNode &N, uint32_t &NumLast,
                                          Action Ready) {
    const uint32_t Count = N.NumAfter;
    if (Count == 0) {
      ++NumLast;
      return;
    }
    for (uint32_t I = Count; I-- > 0;) {
      GraphNode &F = *N.After[I];
      if (release(F))
        Ready(F);
    }
  }

  /// \p Number tasks have ended that nobody follows. Whether these are the last
  /// of all: the next run may begin then. If not, the caller does not use the
  /// graph any more.
  bool endLast(uint32_t Number) {
    // Acquire and release: who ends the run sees what all tasks did.
    if (Left.fetch_sub(Number, std::memory_order_acq_rel) != Number)
      return false;
    Left.store(NumLeaves, std::memory_order_relaxed); // for the next run
    return true;
  }

private:
  friend class Recorder;

  /// One that \p F follows has ended. Whether it was the last one.
  static bool release(GraphNode &F) {
    // Nobody else counts it: its one predecessor has just ended.
    if (F.NumBefore == 1)
      return true;
    // Acquire and release: who makes it ready sees what all others did.
    if (F.Pending.fetch_sub(1, std::memory_order_acq_rel) != 1)
      return false;
    // For the next run, which begins behind the end of this one. Nobody looks
    // at it until then: all that it follows have ended.
    F.Pending.store(F.NumBefore, std::memory_order_relaxed);
    return true;
  }

  // Written when the graph is recorded, then only read.
  GraphNode **Edges = nullptr; ///< the arrays After
  GraphNode **Roots = nullptr;
  GraphNode **Tasks = nullptr;
  GraphNode *Fences = nullptr; ///< an array of those that have no task
  uint32_t NumNodes = 0;
  uint32_t NumRoots = 0;
  uint32_t NumTasks = 0;  ///< nodes that are no fences
  uint32_t NumLeaves = 0; ///< nodes that nobody follows
  /// Leaves that have not ended in this run.
  alignas(CacheLine) std::atomic<uint32_t> Left{0};
};

} // namespace locus

#endif // LOCUS_REPLAY_GRAPH_H
