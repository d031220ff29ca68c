//===- domains.cpp - Tests of locus_domains -------------------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "locus_domains.h"
#include "locus_memory.h"
#include "support.h"

#include <algorithm>
#include <cerrno>
#include <gtest/gtest.h>
#include <unistd.h>

using namespace locus;
using namespace locus::test;

namespace {

/// A team's domains, and a name for each of their queues: the number of the
/// one task that fill() puts there.
class Team {
public:
  Team(const Topology &Machine, const std::vector<NodeSet> &Threads)
      : Unfinished(int(Threads.size())),
        Made(Domains::create(Machine, int(Threads.size()), Threads.data(),
                             &Unfinished)) {}
  ~Team() { Domains::destroy(Made); }
  Team(const Team &) = delete;
  Team &operator=(const Team &) = delete;

  Domains *operator->() { return Made; }
  Domains &operator*() { return *Made; }

  enum Queue { ThreadPrivate = 1, ThreadPublic, NodePrivate, NodePublic };
  static int name(Queue Kind, int Index) { return Kind * 10000 + Index; }
  static Queue kind(int Name) { return Queue(Name / 10000); }
  static int index(int Name) { return Name % 10000; }

  bool push(Queue Kind, int Index, int Number) {
    bool Strict = Kind == ThreadPrivate || Kind == NodePrivate;
    auto Where = Kind <= ThreadPublic ? Placement::OnThread : Placement::OnNode;
    return Made->push({Where, Strict, Index}, task(Number));
  }

  /// One task in each queue, named after it.
  void fill() {
    for (int T = 0; T < Made->numThreads(); ++T)
      for (Queue Kind : {ThreadPrivate, ThreadPublic})
        ASSERT_TRUE(push(Kind, T, name(Kind, T)));
    for (int N = 0; N < Made->numNodes(); ++N)
      for (Queue Kind : {NodePrivate, NodePublic})
        ASSERT_TRUE(push(Kind, N, name(Kind, N)));
  }

  /// The team nodes of all threads, in order.
  std::vector<int> nodes() {
    std::vector<int> All;
    for (int T = 0; T < Made->numThreads(); ++T)
      All.push_back(Made->nodeOfThread(T));
    return All;
  }
  std::vector<int> osNodes() {
    std::vector<int> All;
    for (int N = 0; N < Made->numNodes(); ++N)
      All.push_back(Made->osNode(N));
    return All;
  }
  std::vector<int> members(int Node) {
    const int *First = Made->threadsOfNode(Node);
    return {First, First + Made->numThreadsOfNode(Node)};
  }

  /// Goes through whole rounds until thread \p T looks at other nodes.
  void waitForAfar(int T) {
    Worker Nobody([](int) { return false; });
    for (uint32_t I = 0; I < Domains::RoundsBeforeAfar; ++I)
      round(T, Nobody);
  }

  /// One round of thread \p T. The task taken, or 0.
  int round(int T, Worker &Who) {
    void *Task = nullptr;
    Taker Taker = Who.taker();
    bool Found =
        Made->takeOwn(T, Taker, Taker, Task) == Outcome::Taken ||
        Made->takeFromNode(T, Taker, Taker, false, Task) == Outcome::Taken ||
        Made->takeFromAfar(T, Taker, Task) == Outcome::Taken;
    Made->endRound(T, Found);
    return Found ? numberOf(Task) : 0;
  }

private:
  std::atomic<int32_t> Unfinished;
  Domains *Made;
};

/// \p Count threads on each of \p Nodes, one node after the other.
std::vector<NodeSet> blocks(int Nodes, int Count) {
  std::vector<int> All;
  for (int N = 0; N < Nodes; ++N)
    All.insert(All.end(), Count, N);
  return boundTo(All);
}

using Ints = std::vector<int>;

} // namespace

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
                         [](const testing::TestParamInfo<Shape> &Info) {
                           return std::string(Info.param.Name);
                         });

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

    T.waitForAfar(Thread);
    EXPECT_NE(T->takeOwn(Thread, Strict.taker(), Public.taker(), Task),
              Outcome::Taken);
    EXPECT_EQ(Split(), own(Thread));
    for (bool Waiting : {false, true}) {
      EXPECT_NE(T->takeFromNode(Thread, Strict.taker(), Public.taker(), Waiting,
                                Task),
                Outcome::Taken);
      EXPECT_EQ(Split(), node(Thread));
    }
    EXPECT_NE(T->takeFromAfar(Thread, Public.taker(), Task), Outcome::Taken);
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
    Ints Taken;
    for (uint32_t Idle = 0; Idle < 2 * Domains::RoundsBeforeAfar; ++Idle)
      if (int Name = Fresh.round(Thread, Any)) {
        Taken.push_back(Name);
        Idle = 0;
      }
    EXPECT_EQ(Taken, Wanted);
  }
}

