//===- steal_publish.cpp - Tasks that their owner keeps to itself ---------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "team_fixture.h"

using namespace locus;
using namespace locus::test;

namespace {

using Ints = std::vector<int>;

//===----------------------------------------------------------------------===//
// Tasks that are not published
//===----------------------------------------------------------------------===//

TEST(StealRequestTest, theNextPushAnswers) {
  TestTeam P(machine("n2x2"), with(Level::Thread));
  P.pushAll(1, 1, 4);
  Picker Any;
  EXPECT_FALSE(P.awaitsAnswer(0));
  EXPECT_EQ(P.steal(0, Any), 0);
  EXPECT_TRUE(P.awaitsAnswer(0));
  P.pushAll(1, 5, 5); // publishes the older half
  for (int I : {1, 2, 3}) {
    EXPECT_EQ(P.steal(0, Any), I);
    EXPECT_FALSE(P.awaitsAnswer(0));
  }
  EXPECT_EQ(P.steal(0, Any), 0);
  EXPECT_TRUE(P.awaitsAnswer(0));
  EXPECT_EQ(P.popOwn(1, Any), 5); // so does a pop
  EXPECT_EQ(P.steal(0, Any), 4);
}

//===----------------------------------------------------------------------===//
// Steals of several tasks
//===----------------------------------------------------------------------===//

TEST(StealTripTest, theThiefKeepsWhatItTakes) {
  TestTeam P(machine("n2x2"), with(Level::Thread));
  P.pushAll(1, 1, 9);
  P.publish(1);
  Picker Keeps, Other;
  Keeps.MayKeep = true;
  EXPECT_EQ(P.steal(0, Keeps), 1);
  EXPECT_EQ(Keeps.Offered, Ints{1}); // the others need no leave to move
  // 2 .. 5 are its own, for others to steal.
  EXPECT_TRUE(P.holdsTasks(0));
  P.publish(0);
  EXPECT_EQ(P.steal(2, Other), 2);
  for (int I : {5, 4, 3})
    EXPECT_EQ(P.popOwn(0, Keeps), I);
  EXPECT_EQ(P.popOwn(0, Keeps), 0);
  // One that has tasks takes only one more.
  P.push(0, 20);
  EXPECT_EQ(P.steal(0, Keeps), 6);
  EXPECT_EQ(P.popOwn(0, Keeps), 20);
  EXPECT_EQ(P.popOwn(0, Keeps), 0);
  EXPECT_EQ(P.steal(2, Other), 7);
  EXPECT_EQ(P.steal(2, Other), 8);
  EXPECT_FALSE(P.holdsTasks(2));
}

static constexpr uint64_t StealTime = 100;

/// Thread 0 takes a thousand tasks of thread 1, each of which takes \p Length,
/// and says how many it did not find at once. Thread 1 keeps plenty of tasks.
static int rests(const TeamOptions &Options, uint64_t Length,
                 bool PushesMore = false, bool IsOpen = false) {
  TestTeam P(machine("n2x2"), Options);
  FakeClock Clock(1000);
  uint64_t Now = 1000;
  auto Pass = [&](uint64_t Time) { Clock.set(Now += Time); };
  Picker Any([&](int) {
    Pass(StealTime);
    return true;
  });
  int Rests = 0;
  for (int I = 0; I < 1000; ++I) {
    for (const auto *Plenty = P.inPlaceDepth(1); Plenty && !Plenty->load();)
      P.push(1, 1);
    if (!Options.InPlace)
      P.push(1, 1);
    if (PushesMore)
      P.push(1, 1);
    if (IsOpen)
      P->openList(P.worker(1), /*KeepsNewest=*/false);
    else
      P.publish(1);
    if (P.steal(0, Any) == 0) {
      ++Rests;
      int Found;
      do {
        EXPECT_TRUE(P.awaitsAnswer(0)); // so it does not sleep
        Pass(100);
        Found = P.steal(0, Any);
      } while (Found == 0);
      EXPECT_EQ(Found, 1);
    }
    Pass(Length);
  }
  return Rests;
}

TEST(StealTripTest, thievesOfTinyTasksRest) {
  TeamOptions Options = with(Level::Thread, StealPolicy::Hierarchical, 256);
  EXPECT_EQ(rests(Options, 10), 0);
  Options.InPlace = true;
  EXPECT_GT(rests(Options, 10), 800);
  EXPECT_EQ(rests(Options, 2 * Tuned.WorthSteals * StealTime), 0);
  // Those that can't run in place are worth it.
  EXPECT_EQ(rests(Options, 10, /*PushesMore=*/true), 0);
  // Where tasks have dependences, their creator may run them all the same.
  EXPECT_GT(rests(Options, 10, /*PushesMore=*/true, /*IsOpen=*/true), 800);
  EXPECT_EQ(rests(Options, 2 * Tuned.WorthSteals * StealTime, true, true), 0);
  // Where tasks don't.
  Options.Limit = 0;
  TestTeam P(machine("n2x2"), Options);
  EXPECT_EQ(P.inPlaceDepth(1), nullptr);
}

//===----------------------------------------------------------------------===//
// Open lists
//===----------------------------------------------------------------------===//

TEST(StealOpenTest, thievesNeedNoAnswer) {
  for (StealPolicy Policy : Policies) {
    const Topology &Machine = machine("n2x2");
    TestTeam P(Machine, with(Level::Thread, Policy), onCpus(Machine, {0, 1}));
    P->openList(P.worker(1), /*KeepsNewest=*/false);
    Picker Any;
    for (int I = 1; I <= 10; ++I) {
      P.push(1, I);
      EXPECT_EQ(P.steal(0, Any), I);
      EXPECT_FALSE(P.awaitsAnswer(0));
    }
    for (uint32_t I = 0; I < Tuned.PushesOpen; ++I)
      P->closeListInTime(P.worker(1));
    P.push(1, 11);
    EXPECT_EQ(P.steal(0, Any), 0);
    EXPECT_TRUE(P.awaitsAnswer(0));
  }
}

TEST(StealOpenTest, whatIsLeftToAnOwnerThatDoesNotTakeItIsTakenAfterAWhile) {
  TestTeam P(machine("n2x2"), with(Level::Thread));
  P->openList(P.worker(1), /*KeepsNewest=*/true);
  P.pushAll(1, 1, 2);
  Picker Any;
  EXPECT_EQ(P.steal(0, Any), 1);
  EXPECT_FALSE(P.awaitsAnswer(0));
  for (uint32_t I = 1; I < Tuned.SearchesBeforePublish; ++I) {
    ASSERT_EQ(P.steal(0, Any), 0) << I;
    ASSERT_TRUE(P.awaitsAnswer(0)) << I;
  }
  EXPECT_EQ(P.steal(0, Any), 2);
  EXPECT_EQ(P.popOwn(1, Any), 0);
}

TEST(StealOpenTest, fewerTasksArePlenty) {
  TeamOptions Options = with(Level::Thread, StealPolicy::Hierarchical, 256);
  Options.InPlace = true;
  TestTeam P(machine("n2x2"), Options); // four threads
  const auto *Depth = P.inPlaceDepth(1);
  for (int I = 1; I < 256; ++I)
    ASSERT_TRUE(P.push(1, I, I));
  EXPECT_EQ(Depth->load(), 0);
  P->openList(P.worker(1), /*KeepsNewest=*/false);
  P.push(1, 256, 256);
  EXPECT_NE(Depth->load(), 0);
  Picker Any;
  while (P.popOwn(1, Any))
    ;
  const int Few = int(Tuned.PlentyOpen) * 4;
  for (int I = 1; I < Few; ++I)
    ASSERT_TRUE(P.push(1, I, I));
  EXPECT_EQ(Depth->load(), 0);
  P.push(1, Few, Few);
  EXPECT_NE(Depth->load(), 0);
}

//===----------------------------------------------------------------------===//
// Who is asked
//===----------------------------------------------------------------------===//

TEST(StealRequestTest, whoFoundNothingAtAllSeesTheNextTask) {
  TestTeam P(machine("n2x2"), with(Level::Thread));
  Picker Any;
  EXPECT_EQ(P.steal(0, Any), 0);
  EXPECT_FALSE(P.awaitsAnswer(0)); // there may never be one
  P.push(1, 1);
  EXPECT_EQ(P.steal(0, Any), 1);
  // By now the list is open for it.
  P.pushAll(1, 2, 3);
  EXPECT_EQ(P.steal(0, Any), 2);
  EXPECT_EQ(P.steal(0, Any), 3);
}

TEST(StealRequestTest, nothingIsAwaitedOfWhoHasNothing) {
  TestTeam P(machine("n2x2"), with(Level::Thread));
  P.push(1, 1);
  Picker Any;
  EXPECT_EQ(P.steal(0, Any), 0);
  EXPECT_TRUE(P.awaitsAnswer(0));
  EXPECT_EQ(P.popOwn(1, Any), 1);
  EXPECT_EQ(P.steal(0, Any), 0);
  EXPECT_FALSE(P.awaitsAnswer(0));
}

TEST(StealRequestTest, aLongSilenceIsBroken) {
  for (StealPolicy Policy : Policies) {
    const Topology &Machine = machine("n2x2");
    TestTeam P(Machine, with(Level::Thread, Policy), onCpus(Machine, {0, 1}));
    P.pushAll(1, 1, 3);
    Picker Any;
    for (uint32_t I = 1; I < Tuned.SearchesBeforePublish; ++I) {
      ASSERT_EQ(P.steal(0, Any), 0) << I;
      ASSERT_TRUE(P.awaitsAnswer(0));
    }
    for (int I : {1, 2, 3}) {
      EXPECT_EQ(P.steal(0, Any), I);
      EXPECT_FALSE(P.awaitsAnswer(0));
    }
    EXPECT_EQ(P.popOwn(1, Any), 0);
  }
}

TEST(StealRequestTest, aLongSilenceIsBrokenAmongMany) {
  for (StealPolicy Policy : Policies) {
    SCOPED_TRACE(int(Policy));
    TestTeam P(machine("n4x8"), with(Level::Thread, Policy));
    P.push(5, 1);
    Picker Any;
    // The random policy comes by the victim once in 31 searches.
    int Searches = 1;
    while (Searches < 1000 && P.steal(0, Any) == 0)
      ++Searches;
    EXPECT_LT(Searches, 500);
  }
}

TEST(StealRequestTest, theNearestSilenceIsBroken) {
  TestTeam P(machine("n2x2"), with(Level::Thread));
  for (int T : {1, 2, 3})
    P.push(T, 10 * T);
  Picker Any;
  for (uint32_t I = 1; I < Tuned.SearchesBeforePublish; ++I)
    ASSERT_EQ(P.steal(0, Any), 0);
  EXPECT_EQ(P.steal(0, Any), 10);
}

TEST(StealRequestTest, forcedTasksOfOtherNodesAreRobbedByTheSameRules) {
  TestTeam P(machine("n2x2"), with(Level::Thread));
  P.push(2, 1);
  Picker Near, Far([](int) { return false; });
  for (uint32_t I = 0; I <= Tuned.SearchesBeforePublish; ++I)
    ASSERT_EQ(P.stealAfar(0, Near, Far, Reach::Backlog), 0) << I;
  EXPECT_FALSE(Far.Offered.empty());
  EXPECT_TRUE(Near.Offered.empty());
}

TEST(StealRequestTest, anyFindBreaksTheCount) {
  TestTeam P(machine("n2x2"), with(Level::Thread));
  P.pushAll(1, 1, 3);
  Picker Any;
  for (uint32_t I = 1; I < Tuned.SearchesBeforePublish; ++I)
    ASSERT_EQ(P.steal(0, Any), 0);
  P.push(2, 10);
  P.publish(2);
  EXPECT_EQ(P.steal(0, Any), 10);
  for (uint32_t I = 1; I < Tuned.SearchesBeforePublish; ++I)
    ASSERT_EQ(P.steal(0, Any), 0);
  EXPECT_EQ(P.steal(0, Any), 1);
}

TEST(StealRequestTest, forcedButRefused) {
  TestTeam P(machine("n2x2"), with(Level::Thread));
  P.pushAll(1, 1, 3);
  Picker Nobody([](int) { return false; });
  for (uint32_t I = 0; I < Tuned.SearchesBeforePublish; ++I)
    ASSERT_EQ(P.steal(0, Nobody), 0);
  EXPECT_EQ(Nobody.Offered, (Ints{1, 2, 3}));
  EXPECT_FALSE(P.awaitsAnswer(0)); // it knows the answer
  Picker Any;
  EXPECT_EQ(P.steal(2, Any), 1);
}

TEST(StealRequestTest, afterPublishingInVainAnotherOwnerIsAsked) {
  // The kernel refuses, so the task stays where it is.
  TestTeam P(machine("n2x2"), with(Level::Thread));
  const Sandbox Refuses;
  P.push(1, 1);
  P.push(2, 2);
  Picker Any;
  for (uint32_t I = 1; I < Tuned.SearchesBeforePublish; ++I) {
    ASSERT_EQ(P.steal(0, Any), 0);
    EXPECT_EQ(P.worker(0).Asked, 1);
  }
  ASSERT_EQ(P.steal(0, Any), 0);
  EXPECT_FALSE(P.awaitsAnswer(0));
  ASSERT_EQ(P.steal(0, Any), 0);
  EXPECT_EQ(P.worker(0).Asked, 2);
}

TEST(StealRequestTest, refusedTasksHideOthersOnlyFromWhoLooksAtTheOldest) {
  for (bool ScanAll : {false, true}) {
    TestTeam P(machine("n2x2"), with(Level::Thread));
    P.push(1, 1);
    P.publish(1);
    P.push(1, 2);
    Picker Even([](int Number) { return Number % 2 == 0; });
    EXPECT_EQ(P.steal(0, Even, ScanAll), 0);
    EXPECT_EQ(P.awaitsAnswer(0), ScanAll);
  }
}

TEST(StealRequestTest, sharedListsNeedNone) {
  TestTeam P(machine("n2x2"), with(Level::Numa));
  P.pushAll(2, 1, 2);
  Picker Any;
  EXPECT_EQ(P.steal(0, Any), 1);
  Picker Nobody([](int) { return false; });
  EXPECT_EQ(P.steal(0, Nobody), 0);
  EXPECT_FALSE(P.awaitsAnswer(0));
}

} // namespace
