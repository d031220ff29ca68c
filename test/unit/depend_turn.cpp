//===- depend_turn.cpp - Tests of transparent tasks in turn ---------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "depend_graph.h"
#include "locus/depend/turn.h"
#include "locus/tuning.h"
#include "support.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>

using namespace locus;
using namespace locus::test;

namespace {

/// A tree of tasks, transparent and not, and of waits, numbered in the order of
/// the program. Creators get on in any order. A task is ready when those before
/// it that the rules name have ended and all transparent ones before it are
/// over, not earlier and not later.
class TurnRun {
public:
  TurnRun(const GraphShape &Shape, unsigned Seed)
      : Random(Seed), All(randomClauses(Shape, Seed)), Each(All.size()),
        Root(Domain::create(Pool)) {
    plant();
    Before = predecessors(All);
    Turn::of(Pool, *Root);
  }
  ~TurnRun() {
    EXPECT_EQ(Pool.numLive(), 0u);
    EXPECT_EQ(Pool.numAway(), 0u);
    Pool.destroy();
  }

  void run() {
    while (step() && !testing::Test::HasFailure())
      check();
    for (size_t I = 0; I < All.size(); ++I)
      EXPECT_EQ(Each[I].Now, State::Over) << I;
    EXPECT_FALSE(Root);
  }

private:
  enum class State { Unknown, Waits, Ready, Runs, Over };
  struct One {
    State Now = State::Unknown;
    int Parent = -1;
    bool IsTransparent = false;
    int Next = 0; ///< the child that it creates next
    Node *N = nullptr;
    Domain *Inside = nullptr;
  };

  void plant() {
    std::vector<int> Path = {-1};
    for (size_t I = 0; I < All.size(); ++I) {
      while (Path.size() > 1 && Random() % 3 == 0)
        Path.pop_back();
      One &Mine = Each[I];
      Mine.Parent = Path.back();
      Mine.IsTransparent = !All[I].IsWait && Random() % 4 == 0;
      Mine.Next = int(I) + 1;
      for (Dependence &Item : All[I].Items)
        if (Item.How == Access::Mutex && (Mine.IsTransparent || All[I].IsWait))
          Item.How = Access::Out;
      if (Mine.IsTransparent)
        Path.push_back(int(I));
    }
  }

  /// One step of anybody; false if nobody has anything left to do.
  bool step() {
    std::vector<int> Able; // -1: the task of the table
    if (Root && !IsRootOver)
      Able.push_back(-1);
    for (size_t I = 0; I < All.size(); ++I)
      if (Each[I].Now == State::Ready || Each[I].Now == State::Runs)
        Able.push_back(int(I));
    if (Able.empty())
      return false;
    const int I = Able[Random() % Able.size()];
    if (I >= 0 && Each[I].Now == State::Ready)
      begin(I);
    else if (int Child = nextChild(I); Child >= 0)
      create(I, Child);
    else
      end(I);
    return true;
  }

  int nextChild(int Of) {
    int &At = Of < 0 ? RootNext : Each[Of].Next;
    while (At < int(All.size()) && Each[At].Parent != Of)
      ++At;
    return At < int(All.size()) ? At++ : -1;
  }

  void create(int Creator, int I) {
    One &Mine = Each[I];
    Mine.Now = State::Waits;
    Mine.N = All[I].IsWait ? Node::makeWait(Pool, task(Creator + 2))
                           : Node::make(Pool, task(I + 2));
    Turn::Entry *E = Turn::Entry::make(*Mine.N, nullptr, All[I].Items.size());
    E->UsesAll = All[I].IsAll;
    for (Dependence Item : All[I].Items)
      E->items()[E->Count++] = Item;
    Turn &Order = *(Creator < 0 ? Root : Each[Creator].Inside)->turn();
    if (!All[I].IsWait) {
      E->Owner = task(I + 2);
      Pool.countBegin();
    }
    if (Mine.IsTransparent) {
      Mine.Inside = Order.makeInside(Pool, task(I + 2));
      E->Inside = Mine.Inside;
    }
    if (Order.submit(Pool, E))
      Mine.Now = State::Ready;
  }

