//===- domains.cpp - Tests of locus_domains -------------------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "domains_team.h"
#include "locus/machine/memory.h"

#include <algorithm>
#include <cerrno>

using namespace locus;
using namespace locus::test;

using Team = DomainsTeam;
using Ints = std::vector<int>;

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

TEST(DomainsShapeTest, boundThreads) {
  Team T(topology("node:2 pu:2"), boundTo({0, 0, 1, 1}));
  EXPECT_EQ(T->numThreads(), 4);
  EXPECT_EQ(T->numNodes(), 2);
  EXPECT_EQ(T.nodes(), (Ints{0, 0, 1, 1}));
  EXPECT_EQ(T.members(0), (Ints{0, 1}));
  EXPECT_EQ(T.members(1), (Ints{2, 3}));
  EXPECT_TRUE(T->isBound());
  EXPECT_FALSE(T->mayHaveTasks());
}

TEST(DomainsShapeTest, orderOfFirstAppearance) {
  Team T(topology("node:4 pu:2"), boundTo({3, 1, 3, 0, 1}));
  EXPECT_EQ(T.osNodes(), (Ints{3, 1, 0}));
  EXPECT_EQ(T.nodes(), (Ints{0, 1, 0, 2, 1}));
  EXPECT_EQ(T.members(0), (Ints{0, 2}));
  EXPECT_EQ(T.members(1), (Ints{1, 4}));
  EXPECT_EQ(T.members(2), (Ints{3}));
  EXPECT_EQ(T->teamNode(3), 0);
  EXPECT_EQ(T->teamNode(1), 1);
  EXPECT_EQ(T->teamNode(0), 2);
  // No thread of the team is there.
  for (int Node : {2, 4, -1, MaxOsNodes, INT32_MAX})
    EXPECT_EQ(T->teamNode(Node), -1) << Node;
}

TEST(DomainsShapeTest, oneThread) {
  Team T(topology("node:4 pu:2"), boundTo({2}));
  EXPECT_EQ(T.osNodes(), (Ints{2}));
  EXPECT_EQ(T.nodes(), (Ints{0}));
}

TEST(DomainsShapeTest, unboundThreadsInBlocks) {
  auto Spread = [](int Threads, const Ints &Nodes) {
    Team T(topology("node:4 pu:2"),
           std::vector<NodeSet>(Threads, nodeSet(Nodes)));
    EXPECT_FALSE(T->isBound());
    return T.nodes();
  };
  EXPECT_EQ(Spread(8, {0, 1, 2, 3}), (Ints{0, 0, 1, 1, 2, 2, 3, 3}));
  EXPECT_EQ(Spread(4, {0, 1, 2, 3}), (Ints{0, 1, 2, 3}));
  EXPECT_EQ(Spread(6, {0, 1, 2, 3}), (Ints{0, 0, 1, 2, 2, 3}));
  EXPECT_EQ(Spread(5, {1, 3}), (Ints{0, 0, 0, 1, 1}));
  EXPECT_EQ(Spread(1, {0, 1, 2, 3}), (Ints{0}));
  // Fewer threads than nodes: spread over them, in order.
  Team Two(topology("node:4 pu:2"),
           std::vector<NodeSet>(2, nodeSet({0, 1, 2, 3})));
  EXPECT_EQ(Two.osNodes(), (Ints{0, 2}));
}

TEST(DomainsShapeTest, boundAndUnboundThreads) {
  // Two sets over several nodes are spread each for itself.
  const NodeSet Low = nodeSet({0, 1}), High = nodeSet({2, 3});
  Team T(topology("node:4 pu:2"),
         {nodeSet({1}), Low, High, Low, High, nodeSet({3})});
  EXPECT_FALSE(T->isBound());
  // OS nodes: 1, 0, 2, 1, 3, 3.
  EXPECT_EQ(T.osNodes(), (Ints{1, 0, 2, 3}));
  EXPECT_EQ(T.nodes(), (Ints{0, 1, 2, 0, 3, 3}));
}

