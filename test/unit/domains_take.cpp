//===- domains_take.cpp - Tests of the queues of locus_domains ------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "domains_team.h"

#include <algorithm>
#include <utility>

using namespace locus;
using namespace locus::test;

using Team = DomainsTeam;
using Ints = std::vector<int>;

//===----------------------------------------------------------------------===//
// Pushing
//===----------------------------------------------------------------------===//

TEST(DomainsPushTest, publicQueueOfAThreadIsLimited) {
  Team T(topology("node:2 pu:2"), blocks(2, 2));
  const int Limit = int(Domains::PublicLimit);
  for (int I = 1; I <= Limit; ++I)
    ASSERT_TRUE(T.push(Team::ThreadPublic, 2, I));
  EXPECT_FALSE(T.push(Team::ThreadPublic, 2, 9999));
  // Others have their own limit, and a strict task is always queued.
  EXPECT_TRUE(T.push(Team::ThreadPublic, 3, 1));
  EXPECT_TRUE(T.push(Team::ThreadPrivate, 2, 77777));

  Worker Any;
  EXPECT_EQ(T.round(2, Any), 77777);
  EXPECT_EQ(T.round(2, Any), Limit); // the refused task is not there
  EXPECT_TRUE(T.push(Team::ThreadPublic, 2, Limit));
  EXPECT_FALSE(T.push(Team::ThreadPublic, 2, 9999));
  for (int I = Limit; I >= 1; --I)
    ASSERT_EQ(T.round(2, Any), I);
}

TEST(DomainsPushTest, publicQueueOfANodeIsLimitedByItsThreads) {
  Team T(topology("node:2 pu:8"), boundTo({0, 1, 1, 1}));
  for (int Node : {0, 1}) {
    const int Limit = int(Domains::PublicLimit) * (Node == 0 ? 1 : 3);
    for (int I = 1; I <= Limit; ++I)
      ASSERT_TRUE(T.push(Team::NodePublic, Node, I));
    EXPECT_FALSE(T.push(Team::NodePublic, Node, 99999));
    EXPECT_TRUE(T.push(Team::NodePrivate, Node, 1));
  }
}

TEST(DomainsPushTest, privateQueuesAreNotLimited) {
  Team T(topology("node:2 pu:2"), blocks(2, 2));
  const int Many = 5 * int(Domains::PublicLimit);
  for (int I = 1; I <= Many; ++I) {
    ASSERT_TRUE(T.push(Team::ThreadPrivate, 1, I));
    ASSERT_TRUE(T.push(Team::NodePrivate, 1, I));
  }
  Worker Any;
  for (int I = 1; I <= Many; ++I) {
    ASSERT_EQ(T.round(1, Any), Many + 1 - I);
    ASSERT_EQ(T.round(3, Any), I); // from the node: the oldest
  }
  EXPECT_FALSE(T->mayHaveTasks());
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

class DomainsOrderTest : public testing::TestWithParam<Shape> {
protected:
  const Topology &Machine = GetParam().Machine();
  Team T{Machine, GetParam().Threads};
  int NumThreads = T->numThreads();
  int NumNodes = T->numNodes();

  void SetUp() override { T.fill(); }

  /// The other nodes by distance; of equal ones those behind \p Node first.
  Ints nearest(int Node) {
    Ints Others;
    for (int I = 1; I < NumNodes; ++I)
      Others.push_back((Node + I) % NumNodes);
    auto Key = [&](int Other) {
      return std::pair(Machine.distance(T->osNode(Node), T->osNode(Other)),
                       (Other - Node + NumNodes) % NumNodes);
    };
    std::sort(Others.begin(), Others.end(),
              [&](int A, int B) { return Key(A) < Key(B); });
    return Others;
  }

  // What each stage has to visit. Whoever refuses everything sees it all.
  Ints own(int Thread) {
    return {Team::name(Team::ThreadPrivate, Thread),
            Team::name(Team::ThreadPublic, Thread)};
  }
  Ints node(int Thread) {
    const int Node = T->nodeOfThread(Thread);
    Ints All = {Team::name(Team::NodePrivate, Node),
                Team::name(Team::NodePublic, Node)};
    const Ints Members = T.members(Node);
    const size_t Self =
        std::find(Members.begin(), Members.end(), Thread) - Members.begin();
    for (size_t I = 1; I < Members.size(); ++I)
      All.push_back(
          Team::name(Team::ThreadPublic, Members[(Self + I) % Members.size()]));
    return All;
  }
  Ints afar(int Thread) {
    Ints All;
    for (int Node : nearest(T->nodeOfThread(Thread))) {
      All.push_back(Team::name(Team::NodePublic, Node));
      const Ints Members = T.members(Node);
      for (size_t I = 0; I < Members.size(); ++I)
        All.push_back(Team::name(Team::ThreadPublic,
                                 Members[(I + Thread) % Members.size()]));
    }
    return All;
  }
};

} // namespace

