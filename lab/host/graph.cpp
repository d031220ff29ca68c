//===- host/graph.cpp - A graph is recorded, and runs again ---------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lab/host/graph.h"
#include "locus/flow/graph_loop.h"

namespace locus::lab {

/// As ReplayLoop of kmp/replay_run.cpp.
class HostGraphLoop : public flow::GraphLoop<HostGraphLoop> {
public:
  HostGraphLoop(Host &TheHost, HostThread &Thread, HostGraph &TheGraph)
      : GraphLoop(*TheGraph.Tasks), H(TheHost), T(Thread), Below(T.Current),
        Of(TheGraph) {}

  static bool isPlain(GraphNode &N) { return taskOf(N).IsPlain; }
  bool mayRunInPlace() const { return T.mayRunInPlace(); }
  void run(GraphNode &N) {
    prepare(taskOf(N));
    execute(taskOf(N));
  }
  void runQueued(GraphNode &N) {
    H.E.advance(toPs(H.Cost.InvokeNs));
    execute(taskOf(N));
    if (T.runsPlaced()) // the kept ones behind it are not
      T.endPlaced();
  }
  static Kind hintKind(GraphNode &N) { return taskOf(N).Hint.kind(); }
  static TaskTarget target(GraphNode &N) { return taskOf(N).Target; }
  Team *team() const { return H.Ours; }
  Worker &worker(Team &) const { return *T.Mine; }
  void queue(GraphNode &N, int Node) {
    GraphTask &G = taskOf(N);
    prepare(G);
    if (!isFromDepend(G.Hint.kind())) {
      G.data()->Hint = G.Hint;
      G.data()->Target = G.Target;
    } else if (Node != UnknownNode) {
      T.setHint(G.data(), Kind::Inferred, false, {uintptr_t(Node), 0});
    }
    G.NumContext = 0;
    T.Queueing = this;
    H.queue(T, G.data());
    T.Queueing = nullptr;
  }
  void endPart() { flow::addChildren<LabTasks>(Of.Parent, -1); }

private:
  static GraphTask &taskOf(GraphNode &N) { return static_cast<GraphTask &>(N); }
  void prepare(GraphTask &G) {
    if (G.NumContext != Of.NumContext) {
      G.data()->Parent = Of.Parent;
      G.data()->Level = Of.Parent->Level + 1;
      G.NumContext = Of.NumContext;
    }
    G.data()->Hint = TaskHint();
    memcpy(G.data()->Settings, Of.Parent->Settings, sizeof(G.data()->Settings));
  }
  void execute(GraphTask &G) {
    H.E.loadTogether(uint64_t(&G), sizeof(GraphTask) + sizeof(TaskData));
    T.Current = G.data();
    H.runGraphTask(T, *G.data()->What);
    flow::giveBack<LabTasks>(T.Children, T.Current);
    T.Current = Below;
  }

  Host &H;
  HostThread &T;
  TaskData *const Below; ///< the thread's task, which is suspended
  HostGraph &Of;
};

/// \p Data, of a graph, comes from a queue, or has found no room in one.
void Host::runReplayed(HostThread &T, TaskData *Data) {
  GraphTask &G = GraphTask::of(Data);
  if (T.Queueing) {
    T.Queueing->keep(G);
    return;
  }
  flow::giveBack<LabTasks>(T.Children, T.Current);
  HostGraphLoop(*this, T, *G.Of).runFrom(G);
  flow::resume(T, T.Current);
}

/// T creates \p Spec, which has not run.
void Host::recordTask(HostThread &T, const TaskSpec &Spec) {
  HostRecording &Now = *T.Recorded;
  if (T.Current != Now.Task)
    return;
  GraphTask *G =
      new (locus::lab::allocate(sizeof(GraphTask) + sizeof(TaskData)))
          GraphTask();
  new (G->data()) TaskData();
  G->data()->LastTied = G->data();
  G->data()->Allocated.begin(1);
  G->data()->What = new TaskSpec(Spec);
  G->data()->IsReplayed = true;
  G->Of = &Now.Made;
  setHint(T, G->data(), Spec);
  G->Hint = G->data()->Hint;
  G->Target = G->data()->Target;
  G->IsPlain = !G->Hint.hasHint();
  Now.Tasks.addTask(*G);
  for (const Depend &D : Spec.Depends)
    Now.Tasks.addDependence(LabTasks::dependence(D));
  Now.Tasks.endTask();
}

/// As replay() of kmp/replay_run.cpp.
void Host::replay(HostThread &T, HostGraph &Of) {
  flow::giveBack<LabTasks>(T.Children, T.Current);
  if (Of.Parent != T.Current) {
    Of.Parent = T.Current;
    ++Of.NumContext;
  }
  HostGraphLoop Loop(*this, T, Of);
  if (T.isAlone(T.Current)) {
    Loop.runInOrder();
  } else {
    flow::addChildren<LabTasks>(Of.Parent, 1);
    Loop.runAll();
  }
  flow::resume(T, T.Current);
}

void Host::taskgraph(HostThread &T, uint64_t Id,
                     const std::function<void(Context &)> &Body) {
  HostGraph &Of = Graphs[Id];
  if (!Of.Tasks) {
    knowCurrentTask(T);
    HostRecording Now(*T.Nodes, T.Current, Of);
    T.Recorded = &Now;
    Body(Contexts[size_t(T.Number)]);
    T.Recorded = nullptr;
    Of.Tasks = Now.Tasks.finish();
  } else {
    replay(T, Of);
  }
  taskwait(T);
}

} // namespace locus::lab