TEST(DomainsShapeTest, moreThreadsThanCpus) {
  Team T(topology("node:2 pu:2"), blocks(2, 50));
  EXPECT_EQ(T->numThreads(), 100);
  EXPECT_EQ(T->numNodes(), 2);
  EXPECT_EQ(T->numThreadsOfNode(1), 50);
  EXPECT_EQ(T.members(1).front(), 50);
  EXPECT_EQ(T.members(1).back(), 99);
}

TEST(DomainsShapeTest, everyThreadInOneNode) {
  const std::vector<std::vector<NodeSet>> Shapes = {
      blocks(24, 8), blocks(24, 1), boundTo({5, 3, 5, 3, 5, 23, 0}),
      std::vector<NodeSet>(100, nodeSet({0, 7, 8, 23})),
      std::vector<NodeSet>(3, nodeSet({9, 10, 11, 12, 13}))};
  for (const std::vector<NodeSet> &Shape : Shapes) {
    Team T(paperMachine(), Shape);
    std::vector<bool> Seen(Shape.size());
    for (int N = 0; N < T->numNodes(); ++N) {
      EXPECT_GT(T->numThreadsOfNode(N), 0);
      EXPECT_EQ(T->teamNode(T->osNode(N)), N);
      const Ints Members = T.members(N);
      EXPECT_TRUE(std::is_sorted(Members.begin(), Members.end()));
      for (int Member : Members) {
        EXPECT_EQ(T->nodeOfThread(Member), N);
        EXPECT_FALSE(Seen[Member]);
        Seen[Member] = true;
        EXPECT_TRUE(Shape[Member].contains(T->osNode(N)));
      }
    }
    EXPECT_EQ(std::count(Seen.begin(), Seen.end(), true), long(Shape.size()));
  }
}

TEST(DomainsShapeTest, sameShape) {
  const std::vector<NodeSet> Shape = boundTo({0, 0, 1, 1});
  Team T(topology("node:2 pu:2"), Shape);
  EXPECT_TRUE(T->hasShape(4, Shape.data()));
  EXPECT_FALSE(T->hasShape(3, Shape.data()));
  const std::vector<NodeSet> Longer = boundTo({0, 0, 1, 1, 1});
  EXPECT_FALSE(T->hasShape(5, Longer.data()));
  for (int Changed = 0; Changed < 4; ++Changed) {
    std::vector<NodeSet> Other = Shape;
    Other[Changed].add(1000);
    EXPECT_FALSE(T->hasShape(4, Other.data()));
  }
  // The threads' sets count, not the nodes that come out.
  Team Unbound(topology("node:2 pu:2"),
               std::vector<NodeSet>(4, nodeSet({0, 1})));
  EXPECT_EQ(Unbound.nodes(), T.nodes());
  EXPECT_FALSE(Unbound->hasShape(4, Shape.data()));
}

TEST(DomainsShapeTest, sameArgumentsGiveSameNodes) {
  const std::vector<NodeSet> Shape(7, nodeSet({1, 4, 9}));
  Team One(paperMachine(), Shape), Two(paperMachine(), Shape);
  EXPECT_EQ(One.nodes(), Two.nodes());
  EXPECT_EQ(One.osNodes(), Two.osNodes());
}

TEST(DomainsShapeTest, emptySetCountsAsTheWholeMachine) {
  Team T(topology("node:2 pu:2"), std::vector<NodeSet>(4));
  EXPECT_EQ(T.nodes(), (Ints{0, 0, 1, 1}));
  EXPECT_FALSE(T->isBound());
  // Node 0 need not exist.
  Team Sparse(topology("node:2(indexes=7,3) pu:2"), std::vector<NodeSet>(1));
  EXPECT_NE(Sparse->osNode(0), 0);
}

TEST(DomainsShapeTest, destroyNothing) { Domains::destroy(nullptr); }