TEST_P(DomainsOrderTest, privateTasksAreLeftToTheirOwners) {
  // Each thread in turn takes whatever it can get, all others' public tasks,
  // too; then the queues are filled up again.
  Worker Any;
  for (int Thread = 0; Thread < NumThreads; ++Thread) {
    Ints Taken;
    for (uint32_t Idle = 0; Idle < 2 * Domains::RoundsBeforeAfar; ++Idle)
      if (int Name = T.round(Thread, Any)) {
        Idle = 0;
        Taken.push_back(Name);
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

//===----------------------------------------------------------------------===//
// The order on 2 x 2, written out
//===----------------------------------------------------------------------===//

TEST(DomainsTakeTest, twoByTwo) {
  Team T(topology("node:2 pu:2"), blocks(2, 2));
  T.fill();
  Worker Any;
  Ints Taken;
  for (int Round = 0; Round < 1000; ++Round)
    if (int Name = T.round(2, Any))
      Taken.push_back(Name);
  EXPECT_EQ(
      Taken,
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
  T.waitForAfar(3);
  EXPECT_EQ(Drain([&](const Taker &Who, void *&Task) {
              return T->takeFromAfar(3, Who, Task);
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
  T.waitForAfar(0);
  EXPECT_EQ(T->takeFromAfar(0, One.taker(), Task), Outcome::Taken);
  EXPECT_EQ(numberOf(Task), Team::name(Wanted, 2));
}

TEST(DomainsTakeTest, roundsBeforeAfar) {
  Team T(topology("node:2 pu:2"), blocks(2, 2));
  ASSERT_TRUE(T.push(Team::NodePublic, 1, 7));
  Worker Any;
  for (uint32_t I = 0; I < Domains::RoundsBeforeAfar; ++I) {
    EXPECT_EQ(T.round(0, Any), 0) << I;
    EXPECT_EQ(T->emptyRounds(0), I + 1);
  }
  EXPECT_EQ(T.round(0, Any), 7);

  // After a task from afar the wait begins anew, and so it does after any
  // other task.
  for (int Kind : {0, 1, 2}) {
    ASSERT_TRUE(T.push(Team::NodePublic, 1, 8));
    for (uint32_t I = 0; I < Domains::RoundsBeforeAfar; ++I)
      EXPECT_EQ(T.round(0, Any), 0) << Kind << " " << I;
    if (Kind == 0) { // its own task
      ASSERT_TRUE(T.push(Team::ThreadPrivate, 0, 9));
      EXPECT_EQ(T.round(0, Any), 9);
    } else if (Kind == 1) { // its node's
      ASSERT_TRUE(T.push(Team::NodePublic, 0, 9));
      EXPECT_EQ(T.round(0, Any), 9);
    } else { // one of libomp's, between the stages
      T->endRound(0, true);
    }
    for (uint32_t I = 0; I < Domains::RoundsBeforeAfar; ++I)
      EXPECT_EQ(T.round(0, Any), 0) << Kind << " " << I;
    EXPECT_EQ(T.round(0, Any), 8);
  }
}

TEST(DomainsTakeTest, roundsAreEachThreadsOwn) {
  Team T(topology("node:2 pu:2"), blocks(2, 2));
  T.waitForAfar(0);
  EXPECT_EQ(T->emptyRounds(0), Domains::RoundsBeforeAfar);
  for (int Thread : {1, 2, 3})
    EXPECT_EQ(T->emptyRounds(Thread), 0u);
  ASSERT_TRUE(T.push(Team::ThreadPublic, 3, 7));
  Worker Any;
  EXPECT_EQ(T.round(1, Any), 0);
}
