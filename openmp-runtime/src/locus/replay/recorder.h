//===- replay/recorder.h - From dependences to a graph ----------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes a Graph of the tasks that a region creates, in order. The edges are
// those that depend/ finds where no task ends before the last one is created.
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_REPLAY_RECORDER_H
#define LOCUS_REPLAY_RECORDER_H

#include "locus/depend/domain.h"
#include "locus/replay/graph.h"
#include "locus/support/array.h"

namespace locus {

/// Used by one thread, whose NodePool it is given. Where there is no memory the
/// program ends.
class Recorder {
public:
  explicit Recorder(NodePool &Mine) : Pool(Mine) {}
  Recorder(const Recorder &) = delete;
  Recorder &operator=(const Recorder &) = delete;
  ~Recorder();

  /// The next task is that of \p N. Its dependences follow.
  void addTask(GraphNode &N) { add(&N); }
  /// The task, or a wait, has this dependence. Tasks with Access::Mutex follow
  /// each other in order of creation: one of the orders that they may have.
  void addDependence(Dependence D);
  /// It depends on all memory.
  void addAll();
  /// It, or the wait, is complete: others may come.
  void endTask() {
    Current->endRegistration();
    Current = nullptr;
  }

  /// All that come later follow the last task, or the last wait: it was
  /// undeferred, or the creator waited.
  void waitForLast() { Gate = size(); }
  /// The creator waits for those that the dependences that come now name.
  void addWait() { add(nullptr); }

  uint32_t size() const { return uint32_t(Items.size()); }

  /// Makes the graph. The nodes of the tasks belong to the caller, who keeps
  /// them longer than the graph. What comes now belongs to another one: the
  /// creator has waited for all.
  Graph *finish();

private:
  struct Item {
    GraphNode *Node;     ///< null for a wait, until finish()
    locus::Node *Shadow; ///< whose followers are the edges
  };

  void add(GraphNode *N);
  void forget();
  GraphNode &nodeOf(const Node &Shadow) const;
  void makeFences(Graph &G);
  void makeEdges(Graph &G);
  void makeTasks(Graph &G);
  void makeRoots(Graph &G);

  NodePool &Pool;
  Domain *Known = nullptr;
  Growing<Item> Items;
  uint32_t NumFences = 0;
  uint32_t Gate = 0; ///< what comes now follows the item before this number
  Node *Current = nullptr;
};

} // namespace locus

#endif // LOCUS_REPLAY_RECORDER_H