TEST(DomainsShapeTest, destroyWithTasksInside) {
  // The set of a team that is freed before its queues were used up.
  Team T(topology("node:2 pu:2"), blocks(2, 2));
  T.fill();
}

//===----------------------------------------------------------------------===//
// Distance
//===----------------------------------------------------------------------===//

TEST(DomainsDistanceTest, nearestNodeIsItself) {
  Team T(paperMachine(), boundTo({5, 23, 0, 8}));
  for (int N = 0; N < T->numNodes(); ++N)
    EXPECT_EQ(T->nearestNode(T->osNode(N)), N);
}

TEST(DomainsDistanceTest, nearestNodeByDistance) {
  Team T(paperMachine(), boundTo({0, 9, 17}));
  // The same package, then the same third of the machine.
  EXPECT_EQ(T->nearestNode(1), 0);
  EXPECT_EQ(T->nearestNode(8), 1);
  EXPECT_EQ(T->nearestNode(7), 0);
  EXPECT_EQ(T->nearestNode(15), 1);
  EXPECT_EQ(T->nearestNode(23), 2);
}

TEST(DomainsDistanceTest, nearestToANodeWithoutCpus) {
  const Topology &Machine = topology(test::Machine{
      "node:3 pu:2", {0, 1, 4, 5}, {10, 19, 20, 19, 10, 14, 20, 14, 10}});
  Team T(Machine, boundTo({0, 0, 2, 2}));
  EXPECT_EQ(T->nearestNode(1), 1); // OS node 2
}

TEST(DomainsDistanceTest, nearestToNoNode) {
  Team T(paperMachine(), boundTo({3, 4}));
  for (int Node : {-1, 24, MaxOsNodes, INT32_MAX, INT32_MIN}) {
    EXPECT_GE(T->nearestNode(Node), 0);
    EXPECT_LT(T->nearestNode(Node), 2);
  }
}

TEST(DomainsDistanceTest, nearestIsItselfWhateverTheMatrixSays) {
  const Topology &Machine =
      topology(test::Machine{"node:2 pu:2", {}, {10, 10, 10, 10}});
  Team T(Machine, blocks(2, 2));
  EXPECT_EQ(T->nearestNode(0), 0);
  EXPECT_EQ(T->nearestNode(1), 1);
}

//===----------------------------------------------------------------------===//
// Resolving hints
//===----------------------------------------------------------------------===//

static void expectPlace(const Placement &Got, Placement::Where Place,
                        bool Strict = false, int Index = 0) {
  EXPECT_EQ(Got.Place, Place);
  if (Place == Placement::Anywhere)
    return;
  EXPECT_EQ(Got.Strict, Strict);
  EXPECT_EQ(Got.Index, Index);
}

/// Values that a program may pass, two's complement.
static const uintptr_t Values[] = {0,
                                   1,
                                   2,
                                   3,
                                   7,
                                   8,
                                   191,
                                   192,
                                   1000003,
                                   INT32_MAX,
                                   uintptr_t(INT32_MAX) + 1,
                                   UINT32_MAX,
                                   uintptr_t(INTPTR_MAX),
                                   uintptr_t(INTPTR_MIN),
                                   uintptr_t(INTPTR_MIN) + 1,
                                   UINTPTR_MAX,
                                   UINTPTR_MAX - 1,
                                   uintptr_t(-7),
                                   uintptr_t(-8),
                                   uintptr_t(-1000003)};

/// The remainder as mathematicians have it.
static int modulo(uintptr_t Value, int Count) {
  return int((__int128(intptr_t(Value)) % Count + Count) % Count);
}

TEST(DomainsResolveTest, none) {
  Team T(topology("node:2 pu:2"), blocks(2, 2));
  for (bool Strict : {false, true})
    expectPlace(
        T->resolve(Kind::None, Strict, {42, 8}, 1, UnknownPolicy::First),
        Placement::Anywhere);
}

