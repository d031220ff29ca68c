//===- shared_lists.cpp - Tests of lists that threads share ---------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "team_fixture.h"

#include <chrono>
#include <memory>
#include <thread>

using namespace locus;
using namespace locus::test;

namespace {

using Ints = std::vector<int>;

//===----------------------------------------------------------------------===//
// Throttling
//===----------------------------------------------------------------------===//

TEST(ListsThrottleTest, untilEmptiedBy30Percent) {
  for (int Limit : {10, 100, 250, 4090}) {
    SCOPED_TRACE(Limit);
    TestTeam P(machine("n2x2"), with(Level::Thread, {}, uint32_t(Limit)));
    Picker Any;
    for (int Again = 0; Again < 3; ++Again) {
      while (P.popOwn(1, Any))
        ;
      for (int I = 1; I <= Limit; ++I) {
        ASSERT_FALSE(P.updateThrottled(1)) << I;
        P.push(1, I);
      }
      EXPECT_TRUE(P.updateThrottled(1));
      EXPECT_FALSE(P.updateThrottled(0)); // each its own
      const int Rest = Limit * 7 / 10;
      for (int I = Limit; I > Rest; --I) {
        ASSERT_TRUE(P.updateThrottled(1)) << I;
        ASSERT_EQ(P.popOwn(1, Any), I);
      }
      EXPECT_FALSE(P.updateThrottled(1));
      // It may fill up again.
      P.pushAll(1, 1, Limit - Rest - 1);
      EXPECT_FALSE(P.updateThrottled(1));
      P.push(1, 1);
      EXPECT_TRUE(P.updateThrottled(1));
    }
  }
}

TEST(ListsThrottleTest, byDefaultNotBelowTheNumberOfThreads) {
  for (int Threads : {2, 256, 300}) {
    SCOPED_TRACE(Threads);
    const std::string Machine = "node:2 pu:" + std::to_string(Threads / 2);
    TeamOptions Options = with(Level::Thread, {}, Tuned.ListLimit);
    Options.InPlace = true;
    TestTeam P(topology(Machine), Options);
    const int Limit = std::max(Threads, int(Tuned.ListLimit));
    for (int I = 1; I < Limit; ++I)
      ASSERT_TRUE(P.push(1, I, I));
    EXPECT_FALSE(P.updateThrottled(1));
    EXPECT_EQ(P.inPlaceDepth(1)->load(), 0);
    ASSERT_TRUE(P.push(1, Limit, Limit));
    EXPECT_TRUE(P.updateThrottled(1));
    EXPECT_GT(P.inPlaceDepth(1)->load(), 0);
    P->startOver(P.worker(1));
    EXPECT_EQ(P.inPlaceDepth(1)->load(), 0);
  }
}

TEST(ListsThrottleTest, smallLimits) {
  for (Level L : {Level::Thread, Level::Core})
    for (int Limit : {1, 2, 3, 4, 5}) {
      SCOPED_TRACE(testing::Message() << Limit << " level " << int(L));
      TestTeam P(topology("node:2 pu:1"), with(L, {}, uint32_t(Limit)));
      Picker Any;
      for (int I = 1; I <= Limit; ++I) {
        EXPECT_FALSE(P.updateThrottled(0)) << I;
        P.push(0, I);
      }
      for (int I = Limit; I > Limit * 7 / 10; --I) {
        for (int Again = 0; Again < 3; ++Again)
          EXPECT_TRUE(P.updateThrottled(0)) << I;
        EXPECT_EQ(P.take(0, Any), I);
      }
      EXPECT_FALSE(P.updateThrottled(0));
    }
}

TEST(ListsThrottleTest, thievesMakeRoom) {
  TestTeam P(machine("n2x2"), with(Level::Thread, {}, 10));
  P.pushAll(1, 1, 10);
  EXPECT_TRUE(P.updateThrottled(1));
  Picker Any;
  for (int I = 1; I <= 3; ++I) {
    EXPECT_TRUE(P.updateThrottled(1));
    EXPECT_EQ(P.steal(0, Any), I);
  }
  EXPECT_FALSE(P.updateThrottled(1));
}

TEST(ListsThrottleTest, sharedListsHaveALimitForEachMember) {
  for (Level L : Levels) {
    SCOPED_TRACE(int(L));
    TestTeam P(machine("l3"), with(L, {}, 10));
    const int Limit = 10 * P->groups().numMembers(L, 0);
    Picker Any;
    for (int I = 1; I <= Limit; ++I) {
      ASSERT_FALSE(P.updateThrottled(0)) << I;
      P.push(0, I);
    }
    for (int I = Limit; I > Limit * 7 / 10; --I) {
      ASSERT_TRUE(P.updateThrottled(0)) << I;
      ASSERT_EQ(P.take(0, Any), I);
    }
    EXPECT_FALSE(P.updateThrottled(0));
    // Others with a list of their own do not care.
    if (L != Level::Machine) {
      P.pushAll(0, 1, Limit);
      EXPECT_FALSE(P.updateThrottled(15));
    }
  }
}

TEST(ListsThrottleTest, unevenGroups) {
  TestTeam P(irregularMachine(), with(Level::Numa, {}, 10));
  for (auto [Thread, Limit] : {std::pair(0, 10), {1, 20}, {7, 50}}) {
    P.pushAll(Thread, 1, Limit - 1);
    EXPECT_FALSE(P.updateThrottled(Thread));
    P.push(Thread, 1);
    EXPECT_TRUE(P.updateThrottled(Thread));
  }
}

TEST(ListsThrottleTest, zeroIsNever) {
  for (Level L : {Level::Thread, Level::Numa}) {
    TestTeam P(machine("n2x2"), with(L, {}, 0));
    P.pushAll(0, 1, 20000);
    EXPECT_EQ(P->hasRoom(P.worker(0)), L == Level::Thread) << "no call";
    EXPECT_FALSE(P.updateThrottled(0));
    Picker Any;
    for (int I = 20000; I >= 1; --I)
      ASSERT_EQ(P.take(0, Any), I);
  }
}

//===----------------------------------------------------------------------===//
// What keeps the barrier closed
//===----------------------------------------------------------------------===//

TEST(ListsBarrierTest, sharedListsCount) {
  TestTeam P(machine("n2x2"), with(Level::Numa));
  Picker Any, Late, Nobody([](int) { return false; });
  EXPECT_EQ(P.Unfinished, 4);
  P.pushAll(0, 1, 3); // the first list
  EXPECT_EQ(P.Unfinished, 5);
  P.push(3, 4); // the other
  EXPECT_EQ(P.Unfinished, 6);
  // A finished thread counts again with a task, not without.
  Late.Finished = 1;
  --P.Unfinished;
  Nobody.Finished = 1;
  --P.Unfinished;
  EXPECT_EQ(P.popShared(0, Nobody), 0);
  EXPECT_EQ(P.steal(2, Nobody), 0);
  EXPECT_EQ(P.Unfinished, 4);
  EXPECT_EQ(Nobody.Finished, 1);
  EXPECT_EQ(P.popShared(0, Late), 3);
  EXPECT_EQ(P.Unfinished, 5);
  EXPECT_EQ(Late.Finished, 0);
  // The last task of a list: its count goes, or becomes the taker's.
  Late.Finished = 1;
  --P.Unfinished;
  EXPECT_EQ(P.steal(0, Late), 4);
  EXPECT_EQ(P.Unfinished, 4);
  EXPECT_EQ(Late.Finished, 0);
  EXPECT_EQ(P.popShared(1, Any), 2);
  EXPECT_EQ(P.Unfinished, 4);
  EXPECT_EQ(P.popShared(1, Any), 1);
  EXPECT_EQ(P.Unfinished, 3);
}

TEST(ListsBarrierTest, sharedListsAreTheirMembersConcern) {
  TestTeam P(machine("n2x2"), with(Level::Numa));
  P.push(2, 1);
  for (int T = 0; T < 4; ++T) {
    EXPECT_EQ(P->lists().hasTasksFor(P.worker(T)), T >= 2);
    EXPECT_EQ(P.holdsTasks(T), T >= 2);
  }
  Picker Any;
  EXPECT_EQ(P.popShared(3, Any), 1);
  for (int T = 0; T < 4; ++T)
    EXPECT_FALSE(P.holdsTasks(T));
}

TEST(ListsBarrierTest, dequesAreTheirOwnersConcern) {
  TestTeam P(machine("n2x2"), with(Level::Thread));
  Picker Any, Late;
  EXPECT_FALSE(P.holdsTasks(1));
  P.pushAll(1, 1, 2);
  EXPECT_TRUE(P.holdsTasks(1));
  EXPECT_FALSE(P.holdsTasks(0));
  EXPECT_EQ(P.Unfinished, 4);
  Late.Finished = 1;
  --P.Unfinished;
  EXPECT_EQ(P.steal(0, Late), 1);
  EXPECT_EQ(P.Unfinished, 4);
  EXPECT_EQ(Late.Finished, 0);
  EXPECT_EQ(P.popOwn(1, Any), 2);
  EXPECT_FALSE(P.holdsTasks(1));
  EXPECT_EQ(P.Unfinished, 4);
}

//===----------------------------------------------------------------------===//
// The level changes
//===----------------------------------------------------------------------===//

/// The level changes by measured times only, so tests reach around that: naming
/// a private member is legal in an explicit instantiation.
struct CurrentLevel {
  using Type = std::atomic<uint8_t> SharedLists::*;
  friend Type memberOf(CurrentLevel);
};
template <CurrentLevel::Type Member> struct Exposed {
  friend CurrentLevel::Type memberOf(CurrentLevel) { return Member; }
};
template struct Exposed<&SharedLists::Current>;

void setLevel(Team &Of, Level L) {
  (Of.lists().*memberOf(CurrentLevel()))
      .store(uint8_t(L), std::memory_order_relaxed);
}

/// A team whose level changes, from \p Start on.
TeamOptions adaptive(Level Start = Level::Thread) {
  TeamOptions Options = with(Start);
  Options.Adaptive = true;
  return Options;
}

/// The levels that an adaptive pool of a whole machine uses.
std::vector<Level> steps(const Hierarchy &Groups) {
  std::vector<Level> All;
  for (Level L : Levels)
    if (Groups.isInformative(L))
      All.push_back(L);
  return All;
}

class ListsLevelsTest : public testing::TestWithParam<NamedMachine> {
protected:
  const Topology &Machine = GetParam().Get();
};

INSTANTIATE_TEST_SUITE_P(, ListsLevelsTest, testing::ValuesIn(machines()),
                         NameOf());

TEST_P(ListsLevelsTest, startsWhereItIsTold) {
  for (Level L : Levels) {
    TestTeam P(Machine, adaptive(L));
    EXPECT_EQ(P->lists().level(), L);
    Picker Any;
    P.push(0, 7);
    EXPECT_EQ(P.take(0, Any), 7);
  }
}

TEST_P(ListsLevelsTest, whatWasAddedAtOtherLevelsIsFound) {
  for (StealPolicy Policy :
       {StealPolicy::Hierarchical, StealPolicy::RandomOrder,
        StealPolicy::RoundRobin, StealPolicy::Producer,
        StealPolicy::ProducerOrder}) {
    TeamOptions Options = adaptive();
    Options.Steal = Policy;
    TestTeam P(Machine, Options);
    const int Threads = P->groups().numThreads();
    const std::vector<Level> Steps = steps(P->groups());
    for (Level Now : Steps)
      for (int Thief : {0, Threads - 1}) {
        int Number = 0;
        for (Level L : Steps) {
          setLevel(*P, L);
          for (int T = 0; T < Threads; ++T) {
            ASSERT_TRUE(P.push(T, ++Number));
          }
        }
        setLevel(*P, Now);
        Picker Any;
        std::vector<bool> Seen(Number + 1);
        for (int I = 0; I < Number; ++I) {
          const int Found = P.take(Thief, Any);
          ASSERT_NE(Found, 0) << I << " of " << Number;
          ASSERT_FALSE(Seen[Found]);
          Seen[Found] = true;
        }
        ASSERT_EQ(P.take(Thief, Any), 0);
        ASSERT_EQ(P.Unfinished, Threads);
      }
  }
}

TEST(ListsAdaptiveTest, theCurrentLevelGoesFirst) {
  // One task for each level: thread, core, L3, node, machine.
  TestTeam P(machine("l3"), adaptive());
  const std::vector<Level> Steps = steps(P->groups());
  ASSERT_EQ(Steps.size(), 5u);
  for (size_t Now = 0; Now < Steps.size(); ++Now)
    for (int Taker : {0, 15}) {
      if (Taker == 15 && Steps[Now] == Level::Machine)
        continue; // one list: nobody else's
      SCOPED_TRACE(testing::Message() << Now << " by " << Taker);
      for (size_t I = 0; I < Steps.size(); ++I) {
        setLevel(*P, Steps[I]);
        P.push(0, int(I) + 1);
      }
      setLevel(*P, Steps[Now]);
      Picker Any;
      Ints Taken, Wanted;
      while (int Found = Taker == 0 ? P.take(0, Any) : P.steal(15, Any))
        Taken.push_back(Found);
      // Then the others, the finest first; an owner's deque before all, and
      // thread 15 shares the machine's list.
      if (Taker == 0 && Now != 0)
        Wanted.push_back(1);
      Wanted.push_back(int(Now) + 1);
      const int Last = Taker == 0 ? 5 : 4;
      for (int I = 1; I <= Last; ++I)
        if (std::find(Wanted.begin(), Wanted.end(), I) == Wanted.end())
          Wanted.push_back(I);
      EXPECT_EQ(Taken, Wanted);
      while (P.take(0, Any))
        ;
    }
}

TEST(ListsAdaptiveTest, membersOfAnyLevelStay) {
  TestTeam P(machine("l3"), adaptive());
  const struct {
    Level L;
    int Members;
  } Cases[] = {{Level::Thread, 1},
               {Level::Core, 2},
               {Level::L3, 4},
               {Level::Numa, 8},
               {Level::Machine, 16}};
  for (auto [L, Members] : Cases) {
    setLevel(*P, L);
    P.push(0, 1);
    for (Level Now : steps(P->groups())) {
      setLevel(*P, Now);
      for (int T = 0; T < 16; ++T)
        EXPECT_EQ(P.holdsTasks(T), T < Members);
    }
    Picker Any;
    EXPECT_EQ(P.take(0, Any), 1);
  }
}

TEST(ListsAdaptiveTest, idleTimeMovesTheLevel) {
  TestTeam P(machine("n2x2"), adaptive());
  Picker Any;
  const auto Start = std::chrono::steady_clock::now();
  // A decision takes a millisecond. The deadline is for a broken pool.
  const Level Before = P->lists().level();
  while (P->lists().level() == Before &&
         std::chrono::steady_clock::now() - Start < std::chrono::seconds(60)) {
    EXPECT_EQ(P.take(0, Any), 0);
    P->lists().endSearch(P.worker(0), false);
  }
  EXPECT_NE(P->lists().level(), Before);
}

TEST(ListsAdaptiveTest, fixedPoolsStay) {
  TestTeam P(machine("n2x2"), with(Level::Core));
  const auto Start = std::chrono::steady_clock::now();
  while (std::chrono::steady_clock::now() - Start <
         std::chrono::milliseconds(5))
    P->lists().endSearch(P.worker(0), false);
  EXPECT_EQ(P->lists().level(), Level::Core);
}

/// Every other thread adds tasks, no more than a few ahead of the takers, so
/// that most change hands; the others only take. All change the level.
void stress(StealPolicy Policy, Sync How, const Topology &Machine,
            int TasksOfEach) {
  TeamOptions Options = adaptive();
  Options.Steal = Policy;
  Options.TakeBy = How;
  TestTeam P(Machine, Options);
  const int Threads = P->groups().numThreads();
  const std::vector<Level> Steps = steps(P->groups());
  ASSERT_GT(Steps.size(), 2u);
  const int Tasks = Threads / 2 * TasksOfEach;
  auto Seen = std::make_unique<std::atomic<uint8_t>[]>(size_t(Tasks) + 1);
  std::atomic<int> Total{0}, Ready{0}, Added{0}, Foreign{0};
  std::atomic<bool> Failed{false};

  auto Run = [&](int Self) {
    Picker Any;
    uint32_t Random = uint32_t(Self + 1) * 747796405u;
    auto Draw = [&](uint32_t Below) {
      Random = Random * 1664525u + 1013904223u;
      return int((Random >> 16) % Below);
    };
    auto Take = [&] {
      Any.Offered.clear();
      Any.ScanAll = Draw(2);
      const int Number = P.findAny(Self, Any);
      P.endRound(Self, Number != 0);
      if (Number == 0)
        return false;
      if (Seen[size_t(Number)].fetch_add(1) != 0)
        Failed = true;
      Foreign += (Number - 1) / TasksOfEach * 2 != Self;
      ++Total;
      return true;
    };
    // All begin together.
    ++Ready;
    while (Ready < Threads)
      std::this_thread::yield();
    int Next = Self / 2 * TasksOfEach + 1;
    const int Last = Self % 2 == 0 ? Next + TasksOfEach : Next;
    while (Next < Last && !Failed) {
      if (Draw(8) == 0)
        setLevel(*P, Steps[size_t(Draw(uint32_t(Steps.size())))]);
      for (int I = Draw(9); I > 0 && Next < Last; --I) {
        if (!P.push(Self, Next++))
          Failed = true;
        ++Added;
      }
      if (Draw(4) == 0)
        Take();
      for (int I = 1; Added - Total > 100 && !Failed; ++I)
        if (I % 16 != 0)
          std::this_thread::yield();
        else // answers, too
          Take();
    }
    while (Total < Tasks && !Failed) {
      if (!Take())
        std::this_thread::yield();
      else if (Draw(64) == 0)
        setLevel(*P, Steps[size_t(Draw(uint32_t(Steps.size())))]);
    }
  };
  std::vector<std::thread> All;
  for (int I = 0; I < Threads; ++I)
    All.emplace_back(Run, I);
  for (std::thread &Thread : All)
    Thread.join();
  EXPECT_FALSE(Failed);
  EXPECT_EQ(Total, Tasks);
  EXPECT_GT(Foreign, Tasks / 4);
  EXPECT_EQ(P.Unfinished, Threads);
  Picker Any;
  for (int T = 0; T < Threads; ++T) {
    EXPECT_EQ(P.take(T, Any), 0);
    EXPECT_FALSE(P.holdsTasks(T));
  }
}

TEST(ListsAdaptiveStressTest, hierarchical) {
  stress(StealPolicy::Hierarchical, Sync::Combining, machine("n2x2"), 20000);
}
TEST(ListsAdaptiveStressTest, random) {
  stress(StealPolicy::Random, Sync::Lock, machine("n2x2"), 20000);
}
TEST(ListsAdaptiveStressTest, producerOrder) {
  stress(StealPolicy::ProducerOrder, Sync::Lock, machine("n2x2"), 20000);
}
TEST(ListsAdaptiveStressTest, manyLevels) {
  stress(StealPolicy::RandomOrder, Sync::Combining, machine("hyperThreads"),
         5000);
}

} // namespace
