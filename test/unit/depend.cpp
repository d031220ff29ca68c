//===- depend.cpp - Tests of a graph of dependences, by one thread --------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "depend_graph.h"
#include "locus/tuning.h"
#include "support.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <memory>
#include <random>

using namespace locus;
using namespace locus::test;

namespace {

/// Runs a graph in one thread, and compares each step with OpenMP's rules:
/// every task is ready when these say so, not earlier and not later.
class GraphRun {
public:
  GraphRun(const GraphShape &Shape, unsigned Seed)
      : All(randomClauses(Shape, Seed)), Before(predecessors(All)),
        After(successors(Before)), Nodes(All.size()), IsReady(All.size()),
        HasEnded(All.size()), Random(Seed) {
    for (const std::vector<int> &Each : Before)
      Left.push_back(int(Each.size()));
  }
  ~GraphRun() {
    Domain::destroy(Pool, D);
    EXPECT_EQ(Pool.numAway(), 0u);
    EXPECT_EQ(Pool.numLive(), 0u);
    Pool.destroy();
  }

  void run() {
    while (Next < int(All.size()) || NumEnded < NumTasks) {
      step();
      if (testing::Test::HasFailure())
        return finish();
      ASSERT_EQ(Pool.numLive(), uint64_t(NumTasks - NumEnded));
    }
  }

private:
  void step() {
    const bool Creates = Next < int(All.size()) && Waiting < 0;
    // Sometimes far ahead, sometimes hardly.
    if (Random() % 64 == 0)
      Eager = int(Random() % 8);
    const int Kind = int(Random() % 10);
    if (Creates && (Kind < Eager || (Ready.empty() && Running.empty())))
      create();
    else if (!Ready.empty() && (Running.empty() || Kind % 2 == 0))
      start();
    else if (!Running.empty())
      end();
    else
      ASSERT_TRUE(Creates) << "nothing is ready";
  }

  void create() {
    const int Number = Next++;
    const Clause &What = All[Number];
    const bool Expected = Left[Number] == 0;
    if (!What.IsAll)
      EXPECT_EQ(domainSaysReady(What), Expected && !hasMutex(What))
          << Number << " " << toString(What);
    Node *N = Nodes[Number] =
        Node::make(Pool, What.IsWait ? nullptr : task(Number + 1));
    enter(*D, Pool, *N, What);
    EXPECT_EQ(N->endRegistration(), Expected)
        << Number << " " << toString(What);
    EXPECT_EQ(N->pending() == 0, Expected);
    if (What.IsWait) {
      Waiting = Number;
      return endWait();
    }
    Pool.countBegin();
    ++NumTasks;
    if (Expected)
      becomeReady(Number);
  }

  bool domainSaysReady(const Clause &What) const {
    return std::all_of(What.Items.begin(), What.Items.end(),
                       [&](Dependence Item) { return D->isReady(Item); });
  }

  /// The taskwait that the creator is in is over when the rules say so.
  void endWait() {
    if (Waiting < 0)
      return;
    Node *N = Nodes[Waiting];
    ASSERT_EQ(N->pending() == 0, Left[Waiting] == 0)
        << Waiting << " " << toString(All[Waiting]);
    if (N->pending() != 0)
      return;
    Node::destroy(Pool, N);
    Waiting = -1;
  }

  void becomeReady(int Number) {
    EXPECT_FALSE(IsReady[Number]) << "twice: " << Number;
    IsReady[Number] = true;
    Ready.push_back(Number);
  }

  /// Whether the taskwait comes behind this task, over others or not.
  bool isAwaited(int Number) const {
    return Number == Waiting ||
           std::any_of(
               After[Number].begin(), After[Number].end(), [&](int Other) {
                 return Other < Next && Other <= Waiting && isAwaited(Other);
               });
  }

  /// Edges behind \p N, each as often as there are ways to it, up to \p Most.
  static uint32_t edgesBehind(Node &N, uint32_t Most) {
    uint32_t Count = 0;
    N.forEachFollower([&](Node &Other) {
      if (Count < Most)
        Count += 1 + edgesBehind(Other, Most);
    });
    return Count;
  }

  void checkIsAwaited(int Number) {
    constexpr uint32_t Looks = 200;
    EXPECT_EQ(Nodes[Number]->mayBeAwaited(Looks),
              (Waiting >= 0 && isAwaited(Number)) ||
                  edgesBehind(*Nodes[Number], Looks + 1) > Looks)
        << Number << " " << toString(All[Number]);
  }

  /// Tries to begin a task, which only another task's mutex prevents.
  void start() {
    std::swap(Ready[Random() % Ready.size()], Ready.back());
    const int Number = Ready.back();
    checkIsAwaited(Number);
    const bool Expected =
        std::none_of(Running.begin(), Running.end(), [&](int Other) {
          return exclude(All[Number], All[Other]);
        });
    ASSERT_EQ(Nodes[Number]->tryToHoldMutexes(), Expected)
        << Number << " " << toString(All[Number]);
    if (!Expected)
      return;
    Ready.pop_back();
    Running.push_back(Number);
  }

  void end() {
    std::swap(Running[Random() % Running.size()], Running.back());
    const int Number = Running.back();
    Running.pop_back();
    ++NumEnded;
    HasEnded[Number] = true;
    std::vector<int> Expected, Told;
    for (int Other : After[Number])
      if (--Left[Other] == 0 && Other < Next && !All[Other].IsWait)
        Expected.push_back(Other);
    Nodes[Number]->end(Pool, [&](Task *T) { Told.push_back(numberOf(T) - 1); });
    // The one that was created first comes last.
    std::reverse(Told.begin(), Told.end());
    EXPECT_EQ(Told, Expected) << Number << " " << toString(All[Number]);
    for (int Other : Told)
      becomeReady(Other);
    endWait();
  }

  /// After a failure: no more checks, but no crash either.
  void finish() {
    Domain::destroy(Pool, D);
    Pool.destroy();
    D = Domain::create(Pool);
  }

  const Clauses All;
  const std::vector<std::vector<int>> Before, After;
  std::vector<int> Left; ///< predecessors that have not ended
  std::vector<Node *> Nodes;
  std::vector<bool> IsReady, HasEnded;
  std::vector<int> Ready, Running;
  int Next = 0, Waiting = -1, NumTasks = 0, NumEnded = 0, Eager = 5;
  std::mt19937 Random;
  NodePool Pool;
  Domain *D = Domain::create(Pool);
};

class DependTest : public testing::TestWithParam<GraphShape> {};

TEST_P(DependTest, TasksAreReadyWhenOpenMPSaysSo) {
  for (unsigned Seed = 1; Seed <= 20; ++Seed) {
    SCOPED_TRACE("seed " + std::to_string(Seed));
    GraphRun Run(GetParam(), Seed);
    Run.run();
    if (HasFailure())
      return;
  }
}

TEST_P(DependTest, AnyTuningIsRight) {
  for (const char *Text :
       {"DomainLog2=1,DomainSweep=1,NodeChunkLeast=2,NodeBatch=1,EndsBatch=1",
        "DomainLog2=12,DomainSweep=1000000,NodeChunkLeast=4096"}) {
    SCOPED_TRACE(Text);
    ASSERT_EQ(setTuning(Text), nullptr);
    for (unsigned Seed = 101; Seed <= 105 && !HasFailure(); ++Seed) {
      GraphRun Run(GetParam(), Seed);
      Run.run();
    }
    Tuned = Tuning();
  }
}

INSTANTIATE_TEST_SUITE_P(, DependTest, testing::ValuesIn(graphShapes()),
                         NameOf());

} // namespace
