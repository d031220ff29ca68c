//===- find_task.cpp - Tests of the order of the search -------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "team_fixture.h"

#include <algorithm>
#include <utility>

using namespace locus;
using namespace locus::test;

using Ints = std::vector<int>;

//===----------------------------------------------------------------------===//
// Pushing
//===----------------------------------------------------------------------===//

TEST(PlacedPushTest, publicQueueOfAThreadIsLimited) {
  TestTeam T(topology("node:2 pu:2"), blocks(2, 2));
  const int Limit = int(Team::PublicLimit);
  for (int I = 1; I <= Limit; ++I)
    ASSERT_TRUE(T.place(TestTeam::ThreadPublic, 2, I));
  EXPECT_FALSE(T.place(TestTeam::ThreadPublic, 2, 9999));
  // Others have their own limit, and a strict task is always queued.
  EXPECT_TRUE(T.place(TestTeam::ThreadPublic, 3, 1));
  EXPECT_TRUE(T.place(TestTeam::ThreadPrivate, 2, 77777));

  Picker Any;
  EXPECT_EQ(T.round(2, Any), 77777);
  EXPECT_EQ(T.round(2, Any), Limit); // the refused task is not there
  EXPECT_TRUE(T.place(TestTeam::ThreadPublic, 2, Limit));
  EXPECT_FALSE(T.place(TestTeam::ThreadPublic, 2, 9999));
  for (int I = Limit; I >= 1; --I)
    ASSERT_EQ(T.round(2, Any), I);
}

TEST(PlacedPushTest, publicQueueOfANodeIsLimitedByItsThreads) {
  TestTeam T(topology("node:2 pu:8"), boundTo({0, 1, 1, 1}));
  for (int Node : {0, 1}) {
    const int Limit = int(Team::PublicLimit) * (Node == 0 ? 1 : 3);
    for (int I = 1; I <= Limit; ++I)
      ASSERT_TRUE(T.place(TestTeam::NodePublic, Node, I));
    EXPECT_FALSE(T.place(TestTeam::NodePublic, Node, 99999));
    EXPECT_TRUE(T.place(TestTeam::NodePrivate, Node, 1));
  }
}

TEST(PlacedPushTest, privateQueuesAreNotLimited) {
  TestTeam T(topology("node:2 pu:2"), blocks(2, 2));
  const int Many = 5 * int(Team::PublicLimit);
  for (int I = 1; I <= Many; ++I) {
    ASSERT_TRUE(T.place(TestTeam::ThreadPrivate, 1, I));
    ASSERT_TRUE(T.place(TestTeam::NodePrivate, 1, I));
  }
  Picker Any;
  for (int I = 1; I <= Many; ++I) {
    ASSERT_EQ(T.round(1, Any), Many + 1 - I);
    ASSERT_EQ(T.round(3, Any), I); // from the node: the oldest
  }
  EXPECT_TRUE(T->isEmpty());
}

//===----------------------------------------------------------------------===//
// Taking: which queues, in which order
//===----------------------------------------------------------------------===//

namespace {

/// A machine and a team for it, to run the same tests on.
struct Shape {
  const char *Name;
  const Topology &(*Machine)();
  std::vector<NodeSet> Threads;
};

[[maybe_unused]] void PrintTo(const Shape &S, std::ostream *Out) {
  *Out << S.Name;
}

const Shape Shapes[] = {
    {"n1x1", []() -> const Topology & { return topology("node:1 pu:1"); },
     boundTo({0})},
    {"n2x2", []() -> const Topology & { return topology("node:2 pu:2"); },
     blocks(2, 2)},
    {"n4x8", []() -> const Topology & { return topology("node:4 pu:8"); },
     blocks(4, 8)},
    {"n24x8", paperMachine, blocks(24, 8)},
    {"irregular", irregularMachine, boundTo({0, 1, 1, 2, 2, 2, 2, 2})},
    {"nodeWithoutCpus",
     []() -> const Topology & { return machine("nodeWithoutCpus"); },
     boundTo({0, 0, 2, 2})},
    {"memoryOnly", []() -> const Topology & { return machine("memoryOnly"); },
     boundTo({0, 0, 1, 1})},
    {"scattered", paperMachine, boundTo({7, 0, 23, 7, 1, 16, 0, 7, 8, 22})},
    {"unbound", irregularMachine, std::vector<NodeSet>(7, nodeSet({0, 1, 2}))},
};

class FindOrderTest : public testing::TestWithParam<Shape> {
protected:
  const Topology &Machine = GetParam().Machine();
  TestTeam T{Machine, GetParam().Threads};
  int NumThreads = T->numThreads();
  int NumNodes = T.shape().numNodes();

