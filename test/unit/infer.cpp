//===- infer.cpp - Tests of hints from dependences ------------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "locus/task/placement.h"
#include "shape_team.h"

#include <algorithm>
#include <cerrno>
#include <memory>
#include <thread>

using namespace locus;
using namespace locus::test;

namespace {

//===----------------------------------------------------------------------===//
// When to ask
//===----------------------------------------------------------------------===//

/// Questions for \p Tasks tasks with the same answer.
int questions(Asker &Ask, int Tasks, int Node, Worth Value) {
  int Count = 0;
  for (int I = 0; I < Tasks; ++I)
    if (Ask.asks()) {
      ++Count;
      Ask.learn(Node, Value);
    } else {
      EXPECT_EQ(Ask.guess(), Value == Worth::Nothing ? UnknownNode : Node) << I;
    }
  return Count;
}

constexpr int Step = int(Asker::AlikeForSkip);
constexpr int Most = int(Asker::MostSkips);

TEST(AskerTest, whatIsUsefulIsAskedForEachTask) {
  Asker Ask;
  EXPECT_EQ(questions(Ask, 10000, 2, Worth::Much), 10000);
}

TEST(AskerTest, theMoreAnswersAreAlikeTheFewerQuestions) {
  for (int Node : {UnknownNode, 0, 3}) {
    Asker Ask;
    questions(Ask, 1, Node, Worth::Much);
    EXPECT_EQ(questions(Ask, Step, Node, Worth::Little), Step);
    const int Second = questions(Ask, Step, Node, Worth::Little);
    EXPECT_GE(Second, Step / 2 - 1);
    EXPECT_LE(Second, Step / 2 + 1);
    questions(Ask, Step * Most, Node, Worth::Little);
    const int Late = questions(Ask, 100 * (Most + 1), Node, Worth::Little);
    EXPECT_GE(Late, 99);
    EXPECT_LE(Late, 101);
  }
}

TEST(AskerTest, anotherAnswerBeginsAnew) {
  Asker Ask;
  questions(Ask, 10000, UnknownNode, Worth::Little);
  while (!Ask.asks())
    ;
  Ask.learn(1, Worth::Little);
  EXPECT_EQ(questions(Ask, Step, 1, Worth::Little), Step);
}

TEST(AskerTest, aNodeThatIsCrowdedNoMoreIsAskedForAgain) {
  Asker Ask;
  questions(Ask, 10000, 1, Worth::Little);
  while (!Ask.asks())
    ;
  Ask.learn(1, Worth::Much);
  EXPECT_EQ(questions(Ask, Step, 1, Worth::Little), Step);
}

TEST(AskerTest, aGuessIsRarelyWrong) {
  // Runs of tasks whose data is on node after node, in order.
  for (int Run : {1, 16, Step, 3 * Step, 20 * Step}) {
    Asker Ask;
    int Wrong = 0, Tasks = 0;
    for (int Node = 0; Node < 50; ++Node)
      for (int I = 0; I < Run; ++I, ++Tasks)
        if (Ask.asks())
          Ask.learn(Node % 4, Worth::Little);
        else
          Wrong += Ask.guess() != Node % 4;
    EXPECT_LE(Wrong * Step, Tasks) << Run;
  }
}

TEST(AskerTest, forShortTasksNobodyAsks) {
  Asker Ask;
  EXPECT_EQ(questions(Ask, 100 * (Most + 1), 1, Worth::Nothing), 100);
  // They have become longer.
  while (!Ask.asks())
    ;
  EXPECT_EQ(questions(Ask, 1000, 1, Worth::Much), 1000);
}

//===----------------------------------------------------------------------===//
// Who is crowded
//===----------------------------------------------------------------------===//

/// \p PerNode threads on each of \p Nodes nodes.
struct Even : Inference {
  Even(int Nodes, int PerNode) { become(Nodes, PerNode); }
  void become(int Nodes, int PerNode) {
    T = std::make_unique<ShapeTeam>(paperMachine(), blocks(Nodes, PerNode));
    EXPECT_TRUE(reset(**T));
  }
  void count(int Node, int Tasks) {
    for (int I = 0; I < Tasks; ++I)
      Inference::count(Node);
  }

private:
  std::unique_ptr<ShapeTeam> T;
};

TEST(InferenceTest, allOnOneNode) {
  // A thread of its two has N / 2, one of the team N / (2 * nodes) in the mean.
  const std::pair<int, int> Limits[] = {{2, 192}, {4, 76}, {24, 51}};
  for (auto [Nodes, Most] : Limits) {
    Even S(Nodes, 2);
    S.count(1, Most);
    EXPECT_FALSE(S.isCrowded(1)) << Nodes;
    S.count(1, 1);
    EXPECT_TRUE(S.isCrowded(1)) << Nodes;
    EXPECT_FALSE(S.isCrowded(0));
    S.count(1, 100000);
    EXPECT_TRUE(S.isCrowded(1));
    EXPECT_FALSE(S.isCrowded(0));
  }
}

TEST(InferenceTest, nobodyWithAnEvenSpread) {
  for (int InARow : {1, 16, 2 * int(Inference::Allowance)}) {
    Even S(4, 2);
    for (int I = 0; I < 10000; ++I) {
      S.count(I / InARow % 4, 1);
      for (int N = 0; N < 4; ++N)
        ASSERT_FALSE(S.isCrowded(N)) << I;
    }
  }
}

TEST(InferenceTest, halfAsMuchAgainIsTheLimit) {
  Even S(4, 2);
  for (int N : {1, 2, 3})
    S.count(N, N == 1 ? 80 : 60);
  // 98 for each of its threads, 49 in the mean.
  S.count(0, 196);
  EXPECT_FALSE(S.isCrowded(0));
  S.count(0, 1);
  EXPECT_TRUE(S.isCrowded(0));
  EXPECT_FALSE(S.isCrowded(1));
}

TEST(InferenceTest, theShareIsThatOfItsThreads) {
  ShapeTeam Uneven(topology("node:2 pu:8"), boundTo({0, 0, 0, 0, 0, 0, 1, 1}));
  Inference S;
  ASSERT_TRUE(S.reset(*Uneven));
  for (int I = 0; I < 100; ++I)
    for (int Node : {0, 0, 1})
      S.count(Node);
  // A third of the tasks for a quarter of the threads.
  EXPECT_FALSE(S.isCrowded(0));
  EXPECT_FALSE(S.isCrowded(1));
  for (int I = 0; I < 120; ++I)
    S.count(1);
  EXPECT_TRUE(S.isCrowded(1));
}

TEST(InferenceTest, whatWasLongAgoIsForgotten) {
  Even S(4, 2);
  S.count(0, 1000000);
  ASSERT_TRUE(S.isCrowded(0));
  int Until = 0;
  for (; S.isCrowded(0); ++Until)
    S.count(Until % 4, 1);
  EXPECT_LE(Until, 4 * int(Inference::Memory) * 8);
  // And another one is found at once.
  for (Until = 0; !S.isCrowded(2); ++Until)
    S.count(2, 1);
  EXPECT_LE(Until, int(Inference::Memory) * 8);
}

TEST(InferenceTest, manyThreadsCount) {
  Even S(4, 2);
  std::vector<std::thread> Threads;
  for (int T = 0; T < 4; ++T)
    Threads.emplace_back([&S, T] {
      for (int I = 0; I < 20000; ++I) {
        S.count(T, 1);
        S.isCrowded(I % 4);
      }
    });
  for (std::thread &T : Threads)
    T.join();
  // Whatever they have counted, it counts for little soon.
  for (int I = 0; I < 8 * 8 * int(Inference::Memory); ++I)
    S.count(I % 4, 1);
  for (int N = 0; N < 4; ++N)
    EXPECT_FALSE(S.isCrowded(N));
  S.count(2, 8 * int(Inference::Memory));
  EXPECT_TRUE(S.isCrowded(2));
}

TEST(InferenceTest, anotherTeamBeginsAnew) {
  Even S(4, 2);
  S.count(0, 1000);
  S.become(2, 2);
  S.count(0, 192);
  EXPECT_FALSE(S.isCrowded(0));
  S.count(0, 1);
  EXPECT_TRUE(S.isCrowded(0));
}

//===----------------------------------------------------------------------===//
// Inference
//===----------------------------------------------------------------------===//

TEST(InferTest, shortTasks) {
  ShapeTeam T(topology("node:2 pu:2"), blocks(2, 1));
  Inference Made;
  ASSERT_TRUE(Made.reset(*T));
  EXPECT_FALSE(Made.hasShortTasks());
  Made.noteTime(0); // not known
  EXPECT_FALSE(Made.hasShortTasks());
  Made.noteTime(Inference::ShortTask - 1);
  EXPECT_TRUE(Made.hasShortTasks());
  Made.noteTime(0);
  EXPECT_TRUE(Made.hasShortTasks());
  Made.noteTime(Inference::ShortTask);
  EXPECT_FALSE(Made.hasShortTasks());
  Made.noteTime(1);
  ASSERT_TRUE(Made.reset(*T));
  EXPECT_FALSE(Made.hasShortTasks());
}

constexpr TaskTarget Somewhere = {uintptr_t(1) << 40, 8};

/// A kernel that says \p Node for every page.
MovePages allOn(int Node) {
  return [Node](unsigned long Count, void **, int *Status) {
    std::fill(Status, Status + Count, Node);
    return 0;
  };
}

/// A team whose threads place their tasks.
class Placed : public ShapeTeam {
public:
  Placed(const Topology &Machine, const std::vector<NodeSet> &Threads)
      : ShapeTeam(Machine, Threads), Askers(Threads.size()) {
    EXPECT_TRUE(Made.reset(**this));
  }
  int infer(Kind What, const TaskTarget &Target, int Pusher) {
    return Made.infer(Askers[size_t(Pusher)], What, Target);
  }

