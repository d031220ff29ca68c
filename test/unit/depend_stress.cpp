//===- depend_stress.cpp - Tests of dependences, by many threads ----------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Nothing here orders the threads beside the graph: tasks go from thread to
// thread by one flag each, and what they read and write is plain memory, so
// that ThreadSanitizer sees where the graph forgets an order.
//
//===----------------------------------------------------------------------===//

#include "depend_graph.h"
#include "support.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <random>
#include <sched.h>
#include <thread>

using namespace locus;
using namespace locus::test;

namespace {

constexpr auto Relaxed = std::memory_order_relaxed;

/// What stands at an address: written by Out and Mutex, read by In and Set.
struct Cell {
  long Writes = 0; ///< plain
  std::atomic<int> Writers{0};
};

/// What a task does at one address. How many writes it must find follows from
/// the order of creation.
struct Visit {
  static constexpr long Unknown = -1; ///< it is among others of its group
  Cell &At;
  bool Writes;
  long Expected;
};

/// What one thread creates.
class Graph {
public:
  Graph(const GraphShape &Shape, unsigned Seed);

  int size() const { return int(All.size()); }

  const Clauses All;
  const std::vector<std::vector<int>> Before;
  std::vector<std::vector<Visit>> Visits;
  std::vector<Node *> Nodes;
  enum State : uint8_t { Waits, Ready, Begun };
  std::vector<std::atomic<uint8_t>> States;
  std::vector<std::atomic<bool>> HasEnded;
  std::vector<char> IsFreed;   ///< plain; after the end
  std::atomic<int> Oldest{0};  ///< most before it have begun
  std::atomic<int> Created{0}; ///< about so many
  std::atomic<int> Busy{1};    ///< ready or running; and the creator, mostly

private:
  void addVisits(const Clause &Of, std::vector<Visit> &To);

  std::map<uintptr_t, Cell> Cells;
  std::map<uintptr_t, long> Writes; ///< so far
};

Graph::Graph(const GraphShape &Shape, unsigned Seed)
    : All(randomClauses(Shape, Seed)), Before(predecessors(All)),
      Visits(All.size()), Nodes(All.size()), States(All.size()),
      HasEnded(All.size()), IsFreed(All.size()) {
  for (int I = 0; I < size(); ++I)
    addVisits(All[I], Visits[I]);
}

void Graph::addVisits(const Clause &Of, std::vector<Visit> &To) {
  std::map<uintptr_t, Access> Hows;
  if (Of.IsAll)
    for (auto &Known : Cells)
      Hows[Known.first] = Access::Out;
  for (const Dependence &Item : Of.Items) {
    auto [Known, IsNew] = Hows.insert({Item.Address, Item.How});
    if (!IsNew && Known->second != Item.How)
      Known->second = Access::Out; // in two ways: alone, in any case
  }
  for (auto [Address, How] : Hows) {
    const bool IsMutex = How == Access::Mutex;
    const bool IsWrite = (IsMutex || How == Access::Out) && !Of.IsWait;
    if (IsMutex && Of.IsWait)
      continue; // others of the group may write
    To.push_back(
        {Cells[Address], IsWrite, IsMutex ? Visit::Unknown : Writes[Address]});
    Writes[Address] += IsWrite;
  }
}

/// Threads that run the graphs of the first of them.
class Crowd {
public:
  Crowd(const GraphShape &Shape, unsigned Seed, int NumGraphs, int NumThreads)
      : Pools(size_t(NumThreads)), Unfinished(NumGraphs) {
    for (int I = 0; I < NumGraphs; ++I)
      Graphs.push_back(std::make_unique<Graph>(Shape, Seed + 1000 * I));
  }

  /// With a tool, who looks at the task that comes first.
  void runWithTool() {
    Current = this;
    OnEdge = [](Task *First, Task *, void *) {
      const int Code = numberOf(First);
      Graph &G = *Current->Graphs[Code / Stride - 1];
      Current->Faults += G.IsFreed[Code % Stride];
      ++Current->Told;
    };
    run();
    OnEdge = nullptr;
    EXPECT_GT(Told.Value, 0);
  }

  void run() {
    std::vector<std::thread> Threads;
    for (int I = 0; I < int(Pools.size()); ++I)
      Threads.emplace_back([=] { work(I); });
    for (std::thread &Thread : Threads)
      Thread.join();
    EXPECT_EQ(Faults.Value, 0);
    EXPECT_EQ(Stuck.Value, 0) << "tasks that were never ready";
    for (NodePool &Pool : Pools) {
      EXPECT_EQ(Pool.numLive(), 0u);
      EXPECT_EQ(Pool.numAway(), 0u);
      Pool.destroy();
    }
  }

private:
  struct Worker {
    NodePool &Pool;
    std::mt19937 Random;
  };

  // A task's address: its graph and its number.
  static constexpr int Stride = 100000;
  Task *toTask(const Graph &G, int Number) const {
    for (size_t I = 0;; ++I)
      if (Graphs[I].get() == &G)
        return task(int(I + 1) * Stride + Number);
  }

  void work(int Self) {
    Worker W = {Pools[Self], std::mt19937(unsigned(Self))};
    if (Self < int(Graphs.size())) {
      Domain *D = Domain::create(W.Pool);
      create(W, *D, *Graphs[Self]);
      Domain::destroy(W.Pool, D);
      Unfinished.fetch_sub(1, Relaxed);
    }
    while (Unfinished.load(Relaxed) != 0)
      runOne(W);
    W.Pool.flush();
  }