  void SetUp() override { T.fillPlaces(); }

  /// The other nodes by distance; of equal ones those behind \p Node first.
  Ints nearest(int Node) {
    Ints Others;
    for (int I = 1; I < NumNodes; ++I)
      Others.push_back((Node + I) % NumNodes);
    auto Key = [&](int Other) {
      return std::pair(
          Machine.distance(T.shape().osNode(Node), T.shape().osNode(Other)),
          (Other - Node + NumNodes) % NumNodes);
    };
    std::sort(Others.begin(), Others.end(),
              [&](int A, int B) { return Key(A) < Key(B); });
    return Others;
  }

  // What each stage has to visit. Whoever refuses everything sees it all.
  Ints own(int Thread) {
    return {TestTeam::name(TestTeam::ThreadPrivate, Thread),
            TestTeam::name(TestTeam::ThreadPublic, Thread)};
  }
  Ints node(int Thread) {
    const int Node = T.shape().nodeOfThread(Thread);
    Ints All = {TestTeam::name(TestTeam::NodePrivate, Node),
                TestTeam::name(TestTeam::NodePublic, Node)};
    const Ints Members = T.members(Node);
    const size_t Self =
        std::find(Members.begin(), Members.end(), Thread) - Members.begin();
    for (size_t I = 1; I < Members.size(); ++I)
      All.push_back(TestTeam::name(TestTeam::ThreadPublic,
                                   Members[(Self + I) % Members.size()]));
    return All;
  }
  Ints afar(int Thread) {
    Ints All;
    for (int Node : nearest(T.shape().nodeOfThread(Thread))) {
      All.push_back(TestTeam::name(TestTeam::NodePublic, Node));
      const Ints Members = T.members(Node);
      for (size_t I = 0; I < Members.size(); ++I)
        All.push_back(TestTeam::name(TestTeam::ThreadPublic,
                                     Members[(I + Thread) % Members.size()]));
    }
    return All;
  }
};

} // namespace

INSTANTIATE_TEST_SUITE_P(, FindOrderTest, testing::ValuesIn(Shapes), NameOf());

TEST_P(FindOrderTest, visits) {
  // Whoever refuses everything sees it all, in order.
  for (int Thread = 0; Thread < NumThreads; ++Thread)
    for (bool Waiting : {false, true}) {
      SCOPED_TRACE(Thread);
      T.wait(Thread);
      Picker Nobody([](int) { return false; });
      Nobody.IsWaiting = Waiting;
      EXPECT_EQ(T.findPlacedHere(Thread, Nobody), 0);
      EXPECT_EQ(Nobody.Offered, own(Thread));
      Nobody.Offered.clear();
      EXPECT_EQ(T.findAny(Thread, Nobody), 0);
      Ints Wanted = node(Thread);
      for (int Name : afar(Thread))
        Wanted.push_back(Name);
      EXPECT_EQ(Nobody.Offered, Wanted);
      // In a taskwait strict tasks are exempt from the constraint, and no
      // others.
      const int Node = T.shape().nodeOfThread(Thread);
      const Ints Strict = {TestTeam::name(TestTeam::ThreadPrivate, Thread),
                           TestTeam::name(TestTeam::NodePrivate, Node)};
      EXPECT_EQ(Nobody.OfferedExempt, Waiting ? Strict : Ints());
    }
}

TEST_P(FindOrderTest, takesInTheOrderOfVisits) {
  // Every thread in turn takes all that it may from full queues.
  for (int Thread = 0; Thread < NumThreads; Thread += 1 + NumThreads / 16) {
    SCOPED_TRACE(Thread);
    TestTeam Fresh(Machine, GetParam().Threads);
    Fresh.fillPlaces();
    Ints Wanted = own(Thread);
    for (int Name : node(Thread))
      Wanted.push_back(Name);
    for (int Name : afar(Thread))
      Wanted.push_back(Name);
    Picker Any;
    EXPECT_EQ(Fresh.drain(Thread, Any), Wanted);
  }
}

TEST_P(FindOrderTest, privateTasksAreLeftToTheirOwners) {
  // Each thread in turn takes whatever it can get, all others' public tasks,
  // too; then the queues are filled up again.
  Picker Any;
  for (int Thread = 0; Thread < NumThreads; ++Thread) {
    const Ints Taken = T.drain(Thread, Any);
    for (int Name : Taken) {
      if (TestTeam::kind(Name) == TestTeam::ThreadPrivate)
        ASSERT_EQ(TestTeam::index(Name), Thread);
      if (TestTeam::kind(Name) == TestTeam::NodePrivate)
        ASSERT_EQ(TestTeam::index(Name), T.shape().nodeOfThread(Thread));
    }
    // And nothing public stays behind.
    ASSERT_EQ(Taken.size(), size_t(1 + NumThreads + 1 + NumNodes));
    for (int Name : Taken)
      ASSERT_TRUE(T.place(TestTeam::kind(Name), TestTeam::index(Name), Name));
  }
}