  Inference Made;

private:
  std::vector<Asker> Askers;
};

TEST(InferTest, theNodeOfTheData) {
  Placed T(topology("node:4 pu:2"), boundTo({3, 3, 1, 1}));
  RangeList List = {2, {{uintptr_t(1) << 40, 8}, {uintptr_t(1) << 41, 8}}};
  FakeKernel Fake(allOn(1));
  for (int Pusher : {0, 2}) {
    EXPECT_EQ(T.infer(Kind::Depend, Somewhere, Pusher), 1);
    EXPECT_EQ(T.infer(Kind::DependRanges,
                      {reinterpret_cast<uintptr_t>(&List), 0}, Pusher),
              1);
  }
}

TEST(InferTest, whatIsNotKnownIsNoHint) {
  Placed T(topology("node:2 pu:2"), blocks(2, 2));
  FakeKernel Fake(allOn(-ENOENT));
  for (int Pusher = 0; Pusher < 4; ++Pusher)
    EXPECT_EQ(T.infer(Kind::Depend, Somewhere, Pusher), UnknownNode);
}

TEST(InferTest, whoMayRunAnywhereDoesNotAsk) {
  FakeKernel Fake(allOn(0));
  Placed Unbound(topology("node:2 pu:2"),
                 std::vector<NodeSet>(4, nodeSet({0, 1})));
  Placed OneNode(topology("node:2 pu:2"), boundTo({1, 1}));
  const int Before = MovePagesCalls;
  EXPECT_EQ(Unbound.infer(Kind::Depend, Somewhere, 0), UnknownNode);
  EXPECT_EQ(OneNode.infer(Kind::Depend, Somewhere, 0), UnknownNode);
  EXPECT_EQ(MovePagesCalls, Before);
}

TEST(InferTest, questionsThatTellNothingBecomeRare) {
  for (int Answer : {-ENOENT, 1}) {
    Placed T(topology("node:2 pu:2"), blocks(2, 2));
    FakeKernel Fake(allOn(Answer));
    const int Before = MovePagesCalls;
    for (int I = 0; I < 10000; ++I)
      T.infer(Kind::Depend, Somewhere, 0);
    EXPECT_LT(MovePagesCalls - Before, 1000) << Answer;
  }
}

TEST(InferTest, questionsThatTellWhereArePut) {
  Placed T(topology("node:2 pu:2"), blocks(2, 2));
  int Calls = 0;
  FakeKernel Fake([&](unsigned long, void **, int *Status) {
    *Status = Calls++ / 16 % 2; // blocks of 16 tasks
    return 0;
  });
  for (int I = 0; I < 10000; ++I)
    EXPECT_EQ(T.infer(Kind::Depend, Somewhere, 0), I / 16 % 2) << I;
}

} // namespace