INSTANTIATE_TEST_SUITE_P(, DomainsOrderTest, testing::ValuesIn(Shapes),
                         NameOf());

TEST_P(DomainsOrderTest, visits) {
  void *Task = nullptr;
  for (int Thread = 0; Thread < NumThreads; ++Thread) {
    SCOPED_TRACE(Thread);
    Worker Strict([](int) { return false; });
    Worker Public([](int) { return false; });
    // Both into one list, in order.
    Ints Visited;
    auto Note = [&](int Name) {
      Visited.push_back(Name);
      return false;
    };
    Strict.Accept = Public.Accept = Note;
    auto Split = [&] {
      // The strict taker is asked about private queues, the other about
      // public ones.
      for (int Name : Strict.Offered)
        EXPECT_TRUE(Team::kind(Name) == Team::ThreadPrivate ||
                    Team::kind(Name) == Team::NodePrivate);
      for (int Name : Public.Offered)
        EXPECT_TRUE(Team::kind(Name) == Team::ThreadPublic ||
                    Team::kind(Name) == Team::NodePublic);
      Strict.Offered.clear();
      Public.Offered.clear();
      return std::exchange(Visited, {});
    };

    T.wait(Thread);
    EXPECT_NE(T->takeOwn(Thread, Strict.taker(), Public.taker(), Task),
              Outcome::Taken);
    EXPECT_EQ(Split(), own(Thread));
    for (bool Waiting : {false, true}) {
      EXPECT_NE(T->takeFromNode(Thread, Strict.taker(), Public.taker(), Waiting,
                                Task),
                Outcome::Taken);
      EXPECT_EQ(Split(), node(Thread));
    }
    EXPECT_NE(T->takeFromAfar(Thread, Public.taker(), T->reach(Thread), Task),
              Outcome::Taken);
    EXPECT_EQ(Split(), afar(Thread));
  }
}

TEST_P(DomainsOrderTest, takesInTheOrderOfVisits) {
  // Every thread in turn takes all that it may from full queues.
  for (int Thread = 0; Thread < NumThreads; Thread += 1 + NumThreads / 16) {
    SCOPED_TRACE(Thread);
    Team Fresh(Machine, GetParam().Threads);
    Fresh.fill();
    Ints Wanted = own(Thread);
    for (int Name : node(Thread))
      Wanted.push_back(Name);
    for (int Name : afar(Thread))
      Wanted.push_back(Name);
    Worker Any;
    EXPECT_EQ(Fresh.drain(Thread, Any), Wanted);
  }
}

