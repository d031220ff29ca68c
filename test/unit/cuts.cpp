//===- cuts.cpp - Tests of lists other than at the levels -----------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "locus/lists/shared_lists.h"
#include "team_fixture.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <memory>
#include <numeric>

using namespace locus;
using namespace locus::test;

namespace {

using Ints = std::vector<int>;

class Groups {
public:
  Groups(const Topology &Machine, const std::vector<ThreadSpot> &Threads) {
    EXPECT_TRUE(Made.build(Machine, int(Threads.size()), Threads.data()));
  }
  explicit Groups(const Topology &Machine)
      : Groups(Machine, onEachCpu(Machine)) {}

  Hierarchy *operator->() { return &Made; }

  /// The groups of all threads, in order.
  Ints of(Level L) {
    Ints All;
    for (int T = 0; T < Made.numThreads(); ++T)
      All.push_back(Made.groupOf(L, T));
    return All;
  }
  /// One number for each level.
  Ints counts() {
    Ints All;
    for (Level L : Levels)
      All.push_back(Made.numGroups(L));
    return All;
  }
  Ints nearest(Level L, int Thread) {
    std::vector<uint64_t> Order(size_t(Made.numGroups(L)));
    Made.nearestGroups(L, Thread, Order.data());
    return Ints(Order.begin(), Order.end() - 1);
  }

private:
  Hierarchy Made;
};

//===----------------------------------------------------------------------===//
// The groups
//===----------------------------------------------------------------------===//

constexpr Level SecondCut = Level(NumLevels + 1);

TEST(HierarchyCutTest, neighboursInEqualShares) {
  Groups Flat(topology("pu:32"));
  for (int Number = 1; Number <= 32; ++Number) {
    SCOPED_TRACE(Number);
    Flat->forgetCuts();
    ASSERT_TRUE(Flat->cut(Number));
    ASSERT_EQ(Flat->numCuts(), 1);
    ASSERT_EQ(Flat->numGroups(FirstCut), Number);
    const Ints Of = Flat.of(FirstCut);
    EXPECT_TRUE(std::is_sorted(Of.begin(), Of.end()));
    for (int G = 0; G < Number; ++G) {
      const int Members = int(std::count(Of.begin(), Of.end(), G));
      EXPECT_EQ(Flat->numMembers(FirstCut, G), Members);
      EXPECT_TRUE(Members == 32 / Number || Members == 32 / Number + 1);
      EXPECT_EQ(Of[Flat->firstMember(FirstCut, G)], G);
    }
  }
}

TEST(HierarchyCutTest, followTheMachineNotTheThreadNumbers) {
  // Threads 0, 2, 4, 6 on node 0, the others on node 1.
  const Topology &Machine = machine("n2x2");
  Groups T(Machine, onNodes({0, 1, 0, 1, 0, 1, 0, 1}));
  ASSERT_TRUE(T->cut(2));
  EXPECT_EQ(T.of(FirstCut), (Ints{0, 1, 0, 1, 0, 1, 0, 1}));
}

TEST(HierarchyCutTest, nearestGroupsOfACut) {
  Groups T(machine("n4x8"));
  ASSERT_TRUE(T->cut(8));
  // The other half of its node first.
  EXPECT_EQ(T.nearest(FirstCut, 0).front(), 1);
  EXPECT_EQ(T.nearest(FirstCut, 15).front(), 2);
  Ints All = T.nearest(FirstCut, 31);
  std::sort(All.begin(), All.end());
  EXPECT_EQ(All, (Ints{0, 1, 2, 3, 4, 5, 6}));
}

TEST(HierarchyCutTest, severalAtOnceAndLevelsStay) {
  Groups T(machine("l3"));
  const Ints Before = T.counts();
  const Level Close = T->closeness(0, 9);
  ASSERT_TRUE(T->cut(3) && T->cut(5));
  EXPECT_EQ(T->numGroups(FirstCut), 3);
  EXPECT_EQ(T->numGroups(SecondCut), 5);
  EXPECT_EQ(T.counts(), Before);
  EXPECT_EQ(T->closeness(0, 9), Close);
  T->forgetCuts();
  ASSERT_TRUE(T->cut(7));
  EXPECT_EQ(T->numGroups(FirstCut), 7);
}

/// The topology \p Synthetic, read when objects \p Type were wanted.
std::unique_ptr<Topology> wanting(const char *Type, const char *Synthetic) {
  auto Machine = std::make_unique<Topology>();
  Topology::wantObjects(Type);
  EXPECT_TRUE(Machine->load(Synthetic));
  return Machine;
}

TEST(HierarchyCutTest, objectsOfAType) {
  const struct {
    const char *Type, *Machine;
    int Count;
  } Cases[] = {
      {"group", "group:4 pack:4 [numa] l3:1 core:2 pu:1", 4},
      {"Group", "group:2 group:2 pack:2 [numa] core:2 pu:1", 2},
      {"group0", "group:2 group:2 pack:2 [numa] core:2 pu:1", 2},
      {"group1", "group:2 group:2 pack:2 [numa] core:2 pu:1", 4},
      {"l2", "pack:2 [numa] l2:4 core:2 pu:2", 8},
      {"L1d", "pack:2 [numa] l2:2 l1d:2 core:2 pu:1", 8},
      {"die", "pack:2 die:3 [numa] core:2 pu:1", 6},
  };
  for (const auto &C : Cases) {
    SCOPED_TRACE(C.Machine);
    Level L = Level::Thread;
    ASSERT_TRUE(Topology::parseType(C.Type, L));
    EXPECT_EQ(L, FirstCut);
    const auto Machine = wanting(C.Type, C.Machine);
    Groups T(*Machine);
    ASSERT_TRUE(T->canCutByObjects());
    ASSERT_TRUE(T->cutByObjects());
    EXPECT_EQ(T->numGroups(FirstCut), C.Count);
    Topology::wantObjects(nullptr);
    EXPECT_FALSE(T->canCutByObjects()); // not what is wanted now
  }
  const auto Without = wanting("die", "pack:2 [numa] core:2 pu:1");
  EXPECT_FALSE(Groups(*Without)->canCutByObjects());
  Topology::wantObjects(nullptr);
}

TEST(HierarchyCutTest, typesThatAreLevels) {
  const struct {
    const char *Type;
    Level L;
  } Cases[] = {{"PU", Level::Thread},       {"core", Level::Core},
               {"l3", Level::L3},           {"L3Cache", Level::L3},
               {"numa", Level::Numa},       {"NUMANode", Level::Numa},
               {"package", Level::Package}, {"socket", Level::Package},
               {"machine", Level::Machine}};
  for (const auto &C : Cases) {
    Level L = FirstCut;
    EXPECT_TRUE(Topology::parseType(C.Type, L)) << C.Type;
    EXPECT_EQ(L, C.L) << C.Type;
  }
  Level L = FirstCut;
  for (const char *No : {"", "bridge", "pci", "os", "misc", "4", "nonsense"})
    EXPECT_FALSE(Topology::parseType(No, L)) << No;
}

//===----------------------------------------------------------------------===//
// The setting, and the lists
//===----------------------------------------------------------------------===//

TEST(QueuesSettingTest, whatIsLegal) {
  const struct {
    const char *Text;
    Level Lists;
    int NumLists;
    bool Adaptive;
  } Cases[] = {{"thread", Level::Thread, 0, false},
               {"Adaptive", Level::Thread, 0, true},
               {"NUMA", Level::Numa, 0, false},
               {"1", FirstCut, 1, false},
               {"1000000", FirstCut, 1000000, false},
               {"group", FirstCut, 0, false}};
  for (const auto &C : Cases) {
    SCOPED_TRACE(C.Text);
    ListsOptions Made;
    ASSERT_TRUE(parseQueues(C.Text, Made));
    EXPECT_EQ(Made.Lists, C.Lists);
    EXPECT_EQ(Made.NumLists, C.NumLists);
    EXPECT_EQ(Made.Adaptive, C.Adaptive);
  }
  for (const char *No :
       {"", "0", "-1", "+4", "4 ", "1000001", "99999999999999999999", "threads",
        "adaptive,numa", "a name that is much longer than any of hwloc's"}) {
    ListsOptions Made{Level::Core, 0, true};
    EXPECT_FALSE(parseQueues(No, Made)) << No;
    EXPECT_EQ(Made, (ListsOptions{Level::Core, 0, true})) << No;
  }
  ListsOptions Last;
  EXPECT_TRUE(parseQueues("thread", Last)); // nothing is wanted any more
}

/// How often the tasks of one thread for each list go to a list of their own:
/// the number of lists that the team of \p Machine has.
int countLists(const Topology &Machine, const TeamOptions &Options) {
  TestTeam P(Machine, Options);
  const SharedLists &Lists = P->lists();
  return P->groups().numGroups(Lists.level());
}

TeamOptions numbered(int NumLists, StealPolicy Steal = StealPolicy::Sample) {
  TeamOptions Options = with(FirstCut, Steal);
  Options.NumLists = NumLists;
  return Options;
}

constexpr char Curie[] = "group:4 pack:4 [numa] l3:1 core:2 pu:1";

TEST(ListsCutTest, theNumberThatIsAskedFor) {
  for (int Number : {1, 3, 4, 31})
    EXPECT_EQ(countLists(topology(Curie), numbered(Number)), Number);
  for (int Number : {32, 33, 1000000}) { // as many as threads: the deques
    TestTeam P(topology(Curie), numbered(Number));
    EXPECT_EQ(P->lists().level(), Level::Thread);
    EXPECT_FALSE(P->lists().areUsed());
  }
}

TEST(ListsCutTest, fourListsOneForEachBoardOfCurie) {
  const auto ByObjects = wanting("group", Curie);
  for (bool Named : {false, true}) {
    TestTeam P(Named ? *ByObjects : topology(Curie), numbered(Named ? 0 : 4));
    ASSERT_EQ(P->groups().numGroups(P->lists().level()), 4);
    for (int T = 0; T < 32; ++T)
      EXPECT_EQ(P->groups().groupOf(P->lists().level(), T), T / 8);
    // Threads of the board take it as their own, others steal it.
    Picker Any;
    P.push(0, 1);
    EXPECT_EQ(P.popShared(8, Any), 0);
    EXPECT_EQ(P.popShared(7, Any), 1);
    P.push(31, 2);
    EXPECT_EQ(P.popShared(0, Any), 0);
    EXPECT_EQ(P.steal(0, Any), 2);
  }
  Topology::wantObjects(nullptr);
}

TEST(ListsCutTest, objectsThatTheMachineLacks) {
  const auto Machine = wanting("die", Curie);
  TestTeam P(*Machine, numbered(0));
  EXPECT_EQ(P->lists().level(), Level::Thread);
  Topology::wantObjects(nullptr);
}

Ints stepsOf(const Topology &Machine) {
  TeamOptions Options;
  Options.Adaptive = true;
  TestTeam P(Machine, Options);
  Ints Numbers;
  for (int I = 0; I < P->lists().numSteps(); ++I)
    Numbers.push_back(P->groups().numGroups(P->lists().step(I)));
  return Numbers;
}

TEST(ListsCutTest, adaptiveListsHalve) {
  EXPECT_EQ(stepsOf(topology("pu:32")), (Ints{32, 16, 8, 4, 2, 1}));
  EXPECT_EQ(stepsOf(topology("pu:3")), (Ints{3, 1}));
  EXPECT_EQ(stepsOf(machine("n4x8")), (Ints{32, 16, 8, 4, 2, 1}));
  EXPECT_EQ(stepsOf(machine("n24x8")), (Ints{192, 96, 48, 24, 12, 6, 3, 1}));
}

TEST(ListsCutTest, noTaskOfAnyStepIsLost) {
  for (StealPolicy Policy : Policies) {
    if (Policy == StealPolicy::Sample || Policy == StealPolicy::Random)
      continue; // one call may miss a task
    TeamOptions Options = with(Level::Thread, Policy);
    Options.Adaptive = true;
    TestTeam P(topology("pu:32"), Options);
    SharedLists &Lists = P->lists();
    for (int Thief : {0, 31}) {
      int Number = 0;
      for (int Step = 0; Step < Lists.numSteps(); ++Step)
        if (Lists.step(Step) != Level::Thread)
          for (int T = 0; T < 32; ++T) {
            Worker &W = P.worker(T);
            ASSERT_TRUE(Lists.push(Lists.step(Step), W, task(++Number)));
          }
      EXPECT_TRUE(Lists.hasTasks());
      Picker Any;
      std::vector<bool> Seen(size_t(Number) + 1);
      for (int I = 0; I < Number; ++I) {
        const int Found = P.take(Thief, Any);
        ASSERT_NE(Found, 0);
        ASSERT_FALSE(Seen[size_t(Found)]);
        Seen[size_t(Found)] = true;
      }
      EXPECT_FALSE(Lists.hasTasks());
    }
  }
}

} // namespace
