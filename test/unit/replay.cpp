//===- replay.cpp - Tests of graphs that are recorded and run again -------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "depend_graph.h"
#include "locus/replay/recorder.h"
#include "locus/replay/store.h"
#include "support.h"

#include <gtest/gtest.h>
#include <memory>
#include <mutex>
#include <random>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace locus;
using namespace locus::test;

namespace {

/// A task of a graph in these tests.
struct Job : GraphNode {
  int Number = 0;
  int LastRun = 0; ///< in which it ran; plain: the graph orders all accesses
};

/// The graph of clauses, and whom each task comes after.
class Recorded {
public:
  explicit Recorded(const Clauses &TheClauses)
      : All(TheClauses), Before(predecessors(All)), Jobs(All.size()) {
    Recorder Record(Pool);
    for (size_t I = 0; I < All.size(); ++I) {
      Jobs[I].Number = int(I);
      if (All[I].IsWait)
        Record.addWait();
      else
        Record.addTask(Jobs[I]);
      if (All[I].IsAll)
        Record.addAll();
      for (Dependence D : All[I].Items)
        Record.addDependence(D);
      Record.endTask();
      if (All[I].IsWait)
        Record.waitForLast();
    }
    Made = Record.finish();
  }
  ~Recorded() {
    Graph::destroy(Made);
    EXPECT_EQ(Pool.numAway(), 0u);
    EXPECT_EQ(Pool.numLive(), 0u);
    Pool.destroy();
  }

  /// Task \p N runs, as one of \p Run.
  void execute(GraphNode &N, int Run) {
    if (N.IsFence)
      return;
    Job &J = static_cast<Job &>(N);
    EXPECT_EQ(J.LastRun, Run - 1) << J.Number;
    // All that any wait before it waited for, and what it waits for itself.
    for (int I = 0; I <= J.Number; ++I)
      if (I == J.Number || All[I].IsWait)
        for (int P : Before[I])
          if (!All[P].IsWait)
            EXPECT_EQ(Jobs[P].LastRun, Run) << P << " before " << J.Number;
    J.LastRun = Run;
  }
  void checkEnd(int Run) {
    for (size_t I = 0; I < All.size(); ++I)
      if (!All[I].IsWait)
        EXPECT_EQ(Jobs[I].LastRun, Run) << I;
  }

  const Clauses All;
  const std::vector<std::vector<int>> Before;
  NodePool Pool;
  std::vector<Job> Jobs;
  Graph *Made;
};

/// A team that runs graphs: a list of ready nodes, and a lock.
class Crew {
public:
  Crew(Recorded &TheRecorded, int TheRun) : Of(TheRecorded), Run(TheRun) {
    for (uint32_t I = 0; I < Of.Made->numRoots(); ++I)
      Ready.push_back(&Of.Made->root(I));
  }

  void work(unsigned Seed) {
    std::mt19937 Random(Seed);
    uint32_t NumLast = 0;
    while (!IsOver.load(std::memory_order_acquire)) {
      GraphNode *N = take(Random());
      // Without a task nothing may be kept back.
      if (NumLast != 0 && (!N || Random() % 4 == 0)) {
        if (Of.Made->endLast(NumLast))
          EXPECT_FALSE(IsOver.exchange(true, std::memory_order_release));
        NumLast = 0;
      }
      if (!N)
        continue;
      Of.execute(*N, Run);
      Of.Made->end(*N, NumLast, [this](GraphNode &F) {
        std::lock_guard<std::mutex> Guard(Lock);
        Ready.push_back(&F);
      });
    }
  }

private:
  GraphNode *take(unsigned Which) {
    std::lock_guard<std::mutex> Guard(Lock);
    if (Ready.empty())
      return nullptr;
    std::swap(Ready[Which % Ready.size()], Ready.back());
    GraphNode *N = Ready.back();
    Ready.pop_back();
    return N;
  }

