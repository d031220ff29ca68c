//===- steal.cpp - Tests of whom a thief robs -----------------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "team_fixture.h"

#include <algorithm>
#include <map>

using namespace locus;
using namespace locus::test;

namespace {

using Ints = std::vector<int>;

/// The lists but \p Own, from behind it on.
Ints behind(int Own, int Count) {
  Ints All;
  for (int I = 1; I < Count; ++I)
    All.push_back((Own + I) % Count);
  return All;
}

//===----------------------------------------------------------------------===//
// Steal policies: which lists, in which order, how many
//===----------------------------------------------------------------------===//

class StealVictimsTest : public testing::TestWithParam<NamedMachine> {
protected:
  const Topology &Machine = GetParam().Get();

  /// Calls \p Check(pool, level, thread, own list, lists) for each level and
  /// about \p Some threads, one task in each list.
  template <class Function>
  void forEach(StealPolicy Policy, Function Check, int Some = 16) {
    for (Level L : Levels) {
      SCOPED_TRACE(int(L));
      TestTeam P(Machine, with(L, Policy));
      P.fill(L);
      const int Threads = P->groups().numThreads();
      for (int T = 0; T < Threads; T += 1 + Threads / Some)
        Check(P, L, T, P->groups().groupOf(L, T), P->groups().numGroups(L));
    }
  }
};

INSTANTIATE_TEST_SUITE_P(, StealVictimsTest, testing::ValuesIn(machines()),
                         NameOf());

TEST_P(StealVictimsTest, hierarchical) {
  forEach(StealPolicy::Hierarchical,
          [](TestTeam &P, Level L, int Thread, int, int Count) {
            std::vector<uint64_t> Order(Count);
            P->groups().nearestGroups(L, Thread, Order.data());
            const Ints Wanted(Order.begin(), Order.end() - 1);
            for (int Again = 0; Again < 2; ++Again)
              ASSERT_EQ(P.visits(Thread), Wanted);
          });
}

TEST_P(StealVictimsTest, roundRobin) {
  forEach(StealPolicy::RoundRobin,
          [](TestTeam &P, Level, int Thread, int Own, int Count) {
            for (int Again = 0; Again < 2; ++Again)
              ASSERT_EQ(P.visits(Thread), behind(Own, Count));
          });
}

TEST_P(StealVictimsTest, random) {
  forEach(
      StealPolicy::Random,
      [](TestTeam &P, Level, int Thread, int Own, int Count) {
        if (Count == 1) {
          EXPECT_EQ(P.visits(Thread), Ints());
          return;
        }
        constexpr int Each = 100;
        Ints Times(Count);
        for (int I = 0; I < Each * (Count - 1); ++I) {
          const Ints Lists = P.visits(Thread);
          ASSERT_EQ(Lists.size(), 1u);
          ++Times[Lists[0]];
        }
        for (int List = 0; List < Count; ++List) {
          if (List == Own) {
            EXPECT_EQ(Times[List], 0);
            continue;
          }
          // Five standard deviations.
          EXPECT_GT(Times[List], Each / 2);
          EXPECT_LT(Times[List], Each * 3 / 2);
        }
      },
      4);
}

TEST_P(StealVictimsTest, randomOrder) {
  forEach(
      StealPolicy::RandomOrder,
      [](TestTeam &P, Level, int Thread, int Own, int Count) {
        if (Count > 50)
          Count = 0; // the squares take too long
        Ints Wanted = behind(Own, Count);
        std::sort(Wanted.begin(), Wanted.end());
        constexpr int Each = 100;
        std::map<std::pair<int, int>, int> Times; // of list and position
        for (int I = 0; I < Each * (Count - 1); ++I) {
          Ints Lists = P.visits(Thread);
          for (int At = 0; At < int(Lists.size()); ++At)
            ++Times[{Lists[At], At}];
          std::sort(Lists.begin(), Lists.end());
          ASSERT_EQ(Lists, Wanted);
        }
        // Any list at any position, equally often.
        EXPECT_EQ(Times.size(), Wanted.size() * Wanted.size());
        if (Count > 2)
          for (const auto &[Where, N] : Times) {
            ASSERT_GT(N, Each / 2) << Where.first << "@" << Where.second;
            ASSERT_LT(N, Each * 3 / 2) << Where.first << "@" << Where.second;
          }
      },
      4);
}

TEST_P(StealVictimsTest, producersOfOneTask) {
  // Equally long lists: from behind the own one on.
  for (StealPolicy Policy : {StealPolicy::Producer, StealPolicy::ProducerOrder})
    forEach(Policy, [](TestTeam &P, Level, int Thread, int Own, int Count) {
      ASSERT_EQ(P.visits(Thread), behind(Own, Count));
    });
}

TEST_P(StealVictimsTest, producersOfSeveralTasks) {
  for (Level L : Levels) {
    SCOPED_TRACE(int(L));
    TestTeam One(Machine, with(L, StealPolicy::Producer));
    TestTeam All(Machine, with(L, StealPolicy::ProducerOrder));
    const int Count = One->groups().numGroups(L);
    Ints Sizes;
    for (int G = 0; G < Count; ++G)
      Sizes.push_back(G * 7 % 5); // some have none, some as many as others
    One.fill(L, Sizes);
    All.fill(L, Sizes);
    const int Threads = One->groups().numThreads();
    for (int T = 0; T < Threads; T += 1 + Threads / 16) {
      Ints InTurn = behind(One->groups().groupOf(L, T), Count);
      InTurn.erase(std::remove_if(InTurn.begin(), InTurn.end(),
                                  [&](int G) { return Sizes[G] == 0; }),
                   InTurn.end());
      Ints Wanted = InTurn;
      // Insertion keeps the order of equal ones.
      for (size_t I = 1; I < Wanted.size(); ++I)
        for (size_t J = I; J > 0 && Sizes[Wanted[J]] > Sizes[Wanted[J - 1]];
             --J)
          std::swap(Wanted[J], Wanted[J - 1]);
      ASSERT_EQ(All.visits(T), Wanted);
      // The fullest, then the others in turn.
      if (!Wanted.empty()) {
        const auto Fullest =
            std::find(InTurn.begin(), InTurn.end(), Wanted.front());
        std::rotate(InTurn.begin(), Fullest, Fullest + 1);
      }
      ASSERT_EQ(One.visits(T), InTurn);
    }
  }
}

TEST_P(StealVictimsTest, emptyListsGiveNothing) {
  Picker Any;
  for (StealPolicy Policy : Policies)
    for (Level L : Levels) {
      TestTeam P(Machine, with(L, Policy));
      for (int T : {0, P->groups().numThreads() - 1}) {
        EXPECT_EQ(P.take(T, Any), 0);
        EXPECT_FALSE(P.holdsTasks(T));
      }
      EXPECT_TRUE(P->isEmpty());
    }
  EXPECT_TRUE(Any.Offered.empty());
}

TEST_P(StealVictimsTest, aTaskInAnyListIsSeen) {
  Picker Any;
  for (Level L : Levels) {
    TestTeam P(Machine, with(L));
    for (int T = 0; T < P->groups().numThreads(); ++T) {
      ASSERT_TRUE(P.push(T, 1));
      EXPECT_FALSE(P->isEmpty());
      ASSERT_EQ(P.take(T, Any), 1);
      EXPECT_TRUE(P->isEmpty());
    }
  }
}

TEST_P(StealVictimsTest, allAreFound) {
  // One thread takes all tasks of all others, by any policy.
  for (StealPolicy Policy : Policies)
    for (Level L : Levels) {
      TestTeam P(Machine, with(L, Policy));
      P.fill(L);
      Picker Any;
      Ints Taken;
      const int Count = P->groups().numGroups(L);
      // The random one needs luck.
      for (int I = 0; I < 20 * Count * Count && int(Taken.size()) < Count; ++I)
        if (int Name = P.take(0, Any))
          Taken.push_back(Name);
      ASSERT_EQ(int(Taken.size()), Count);
      std::sort(Taken.begin(), Taken.end());
      for (int G = 0; G < Count; ++G)
        ASSERT_EQ(Taken[G], G + 1);
      ASSERT_EQ(P.Unfinished, P->groups().numThreads());
    }
}

TEST(StealPolicyTest, randomPermutationsAreEquallyLikely) {
  TestTeam P(machine("n2x2"), with(Level::Thread, StealPolicy::RandomOrder));
  P.fill(Level::Thread);
  std::map<Ints, int> Times;
  for (int I = 0; I < 6000; ++I)
    ++Times[P.visits(1)];
  EXPECT_EQ(Times.size(), 6u);
  for (const auto &[Order, N] : Times) {
    EXPECT_GT(N, 850);
    EXPECT_LT(N, 1150);
  }
}

TEST(StealPolicyTest, threadsDrawDifferently) {
  for (StealPolicy Policy : {StealPolicy::Random, StealPolicy::RandomOrder}) {
    TestTeam P(machine("n4x8"), with(Level::Thread, Policy));
    P.fill(Level::Thread);
    int Same = 0;
    for (int I = 0; I < 1000; ++I)
      Same += P.visits(0)[0] == P.visits(1)[0];
    EXPECT_LT(Same, 100); // some 30 by chance
  }
}

TEST(StealPolicyTest, theOwnListDoesNotCountAsProducer) {
  TestTeam P(machine("n2x2"), with(Level::Thread, StealPolicy::Producer));
  P.fill(Level::Thread, {1, 9, 2, 1});
  EXPECT_EQ(P.visits(1), (Ints{2, 3, 0}));
}

//===----------------------------------------------------------------------===//
// Which end, and who may
//===----------------------------------------------------------------------===//

TEST(StealTakeTest, ownersTakeTheNewestThievesTheOldest) {
  for (StealPolicy Policy : Policies)
    for (Level L : {Level::Thread, Level::Core, Level::L3, Level::Numa}) {
      // The first thread of each half takes from its own list, or the other's.
      const Topology &Machine = topology("package:2 l3:1 core:1 pu:2");
      TestTeam P(Machine, with(L, Policy),
                 L == Level::Thread ? onCpus(Machine, {0, 2})
                                    : onEachCpu(Machine));
      if (P->groups().numGroups(L) < 2)
        continue; // one node
      const int Thief = P->groups().firstMember(L, 1);
      P.pushAll(0, 1, 9);
      Picker Any;
      auto Pop = [&] {
        return L == Level::Thread ? P.popOwn(0, Any) : P.popShared(0, Any);
      };
      EXPECT_EQ(Pop(), 9);
      EXPECT_EQ(P.steal(Thief, Any), 1);
      EXPECT_EQ(P.steal(Thief, Any), 2);
      EXPECT_EQ(Pop(), 8);
      EXPECT_EQ(P.steal(Thief, Any), 3);
    }
}

TEST(StealTakeTest, membersShareTheNewest) {
  TestTeam P(machine("l3"), with(Level::L3));
  // Threads 0 .. 3 share a list.
  P.pushAll(0, 1, 2);
  P.pushAll(3, 3, 4);
  P.pushAll(4, 5, 5);
  Picker Any;
  EXPECT_EQ(P.popShared(2, Any), 4);
  EXPECT_EQ(P.popShared(0, Any), 3);
  EXPECT_EQ(P.steal(5, Any), 1);
  EXPECT_EQ(P.popShared(3, Any), 2);
  EXPECT_EQ(P.popShared(1, Any), 0);
  EXPECT_EQ(P.popShared(7, Any), 5);
  // Nobody has anything of its own.
  for (int T = 0; T < 16; ++T)
    EXPECT_FALSE(P.holdsTasks(T));
}

TEST(StealTakeTest, noThiefRobsItsOwnList) {
  for (StealPolicy Policy : Policies) {
    TestTeam P(machine("l3"), with(Level::Numa, Policy));
    P.pushAll(0, 1, 3);
    Picker Any;
    for (int I = 0; I < 20; ++I)
      for (int Member : {0, 1, 7})
        EXPECT_EQ(P.steal(Member, Any), 0);
  }
}

TEST(StealTakeTest, refusedInASharedList) {
  TestTeam P(machine("n2x2"), with(Level::Numa));
  P.pushAll(0, 1, 6);
  Picker Even([](int Number) { return Number % 2 == 0; });
  Picker Small([](int Number) { return Number < 4; });
  Picker Nobody([](int) { return false; });
  EXPECT_EQ(P.popShared(1, Nobody), 0);
  EXPECT_EQ(P.popShared(1, Small), 3);
  EXPECT_EQ(P.steal(2, Even), 2);
  EXPECT_EQ(P.steal(2, Nobody), 0);
  EXPECT_EQ(Nobody.Offered, (Ints{6, 5, 4, 3, 2, 1, 1, 4, 5, 6}));
  EXPECT_EQ(P.Unfinished, 5); // four threads and a list
}

TEST(StealTakeTest, refusedInADeque) {
  TestTeam P(machine("n2x2"), with(Level::Thread));
  P.pushAll(0, 1, 4);
  Picker Even([](int Number) { return Number % 2 == 0; });
  // A thief that does not look behind the oldest goes to the next list.
  P.push(3, 10);
  EXPECT_EQ(P.steal(2, Even, false), 10);
  EXPECT_EQ(P.steal(2, Even, false), 0);
  EXPECT_EQ(P.steal(2, Even, true), 2);
  // The owner looks behind the newest.
  Picker Odd([](int Number) { return Number % 2 == 1; });
  EXPECT_EQ(P.popOwn(0, Odd), 0);
  for (int Number : {3, 1})
    EXPECT_EQ(numberOf(P.worker(0).Deque.popBehind(Odd.taker()).Found), Number);
  EXPECT_EQ(P.worker(0).Deque.popBehind(Odd.taker()).Result, Outcome::Refused);
  EXPECT_TRUE(P.holdsTasks(0));
}

TEST(StealTakeTest, otherNodesAreRobbedByRules) {
  // Afar, the thief is picky until it has waited.
  for (Level L : {Level::Thread, Level::Numa}) {
    TestTeam P(machine("n2x2"), with(L));
    const int Owners = L == Level::Thread ? 1 : 2;
    const int Short = Owners * int(RemoteBacklog);
    P.pushAll(2, Picker::Placed + 1, Picker::Placed + Short);
    // Afar, nobody asks the thief whether it wants a task with a hint.
    auto Asked = [&](int Thread, Reach Far) {
      Worker &Thief = P.worker(Thread);
      Thief.Delay = RemoteDelay();
      for (uint32_t I = 0;
           Far == Reach::Backlog && I < Tuned.RemoteRoundsBacklog; ++I) {
        Thief.Delay.noteFar();
        P.endRound(Thread, false);
      }
      Picker Nobody([](int) { return false; });
      Nobody.IsWaiting = Far == Reach::Backlog; // by rounds
      Nobody.ReachesFar = Far == Reach::Anything;
      EXPECT_EQ(P.steal(Thread, Nobody), 0);
      return Nobody.Offered.empty() ? "afar" : "near";
    };
    EXPECT_STREQ(Asked(0, Reach::Near), "afar");
    EXPECT_STREQ(Asked(0, Reach::Backlog), "afar");
    EXPECT_STREQ(Asked(0, Reach::Anything), "near");
    if (L == Level::Thread) {
      EXPECT_STREQ(Asked(3, Reach::Near), "near");
    }
    // A long list is robbed sooner.
    P.push(2, Picker::Placed);
    EXPECT_STREQ(Asked(0, Reach::Near), "afar");
    EXPECT_STREQ(Asked(0, Reach::Backlog), "near");
  }
}

TEST(StealTakeTest, allOfTheOwnNodeIsNear) {
  // Threads 1, 2 and 4 share a core, an L3 and a node with thread 0.
  for (int Victim : {1, 2, 4, 8}) {
    TestTeam P(machine("l3"), with(Level::Thread));
    P.push(Victim, Picker::Placed);
    Picker Any;
    EXPECT_EQ(P.steal(0, Any) != 0, Victim < 8);
  }
}

} // namespace
