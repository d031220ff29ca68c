//===- team_shape.cpp - Tests of machine/team_shape -----------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "shape_team.h"

#include <algorithm>
#include <gtest/gtest.h>

using namespace locus;
using namespace locus::test;

using Ints = std::vector<int>;

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

TEST(TeamShapeTest, boundThreads) {
  ShapeTeam T(topology("node:2 pu:2"), boundTo({0, 0, 1, 1}));
  EXPECT_EQ(T->numThreads(), 4);
  EXPECT_EQ(T->numNodes(), 2);
  EXPECT_EQ(T.nodes(), (Ints{0, 0, 1, 1}));
  EXPECT_EQ(T.members(0), (Ints{0, 1}));
  EXPECT_EQ(T.members(1), (Ints{2, 3}));
  EXPECT_TRUE(T->isBound());
}

TEST(TeamShapeTest, orderOfFirstAppearance) {
  ShapeTeam T(topology("node:4 pu:2"), boundTo({3, 1, 3, 0, 1}));
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

TEST(TeamShapeTest, oneThread) {
  ShapeTeam T(topology("node:4 pu:2"), boundTo({2}));
  EXPECT_EQ(T.osNodes(), (Ints{2}));
  EXPECT_EQ(T.nodes(), (Ints{0}));
}

TEST(TeamShapeTest, unboundThreadsInBlocks) {
  auto Spread = [](int Threads, const Ints &Nodes) {
    ShapeTeam T(topology("node:4 pu:2"),
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
  ShapeTeam Two(topology("node:4 pu:2"),
                std::vector<NodeSet>(2, nodeSet({0, 1, 2, 3})));
  EXPECT_EQ(Two.osNodes(), (Ints{0, 2}));
}

TEST(TeamShapeTest, boundAndUnboundThreads) {
  // Two sets over several nodes are spread each for itself.
  const NodeSet Low = nodeSet({0, 1}), High = nodeSet({2, 3});
  ShapeTeam T(topology("node:4 pu:2"),
              {nodeSet({1}), Low, High, Low, High, nodeSet({3})});
  EXPECT_FALSE(T->isBound());
  // OS nodes: 1, 0, 2, 1, 3, 3.
  EXPECT_EQ(T.osNodes(), (Ints{1, 0, 2, 3}));
  EXPECT_EQ(T.nodes(), (Ints{0, 1, 2, 0, 3, 3}));
}

TEST(TeamShapeTest, moreThreadsThanCpus) {
  ShapeTeam T(topology("node:2 pu:2"), blocks(2, 50));
  EXPECT_EQ(T->numThreads(), 100);
  EXPECT_EQ(T->numNodes(), 2);
  EXPECT_EQ(T->numThreadsOfNode(1), 50);
  EXPECT_EQ(T.members(1).front(), 50);
  EXPECT_EQ(T.members(1).back(), 99);
}

TEST(TeamShapeTest, everyThreadInOneNode) {
  const std::vector<std::vector<NodeSet>> Shapes = {
      blocks(24, 8), blocks(24, 1), boundTo({5, 3, 5, 3, 5, 23, 0}),
      std::vector<NodeSet>(100, nodeSet({0, 7, 8, 23})),
      std::vector<NodeSet>(3, nodeSet({9, 10, 11, 12, 13}))};
  for (const std::vector<NodeSet> &Shape : Shapes) {
    ShapeTeam T(paperMachine(), Shape);
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

TEST(TeamShapeTest, sameArgumentsGiveSameNodes) {
  const std::vector<NodeSet> Shape(7, nodeSet({1, 4, 9}));
  ShapeTeam One(paperMachine(), Shape), Two(paperMachine(), Shape);
  EXPECT_EQ(One.nodes(), Two.nodes());
  EXPECT_EQ(One.osNodes(), Two.osNodes());
}

TEST(TeamShapeTest, emptySetCountsAsTheWholeMachine) {
  ShapeTeam T(topology("node:2 pu:2"), std::vector<NodeSet>(4));
  EXPECT_EQ(T.nodes(), (Ints{0, 0, 1, 1}));
  EXPECT_FALSE(T->isBound());
  // Node 0 need not exist.
  ShapeTeam Sparse(topology("node:2(indexes=7,3) pu:2"),
                   std::vector<NodeSet>(1));
  EXPECT_NE(Sparse->osNode(0), 0);
}

//===----------------------------------------------------------------------===//
// Distance
//===----------------------------------------------------------------------===//

TEST(TeamShapeDistanceTest, nearestNodeIsItself) {
  ShapeTeam T(paperMachine(), boundTo({5, 23, 0, 8}));
  for (int N = 0; N < T->numNodes(); ++N)
    EXPECT_EQ(T->nearestNode(T->osNode(N)), N);
}

TEST(TeamShapeDistanceTest, nearestNodeByDistance) {
  ShapeTeam T(paperMachine(), boundTo({0, 9, 17}));
  // The same package, then the same third of the machine.
  EXPECT_EQ(T->nearestNode(1), 0);
  EXPECT_EQ(T->nearestNode(8), 1);
  EXPECT_EQ(T->nearestNode(7), 0);
  EXPECT_EQ(T->nearestNode(15), 1);
  EXPECT_EQ(T->nearestNode(23), 2);
}

TEST(TeamShapeDistanceTest, nearestToANodeWithoutCpus) {
  const Topology &Machine = topology(test::Machine{
      "node:3 pu:2", {0, 1, 4, 5}, {10, 19, 20, 19, 10, 14, 20, 14, 10}});
  ShapeTeam T(Machine, boundTo({0, 0, 2, 2}));
  EXPECT_EQ(T->nearestNode(1), 1); // OS node 2
}

TEST(TeamShapeDistanceTest, nearestToNoNode) {
  ShapeTeam T(paperMachine(), boundTo({3, 4}));
  for (int Node : {-1, 24, MaxOsNodes, INT32_MAX, INT32_MIN}) {
    EXPECT_GE(T->nearestNode(Node), 0);
    EXPECT_LT(T->nearestNode(Node), 2);
  }
}

TEST(TeamShapeDistanceTest, nearestIsItselfWhateverTheMatrixSays) {
  const Topology &Machine =
      topology(test::Machine{"node:2 pu:2", {}, {10, 10, 10, 10}});
  ShapeTeam T(Machine, blocks(2, 2));
  EXPECT_EQ(T->nearestNode(0), 0);
  EXPECT_EQ(T->nearestNode(1), 1);
}

TEST(TeamShapeDistanceTest, otherNodesNearestFirst) {
  ShapeTeam T(paperMachine(), boundTo({5, 23, 0, 8, 4}));
  // OS node 4 shares a package with 5, and 0 its third of the machine.
  EXPECT_EQ(T.others(0), (Ints{4, 2, 1, 3}));
  EXPECT_EQ(T.others(4), (Ints{0, 2, 1, 3}));
  EXPECT_EQ(T.others(1), (Ints{2, 3, 4, 0}));
}

TEST(TeamShapeDistanceTest, equallyNearOnesBeginBehindTheNode) {
  ShapeTeam T(topology("node:4 pu:2"), blocks(4, 2));
  EXPECT_EQ(T.others(0), (Ints{1, 2, 3}));
  EXPECT_EQ(T.others(1), (Ints{2, 3, 0}));
  EXPECT_EQ(T.others(2), (Ints{3, 0, 1}));
  EXPECT_EQ(T.others(3), (Ints{0, 1, 2}));
  ShapeTeam One(topology("node:4 pu:2"), boundTo({2, 2}));
  EXPECT_EQ(One.others(0), Ints());
}

//===----------------------------------------------------------------------===//
// Threads and CPUs
//===----------------------------------------------------------------------===//

TEST(TeamShapeSpotTest, cpusAsTheyWereGiven) {
  ShapeTeam T(topology("node:2 pu:2"), boundTo({1, 0, 1}), {3, -1, 0});
  const Ints Cpus = {3, -1, 0}, Nodes = {1, 0, 1};
  for (int Thread = 0; Thread < 3; ++Thread) {
    EXPECT_EQ(T->spotOfThread(Thread).OsCpu, Cpus[size_t(Thread)]);
    EXPECT_EQ(T->spotOfThread(Thread).OsNode, Nodes[size_t(Thread)]);
  }
}

TEST(TeamShapeSpotTest, groupsAreThoseOfTheThreads) {
  ShapeTeam T(machine("hyperThreads"), boundTo({0, 0, 1, 0}), {0, 4, 2, 1});
  EXPECT_EQ(T->groups().numThreads(), 4);
  EXPECT_EQ(T->groups().closeness(0, 1), Level::Core);
  EXPECT_EQ(T->groups().closeness(0, 3), Level::L3); // as the node
  EXPECT_EQ(T->groups().closeness(0, 2), Level::Package);
}

//===----------------------------------------------------------------------===//
// Another shape in the same memory
//===----------------------------------------------------------------------===//

namespace {

struct Shape {
  std::vector<NodeSet> Threads;
  Ints Cpus;
};

const std::vector<Shape> &shapes() {
  static const std::vector<Shape> All = {
      {boundTo({0, 0, 1, 1}), {0, 1, 2, 3}},
      {boundTo({3}), {6}},
      {boundTo({3, 1, 3, 0, 1, 2, 2}), {6, 2, 7, 0, 3, 4, 5}},
      {std::vector<NodeSet>(9, nodeSet({0, 1, 2, 3})), {}},
      {boundTo({2, 2}), {}},
      {blocks(4, 40), {}},
      {std::vector<NodeSet>(161, nodeSet({1, 3})), {}},
  };
  return All;
}

bool build(TeamShape &Made, const Topology &Machine, const Shape &S) {
  return Made.build(Machine, int(S.Threads.size()), S.Threads.data(),
                    S.Cpus.empty() ? nullptr : S.Cpus.data());
}

/// All that can be asked about \p S.
Ints describe(const TeamShape &S, const Topology &Machine) {
  Ints All = {S.numThreads(), S.numNodes(), S.isBound()};
  for (int T = 0; T < S.numThreads(); ++T) {
    All.push_back(S.nodeOfThread(T));
    All.push_back(S.spotOfThread(T).OsCpu);
    All.push_back(S.spotOfThread(T).OsNode);
    for (int L = 0; L < NumLevels; ++L)
      All.push_back(S.groups().groupOf(Level(L), T));
  }
  for (int N = 0; N < S.numNodes(); ++N) {
    All.push_back(S.osNode(N));
    All.insert(All.end(), S.threadsOfNode(N),
               S.threadsOfNode(N) + S.numThreadsOfNode(N));
    All.insert(All.end(), S.otherNodes(N), S.otherNodes(N) + S.numNodes() - 1);
    for (int Os = 0; Os < Machine.numNodes(); ++Os)
      All.push_back(S.nearestNode(Os));
  }
  for (int L = 0; L < NumLevels; ++L) {
    All.push_back(S.groups().hasLevel(Level(L)));
    for (int G = 0; G < S.groups().numGroups(Level(L)); ++G) {
      All.push_back(S.groups().firstMember(Level(L), G));
      All.push_back(S.groups().numMembers(Level(L), G));
    }
  }
  return All;
}

} // namespace

TEST(TeamShapeRebuildTest, isAsNew) {
  const Topology &Machine = topology("node:4 pu:2");
  TeamShape Made;
  for (const Shape &From : shapes())
    for (const Shape &To : shapes()) {
      ASSERT_TRUE(build(Made, Machine, From));
      ASSERT_TRUE(build(Made, Machine, To));
      TeamShape Fresh;
      ASSERT_TRUE(build(Fresh, Machine, To));
      EXPECT_EQ(describe(Made, Machine), describe(Fresh, Machine));
    }
}

TEST(TeamShapeRebuildTest, roomStaysAndGrowsByAQuarter) {
  const Topology &Machine = topology("node:4 pu:2");
  TeamShape Made;
  EXPECT_EQ(Made.room(), 0);
  EXPECT_EQ(Made.numThreads(), 0);
  ASSERT_TRUE(build(Made, Machine, {blocks(1, 2), {}}));
  EXPECT_EQ(Made.room(), 2);
  EXPECT_EQ(Made.nodeRoom(), 2);
  ASSERT_TRUE(build(Made, Machine, {blocks(4, 10), {}}));
  EXPECT_EQ(Made.room(), 40);
  EXPECT_EQ(Made.nodeRoom(), 4);
  ASSERT_TRUE(build(Made, Machine, {boundTo({3}), {}}));
  EXPECT_EQ(Made.room(), 40);
  ASSERT_TRUE(build(Made, Machine, {blocks(1, 41), {}}));
  EXPECT_EQ(Made.room(), 50);
  ASSERT_TRUE(build(Made, Machine, {blocks(1, 200), {}}));
  EXPECT_EQ(Made.room(), 200);
}

TEST(TeamShapeRebuildTest, aMachineWithMoreNodes) {
  TeamShape Made;
  ASSERT_TRUE(build(Made, topology("node:2 pu:2"), {blocks(2, 12), {}}));
  ASSERT_TRUE(build(Made, paperMachine(), {blocks(24, 1), {}}));
  EXPECT_EQ(Made.numNodes(), 24);
  EXPECT_GE(Made.nodeRoom(), 24);
}