  Recorded &Of;
  const int Run;
  std::atomic<bool> IsOver{false};
  std::mutex Lock;
  std::vector<GraphNode *> Ready;
};

/// As a thread runs it that is alone: leaves all as another run needs it.
void runInOrder(Recorded &Of, int Run) {
  for (uint32_t I = 0; I < Of.Made->numTasks(); ++I)
    Of.execute(Of.Made->task(I), Run);
  Of.checkEnd(Run);
}

void runGraph(Recorded &Of, int Run, int NumThreads) {
  if (Of.Made->size() == 0)
    return;
  Crew Team(Of, Run);
  std::vector<std::thread> Others;
  for (int I = 1; I < NumThreads; ++I)
    Others.emplace_back(
        [&Team, I, Run] { Team.work(unsigned(100 * Run + I)); });
  Team.work(unsigned(Run));
  for (std::thread &T : Others)
    T.join();
  Of.checkEnd(Run);
}

class ReplayTest : public testing::TestWithParam<GraphShape> {};

TEST_P(ReplayTest, oneThread) {
  for (unsigned Seed = 0; Seed < 4; ++Seed) {
    Recorded Of(randomClauses(GetParam(), Seed));
    for (int Run = 1; Run <= 5 && !HasFailure(); ++Run)
      runGraph(Of, Run, 1);
  }
}

TEST_P(ReplayTest, alone) {
  for (unsigned Seed = 0; Seed < 4; ++Seed) {
    Recorded Of(randomClauses(GetParam(), Seed));
    for (int Run = 1; Run <= 6 && !HasFailure(); ++Run)
      if (Run % 3 == 0)
        runGraph(Of, Run, 2);
      else
        runInOrder(Of, Run);
  }
}

TEST_P(ReplayTest, threads) {
  for (int NumThreads : {2, 8}) {
    Recorded Of(randomClauses(GetParam(), unsigned(NumThreads)));
    for (int Run = 1; Run <= 10 && !HasFailure(); ++Run)
      runGraph(Of, Run, Run % 4 == 0 ? 1 : NumThreads);
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, ReplayTest, testing::ValuesIn(graphShapes()),
                         [](const auto &Info) { return Info.param.Name; });

/// Records \p Tasks tasks without dependences; \p Do(Recorder, number) comes
/// behind each.
template <class Action>
Graph *record(NodePool &Pool, Job *Jobs, int Tasks, Action Do) {
  Recorder Record(Pool);
  for (int I = 0; I < Tasks; ++I) {
    Record.addTask(Jobs[I]);
    Record.endTask();
    Do(Record, I);
  }
  return Record.finish();
}

TEST(ReplayGraphTest, parts) {
  // Behind finish() the recorder knows nothing of what was before: no address,
  // no wait.
  NodePool Pool;
  Job Jobs[6];
  Recorder Record(Pool);
  Graph *Parts[3];
  for (int I = 0; I < 6; ++I) {
    Record.addTask(Jobs[I]);
    Record.addDependence({64, Access::Out});
    Record.endTask();
    if (I % 2 == 1) {
      Record.waitForLast();
      Parts[I / 2] = Record.finish();
    }
  }
  for (int I = 0; I < 3; ++I) {
    EXPECT_EQ(Parts[I]->size(), 2u);
    EXPECT_EQ(Parts[I]->numRoots(), 1u);
    EXPECT_EQ(&Parts[I]->root(0), &Jobs[2 * I]);
    EXPECT_EQ(Jobs[2 * I].NumAfter, 1u);
    Graph::destroy(Parts[I]);
  }
  EXPECT_EQ(Pool.numAway(), 0u);
  Pool.destroy();
}

TEST(ReplayGraphTest, undeferred) {
  NodePool Pool;
  Job Jobs[4];
  Graph *G = record(Pool, Jobs, 4, [](Recorder &R, int I) {
    if (I == 1)
      R.waitForLast();
  });
  // 2 and 3 follow 1; 0 is free.
  EXPECT_EQ(G->numRoots(), 2u);
  EXPECT_EQ(Jobs[0].NumAfter, 0u);
  ASSERT_EQ(Jobs[1].NumAfter, 2u);
  EXPECT_EQ(Jobs[1].After[0], &Jobs[2]);
  Graph::destroy(G);
  Pool.destroy();
}

TEST(ReplayGraphTest, empty) {
  NodePool Pool;
  Graph *G = Recorder(Pool).finish();
  EXPECT_EQ(G->size(), 0u);
  Graph::destroy(G);
  {
    Recorder Unused(Pool);
  }
  Pool.destroy();
}

TEST(ReplayGraphTest, spoiled) {
  // A record that is given up frees what it has.
  NodePool Pool;
  Job Jobs[2];
  {
    Recorder Record(Pool);
    for (Job &J : Jobs) {
      Record.addTask(J);
      Record.addDependence({64, Access::Out});
      Record.endTask();
    }
  }
  EXPECT_EQ(Pool.numAway(), 0u);
  Pool.destroy();
}

bool any(const StoredGraph &) { return true; }

TEST(GraphStoreTest, takeAndGive) {
  GraphStore Store;
  StoredGraph One, Two;
  const GraphKey Key = {&One, 1}, Other = {&One, 2};
  GraphStore::Found F = Store.take(Key, any);
  EXPECT_EQ(F.Graph, nullptr);
  One.Generation = Two.Generation = F.Generation;
  EXPECT_EQ(Store.give(Key, &One, 64), nullptr);
  EXPECT_EQ(Store.take(Other, any).Graph, nullptr);
  EXPECT_EQ(Store.take(Key, any).Graph, &One);
  EXPECT_EQ(Store.take(Key, any).Graph, nullptr); // it runs
  EXPECT_EQ(Store.give(Key, &Two, 64), nullptr);
  EXPECT_EQ(Store.give(Key, &One, 64), nullptr);
  EXPECT_EQ(
      Store.take(Key, [&](const StoredGraph &G) { return &G == &Two; }).Graph,
      &Two);
  Store.resetAll();
}

TEST(GraphStoreTest, reset) {
  GraphStore Store;
  StoredGraph Idle, Runs;
  const GraphKey Key = {&Idle, 0};
  Idle.Generation = Runs.Generation = Store.take(Key, any).Generation;
  Store.give(Key, &Idle, 64);
  // One that runs meanwhile is freed when it comes back.
  EXPECT_EQ(Store.reset(Key), &Idle);
  EXPECT_EQ(Store.give(Key, &Runs, 64), &Runs);
  EXPECT_EQ(Store.take(Key, any).Graph, nullptr);
  EXPECT_EQ(Store.reset({&Idle, 7}), nullptr); // unknown
  Store.refuse(Key);
  EXPECT_TRUE(Store.take(Key, any).IsRefused);
  Store.reset(Key);
  EXPECT_FALSE(Store.take(Key, any).IsRefused);
  // A reset of others changes nothing.
  Idle.Generation = Store.take(Key, any).Generation;
  Store.take({&Idle, 8}, any);
  Store.reset({&Idle, 8});
  EXPECT_EQ(Store.give(Key, &Idle, 64), nullptr);
  EXPECT_EQ(Store.resetAll(), &Idle);
  EXPECT_EQ(Store.resetAll(), nullptr);
}

TEST(GraphStoreTest, keepsSome) {
  GraphStore Store;
  constexpr uint32_t MostKept = 5;
  std::vector<StoredGraph> Graphs(MostKept + 1);
  const GraphKey Key = {&Store, 0};
  const uint64_t Generation = Store.take(Key, any).Generation;
  StoredGraph *Old = nullptr;
  for (StoredGraph &G : Graphs) {
    EXPECT_EQ(Old, nullptr);
    G.Generation = Generation;
    Old = Store.give(Key, &G, MostKept);
  }
  EXPECT_EQ(Old, &Graphs[0]);
  EXPECT_EQ(Old->Next, nullptr);
  // There are fewer threads now: two stay, the last of them.
  EXPECT_EQ(Store.take(Key, any).Graph, &Graphs[MostKept]);
  Old = Store.give(Key, &Graphs[MostKept], 2);
  int NumFreed = 0;
  for (StoredGraph *G = Old; G; G = G->Next, ++NumFreed)
    EXPECT_EQ(G, &Graphs[MostKept - 2 - NumFreed]);
  EXPECT_EQ(NumFreed, 3);
  for (uint32_t I : {MostKept, MostKept - 1})
    EXPECT_EQ(Store.take(Key, any).Graph, &Graphs[I]);
  EXPECT_EQ(Store.take(Key, any).Graph, nullptr);
  Store.resetAll(); // what it knows of the key
}

TEST(GraphStoreTest, fork) {
  // The child of a fork knows nothing, and goes on, whether its parent held the
  // lock or not.
  for (bool IsHeld : {true, false}) {
    GraphStore Store;
    StoredGraph Idle;
    const GraphKey Key = {&Idle, 0};
    Idle.Generation = Store.take(Key, any).Generation;
    Store.give(Key, &Idle, 64);
    pid_t Child = -1;
    auto Fork = [&](const StoredGraph &) {
      Child = fork();
      if (Child != 0)
        return false;
      alarm(40);
      Store.recoverFromFork();
      _exit(Store.take(Key, any).Graph ? 1 : 0);
    };
    if (IsHeld)
      Store.take(Key, Fork);
    else
      Fork(Idle);
    int Status = -1;
    EXPECT_EQ(waitpid(Child, &Status, 0), Child);
    EXPECT_EQ(Status, 0) << IsHeld;
    EXPECT_EQ(Store.resetAll(), &Idle);
  }
}

TEST(GraphStoreTest, manyKeys) {
  GraphStore Store;
  std::vector<StoredGraph> Graphs(1000);
  for (size_t I = 0; I < Graphs.size(); ++I) {
    Graphs[I].Generation = Store.take({&Store, I}, any).Generation;
    Store.give({&Store, I}, &Graphs[I], 1);
  }
  for (size_t I = 0; I < Graphs.size(); ++I)
    EXPECT_EQ(Store.take({&Store, I}, any).Graph, &Graphs[I]);
  Store.resetAll();
}

} // namespace