TEST(DomainsResolveTest, threadsModuloTheTeam) {
  for (int Threads : {1, 2, 3, 7, 8, 192}) {
    Team T(paperMachine(), std::vector<NodeSet>(Threads, nodeSet({0, 5, 9})));
    for (uintptr_t Value : Values) {
      const int Wanted = modulo(Value, Threads);
      for (int Pusher : {0, Threads / 2, Threads - 1}) {
        SCOPED_TRACE(testing::Message() << Value << " of " << Threads);
        expectPlace(T->resolve(Kind::Thread, true, {Value, 0}, Pusher,
                               UnknownPolicy::First),
                    Placement::OnThread, true, Wanted);
        expectPlace(T->resolve(Kind::Thread, false, {Value, 0}, Pusher,
                               UnknownPolicy::First),
                    Wanted == Pusher ? Placement::Anywhere
                                     : Placement::OnThread,
                    false, Wanted);
      }
    }
  }
}

TEST(DomainsResolveTest, nodesModuloTheTeamsNodes) {
  for (int Nodes : {1, 2, 3, 24}) {
    Team T(paperMachine(), blocks(Nodes, 2));
    for (uintptr_t Value : Values) {
      const int Wanted = modulo(Value, Nodes);
      for (int Pusher : {0, Nodes - 1, 2 * Nodes - 1}) {
        SCOPED_TRACE(testing::Message() << Value << " of " << Nodes);
        expectPlace(T->resolve(Kind::Node, true, {Value, 0}, Pusher,
                               UnknownPolicy::First),
                    Placement::OnNode, true, Wanted);
        expectPlace(T->resolve(Kind::Node, false, {Value, 0}, Pusher,
                               UnknownPolicy::First),
                    Wanted == Pusher / 2 ? Placement::Anywhere
                                         : Placement::OnNode,
                    false, Wanted);
      }
    }
  }
}

TEST(DomainsResolveTest, numbersAreTheTeamsNotTheSystems) {
  Team T(topology("node:4 pu:2"), boundTo({3, 1}));
  expectPlace(T->resolve(Kind::Node, true, {1, 0}, 0, UnknownPolicy::First),
              Placement::OnNode, true, 1);
  EXPECT_EQ(T->osNode(1), 1);
  EXPECT_EQ(T->osNode(0), 3);
}

namespace {
/// A kernel that says \p Node for every page.
MovePages allOn(int Node) {
  return [Node](unsigned long Count, void **, int *Status) {
    std::fill(Status, Status + Count, Node);
    return 0;
  };
}
} // namespace

TEST(DomainsResolveTest, dataFollowsTheMemory) {
  Team T(topology("node:4 pu:2"), boundTo({3, 3, 1, 1}));
  const TaskTarget Somewhere = {uintptr_t(1) << 40, 8};
  for (Kind What : {Kind::Data, Kind::Ranges}) {
    RangeList List = {2, {{uintptr_t(1) << 40, 8}, {uintptr_t(1) << 41, 8}}};
    TaskTarget Target = What == Kind::Data
                            ? Somewhere
                            : TaskTarget{reinterpret_cast<uintptr_t>(&List), 0};
    FakeKernel Fake(allOn(1));
    const int Before = MovePagesCalls;
    // OS node 1 is team node 1, with threads 2 and 3.
    expectPlace(T->resolve(What, true, Target, 0, UnknownPolicy::First),
                Placement::OnNode, true, 1);
    expectPlace(T->resolve(What, true, Target, 2, UnknownPolicy::First),
                Placement::OnNode, true, 1);
    expectPlace(T->resolve(What, false, Target, 0, UnknownPolicy::First),
                Placement::OnNode, false, 1);
    expectPlace(T->resolve(What, false, Target, 3, UnknownPolicy::First),
                Placement::Anywhere);
    EXPECT_EQ(MovePagesCalls, Before + 4); // asked each time: no stale answer
  }
}

