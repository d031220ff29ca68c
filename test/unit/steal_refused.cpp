//===- steal_refused.cpp - Whether a thief finds what it may take ---------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A thread that may run one task among many finds it, whichever list has it and
// by whichever policy: steal/PROOF.md, "Every task is found".
//
//===----------------------------------------------------------------------===//

#include "team_fixture.h"

#include <atomic>
#include <sched.h>
#include <thread>

using namespace locus;
using namespace locus::test;

namespace {

using Ints = std::vector<int>;

/// The one task that thieves may run, in all of these tests.
constexpr int Wanted = 1000;
bool isWanted(int Number) { return Number == Wanted; }

/// In how many searches a thief finds a task that it may take now. These
/// policies need luck: they miss one list of N so often with 1 : 10^8.
int most(StealPolicy Policy, int Lists) {
  const bool Draws =
      Policy == StealPolicy::Random || Policy == StealPolicy::Sample;
  return Draws ? 20 * Lists : 1;
}

/// Searches of \p Thread until it has the wanted task, at most \p Most; -1 if
/// it has not. There is time for a rest before each.
int searches(TestTeam &P, int Thread, int Most, bool ScanAll = true) {
  static uint64_t Now = 1000;
  FakeClock Clock(Now);
  Picker Who(isWanted);
  for (int I = 1; I <= Most; ++I) {
    Clock.set(Now += 1000000000);
    if (P.steal(Thread, Who, ScanAll) == Wanted)
      return I;
  }
  return -1;
}

class StealRefusedTest : public testing::TestWithParam<NamedMachine> {
protected:
  const Topology &Machine = GetParam().Get();
};

INSTANTIATE_TEST_SUITE_P(, StealRefusedTest, testing::ValuesIn(machines()),
                         NameOf());

TEST_P(StealRefusedTest, inAnyList) {
  for (StealPolicy Policy : Policies)
    for (Level L : Levels) {
      TestTeam P(Machine, with(L, Policy));
      const int Lists = P->groups().numGroups(L);
      // Longer lists draw the producer policies away from shorter ones.
      Ints Sizes;
      for (int G = 0; G < Lists; ++G)
        Sizes.push_back(G * 7 % 5);
      P.fill(L, Sizes);
      for (int G = 0; G < Lists; G += 1 + Lists / 8)
        for (int Thief : {0, P->groups().numThreads() - 1}) {
          if (P->groups().groupOf(L, Thief) == G)
            continue;
          const int Owner = P->groups().firstMember(L, G);
          ASSERT_TRUE(P.push(Owner, Wanted));
          ASSERT_NE(searches(P, Thief, most(Policy, Lists)), -1)
              << "policy " << int(Policy) << ", level " << int(L) << ", list "
              << G << ", thread " << Thief;
        }
    }
}

TEST_P(StealRefusedTest, theOldestIsEnough) {
  // Of a thief that does not look behind the oldest task.
  for (StealPolicy Policy : Policies) {
    TestTeam P(Machine, with(Level::Thread, Policy));
    const int Threads = P->groups().numThreads();
    for (int T = 1; T < Threads; ++T) {
      ASSERT_TRUE(P.push(T, T == Threads - 1 ? Wanted : T));
      P.pushAll(T, 1, T % 3);
    }
    if (Threads > 1) {
      ASSERT_NE(searches(P, 0, most(Policy, Threads), false), -1)
          << "policy " << int(Policy);
    }
  }
}

TEST(StealFairnessTest, aTaskBehindAnOwnerThatGoesOn) {
  // Thread 1 has new tasks all the time, which thread 0 may not run. That must
  // not keep it from looking at what threads 2 and 3 have.
  for (StealPolicy Policy : Policies)
    for (int Other : {2, 3}) {
      SCOPED_TRACE(testing::Message()
                   << "policy " << int(Policy) << ", thread " << Other);
      TestTeam P(machine("n2x2"), with(Level::Thread, Policy));
      P.push(5 - Other, 1);
      ASSERT_TRUE(P.push(Other, Wanted));
      int Searches = 0;
      do {
        P.pushAll(1, 1, 2);
        ASSERT_LE(++Searches, most(Policy, 4));
      } while (searches(P, 0, 1) == -1);
    }
}

//===----------------------------------------------------------------------===//
// Queues with a lock
//===----------------------------------------------------------------------===//

/// In so many rounds in a row a thread that may not run what is there takes the
/// lock a few times, and finds what comes later all the same.
void expectFewLooks(TestTeam &P, int Thread) {
  Picker Nobody([](int) { return false; });
  for (int Round = 0; Round < 512; ++Round)
    EXPECT_EQ(P.round(Thread, Nobody), 0);
  EXPECT_GE(Nobody.Offered.size(), 9u);
  EXPECT_LE(Nobody.Offered.size(), 11u);
  Picker Anybody;
  uint32_t Rounds = 1;
  while (P.round(Thread, Anybody) == 0)
    ASSERT_LT(++Rounds, RemoteDelay::RefusedRoundsMost);
}

TEST(StealLockTest, aThreadThatIsRefusedLeavesTheLockToOthers) {
  const Topology &Machine = machine("n2x2");
  for (const auto Kind : {TestTeam::ThreadPublic, TestTeam::NodePublic}) {
    TestTeam P(Machine, TeamOptions());
    ASSERT_TRUE(P.place(Kind, 0, 1));
    expectFewLooks(P, 0);
  }
  { // its neighbour's
    TestTeam P(Machine, TeamOptions());
    ASSERT_TRUE(P.place(TestTeam::ThreadPublic, 1, 1));
    expectFewLooks(P, 0);
  }
  for (Level L : {Level::Numa, Level::Machine}) { // its own, then others'
    TestTeam P(Machine, with(L));
    ASSERT_TRUE(P.push(0, 1));
    expectFewLooks(P, 0);
  }
  TestTeam P(Machine, with(Level::Numa));
  ASSERT_TRUE(P.push(3, 1));
  expectFewLooks(P, 0);
}

TEST(StealLockTest, strictTasksAreNotLeftAlone) {
  TestTeam P(machine("n2x2"), TeamOptions());
  ASSERT_TRUE(P.place(TestTeam::NodePublic, 0, 1));
  Picker Who([](int Number) { return Number != 1; });
  Who.IsWaiting = true;
  for (int Round = 0; Round < 70; ++Round)
    EXPECT_EQ(P.round(0, Who), 0);
  ASSERT_TRUE(P.place(TestTeam::ThreadPrivate, 0, 2));
  EXPECT_EQ(P.round(0, Who), 2);
}

/// A thief that others always forestall waits for them now and then.
TEST(StealBusyTest, aThiefWaitsForOthersInTheEnd) {
  for (StealPolicy Policy : {StealPolicy::Sample, StealPolicy::RoundRobin}) {
    TestTeam P(machine("n2x2"), with(Level::Thread, Policy));
    P.pushAll(1, 1, 2);
    std::atomic<bool> Holds{false}, GoesOn{false};
    Picker Slow([&](int) {
      Holds = true;
      while (!GoesOn)
        sched_yield();
      return true;
    });
    std::thread Other([&] { EXPECT_EQ(P.steal(2, Slow), 1); });
    while (!Holds)
      sched_yield();
    Worker &Thief = P.worker(0);
    Picker Any;
    auto Search = [&] {
      return numberOf(StealSearch(*P, Thief, Any.seeker(&*P)).run());
    };
    for (int I = 0; I < 64; ++I)
      EXPECT_EQ(Search(), 0);
    const auto &Line = P.worker(1).Deque.line();
    const CombineNode *Nobody = Line.end();
    std::thread Waits([&] { EXPECT_EQ(Search(), 2); });
    while (Line.end() == Nobody)
      sched_yield();
    GoesOn = true;
    Other.join();
    Waits.join();
  }
}

} // namespace