TEST_P(FindOrderTest, theResponsibleStayAwake) {
  TestTeam Empty(Machine, GetParam().Threads);
  Picker Any;
  for (TestTeam::Queue Kind : {TestTeam::ThreadPrivate, TestTeam::ThreadPublic,
                               TestTeam::NodePrivate, TestTeam::NodePublic}) {
    const bool OfThread = Kind <= TestTeam::ThreadPublic;
    for (int Index = 0; Index < (OfThread ? NumThreads : NumNodes); ++Index) {
      EXPECT_TRUE(Empty->isEmpty());
      ASSERT_TRUE(Empty.place(Kind, Index, 1));
      EXPECT_FALSE(Empty->isEmpty());
      for (int Thread = 0; Thread < NumThreads; ++Thread)
        ASSERT_EQ(Empty->lieDown(Empty.worker(Thread)),
                  Index !=
                      (OfThread ? Thread : Empty.shape().nodeOfThread(Thread)));
      const int Owner = OfThread ? Index : Empty.members(Index).back();
      ASSERT_EQ(Empty.round(Owner, Any), 1);
    }
  }
}

//===----------------------------------------------------------------------===//
// The order on 2 x 2, written out
//===----------------------------------------------------------------------===//

TEST(FindTaskTest, twoByTwo) {
  TestTeam T(topology("node:2 pu:2"), blocks(2, 2));
  T.fillPlaces();
  Picker Any;
  EXPECT_EQ(T.drain(2, Any), (Ints{TestTeam::name(TestTeam::ThreadPrivate, 2),
                                   TestTeam::name(TestTeam::ThreadPublic, 2),
                                   TestTeam::name(TestTeam::NodePrivate, 1),
                                   TestTeam::name(TestTeam::NodePublic, 1),
                                   TestTeam::name(TestTeam::ThreadPublic, 3),
                                   TestTeam::name(TestTeam::NodePublic, 0),
                                   TestTeam::name(TestTeam::ThreadPublic, 0),
                                   TestTeam::name(TestTeam::ThreadPublic, 1)}));
}

TEST(FindTaskTest, endsOfTheQueues) {
  const Ints Up = {1, 2, 3}, Down = {3, 2, 1};
  struct Part {
    TestTeam::Queue Kind;
    Ints Order;
  };
  struct Case {
    int Thread;
    bool Waiting;
    std::vector<Part> Parts;
  };
  using Q = TestTeam;
  const Case Cases[] = {
      {0,
       false,
       {{Q::ThreadPrivate, Down},
        {Q::ThreadPublic, Down},
        {Q::NodePrivate, Up},
        {Q::NodePublic, Up}}},
      {0,
       true,
       {{Q::ThreadPrivate, Down},
        {Q::ThreadPublic, Down},
        {Q::NodePrivate, Down},
        {Q::NodePublic, Down}}},
      // Thread 1 sees the neighbour's public queue, from its old end, also when
      // it waits.
      {1,
       false,
       {{Q::NodePrivate, Up}, {Q::NodePublic, Up}, {Q::ThreadPublic, Up}}},
      {1,
       true,
       {{Q::NodePrivate, Down}, {Q::NodePublic, Down}, {Q::ThreadPublic, Up}}},
      // Thread 3 from afar: public ones only, oldest first.
      {3, false, {{Q::NodePublic, Up}, {Q::ThreadPublic, Up}}}};
  for (const Case &C : Cases) {
    TestTeam T(topology("node:2 pu:2"), blocks(2, 2));
    for (TestTeam::Queue Kind :
         {Q::ThreadPrivate, Q::ThreadPublic, Q::NodePrivate, Q::NodePublic})
      for (int I = 1; I <= 3; ++I)
        T.place(Kind, 0, TestTeam::name(Kind, I));
    Ints Wanted;
    for (const Part &P : C.Parts)
      for (int I : P.Order)
        Wanted.push_back(TestTeam::name(P.Kind, I));
    Picker Any;
    Any.IsWaiting = C.Waiting;
    EXPECT_EQ(T.drain(C.Thread, Any), Wanted)
        << C.Thread << (C.Waiting ? " waiting" : "");
  }
}