TEST_P(DomainsOrderTest, privateTasksAreLeftToTheirOwners) {
  // Each thread in turn takes whatever it can get, all others' public tasks,
  // too; then the queues are filled up again.
  Worker Any;
  for (int Thread = 0; Thread < NumThreads; ++Thread) {
    const Ints Taken = T.drain(Thread, Any);
    for (int Name : Taken) {
      if (Team::kind(Name) == Team::ThreadPrivate)
        ASSERT_EQ(Team::index(Name), Thread);
      if (Team::kind(Name) == Team::NodePrivate)
        ASSERT_EQ(Team::index(Name), T->nodeOfThread(Thread));
    }
    // And nothing public stays behind.
    ASSERT_EQ(Taken.size(), size_t(1 + NumThreads + 1 + NumNodes));
    for (int Name : Taken)
      ASSERT_TRUE(T.push(Team::kind(Name), Team::index(Name), Name));
  }
}

TEST_P(DomainsOrderTest, hasWorkForTheResponsible) {
  Team Empty(Machine, GetParam().Threads);
  Worker Any;
  for (Team::Queue Kind : {Team::ThreadPrivate, Team::ThreadPublic,
                           Team::NodePrivate, Team::NodePublic}) {
    const bool OfThread = Kind <= Team::ThreadPublic;
    for (int Index = 0; Index < (OfThread ? NumThreads : NumNodes); ++Index) {
      EXPECT_FALSE(Empty->mayHaveTasks());
      ASSERT_TRUE(Empty.push(Kind, Index, 1));
      EXPECT_TRUE(Empty->mayHaveTasks());
      for (int Thread = 0; Thread < NumThreads; ++Thread)
        ASSERT_EQ(Empty->hasWorkFor(Thread),
                  Index == (OfThread ? Thread : Empty->nodeOfThread(Thread)));
      const int Owner = OfThread ? Index : Empty.members(Index).back();
      ASSERT_EQ(Empty.round(Owner, Any), 1);
    }
  }
}

TEST_P(DomainsOrderTest, whoLiesDownRestsUntilAskedOnce) {
  Team T(Machine, GetParam().Threads);
  EXPECT_EQ(T->claimSleeper(0), -1);
  for (int Thread = 0; Thread < NumThreads; ++Thread) {
    EXPECT_FALSE(T->endRest(Thread));
    T->lieDown(Thread);
    EXPECT_EQ(T->claimSleeper(0), Thread);
    EXPECT_EQ(T->claimSleeper(0), -1);
    EXPECT_TRUE(T->endRest(Thread));
    EXPECT_FALSE(T->endRest(Thread));
  }
}

//===----------------------------------------------------------------------===//
// The order on 2 x 2, written out
//===----------------------------------------------------------------------===//

TEST(DomainsTakeTest, twoByTwo) {
  Team T(topology("node:2 pu:2"), blocks(2, 2));
  T.fill();
  Worker Any;
  EXPECT_EQ(
      T.drain(2, Any),
      (Ints{Team::name(Team::ThreadPrivate, 2),
            Team::name(Team::ThreadPublic, 2), Team::name(Team::NodePrivate, 1),
            Team::name(Team::NodePublic, 1), Team::name(Team::ThreadPublic, 3),
            Team::name(Team::NodePublic, 0), Team::name(Team::ThreadPublic, 0),
            Team::name(Team::ThreadPublic, 1)}));
}

