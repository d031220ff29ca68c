//===- hierarchy.cpp - Tests of machine/hierarchy -------------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "locus/machine/hierarchy.h"
#include "support.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <memory>
#include <numeric>
#include <random>
#include <tuple>

using namespace locus;
using namespace locus::test;

namespace {

using Ints = std::vector<int>;
using Spots = std::vector<ThreadSpot>;

constexpr Level Levels[] = {Level::Thread, Level::Core,    Level::L3,
                            Level::Numa,   Level::Package, Level::Machine};

/// The groups of a team.
class Team {
public:
  Team(const Topology &Machine, const Spots &Threads) {
    EXPECT_TRUE(Made.build(Machine, int(Threads.size()), Threads.data()));
  }
  explicit Team(const Topology &Machine) : Team(Machine, onEachCpu(Machine)) {}

  Hierarchy *operator->() { return &Made; }

  /// The groups of all threads, in order.
  Ints groups(Level L) {
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
  /// The levels for which \p Test holds, by their initials.
  std::string levels(bool (Hierarchy::*Test)(Level) const) {
    std::string Text;
    for (Level L : Levels)
      if ((Made.*Test)(L))
        Text += "TCLNPM"[int(L)];
    return Text;
  }
  Ints nearest(Level L, int Thread) {
    // One more, to see that it is left alone.
    std::vector<uint64_t> Order(Made.numGroups(L), 12345);
    Made.nearestGroups(L, Thread, Order.data());
    EXPECT_EQ(Order.back(), 12345u);
    return Ints(Order.begin(), Order.end() - 1);
  }

private:
  Hierarchy Made;
};

/// First, First + 1 .. Last.
Ints range(int First, int Last) {
  Ints All(Last - First + 1);
  std::iota(All.begin(), All.end(), First);
  return All;
}
Ints operator+(Ints A, const Ints &B) {
  A.insert(A.end(), B.begin(), B.end());
  return A;
}

//===----------------------------------------------------------------------===//
// The groups of whole machines, written out
//===----------------------------------------------------------------------===//

/// A thread on each CPU.
struct Whole {
  const char *Name;
  Ints Counts;             ///< groups of thread, core, L3, node, package, all
  const char *Has;         ///< levels that the machine has
  const char *Informative; ///< levels that differ from the next finer one
};

[[maybe_unused]] void PrintTo(const Whole &W, std::ostream *Out) {
  *Out << W.Name;
}

const Whole WholeMachines[] = {
    {"n1x1", {1, 1, 1, 1, 1, 1}, "TNM", "T"},
    {"n2x2", {4, 2, 2, 2, 1, 1}, "TNM", "TCP"},
    {"n4x8", {32, 4, 4, 4, 1, 1}, "TNM", "TCP"},
    {"n24x8", {192, 24, 24, 24, 12, 1}, "TNPM", "TCPM"},
    {"irregular", {8, 3, 3, 3, 1, 1}, "TNM", "TCP"},
    {"nodeWithoutCpus", {4, 2, 2, 2, 1, 1}, "TNM", "TCP"},
    {"memoryOnly", {4, 2, 2, 2, 2, 1}, "TNPM", "TCM"},
    {"hyperThreads", {8, 4, 2, 2, 1, 1}, "TCNM", "TCLP"},
    {"l3", {16, 8, 4, 2, 2, 1}, "TCLNPM", "TCLNM"},
    {"nps2", {16, 16, 8, 4, 2, 1}, "TCLNPM", "TLNPM"},
    {"subNuma", {8, 8, 4, 4, 2, 1}, "TCLNPM", "TLPM"},
    {"noPackage", {8, 4, 4, 2, 1, 1}, "TLNM", "TCNP"},
    {"coresOnly", {8, 4, 1, 1, 1, 1}, "TCNM", "TCL"},
    {"crossed", {4, 4, 4, 4, 2, 1}, "TNPM", "TPM"},
};

class HierarchyWholeTest : public testing::TestWithParam<Whole> {};

INSTANTIATE_TEST_SUITE_P(, HierarchyWholeTest, testing::ValuesIn(WholeMachines),
                         NameOf());

TEST_P(HierarchyWholeTest, levels) {
  Team T(machine(GetParam().Name));
  EXPECT_EQ(T.counts(), GetParam().Counts);
  EXPECT_EQ(T.levels(&Hierarchy::hasLevel), GetParam().Has);
  EXPECT_EQ(T.levels(&Hierarchy::isInformative), GetParam().Informative);
}

TEST_P(HierarchyWholeTest, groupsAreBlocks) {
  // Each group of a regular machine has the same number of threads in a row.
  if (std::string(GetParam().Name) == "irregular")
    return; // has a test of its own
  Team T(machine(GetParam().Name));
  for (Level L : Levels) {
    const int Size = T->numThreads() / T->numGroups(L);
    for (int Thread = 0; Thread < T->numThreads(); ++Thread)
      ASSERT_EQ(T->groupOf(L, Thread), Thread / Size);
    for (int G = 0; G < T->numGroups(L); ++G) {
      EXPECT_EQ(T->firstMember(L, G), G * Size);
      EXPECT_EQ(T->numMembers(L, G), Size);
    }
  }
}

TEST(HierarchyTest, irregular) {
  Team T(irregularMachine());
  const Ints Nodes = {0, 1, 1, 2, 2, 2, 2, 2};
  EXPECT_EQ(T.groups(Level::Numa), Nodes);
  EXPECT_EQ(T.groups(Level::Core), Nodes); // it shows none
  EXPECT_EQ(T.groups(Level::Package), Ints(8, 0));
  EXPECT_EQ(T->firstMember(Level::Numa, 2), 3);
  EXPECT_EQ(T->numMembers(Level::Numa, 2), 5);
}

//===----------------------------------------------------------------------===//
// Where the threads are
//===----------------------------------------------------------------------===//

TEST(HierarchyTest, oneThread) {
  for (const NamedMachine &M : machines()) {
    SCOPED_TRACE(M.Name);
    Team T(M.Get(), {onEachCpu(M.Get()).back()});
    EXPECT_EQ(T.counts(), Ints(6, 1));
    EXPECT_EQ(T.levels(&Hierarchy::isInformative), "T");
    for (Level L : Levels) {
      EXPECT_EQ(T->groupOf(L, 0), 0);
      EXPECT_EQ(T.nearest(L, 0), Ints());
    }
    EXPECT_EQ(T->closeness(0, 0), Level::Thread);
  }
}

TEST(HierarchyTest, hyperThreadsByCore) {
  // Thread I on OS CPU I, so 0 and 4 share the first core.
  Team T(machine("hyperThreads"), onCpus(machine("hyperThreads"), range(0, 7)));
  EXPECT_EQ(T.groups(Level::Core), (Ints{0, 1, 2, 3, 0, 1, 2, 3}));
  EXPECT_EQ(T.groups(Level::Numa), (Ints{0, 0, 1, 1, 0, 0, 1, 1}));
  EXPECT_EQ(T->numMembers(Level::Core, 3), 2);
  EXPECT_EQ(T->firstMember(Level::Core, 3), 3);
  EXPECT_EQ(T->closeness(2, 6), Level::Core);
  EXPECT_EQ(T.nearest(Level::Thread, 0), (Ints{4, 1, 5, 2, 3, 6, 7}));
  EXPECT_EQ(T.nearest(Level::Thread, 7), (Ints{3, 2, 6, 0, 1, 4, 5}));
  EXPECT_EQ(T.nearest(Level::Core, 7), (Ints{2, 0, 1}));
}

TEST(HierarchyTest, groupsGoByTheMachineNotByThreadNumbers) {
  // From the last CPU to the first.
  Spots Backwards = onEachCpu(machine("l3"));
  std::reverse(Backwards.begin(), Backwards.end());
  Team T(machine("l3"), Backwards);
  EXPECT_EQ(T.groups(Level::Numa), Ints(8, 1) + Ints(8, 0));
  EXPECT_EQ(T.groups(Level::L3),
            Ints(4, 3) + Ints(4, 2) + Ints(4, 1) + Ints(4, 0));
  EXPECT_EQ(T->firstMember(Level::Numa, 0), 15);
  EXPECT_EQ(T->firstMember(Level::Numa, 1), 7);
  EXPECT_EQ(T->firstMember(Level::Core, 0), 15);
  // A list of its own has the thread's number all the same.
  EXPECT_EQ(T.groups(Level::Thread), range(0, 15));
}

TEST(HierarchyTest, partOfTheMachine) {
  const Topology &Machine = paperMachine();
  Team T(Machine, onCpus(Machine, {136, 40, 137, 41, 56}));
  // OS nodes 17, 5, 17, 5, 7: packages 8, 2, 8, 2, 3.
  EXPECT_EQ(T.groups(Level::Numa), (Ints{2, 0, 2, 0, 1}));
  EXPECT_EQ(T.groups(Level::Package), (Ints{2, 0, 2, 0, 1}));
  EXPECT_EQ(T.levels(&Hierarchy::isInformative), "TCM");
  EXPECT_EQ(T.nearest(Level::Thread, 1), (Ints{3, 4, 2, 0}));
  EXPECT_EQ(T.nearest(Level::Numa, 4), (Ints{0, 2}));
}

TEST(HierarchyTest, partWithoutSharedCaches) {
  // One hyper-thread of one core of each L3.
  Team T(machine("l3"), onCpus(machine("l3"), {0, 4, 8, 12}));
  EXPECT_EQ(T.counts(), (Ints{4, 4, 4, 2, 2, 1}));
  EXPECT_EQ(T.levels(&Hierarchy::isInformative), "TNM");
}

TEST(HierarchyTest, moreThreadsThanCpus) {
  // Three turns over the CPUs of 2 x 2.
  Team T(
      machine("hyperThreads"),
      onCpus(machine("hyperThreads"), range(0, 7) + range(0, 7) + range(0, 7)));
  EXPECT_EQ(T.counts(), (Ints{24, 4, 2, 2, 1, 1}));
  EXPECT_EQ(T->numMembers(Level::Core, 0), 6);
  // Two threads on one CPU are as close as two on one core.
  EXPECT_EQ(T->closeness(1, 9), Level::Core);
  EXPECT_EQ(T->closeness(1, 13), Level::Core);
  // CPUs 1 and 5 share a core; CPUs 0 and 4 are on its node.
  EXPECT_EQ(T.nearest(Level::Thread, 9),
            (Ints{13, 17, 21, 1, 5} + Ints{12, 16, 20, 0, 4, 8} +
             Ints{10, 11, 14, 15, 18, 19, 22, 23, 2, 3, 6, 7}));
}

TEST(HierarchyTest, manyThreadsOnOneCpu) {
  Team T(machine("n2x2"), onCpus(machine("n2x2"), Ints(100, 3)));
  EXPECT_EQ(T.counts(), (Ints{100, 1, 1, 1, 1, 1}));
  EXPECT_EQ(T.nearest(Level::Thread, 98), (Ints{99} + range(0, 97)));
}

TEST(HierarchyTest, unboundThreadsInBlocks) {
  // Two cores of two hyper-threads to a node.
  const Topology &Machine = machine("hyperThreads");
  auto Cores = [&](const Spots &Threads) {
    return Team(Machine, Threads).groups(Level::Core);
  };
  EXPECT_EQ(Cores(onNodes({0, 0})), (Ints{0, 1}));
  EXPECT_EQ(Cores(onNodes({0, 0, 0})), (Ints{0, 0, 1}));
  EXPECT_EQ(Cores(onNodes({0, 0, 0, 0})), (Ints{0, 0, 1, 1}));
  EXPECT_EQ(Cores(onNodes(Ints(8, 0))), Ints(4, 0) + Ints(4, 1));
  // Each node for itself, in the order of thread numbers.
  EXPECT_EQ(Cores(onNodes({1, 0, 1, 0})), (Ints{2, 0, 3, 1}));
  EXPECT_EQ(Cores(onNodes(Ints(9, 1) + Ints(2, 0))),
            (Ints{2, 2, 2, 2, 2, 3, 3, 3, 3, 0, 1}));
  // Those with a CPU stay there; the others are spread as if alone.
  EXPECT_EQ(Cores({{5, 0}, {-1, 0}, {1, 0}, {-1, 0}}), (Ints{1, 0, 1, 1}));
}

TEST(HierarchyTest, unboundThreadsOverCaches) {
  Team T(machine("nps2"), onNodes({0, 0, 1, 1, 2, 2, 3, 3}));
  EXPECT_EQ(T.counts(), (Ints{8, 8, 8, 4, 2, 1}));
  EXPECT_EQ(T.groups(Level::L3), range(0, 7));
}

TEST(HierarchyTest, cpusElsewhereCountAsNone) {
  // Of another node, not in the machine, no number at all.
  const Topology &Machine = machine("hyperThreads");
  const Ints Wanted = Team(Machine, onNodes({0, 0})).groups(Level::Core);
  for (int Cpu : {2, 7, 8, 8191, 8192, INT32_MAX, -2, INT32_MIN}) {
    Team T(Machine, {{Cpu, 0}, {-1, 0}});
    EXPECT_EQ(T.groups(Level::Core), Wanted) << Cpu;
    EXPECT_EQ(T->numGroups(Level::Machine), 1);
  }
}

TEST(HierarchyTest, machineThatHwlocCannotRead) {
  auto Machine = std::make_unique<Topology>();
  ASSERT_FALSE(Machine->load("nonsense"));
  Team T(*Machine, {{0, 0}, {1, 0}, {2, 0}, {-1, 0}});
  EXPECT_EQ(T.counts(), (Ints{4, 3, 1, 1, 1, 1}));
}

//===----------------------------------------------------------------------===//
// The order of victims, written out
//===----------------------------------------------------------------------===//

TEST(HierarchyOrderTest, twoByTwo) {
  Team T(machine("n2x2"));
  EXPECT_EQ(T.nearest(Level::Thread, 0), (Ints{1, 2, 3}));
  EXPECT_EQ(T.nearest(Level::Thread, 1), (Ints{0, 2, 3}));
  EXPECT_EQ(T.nearest(Level::Thread, 2), (Ints{3, 0, 1}));
  EXPECT_EQ(T.nearest(Level::Thread, 3), (Ints{2, 0, 1}));
  EXPECT_EQ(T.nearest(Level::Numa, 1), (Ints{1}));
  EXPECT_EQ(T.nearest(Level::Numa, 2), (Ints{0}));
  EXPECT_EQ(T.nearest(Level::Machine, 2), Ints());
}

TEST(HierarchyOrderTest, fourByEight) {
  Team T(machine("n4x8"));
  EXPECT_EQ(T.nearest(Level::Thread, 0), range(1, 31));
  EXPECT_EQ(T.nearest(Level::Thread, 10),
            (range(11, 15) + Ints{8, 9} + range(16, 31) + range(0, 7)));
  EXPECT_EQ(T.nearest(Level::Thread, 31), range(24, 30) + range(0, 23));
  EXPECT_EQ(T.nearest(Level::Numa, 10), (Ints{2, 3, 0}));
}

TEST(HierarchyOrderTest, paperMachine) {
  Team T(paperMachine());
  // Node 9: its package, the other nodes of its third, the rest.
  const Ints Nodes = Ints{8} + range(10, 15) + range(16, 23) + range(0, 7);
  EXPECT_EQ(T.nearest(Level::Numa, 74), Nodes);
  Ints Threads = range(75, 79) + Ints{72, 73};
  for (int Node : Nodes)
    Threads = Threads + range(8 * Node, 8 * Node + 7);
  EXPECT_EQ(T.nearest(Level::Thread, 74), Threads);
  EXPECT_EQ(T.nearest(Level::Package, 74), range(5, 11) + range(0, 3));
}

TEST(HierarchyOrderTest, irregular) {
  Team T(irregularMachine());
  EXPECT_EQ(T.nearest(Level::Thread, 0), (Ints{3, 4, 5, 6, 7, 1, 2}));
  EXPECT_EQ(T.nearest(Level::Thread, 2), (Ints{1, 3, 4, 5, 6, 7, 0}));
  EXPECT_EQ(T.nearest(Level::Thread, 5), (Ints{6, 7, 3, 4, 0, 1, 2}));
  EXPECT_EQ(T.nearest(Level::Numa, 0), (Ints{2, 1}));
  EXPECT_EQ(T.nearest(Level::Numa, 1), (Ints{2, 0}));
  EXPECT_EQ(T.nearest(Level::Numa, 7), (Ints{0, 1}));
}

TEST(HierarchyOrderTest, coresThenCachesThenNodes) {
  Team T(machine("l3"));
  EXPECT_EQ(T.nearest(Level::Thread, 0), range(1, 15));
  EXPECT_EQ(T.nearest(Level::Thread, 5),
            (Ints{4, 6, 7, 0, 1, 2, 3} + range(8, 15)));
  EXPECT_EQ(T.nearest(Level::Thread, 10),
            (Ints{11, 8, 9} + range(12, 15) + range(0, 7)));
  EXPECT_EQ(T.nearest(Level::Core, 10), (Ints{4, 6, 7, 0, 1, 2, 3}));
  EXPECT_EQ(T.nearest(Level::L3, 5), (Ints{0, 2, 3}));
  EXPECT_EQ(T.nearest(Level::L3, 10), (Ints{3, 0, 1}));
}

TEST(HierarchyOrderTest, severalNodesToAPackage) {
  Team T(machine("nps2"));
  EXPECT_EQ(T.nearest(Level::Thread, 6),
            (Ints{7, 4, 5} + range(0, 3) + range(8, 15)));
  EXPECT_EQ(T.nearest(Level::L3, 6), (Ints{2, 0, 1, 4, 5, 6, 7}));
  EXPECT_EQ(T.nearest(Level::Numa, 6), (Ints{0, 2, 3}));
  EXPECT_EQ(T.nearest(Level::Numa, 13), (Ints{2, 0, 1}));
  EXPECT_EQ(T.nearest(Level::Package, 13), (Ints{0}));
}

TEST(HierarchyOrderTest, packagesDecideWhereDistancesAreEqual) {
  Team T(topology("package:2 node:2 pu:1"));
  EXPECT_EQ(T.nearest(Level::Thread, 0), (Ints{1, 2, 3}));
  EXPECT_EQ(T.nearest(Level::Thread, 1), (Ints{0, 2, 3}));
  EXPECT_EQ(T.nearest(Level::Numa, 2), (Ints{3, 0, 1}));
  EXPECT_EQ(T.nearest(Level::Numa, 3), (Ints{2, 0, 1}));
}

TEST(HierarchyOrderTest, distancesGoBeforePackages) {
  Team T(machine("crossed"));
  EXPECT_EQ(T.nearest(Level::Thread, 0), (Ints{2, 1, 3}));
  EXPECT_EQ(T.nearest(Level::Thread, 1), (Ints{3, 0, 2}));
  EXPECT_EQ(T.nearest(Level::Numa, 2), (Ints{0, 3, 1}));
  EXPECT_EQ(T.nearest(Level::Numa, 3), (Ints{1, 2, 0}));
}

TEST(HierarchyOrderTest, ownNodeIsNearestWhateverTheMatrixSays) {
  Team T(topology(test::Machine{"node:2 pu:2", {}, {30, 5, 5, 30}}));
  EXPECT_EQ(T.nearest(Level::Thread, 1), (Ints{0, 2, 3}));
}

//===----------------------------------------------------------------------===//
// What holds for any team
//===----------------------------------------------------------------------===//

class HierarchyAnyTest : public testing::TestWithParam<NamedMachine> {
protected:
  const Topology &Machine = GetParam().Get();