TEST(FindTaskTest, refusedTasksDoNotHideOthers) {
  TestTeam T(topology("node:2 pu:2"), blocks(2, 2));
  T.fillPlaces();
  // The search goes on to the next queue if all of one are refused.
  const TestTeam::Queue Wanted = TestTeam::ThreadPublic;
  Picker One([=](int Name) { return TestTeam::kind(Name) == Wanted; });
  EXPECT_EQ(T.drain(0, One),
            (Ints{TestTeam::name(Wanted, 0), TestTeam::name(Wanted, 1),
                  TestTeam::name(Wanted, 2), TestTeam::name(Wanted, 3)}));
}

/// The queues of placed tasks and the lists of others, in one order.
TEST(FindTaskTest, betweenPlacedTasksAndOthers) {
  TestTeam T(topology("node:2 pu:2"), blocks(2, 2));
  T.fillPlaces();
  for (int Thread = 0; Thread < 4; ++Thread)
    ASSERT_TRUE(T.push(Thread, 100 + Thread));
  Picker Any;
  using Q = TestTeam;
  EXPECT_EQ(T.drain(2, Any),
            (Ints{Q::name(Q::ThreadPrivate, 2), Q::name(Q::ThreadPublic, 2),
                  102, Q::name(Q::NodePrivate, 1), Q::name(Q::NodePublic, 1),
                  Q::name(Q::ThreadPublic, 3), 103, 100, 101,
                  Q::name(Q::NodePublic, 0), Q::name(Q::ThreadPublic, 0),
                  Q::name(Q::ThreadPublic, 1)}));
}

TEST(FindTaskTest, sharedListsComeBehindTheOwnDeque) {
  TestTeam T(topology("node:2 pu:2"), blocks(2, 2), with(Level::Numa));
  T.fillPlaces();
  ASSERT_TRUE(T.push(0, 100));
  ASSERT_TRUE(T.push(2, 102));
  Picker Any;
  using Q = TestTeam;
  EXPECT_EQ(T.drain(3, Any),
            (Ints{Q::name(Q::ThreadPrivate, 3), Q::name(Q::ThreadPublic, 3),
                  102, Q::name(Q::NodePrivate, 1), Q::name(Q::NodePublic, 1),
                  Q::name(Q::ThreadPublic, 2), 100, Q::name(Q::NodePublic, 0),
                  Q::name(Q::ThreadPublic, 1), Q::name(Q::ThreadPublic, 0)}));
}

/// What is behind the newest task of the own deque comes after the node's
/// queues, and in a taskwait only where tasks may hide each other.
TEST(FindTaskTest, behindTheNewest) {
  for (bool Waiting : {false, true})
    for (bool ScanAll : {false, true}) {
      TestTeam T(topology("node:2 pu:2"), blocks(2, 2));
      T.pushAll(0, 1, 3);
      ASSERT_TRUE(T.place(TestTeam::NodePublic, 0, 7));
      Picker Odd([](int Number) { return Number % 2 == 1 && Number != 3; });
      Odd.IsWaiting = Waiting;
      Odd.ScanAll = ScanAll;
      EXPECT_EQ(T.findAny(0, Odd), 7);
      EXPECT_EQ(T.findAny(0, Odd), !Waiting || ScanAll ? 1 : 0);
      EXPECT_EQ(Odd.Offered.front(), 3);
    }
}

TEST(FindTaskTest, whoIsFinishedLeavesTheDequeAlone) {
  TestTeam T(topology("node:2 pu:2"), blocks(2, 2));
  ASSERT_TRUE(T.push(1, 1));
  Picker Late;
  Late.Finished = 1;
  --T.Unfinished;
  EXPECT_EQ(T.round(1, Late), 0);
  EXPECT_TRUE(T.holdsTasks(1));
}

/// From other nodes' lists a thief takes nothing that is placed, until it has
/// waited, but what a crowded node has too much of.
TEST(FindTaskTest, placedTasksInListsOfOtherNodes) {
  TestTeam T(topology("node:2 pu:2"), blocks(2, 2));
  ASSERT_TRUE(T.push(2, Picker::Placed));
  ASSERT_TRUE(T.push(3, Picker::Inferred + 1));
  Picker Any;
  EXPECT_EQ(T.round(0, Any), 0);
  EXPECT_TRUE(Any.Offered.empty());
  T.wait(0);
  EXPECT_EQ(T.round(0, Any), Picker::Placed);
}

/// Node 1's queue of two threads, and that of one of them: how many tasks they
/// may have for the owners to come to them soon.
static const std::pair<TestTeam::Queue, int> FarQueues[] = {
    {TestTeam::NodePublic, 2 * RemoteBacklog},
    {TestTeam::ThreadPublic, RemoteBacklog}};