TEST(DomainsTakeTest, endsOfTheQueues) {
  Team T(topology("node:2 pu:2"), blocks(2, 2));
  auto Refill = [&] {
    for (Team::Queue Kind : {Team::ThreadPrivate, Team::ThreadPublic})
      for (int I = 1; I <= 3; ++I)
        T.push(Kind, 0, Team::name(Kind, I));
    for (Team::Queue Kind : {Team::NodePrivate, Team::NodePublic})
      for (int I = 1; I <= 3; ++I)
        T.push(Kind, 0, Team::name(Kind, I));
  };
  // Whatever a stage of a thread takes, by queue: its indices in order.
  auto Drain = [&](auto Stage) {
    Ints All;
    void *Task = nullptr;
    Worker Any;
    while (Stage(Any.taker(), Task) == Outcome::Taken)
      All.push_back(numberOf(Task));
    return All;
  };
  auto Names = [](Team::Queue Kind, Ints Order) {
    for (int &I : Order)
      I = Team::name(Kind, I);
    return Order;
  };
  auto Join = [](Ints A, const Ints &B, const Ints &C = {}) {
    A.insert(A.end(), B.begin(), B.end());
    A.insert(A.end(), C.begin(), C.end());
    return A;
  };
  const Ints Up = {1, 2, 3}, Down = {3, 2, 1};

  Refill();
  EXPECT_EQ(
      Drain([&](const Taker &Who, void *&Task) {
        return T->takeOwn(0, Who, Who, Task);
      }),
      Join(Names(Team::ThreadPrivate, Down), Names(Team::ThreadPublic, Down)));
  EXPECT_EQ(Drain([&](const Taker &Who, void *&Task) {
              return T->takeFromNode(0, Who, Who, false, Task);
            }),
            Join(Names(Team::NodePrivate, Up), Names(Team::NodePublic, Up)));

  // Thread 1 sees the neighbour's public queue, from its old end, also when it
  // waits.
  Refill();
  EXPECT_EQ(Drain([&](const Taker &Who, void *&Task) {
              return T->takeFromNode(1, Who, Who, true, Task);
            }),
            Join(Names(Team::NodePrivate, Down), Names(Team::NodePublic, Down),
                 Names(Team::ThreadPublic, Up)));

  // Thread 3 from afar: public ones only, oldest first.
  Refill();
  T.wait(3);
  EXPECT_EQ(Drain([&](const Taker &Who, void *&Task) {
              return T->takeFromAfar(3, Who, T->reach(3), Task);
            }),
            Join(Names(Team::NodePublic, Up), Names(Team::ThreadPublic, Up)));
}

TEST(DomainsTakeTest, refusedTasksDoNotHideOthers) {
  Team T(topology("node:2 pu:2"), blocks(2, 2));
  T.fill();
  void *Task = nullptr;
  // Each stage goes on to the next queue if all of one are refused.
  const Team::Queue Wanted = Team::ThreadPublic;
  Worker One([=](int Name) { return Team::kind(Name) == Wanted; });
  EXPECT_EQ(T->takeOwn(0, One.taker(), One.taker(), Task), Outcome::Taken);
  EXPECT_EQ(numberOf(Task), Team::name(Wanted, 0));
  EXPECT_EQ(T->takeFromNode(0, One.taker(), One.taker(), false, Task),
            Outcome::Taken);
  EXPECT_EQ(numberOf(Task), Team::name(Wanted, 1));
  T.wait(0);
  EXPECT_EQ(T->takeFromAfar(0, One.taker(), T->reach(0), Task), Outcome::Taken);
  EXPECT_EQ(numberOf(Task), Team::name(Wanted, 2));
}

/// Node 1's queue of two threads, and that of one of them: how many tasks they
/// may have for the owners to come to them soon.
static const std::pair<Team::Queue, int> FarQueues[] = {
    {Team::NodePublic, 2 * TaskPool::BacklogPerOwner},
    {Team::ThreadPublic, TaskPool::BacklogPerOwner}};

TEST(DomainsTakeTest, aShortQueueAfarIsItsOwnersForLong) {
  for (auto [Kind, Backlog] : FarQueues) {
    Team T(topology("node:2 pu:2"), blocks(2, 2));
    const int Index = Kind == Team::NodePublic ? 1 : 2;
    for (int I = 1; I <= Backlog; ++I)
      ASSERT_TRUE(T.push(Kind, Index, I));
    Worker Any;
    for (uint32_t I = 0; I < RemoteDelay::RoundsBeforeAnything; ++I) {
      ASSERT_EQ(T->emptyRounds(0), I);
      ASSERT_EQ(T.round(0, Any), 0) << I;
    }
    EXPECT_EQ(T.round(0, Any), 1);
    EXPECT_EQ(T.round(2, Any), 2);
  }
}