TEST(DomainsResolveTest, rangesByMostBytes) {
  Team T(topology("node:2 pu:2"), blocks(2, 2));
  RangeList List = {3, {{0x10000, 8}, {0x20000, 8}, {0x30000, 100}}};
  FakeKernel Fake([](unsigned long Count, void **Pages, int *Status) {
    for (unsigned long I = 0; I < Count; ++I)
      Status[I] = uintptr_t(Pages[I]) >= 0x30000 ? 1 : 0;
    return 0;
  });
  TaskTarget Target = {reinterpret_cast<uintptr_t>(&List), 0};
  expectPlace(T->resolve(Kind::Ranges, true, Target, 0, UnknownPolicy::First),
              Placement::OnNode, true, 1);
  List.Count = 2;
  expectPlace(T->resolve(Kind::Ranges, true, Target, 3, UnknownPolicy::First),
              Placement::OnNode, true, 0);
}

TEST(DomainsResolveTest, dataOutsideOfTheTeamGoesToTheNearestNode) {
  Team T(paperMachine(), boundTo({0, 9, 17}));
  const std::pair<int, int> Cases[] = {{1, 0}, {8, 1}, {12, 1}, {22, 2}};
  for (auto [OsNode, Wanted] : Cases) {
    FakeKernel Fake(allOn(OsNode));
    expectPlace(
        T->resolve(Kind::Data, true, {4096, 8}, 0, UnknownPolicy::First),
        Placement::OnNode, true, Wanted);
  }
}

TEST(DomainsResolveTest, dataOnANodeWithoutCpus) {
  // Node 1, whose neighbour is node 0.
  Team Without(machine("nodeWithoutCpus"), boundTo({2, 0}));
  FakeKernel Fake(allOn(1));
  expectPlace(
      Without->resolve(Kind::Data, true, {4096, 8}, 0, UnknownPolicy::Local),
      Placement::OnNode, true, 1);
}

TEST(DomainsResolveTest, dataOnAMemoryOnlyNode) {
  // Node 2 serves all CPUs, none nearer than the others.
  Team T(machine("memoryOnly"), boundTo({1, 0}));
  FakeKernel Fake(allOn(2));
  for (int Pusher : {0, 1})
    expectPlace(
        T->resolve(Kind::Data, true, {4096, 8}, Pusher, UnknownPolicy::Local),
        Placement::OnNode, true, 0);
}

TEST(DomainsResolveTest, unknownData) {
  Team T(topology("node:2 pu:2"), blocks(2, 2));
  FakeKernel Fake(allOn(-ENOENT));
  // No page, so neither has a policy.
  for (uintptr_t Value : {uintptr_t(0), UINTPTR_MAX, uintptr_t(1) << 62}) {
    const TaskTarget Target = {Value, 0};
    expectPlace(T->resolve(Kind::Data, true, Target, 3, UnknownPolicy::First),
                Placement::OnNode, true, 0);
    expectPlace(T->resolve(Kind::Data, true, Target, 3, UnknownPolicy::Local),
                Placement::OnNode, true, 1);
    expectPlace(T->resolve(Kind::Data, false, Target, 3, UnknownPolicy::First),
                Placement::OnNode, false, 0);
    expectPlace(T->resolve(Kind::Data, false, Target, 0, UnknownPolicy::First),
                Placement::Anywhere);
    expectPlace(T->resolve(Kind::Data, false, Target, 3, UnknownPolicy::Local),
                Placement::Anywhere);
  }
}

TEST(DomainsResolveTest, oneNodeNeedsNoKernel) {
  Team T(topology("node:4 pu:2"), boundTo({2, 2}));
  const int Before = MovePagesCalls;
  expectPlace(T->resolve(Kind::Data, true, {4096, 8}, 1, UnknownPolicy::First),
              Placement::OnNode, true, 0);
  expectPlace(T->resolve(Kind::Data, false, {4096, 8}, 1, UnknownPolicy::First),
              Placement::Anywhere);
  EXPECT_EQ(MovePagesCalls, Before);
}
