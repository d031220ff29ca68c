//===- steal_trip.cpp - Tests of steals of several tasks ------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a thief takes with it, and when steals are not worth it.
//
//===----------------------------------------------------------------------===//

#include "team_fixture.h"

using namespace locus;
using namespace locus::test;

namespace {

using Ints = std::vector<int>;

TEST(StealTripTest, theThiefKeepsWhatItTakes) {
  TestTeam P(machine("n2x2"), with(Level::Thread));
  P.pushAll(1, 1, 9);
  Picker Keeps, Other;
  Keeps.MayKeep = true;
  EXPECT_EQ(P.steal(0, Keeps), 1);
  EXPECT_EQ(Keeps.Offered, Ints{1}); // the others need no leave to move
  // 2 .. 5 are its own, for others to steal.
  EXPECT_TRUE(P.holdsTasks(0));
  EXPECT_EQ(P.steal(1, Other), 2);
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

/// Thread \p Thief has run a task that took as long as ten steals.
static void noteLongTask(TestTeam &P, int Thief) {
  StealBackoff &Backoff = P.worker(Thief).Backoff;
  Backoff.noteSteal(1, 1000, 1100, /*From=*/2, /*Tail=*/9);
  EXPECT_FALSE(Backoff.leavesOut([] { return uint64_t(2100); },
                                 [](int, int64_t &) { return false; }));
}

TEST(StealTripTest, fromAnotherNodeOnlyWhatIsWorthIt) {
  TestTeam P(machine("n2x2"), with(Level::Thread));
  P.pushAll(2, 1, 9);
  Picker Keeps;
  Keeps.MayKeep = true;
  EXPECT_EQ(P.steal(0, Keeps), 1);
  EXPECT_FALSE(P.holdsTasks(0));
  noteLongTask(P, 0);
  // Not where placed tasks wait: those that come along may be some.
  Picker Other;
  ASSERT_TRUE(P.place(TestTeam::NodePublic, 1, 20));
  EXPECT_EQ(P.round(0, Keeps), 2);
  EXPECT_FALSE(P.holdsTasks(0));
  EXPECT_EQ(P.round(3, Other), 20);
  EXPECT_EQ(P.round(0, Keeps), 3);
  EXPECT_TRUE(P.holdsTasks(0));
}

TEST(StealTripTest, noneFromAnotherNodeThatHintsKeepThere) {
  TestTeam P(machine("n2x2"), with(Level::Thread));
  noteLongTask(P, 0);
  Picker Keeps;
  Keeps.MayKeep = true;
  // Tasks whose hints left them to thread 2, which is on their node.
  P->noteLocalHint();
  P.pushAll(2, 1, 30);
  EXPECT_EQ(P.round(0, Keeps), 1);
  EXPECT_FALSE(P.holdsTasks(0));
  // Its neighbour takes several, ...
  EXPECT_EQ(P.round(3, Keeps), 2);
  EXPECT_TRUE(P.holdsTasks(3));
  // ... and so does whoever has been idle for long.
  while (P.popOwn(2, Keeps) != 0 || P.popOwn(3, Keeps) != 0)
    ;
  P.pushAll(2, 31, 39);
  P.wait(0);
  EXPECT_EQ(P.round(0, Keeps), 31);
  EXPECT_TRUE(P.holdsTasks(0));
}

static constexpr uint64_t StealTime = 100;

/// A clock, and a thief whose steals take StealTime.
struct StealClock {
  void pass(uint64_t Time) { Clock.set(Now += Time); }

  FakeClock Clock{1000};
  uint64_t Now = 1000;
  Picker Any{[this](int) {
    pass(StealTime);
    return true;
  }};
};

/// A team of four threads that was one of two before.
static const int HadTwo[] = {0, 0, 0, 0};
static void hadTwo(TestTeam &P, const TeamOptions &Options) {
  const std::vector<NodeSet> Nodes = boundTo({0, 0, 1, 1});
  for (int Threads : {2, 4})
    ASSERT_TRUE(P->rebuild(machine("n2x2"), Threads, Nodes.data(), nullptr,
                           Options, HadTwo));
  for (int T = 0; T < 4; ++T)
    P->startOver(P.worker(T));
}

/// Thread 0 has taken many tiny tasks of thread \p From, so it rests for a long
/// time behind the next one. How long, in rounds of 100 ns, if \p From does
/// \p Meanwhile in each.
template <class Act>
static int longRest(bool HasPlenty, Act Meanwhile, int From = 1) {
  TeamOptions Options =
      with(Level::Thread, StealPolicy::Hierarchical, /*Limit=*/256);
  Options.InPlace = true;
  TestTeam P(machine("n2x2"), Options);
  hadTwo(P, Options);
  StealClock Clock;
  auto Rounds = [&](auto Do) {
    int Rounds = 0;
    for (; P.steal(0, Clock.Any) == 0; ++Rounds) {
      Do(P);
      Clock.pass(100);
    }
    return Rounds;
  };
  for (int I = 0; I < 1000; ++I) {
    while (P.inPlaceDepth(From)->load() <= 0)
      P.push(From, 1);
    Rounds([](TestTeam &) {});
    Clock.pass(10);
  }
  if (HasPlenty) {
    while (P.inPlaceDepth(From)->load() <= 0)
      P.push(From, 1);
  } else {
    P.worker(From).Deque.startOver();
  }
  return Rounds(Meanwhile);
}

TEST(StealTripTest, noLongRestWhereTheCreatorIsElsewhere) {
  auto Nothing = [](TestTeam &) {};
  // It runs new ones in place.
  EXPECT_EQ(longRest(/*HasPlenty=*/true, Nothing), 640);
  EXPECT_LE(longRest(/*HasPlenty=*/false, Nothing), 20); // not at all, or 2 us
  // It pushes and pops.
  auto Pops = [](TestTeam &P) {
    Picker Any;
    EXPECT_EQ(P.popOwn(1, Any), 1);
    P.push(1, 1);
    P.push(1, 1);
  };
  EXPECT_GT(longRest(/*HasPlenty=*/false, Pops), 100);
  // It pushes once more, and waits.
  int Round = 0;
  auto PushesOnce = [&](TestTeam &P) {
    if (Round++ == 1)
      P.push(1, 1);
  };
  EXPECT_EQ(longRest(/*HasPlenty=*/false, PushesOnce), 20);
  // It has no task left.
  Round = 0;
  auto PopsAll = [&](TestTeam &P) {
    Picker Any;
    while (Round == 0 && P.popOwn(1, Any) != 0)
      ;
    if (++Round == 700)
      P.push(1, 1);
  };
  EXPECT_GT(longRest(/*HasPlenty=*/false, PopsAll), 640);
}

TEST(StealTripTest, noLongRestForAThreadThatIsGone) {
  // In the first round the team becomes one of two threads.
  bool IsSmall = false;
  auto Shrinks = [&](TestTeam &P) {
    if (IsSmall)
      return;
    Picker Any;
    while (P.popOwn(2, Any) != 0)
      ;
    TeamOptions Options = with(Level::Thread, StealPolicy::Hierarchical, 256);
    Options.InPlace = true;
    IsSmall = P->recall(2, [](int) { return 0; }, Options);
    ASSERT_TRUE(IsSmall);
    for (int T = 0; T < 2; ++T)
      P->startOver(P.worker(T));
    P.push(1, 1);
  };
  EXPECT_EQ(longRest(/*HasPlenty=*/true, Shrinks, /*From=*/2), 10);
  EXPECT_TRUE(IsSmall);
}

/// Thread 0 takes a thousand tasks of thread 1, each of which takes \p Length,
/// and says how many it did not find at once. Thread 1 keeps plenty of tasks.
static int rests(const TeamOptions &Options, uint64_t Length,
                 bool PushesMore = false) {
  TestTeam P(machine("n2x2"), Options);
  StealClock Clock;
  int Rests = 0;
  for (int I = 0; I < 1000; ++I) {
    for (const auto *Plenty = P.inPlaceDepth(1); Plenty && Plenty->load() <= 0;)
      P.push(1, 1);
    if (!Options.InPlace)
      P.push(1, 1);
    if (PushesMore)
      P.push(1, 1);
    if (P.steal(0, Clock.Any) == 0) {
      ++Rests;
      int Found;
      do {
        // So it does not sleep.
        EXPECT_TRUE(P.worker(0).Backoff.hasLeftOut());
        Clock.pass(100);
        Found = P.steal(0, Clock.Any);
      } while (Found == 0);
      EXPECT_EQ(Found, 1);
    }
    Clock.pass(Length);
  }
  return Rests;
}

TEST(StealTripTest, thievesOfTinyTasksRest) {
  TeamOptions Options = with(Level::Thread, StealPolicy::Hierarchical, 256);
  EXPECT_EQ(rests(Options, 10), 0);
  Options.InPlace = true;
  EXPECT_GT(rests(Options, 10), 800);
  EXPECT_EQ(rests(Options, 2 * Tuned.WorthSteals * StealTime), 0);
  // So they do if their creator pushes some that can't run in place.
  EXPECT_GT(rests(Options, 10, /*PushesMore=*/true), 800);
  // Where tasks don't.
  Options.Limit = 0;
  TestTeam P(machine("n2x2"), Options);
  EXPECT_EQ(P.inPlaceDepth(1), nullptr);
}

} // namespace
