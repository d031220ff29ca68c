//===- flow/graph_loop.h - A thread runs tasks of a graph -------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A recorded graph runs again. Who makes a task of it ready queues it where its
// hint or its data says; one without either it runs itself, where others have
// enough to do.
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_FLOW_GRAPH_LOOP_H
#define LOCUS_FLOW_GRAPH_LOOP_H

#include "locus/flow/push.h"
#include "locus/replay/graph.h"

namespace locus::flow {

/// A thread that runs tasks of a part of a graph, one after the other. \p Host
/// derives from this. It has, of nodes with a task:
///   bool isPlain(GraphNode &): no hint and no priority say where it runs.
///   Kind hintKind(GraphNode &), TaskTarget target(GraphNode &): its hint.
///   void run(GraphNode &): runs its task, which nobody has queued.
///   void runQueued(GraphNode &): runs its task, which comes from a queue.
///   void queue(GraphNode &, int Node): queues it as any task, or keep()s it
///     if there is no room. Known by its dependences: for team node \p Node.
///   Team *team(): of the thread; null: another scheduler has its tasks.
///   Worker &worker(Team &): the thread in it.
///   bool mayRunInPlace(): others have enough to do.
///   void endPart(): all have ended; the host does not use the part any more.
template <class Host> class GraphLoop {
public:
  explicit GraphLoop(Graph &ThePart) : Part(ThePart) {}

  /// Begins a run of the part, which is not empty, and of which nothing runs.
  /// Whoever ends the last one of it calls endPart().
  void runAll() {
    NumRoots = Part.numRoots();
    runReady();
  }
  /// Runs all in the order of their creation: the team has one thread. Nobody
  /// counts, or calls endPart().
  void runInOrder() {
    for (uint32_t I = 0, NumTasks = Part.numTasks(); I < NumTasks; ++I)
      host().run(Part.task(I));
  }
  /// Runs \p Taken, which comes from a queue, and what it makes ready.
  void runFrom(GraphNode &Taken) {
    host().runQueued(Taken);
    end(Taken);
    runReady();
  }
  /// \p N is ready, and for this thread.
  void keep(GraphNode &N) {
    N.Next = Ready;
    Ready = &N;
  }

private:
  Host &host() { return static_cast<Host &>(*this); }
  /// Whether the list, or the roots, have more.
  bool hasMore() const { return Ready || NextRoot != NumRoots; }
  __attribute__((always_inline)) void end(GraphNode &N) {
    Part.end(N, NumLast, [this](GraphNode &F) { makeReady(F, false); });
  }
  __attribute__((always_inline)) void makeReady(GraphNode &N, bool IsRoot) {
    if (N.IsFence || host().isPlain(N))
      keep(N);
    else
      placeReady(N, IsRoot);
  }
  /// \p N, which has a hint or a priority, is ready.
  __attribute__((noinline)) void placeReady(GraphNode &N, bool IsRoot) {
    int Node = UnknownNode;
    if (isFromDepend(host().hintKind(N)) && !isElsewhere(N, IsRoot, Node))
      keep(N);
    else
      leave(N, Node);
  }
  /// Whether the data of \p N, which has its hint from its dependences, is
  /// known to be on team node \p Node, and the thread had better leave it to
  /// that: if it is the thread's own one, there is another task to run
  /// meanwhile.
  bool isElsewhere(GraphNode &N, bool IsRoot, int &Node) {
    Team *Ours = host().team();
    if (!Ours)
      return false;
    Worker &W = host().worker(*Ours);
    Node = inferNode(*Ours, W, host().hintKind(N), host().target(N), IsRoot);
    return Node != UnknownNode &&
           (hasMore() || Node != Ours->shape().nodeOfThread(W.Number));
  }
  /// Leaves \p N to whoever takes it. False if there was no room.
  bool leave(GraphNode &N, int Node) {
    const GraphNode *Before = Ready;
    host().queue(N, Node);
    // Behind that N may have ended: only its address is looked at.
    return Ready == Before;
  }

  /// The next one for this thread; null if there is none. Does not look at the
  /// graph then: all may be over.
  __attribute__((always_inline)) GraphNode *take() {
    while (!Ready) {
      if (NextRoot == NumRoots)
        return nullptr;
      makeReady(Part.root(NextRoot++), /*IsRoot=*/true);
    }
    GraphNode *N = Ready;
    Ready = N->Next;
    return N;
  }

  /// Leaves tasks to others until they have enough, or none is left.
  __attribute__((noinline)) void share() {
    while (!host().mayRunInPlace()) {
      GraphNode *N = take();
      if (!N)
        return;
      if (N->IsFence)
        end(*N);
      else if (!leave(*N, UnknownNode))
        return;
    }
  }

  /// Runs what is ready, and what that makes ready.
  void runReady() {
    while (GraphNode *N = take()) {
      if (!N->IsFence) {
        if (hasMore() && !host().mayRunInPlace())
          share();
        host().run(*N);
      }
      end(*N);
    }
    if (NumLast != 0 && Part.endLast(NumLast))
      host().endPart();
  }

  Graph &Part;
  GraphNode *Ready = nullptr; ///< a list, for this thread
  uint32_t NextRoot = 0;      ///< of those that this thread sees to
  uint32_t NumRoots = 0;
  uint32_t NumLast = 0; ///< that have ended and that nobody follows
};

} // namespace locus::flow

#endif // LOCUS_FLOW_GRAPH_LOOP_H