  /// Teams of all kinds.
  std::vector<Ints> teams() {
    Ints All;
    for (const ThreadSpot &Spot : onEachCpu(Machine))
      All.push_back(Spot.OsCpu);
    const int Count = int(All.size());
    std::vector<Ints> Teams = {
        All, Ints(All.rbegin(), All.rend()), {All.front(), All.back()}};
    Ints Third;
    for (int I = 0; I < Count; I += 3)
      Third.push_back(All[I]);
    Teams.push_back(Third);
    // Some CPUs several times, some never, in no order.
    std::mt19937 Random(1);
    for (int Size : {3, Count + 2}) {
      Ints Scattered;
      for (int I = 0; I < Size; ++I)
        Scattered.push_back(All[Random() % unsigned(Count)]);
      Teams.push_back(Scattered);
    }
    return Teams;
  }

  /// What says whether two threads are in one group: the object of a level
  /// that the machine has.
  int object(Level L, int Cpu) {
    while (L != Level::Thread && Machine.objectOfCpu(L, Cpu) < 0)
      L = Level(int(L) + 1);
    return Machine.objectOfCpu(L, Cpu);
  }
};

INSTANTIATE_TEST_SUITE_P(, HierarchyAnyTest, testing::ValuesIn(machines()),
                         NameOf());

TEST_P(HierarchyAnyTest, groupsAreTheMachinesObjects) {
  for (const Ints &Cpus : teams()) {
    Team T(Machine, onCpus(Machine, Cpus));
    const int Threads = int(Cpus.size());
    for (Level L : Levels) {
      Ints Members(T->numGroups(L));
      for (int A = 0; A < Threads; ++A) {
        const int Group = T->groupOf(L, A);
        ASSERT_GE(Group, 0);
        ASSERT_LT(Group, T->numGroups(L));
        ++Members[Group];
        if (L != Level::Thread)
          for (int B = 0; B < A; ++B)
            // Caches that span nodes are cut.
            ASSERT_EQ(
                T->groupOf(L, B) == Group,
                object(L, Cpus[A]) == object(L, Cpus[B]) &&
                    (L >= Level::Numa || object(Level::Numa, Cpus[A]) ==
                                             object(Level::Numa, Cpus[B])));
      }
      int LastFirst = -1;
      for (int G = 0; G < T->numGroups(L); ++G) {
        EXPECT_GT(Members[G], 0);
        EXPECT_EQ(T->numMembers(L, G), Members[G]);
        const int First = T->firstMember(L, G);
        ASSERT_EQ(T->groupOf(L, First), G);
        for (int Other = 0; Other < Threads; ++Other)
          if (T->groupOf(L, Other) == G) {
            EXPECT_LE(Machine.objectOfCpu(Level::Thread, Cpus[First]),
                      Machine.objectOfCpu(Level::Thread, Cpus[Other]));
          }
        if (L != Level::Thread) { // in hwloc's order
          EXPECT_GT(Machine.objectOfCpu(Level::Thread, Cpus[First]), LastFirst);
          LastFirst = Machine.objectOfCpu(Level::Thread, Cpus[First]);
        }
      }
      if (L != Level::Thread) {
        // Groups are nested, so as many groups are the same ones.
        EXPECT_EQ(T->isInformative(L),
                  T->numGroups(L) != T->numGroups(Level(int(L) - 1)));
      }
    }
  }
}

TEST_P(HierarchyAnyTest, groupsAreNested) {
  for (const Ints &Cpus : teams()) {
    Team T(Machine, onCpus(Machine, Cpus));
    for (int A = 0; A < int(Cpus.size()); ++A)
      for (int B = 0; B < A; ++B) {
        const Level Close = T->closeness(A, B);
        EXPECT_EQ(Close, T->closeness(B, A));
        for (Level L : Levels)
          ASSERT_EQ(T->groupOf(L, A) == T->groupOf(L, B), L >= Close);
      }
  }
}

TEST_P(HierarchyAnyTest, nearestComesFirst) {
  for (const Ints &Cpus : teams()) {
    Team T(Machine, onCpus(Machine, Cpus));
    for (Level L : Levels)
      for (int Thread = 0; Thread < int(Cpus.size());
           Thread += 1 + int(Cpus.size()) / 16) {
        const int Own = T->groupOf(L, Thread), Count = T->numGroups(L);
        Ints Wanted;
        for (int I = 1; I < Count; ++I)
          Wanted.push_back((Own + I) % Count);
        auto Key = [&](int Group) {
          const int Other = T->firstMember(L, Group);
          const int From = Machine.nodeOfCpu(Cpus[Thread]);
          const int To = Machine.nodeOfCpu(Cpus[Other]);
          return std::tuple(
              From != To, From == To ? 0 : Machine.distance(From, To),
              T->closeness(Thread, Other), (Group - Own + Count) % Count);
        };
        std::sort(Wanted.begin(), Wanted.end(),
                  [&](int A, int B) { return Key(A) < Key(B); });
        ASSERT_EQ(T.nearest(L, Thread), Wanted);
      }
  }
}

} // namespace