TEST(DomainsTakeTest, aLongQueueAfarIsRobbedSooner) {
  for (auto [Kind, Backlog] : FarQueues) {
    Team T(topology("node:2 pu:2"), blocks(2, 2));
    const int Index = Kind == Team::NodePublic ? 1 : 2;
    for (int I = 1; I <= Backlog + 2; ++I)
      ASSERT_TRUE(T.push(Kind, Index, I));
    Worker Any;
    // Each time the wait begins anew.
    for (int Wanted : {1, 2}) {
      for (uint32_t I = 0; I < RemoteDelay::RoundsBeforeBacklog; ++I)
        ASSERT_EQ(T.round(0, Any), 0) << I;
      EXPECT_EQ(T.round(0, Any), Wanted);
      EXPECT_EQ(T->emptyRounds(0), 0u);
    }
    // It is short now.
    T.wait(0, RemoteDelay::RoundsBeforeAnything - 1);
    EXPECT_EQ(T.round(0, Any), 0);
    EXPECT_EQ(T.round(0, Any), 3);
  }
}

TEST(DomainsTakeTest, anyTaskBeginsTheWaitAnew) {
  Team T(topology("node:2 pu:2"), blocks(2, 2));
  Worker Any;
  ASSERT_TRUE(T.push(Team::NodePublic, 1, 8));
  for (int Kind : {0, 1, 2}) {
    T.wait(0, RemoteDelay::RoundsBeforeAnything - 1);
    if (Kind == 0) { // its own task
      ASSERT_TRUE(T.push(Team::ThreadPrivate, 0, 9));
      EXPECT_EQ(T.round(0, Any), 9);
    } else if (Kind == 1) { // its node's
      ASSERT_TRUE(T.push(Team::NodePublic, 0, 9));
      EXPECT_EQ(T.round(0, Any), 9);
    } else { // one of libomp's, between the stages
      T->endRound(0, Round::Task, Team::noClock);
    }
    EXPECT_EQ(T->emptyRounds(0), 0u);
    EXPECT_EQ(T.round(0, Any), 0);
  }
  T.wait(0);
  EXPECT_EQ(T.round(0, Any), 8);
}

TEST(DomainsTakeTest, aThiefWithLongTasksWaitsLonger) {
  for (auto [Kind, Backlog] : FarQueues) {
    Team T(topology("node:2 pu:2"), blocks(2, 2));
    const int Index = Kind == Team::NodePublic ? 1 : 2;
    for (int I = 1; I <= Backlog + 1; ++I)
      ASSERT_TRUE(T.push(Kind, Index, I));
    uint64_t Now = 0;
    auto Clock = [&] { return Now; };
    T->endRound(0, Round::PlacedTask, Clock);
    Now = 1000;
    for (uint32_t I = 0; I <= RemoteDelay::RoundsBeforeAnything; ++I)
      T->endRound(0, Round::Empty, Clock);
    Worker Any;
    void *Task;
    EXPECT_EQ(T->takeFromAfar(0, Any.taker(), T->reach(0), Task),
              Outcome::Empty);
    Now += 1000 * RemoteDelay::TasksBeforeBacklog;
    T->endRound(0, Round::Empty, Clock);
    EXPECT_EQ(T->takeFromAfar(0, Any.taker(), T->reach(0), Task),
              Outcome::Taken);
    EXPECT_EQ(numberOf(Task), 1);
  }
}

TEST(DomainsTakeTest, roundsAreEachThreadsOwn) {
  Team T(topology("node:2 pu:2"), blocks(2, 2));
  T.wait(0);
  EXPECT_EQ(T->emptyRounds(0), RemoteDelay::RoundsBeforeAnything);
  for (int Thread : {1, 2, 3})
    EXPECT_EQ(T->emptyRounds(Thread), 0u);
  ASSERT_TRUE(T.push(Team::ThreadPublic, 3, 7));
  Worker Any;
  EXPECT_EQ(T.round(1, Any), 0);
}