TEST(FindTaskTest, aShortQueueAfarIsItsOwnersForLong) {
  for (auto [Kind, Backlog] : FarQueues) {
    TestTeam T(topology("node:2 pu:2"), blocks(2, 2));
    const int Index = Kind == TestTeam::NodePublic ? 1 : 2;
    for (int I = 1; I <= Backlog; ++I)
      ASSERT_TRUE(T.place(Kind, Index, I));
    Picker Any;
    for (uint32_t I = 0; I < Tuned.RemoteRoundsAny; ++I) {
      ASSERT_EQ(T.emptyRounds(0), I);
      ASSERT_EQ(T.round(0, Any), 0) << I;
    }
    EXPECT_EQ(T.round(0, Any), 1);
    EXPECT_EQ(T.round(2, Any), 2);
  }
}

TEST(FindTaskTest, aLongQueueAfarIsRobbedSooner) {
  for (auto [Kind, Backlog] : FarQueues) {
    TestTeam T(topology("node:2 pu:2"), blocks(2, 2));
    const int Index = Kind == TestTeam::NodePublic ? 1 : 2;
    for (int I = 1; I <= Backlog + 2; ++I)
      ASSERT_TRUE(T.place(Kind, Index, I));
    Picker Any;
    // Each time the wait begins anew.
    for (int Wanted : {1, 2}) {
      for (uint32_t I = 0; I < Tuned.RemoteRoundsBacklog; ++I)
        ASSERT_EQ(T.round(0, Any), 0) << I;
      EXPECT_EQ(T.round(0, Any), Wanted);
      EXPECT_EQ(T.emptyRounds(0), 0u);
    }
    // It is short now.
    T.wait(0, Tuned.RemoteRoundsAny - 1);
    EXPECT_EQ(T.round(0, Any), 0);
    EXPECT_EQ(T.round(0, Any), 3);
  }
}

TEST(FindTaskTest, anyTaskBeginsTheWaitAnew) {
  TestTeam T(topology("node:2 pu:2"), blocks(2, 2));
  Picker Any;
  ASSERT_TRUE(T.place(TestTeam::NodePublic, 1, 8));
  for (int Kind : {0, 1, 2}) {
    T.wait(0, Tuned.RemoteRoundsAny - 1);
    if (Kind == 0) { // its own task
      ASSERT_TRUE(T.place(TestTeam::ThreadPrivate, 0, 9));
      EXPECT_EQ(T.round(0, Any), 9);
    } else if (Kind == 1) { // its node's
      ASSERT_TRUE(T.place(TestTeam::NodePublic, 0, 9));
      EXPECT_EQ(T.round(0, Any), 9);
    } else { // one of libomp's, between the stages
      T.endRound(0, true);
    }
    EXPECT_EQ(T.emptyRounds(0), 0u);
    EXPECT_EQ(T.round(0, Any), 0);
  }
  T.wait(0);
  EXPECT_EQ(T.round(0, Any), 8);
}

TEST(FindTaskTest, aThiefWithLongTasksWaitsLonger) {
  for (auto [Kind, Backlog] : FarQueues) {
    TestTeam T(topology("node:2 pu:2"), blocks(2, 2));
    const int Index = Kind == TestTeam::NodePublic ? 1 : 2;
    for (int I = 1; I <= Backlog + 1; ++I)
      ASSERT_TRUE(T.place(Kind, Index, I));
    FakeClock Clock(1000);
    T.endRound(0, Round::PlacedTask);
    Clock.set(2000);
    Picker Any;
    for (uint32_t I = 0; I <= Tuned.RemoteRoundsAny; ++I)
      ASSERT_EQ(T.round(0, Any), 0);
    Clock.set(2000 + 1000 * RemoteDelay::tasksBacklog());
    EXPECT_EQ(T.round(0, Any), 0); // it learns that it may
    EXPECT_EQ(T.round(0, Any), 1);
  }
}

TEST(FindTaskTest, roundsAreEachThreadsOwn) {
  TestTeam T(topology("node:2 pu:2"), blocks(2, 2));
  T.wait(0);
  EXPECT_EQ(T.emptyRounds(0), Tuned.RemoteRoundsAny);
  for (int Thread : {1, 2, 3})
    EXPECT_EQ(T.emptyRounds(Thread), 0u);
  ASSERT_TRUE(T.place(TestTeam::ThreadPublic, 3, 7));
  Picker Any;
  EXPECT_EQ(T.round(1, Any), 0);
}