  void begin(int I) {
    One &Mine = Each[I];
    ASSERT_TRUE(Mine.N->tryToHoldMutexes()); // one at a time
    if (!Mine.IsTransparent)
      return end(I);
    Mine.Now = State::Runs;
    endNode(I);
  }

  void endNode(int I) {
    Node *N = Each[I].N;
    Each[I].N = nullptr;
    N->end(Pool, [&](Task *T) { becomesReady(T); });
  }

  void end(int I) {
    if (I >= 0)
      Each[I].Now = State::Over;
    if (I >= 0 && !Each[I].IsTransparent)
      return endNode(I);
    Domain *Of = I < 0 ? Root : Each[I].Inside;
    if (I < 0)
      IsRootOver = true;
    Of->turn()->end(Pool, [&](Task *T) { becomesReady(T); });
    if (IsRootOver && allComplete())
      Root = nullptr;
  }

  void becomesReady(Task *T) {
    One &Other = Each[numberOf(T) - 2];
    EXPECT_EQ(Other.Now, State::Waits) << numberOf(T) - 2;
    Other.Now = State::Ready;
  }

  bool isBelow(int I, int Ancestor) const {
    while (I >= 0 && I != Ancestor)
      I = Each[I].Parent;
    return I == Ancestor;
  }

  /// Whether \p I, transparent, is over, and all of those in it.
  bool isComplete(int I) const {
    for (size_t J = I; J < All.size() && isBelow(int(J), I); ++J)
      if (Each[J].IsTransparent && Each[J].Now != State::Over)
        return false;
    return true;
  }
  bool allComplete() const {
    for (size_t I = 0; I < All.size(); ++I)
      if (Each[I].IsTransparent && !isComplete(int(I)))
        return false;
    return true;
  }

  bool shallBeReady(int I) const {
    for (int J : Before[I])
      if (Each[J].Now != State::Over &&
          !(Each[J].IsTransparent && Each[J].Now == State::Runs))
        return false;
    for (int J = 0; J < I; ++J)
      if (Each[J].IsTransparent && !isBelow(I, J) && !isComplete(J))
        return false;
    return true;
  }

  void check() {
    for (size_t I = 0; I < All.size(); ++I) {
      One &Mine = Each[I];
      if (Mine.Now != State::Waits && Mine.Now != State::Ready)
        continue;
      const bool IsReady = All[I].IsWait ? Mine.N->pending().load() == 0
                                         : Mine.Now == State::Ready;
      EXPECT_EQ(IsReady, shallBeReady(int(I))) << I << toString(All[I]);
      if (All[I].IsWait && IsReady) {
        Node::destroy(Pool, Mine.N);
        Mine.Now = State::Over;
      }
    }
  }

  std::mt19937 Random;
  Clauses All;
  std::vector<One> Each;
  std::vector<std::vector<int>> Before;
  NodePool Pool;
  Domain *Root;
  int RootNext = 0;
  bool IsRootOver = false;
};

class TurnTest : public testing::TestWithParam<GraphShape> {};

TEST_P(TurnTest, TasksAreReadyWhenTheRulesSaySo) {
  GraphShape Shape = GetParam();
  Shape.Tasks = std::min(Shape.Tasks, 150); // each step looks at each pair
  for (const char *Text : {"DomainLog2=1,DomainSweep=1", "DomainLog2=6"}) {
    ASSERT_EQ(setTuning(Text), nullptr);
    for (unsigned Seed = 1; Seed <= 4 && !HasFailure(); ++Seed) {
      SCOPED_TRACE(std::string(Text) + " seed " + std::to_string(Seed));
      TurnRun Run(Shape, Seed);
      Run.run();
    }
  }
  Tuned = Tuning();
}

INSTANTIATE_TEST_SUITE_P(, TurnTest, testing::ValuesIn(graphShapes()),
                         [](const auto &Info) { return Info.param.Name; });

} // namespace