  void create(Worker &W, Domain &D, Graph &G) {
    for (int I = 0; I < G.size(); ++I) {
      const Clause &What = G.All[I];
      Node *N = G.Nodes[I] =
          Node::make(W.Pool, What.IsWait ? nullptr : toTask(G, I));
      enter(D, W.Pool, *N, What);
      if (!What.IsWait)
        W.Pool.countBegin();
      if (N->endRegistration() && !What.IsWait)
        becomeReady(G, I);
      if (What.IsWait)
        wait(W, G, I);
      G.Created.store(I + 1, Relaxed);
      for (unsigned J = W.Random() % 32; J < 4; ++J)
        runOne(W);
    }
    G.Busy.fetch_sub(1, Relaxed);
    while (G.Busy.load(Relaxed) != 0)
      runOne(W);
    for (int I = 0; I < G.size(); ++I)
      Stuck += !G.HasEnded[I].load(Relaxed);
  }

  /// The creator's taskwait.
  void wait(Worker &W, Graph &G, int Number) {
    Node *N = G.Nodes[Number];
    auto IsOver = [=] {
      return N->pending().load(std::memory_order_acquire) == 0;
    };
    G.States[Number].store(Graph::Begun, Relaxed);
    G.Busy.fetch_sub(1, Relaxed);
    while (!IsOver()) {
      if (G.Busy.load(Relaxed) == 0 && !IsOver()) {
        ++Stuck;
        return;
      }
      runOne(W);
    }
    G.Busy.fetch_add(1, Relaxed);
    visit(G, Number);
    G.HasEnded[Number].store(true, Relaxed);
    Node::destroy(W.Pool, N);
  }

  void becomeReady(Graph &G, int Number) {
    G.Busy.fetch_add(1, Relaxed);
    // Release: whoever begins the task has what this thread knows.
    G.States[Number].store(Graph::Ready, std::memory_order_release);
  }

  void runOne(Worker &W) {
    Graph &G = *Graphs[W.Random() % Graphs.size()];
    // Tasks that have to wait for a mutex may be before the oldest.
    const int First = W.Random() % 16 == 0 ? 0 : G.Oldest.load(Relaxed);
    const int Count = std::max(1, G.Created.load(Relaxed) + 1 - First);
    const int Offset = W.Random() % 2 ? int(W.Random() % unsigned(Count)) : 0;
    for (int I = First + Offset; I < First + Count && I < G.size(); ++I)
      if (tryToBegin(G, I)) {
        runTask(W, G, I);
        int Old = First;
        while (Old < G.size() && G.States[Old].load(Relaxed) == Graph::Begun)
          ++Old;
        G.Oldest.store(Old, Relaxed); // where another wrote more, a bit slower
        return;
      }
    sched_yield();
  }

  bool tryToBegin(Graph &G, int Number) {
    uint8_t Expected = Graph::Ready;
    if (G.States[Number].load(Relaxed) != Graph::Ready ||
        !G.States[Number].compare_exchange_strong(Expected, Graph::Begun,
                                                  std::memory_order_acquire))
      return false;
    Node &N = *G.Nodes[Number];
    if (!N.needsMutexes() || N.tryToHoldMutexes())
      return true;
    G.States[Number].store(Graph::Ready, std::memory_order_release);
    return false;
  }

  void runTask(Worker &W, Graph &G, int Number) {
    visit(G, Number);
    G.HasEnded[Number].store(true, Relaxed);
    G.Nodes[Number]->end(W.Pool, [this](Task *T) {
      const int Code = numberOf(T);
      becomeReady(*Graphs[Code / Stride - 1], Code % Stride);
    });
    G.IsFreed[Number] = 1;
    G.Busy.fetch_sub(1, Relaxed);
  }

  void visit(Graph &G, int Number) {
    for (int Other : G.Before[Number])
      Faults += !G.HasEnded[Other].load(Relaxed);
    for (const Visit &V : G.Visits[Number]) {
      Faults += V.Expected != Visit::Unknown && V.At.Writes != V.Expected;
      if (!V.Writes)
        continue;
      Faults += V.At.Writers.fetch_add(1, Relaxed) != 0;
      ++V.At.Writes;
      V.At.Writers.fetch_sub(1, Relaxed);
    }
  }

  std::vector<std::unique_ptr<Graph>> Graphs;
  std::vector<NodePool> Pools;
  std::atomic<int> Unfinished; ///< graphs
  // Counted without an order, too.
  struct Counter {
    std::atomic<int> Value{0};
    void operator+=(bool More) {
      if (More)
        Value.fetch_add(1, Relaxed);
    }
    void operator++() { *this += true; }
  } Faults, Stuck, Told;
  static Crowd *Current;
};

Crowd *Crowd::Current = nullptr;

class DependStressTest : public testing::TestWithParam<GraphShape> {
protected:
  void run(int NumGraphs, int NumThreads, bool HasTool = false) {
    for (unsigned Seed = 1; Seed <= 5 && !HasFailure(); ++Seed) {
      SCOPED_TRACE("seed " + std::to_string(Seed));
      Crowd All(GetParam(), Seed, NumGraphs, NumThreads);
      HasTool ? All.runWithTool() : All.run();
    }
  }
};

TEST_P(DependStressTest, OneCreatorAmongThree) { run(1, 3); }
TEST_P(DependStressTest, FourCreators) { run(4, 4); }
TEST_P(DependStressTest, WithATool) { run(2, 3, /*HasTool=*/true); }

INSTANTIATE_TEST_SUITE_P(, DependStressTest, testing::ValuesIn(graphShapes()),
                         NameOf());

} // namespace
