//===- depend_branch.cpp - Tests of domains that are based on each other --===//
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
#include <random>

using namespace locus;
using namespace locus::test;

namespace {

/// Several creators, each with a table: an empty one, or one that another has
/// branched. Every task is ready when the rules say so, not earlier and not
/// later.
class BranchRun {
public:
  BranchRun(const GraphShape &Shape, unsigned Seed)
      : Random(Seed), Drawn(randomClauses(Shape, Seed)) {
    Creators.push_back({Domain::create(Pool), {}, {}, 0});
  }
  ~BranchRun() {
    while (!Creators.empty())
      destroyCreator(Creators.size() - 1);
    EXPECT_EQ(Pool.numAway(), 0u);
    Pool.destroy();
  }

  void run() {
    while (Next < Drawn.size() || !Ready.empty()) {
      const unsigned Kind = Random() % 40;
      const size_t At = Random() % Creators.size();
      if (Kind == 0 && Creators.size() < 12)
        branch(At);
      else if (Kind == 1 && Creators.size() > 1)
        destroyCreator(At);
      else if (Next < Drawn.size() && (Kind % 2 == 0 || Ready.empty()))
        create(Creators[At], Drawn[Next++]);
      else if (!Ready.empty())
        end();
      if (testing::Test::HasFailure())
        break;
    }
    while (!Ready.empty())
      end();
  }

private:
  /// What a creator knows of: also what others did before it branched.
  struct Creator {
    Domain *Known;
    Clauses All;
    std::vector<int> Numbers; ///< of these
    size_t First;             ///< of its own
  };
  struct Each {
    Node *N;
    bool IsWait;
    std::vector<int> After; ///< each more than once, perhaps
    int Left = 0;
  };

  void branch(size_t At) {
    Domain *Fresh = Creators[At].Known->branch(Pool);
    Creators.push_back(Creators[At]);
    Creators.back().Known = Fresh ? Fresh : Domain::create(Pool);
    Creators.back().First = Creators.back().All.size();
  }

  void destroyCreator(size_t At) {
    Domain::destroy(Pool, Creators[At].Known);
    Creators.erase(Creators.begin() + At);
  }

  void create(Creator &By, const Clause &What) {
    const int Number = int(Tasks.size());
    By.All.push_back(What);
    std::vector<int> Before = predecessors(By.All).back();
    for (int &I : Before)
      I = By.Numbers[I];
    By.Numbers.push_back(Number);
    if (What.IsAll && What.IsWait && Random() % 2)
      return awaitOwn(By);
    Each &Mine = Tasks.emplace_back();
    Mine.IsWait = What.IsWait;
    Mine.N = Node::make(Pool, What.IsWait ? nullptr : task(Number + 1));
    const Domain::Guard Holds(*By.Known);
    if (!What.IsAll) {
      const bool SaysReady =
          std::all_of(What.Items.begin(), What.Items.end(),
                      [&](Dependence D) { return By.Known->isReady(D); });
      EXPECT_EQ(SaysReady, countLeft(Before) == 0 && !hasMutex(What))
          << Number << " " << toString(What);
    }
    enter(*By.Known, Pool, *Mine.N, What);
    finishCreation(Number, Before);
  }

  /// It waits for its own at least.
  void awaitOwn(Creator &By) {
    const int Number = int(Tasks.size());
    Each &Mine = Tasks.emplace_back();
    Mine.IsWait = true;
    Mine.N = Node::make(Pool, nullptr);
    std::vector<int> Own;
    for (size_t I = By.First; I + 1 < By.Numbers.size(); ++I)
      if (!By.All[I].IsWait && (By.All[I].IsAll || !By.All[I].Items.empty()))
        Own.push_back(By.Numbers[I]);
    By.Known->awaitAll(Pool, *Mine.N, nullptr, /*AndOthers=*/false);
    if (Mine.N->endRegistration()) {
      EXPECT_EQ(countLeft(Own), 0);
      return endWait(Number);
    }
    Mine.Left = -1; // not exactly
  }

  void finishCreation(int Number, const std::vector<int> &Before) {
    Each &Mine = Tasks[Number];
    for (int I : Before)
      if (!HasEnded(I)) {
        Tasks[I].After.push_back(Number);
        ++Mine.Left;
      }
    EXPECT_EQ(Mine.N->endRegistration(), Mine.Left == 0) << Number;
    if (!Mine.IsWait)
      Pool.countBegin();
    if (Mine.Left == 0)
      becomeReady(Number);
  }

  bool HasEnded(int Number) const { return Tasks[Number].N == nullptr; }
  int countLeft(const std::vector<int> &Of) const {
    return int(std::count_if(Of.begin(), Of.end(),
                             [&](int I) { return !HasEnded(I); }));
  }

  void becomeReady(int Number) {
    if (Tasks[Number].IsWait)
      return endWait(Number);
    Ready.push_back(Number);
  }

  void endWait(int Number) {
    ASSERT_EQ(Tasks[Number].N->pending(), 0) << Number;
    Node::destroy(Pool, Tasks[Number].N);
    Tasks[Number].N = nullptr;
  }

  void end() {
    std::swap(Ready[Random() % Ready.size()], Ready.back());
    const int Number = Ready.back();
    Ready.pop_back();
    ASSERT_TRUE(Tasks[Number].N->tryToHoldMutexes()); // one at a time
    std::vector<int> Told, Expected;
    Node *N = Tasks[Number].N;
    Tasks[Number].N = nullptr;
    N->end(Pool, [&](Task *T) { Told.push_back(numberOf(T) - 1); });
    for (int Other : Tasks[Number].After)
      if (--Tasks[Other].Left == 0)
        Expected.push_back(Other);
    for (int Other : Expected)
      becomeReady(Other);
    Expected.erase(std::remove_if(Expected.begin(), Expected.end(),
                                  [&](int I) { return Tasks[I].IsWait; }),
                   Expected.end());
    std::sort(Told.begin(), Told.end());
    std::sort(Expected.begin(), Expected.end());
    EXPECT_EQ(Told, Expected) << Number;
    for (size_t I = 0; I < Tasks.size(); ++I)
      if (Tasks[I].N && Tasks[I].Left < 0 && Tasks[I].N->pending() == 0)
        endWait(int(I));
  }

  std::mt19937 Random;
  const Clauses Drawn;
  size_t Next = 0;
  std::vector<Each> Tasks;
  std::vector<int> Ready;
  std::vector<Creator> Creators;
  NodePool Pool;
};

class BranchTest : public testing::TestWithParam<GraphShape> {};

TEST_P(BranchTest, TasksAreReadyWhenTheRulesSaySo) {
  for (const char *Text : {"DomainLog2=1,DomainSweep=1", "DomainLog2=6"}) {
    ASSERT_EQ(setTuning(Text), nullptr);
    for (unsigned Seed = 1; Seed <= 6 && !HasFailure(); ++Seed) {
      SCOPED_TRACE(std::string(Text) + " seed " + std::to_string(Seed));
      BranchRun Run(GetParam(), Seed);
      Run.run();
    }
  }
  Tuned = Tuning();
}

INSTANTIATE_TEST_SUITE_P(, BranchTest, testing::ValuesIn(graphShapes()),
                         [](const auto &Info) { return Info.param.Name; });

/// A thousand bases below each other would be as many looks for each address.
TEST(Branch, BasesAreFew) {
  NodePool Pool;
  Domain *D = Domain::create(Pool);
  std::vector<Domain *> Branches;
  std::vector<Node *> Nodes;
  for (int I = 0; I < 1000; ++I) {
    Nodes.push_back(Node::make(Pool, task(I + 1)));
    Pool.countBegin();
    D->add(Pool, *Nodes.back(), {uintptr_t(I + 1) * 8, Access::Out}, nullptr);
    EXPECT_TRUE(Nodes.back()->endRegistration());
    Branches.push_back(D->branch(Pool));
  }
  EXPECT_LE(D->numBases(), 10u);
  for (int I = 0; I < 1000; ++I)
    for (int J : {0, I, I + 1})
      if (J < 1000)
        EXPECT_EQ(Branches[I]->isReady({uintptr_t(J + 1) * 8, Access::In}),
                  J > I);
  for (Node *N : Nodes)
    N->end(Pool, [](Task *) {});
  for (Domain *Each : Branches)
    Domain::destroy(Pool, Each);
  EXPECT_EQ(Pool.numLive(), 0u);
  Domain::destroy(Pool, D);
  EXPECT_EQ(Pool.numAway(), 0u);
  Pool.destroy();
}

} // namespace
