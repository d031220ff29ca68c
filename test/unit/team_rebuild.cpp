//===- team_rebuild.cpp - Tests of teams that change their shape ----------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A Team that was made for another shape is as one made for this one, and one
// that comes back to a shape is as it was.
//
//===----------------------------------------------------------------------===//

#include "team_fixture.h"

#include <algorithm>
#include <chrono>

using namespace locus;
using namespace locus::test;

namespace {

struct Shape {
  std::vector<NodeSet> Threads;
  std::vector<int> Cpus;
};

/// All that can be asked about the shape of \p D.
std::vector<int> describe(Team &Of, const Topology &Machine) {
  const TeamShape &D = Of.shape();
  std::vector<int> All = {D.numThreads(), D.numNodes(), D.isBound()};
  for (int T = 0; T < D.numThreads(); ++T) {
    All.push_back(D.nodeOfThread(T));
    for (int L = 0; L < NumLevels; ++L)
      All.push_back(D.groups().groupOf(Level(L), T));
  }
  for (int N = 0; N < D.numNodes(); ++N) {
    All.push_back(D.osNode(N));
    All.insert(All.end(), D.threadsOfNode(N),
               D.threadsOfNode(N) + D.numThreadsOfNode(N));
    for (int Os = 0; Os < Machine.numNodes(); ++Os)
      All.push_back(D.nearestNode(Os));
  }
  for (int L = 0; L < NumLevels; ++L)
    for (int G = 0; G < D.groups().numGroups(Level(L)); ++G) {
      All.push_back(D.groups().firstMember(Level(L), G));
      All.push_back(D.groups().numMembers(Level(L), G));
    }
  return All;
}

const std::vector<Shape> &shapes() {
  static const std::vector<Shape> All = {
      {boundTo({0, 0, 1, 1}), {0, 1, 2, 3}},
      {boundTo({3}), {6}},
      {boundTo({3, 1, 3, 0, 1, 2, 2}), {6, 2, 7, 0, 3, 4, 5}},
      {std::vector<NodeSet>(9, nodeSet({0, 1, 2, 3})), {}},
      {boundTo({2, 2}), {}},
      {blocks(4, 40), {}},
      {boundTo({0, 0, 1, 1}), {}},
      {std::vector<NodeSet>(161, nodeSet({1, 3})), {}},
  };
  return All;
}

const int *cpusOf(const Shape &S) {
  return S.Cpus.empty() ? nullptr : S.Cpus.data();
}

std::vector<TeamOptions> options() {
  std::vector<TeamOptions> All(4);
  All[1].Lists = Level::Numa;
  All[2].Adaptive = true;
  All[3].TakeBy = Sync::Lock;
  All[3].InPlace = true;
  return All;
}

class TeamRebuildTest : public ::testing::Test {
protected:
  ~TeamRebuildTest() override { Team::destroy(Made); }

  /// The homes of all threads are \p Home, if that is not negative.
  void become(const Shape &S, const TeamOptions &Options, int Home = -1) {
    const int Threads = int(S.Threads.size());
    const std::vector<int> Homes(S.Threads.size(), Home);
    Unfinished = Threads;
    if (!Made)
      Made = Team::create(&Unfinished);
    ASSERT_NE(Made, nullptr);
    ASSERT_TRUE(Made->rebuild(Machine, Threads, S.Threads.data(), cpusOf(S),
                              Options, Home >= 0 ? Homes.data() : nullptr));
  }

  bool recall(const Shape &S, const TeamOptions &Options, int Home) {
    Unfinished = int(S.Threads.size());
    return Made->recall(
        int(S.Threads.size()), [&](int) { return Home; }, Options);
  }

  /// Each thread fills its lists, with more than their first memory holds, and
  /// one thread after the other takes all that it may have.
  void use() {
    constexpr int Each = 600;
    const int Threads = Made->numThreads();
    std::vector<int> Found, All;
    for (int T = 0; T < Threads; ++T) {
      Made->startOver(Made->worker(T));
      for (int I = 0; I < Each; ++I)
        ASSERT_TRUE(Made->push(Made->worker(T), task(++Last)));
      ASSERT_TRUE(Made->push({Placement::OnThread, true, T}, task(++Last)));
      ASSERT_TRUE(Made->push({Placement::OnThread, false, T}, task(++Last)));
    }
    ASSERT_FALSE(Made->isEmpty());
    const int Count = Threads * (Each + 2);
    for (int T = 0; T < Threads; ++T) {
      Picker Who; // of what is its own, or its group's
      Worker &W = Made->worker(T);
      for (;;) {
        Task *Got = Made->findPlacedHere(W, Who.seeker(Made));
        if (!Got)
          Got = W.Deque.pop(Who.taker()).Found;
        if (!Got)
          Got = Made->lists().take(W, Who.taker());
        if (!Got)
          break;
        Found.push_back(numberOf(Got));
      }
    }
    for (int I = 0; I < Count; ++I)
      All.push_back(Last - Count + 1 + I);
    std::sort(Found.begin(), Found.end());
    EXPECT_EQ(Found, All);
    EXPECT_TRUE(Made->isEmpty());
    EXPECT_EQ(Unfinished.load(), Threads);
  }

  /// The thread of \p W is idle until the level of the lists changes: some
  /// milliseconds, in a team so small that one idle thread is worth a change.
  /// The deadline is for broken lists.
  void moveLevel(Worker &W) {
    const Level Before = Made->lists().level();
    const auto Start = std::chrono::steady_clock::now();
    while (Made->lists().level() == Before &&
           std::chrono::steady_clock::now() - Start < std::chrono::seconds(60))
      Made->lists().endSearch(W, false);
    EXPECT_NE(Made->lists().level(), Before);
  }

  /// The bytes of all Workers.
  std::vector<char> bytes() {
    const char *First = reinterpret_cast<const char *>(&Made->worker(0));
    return {First, First + size_t(Made->numThreads()) * sizeof(Worker)};
  }

  const Topology &Machine = topology("node:4 pu:2");
  std::atomic<int32_t> Unfinished{0};
  Team *Made = nullptr;
  int Last = 0;
};

} // namespace

TEST(TeamTest, destroyNothing) { Team::destroy(nullptr); }

TEST(TeamTest, destroyWithTasksInside) {
  TestTeam T(topology("node:2 pu:2"), blocks(2, 2));
  T.fillPlaces();
  T.pushAll(0, 1, 3);
}

TEST_F(TeamRebuildTest, isAsNew) {
  for (const TeamOptions &Options : options())
    for (const Shape &From : shapes())
      for (const Shape &To : shapes()) {
        const int Threads = int(To.Threads.size());
        become(From, Options);
        become(To, Options);
        Team *Fresh = Team::create(&Unfinished);
        ASSERT_NE(Fresh, nullptr);
        ASSERT_TRUE(Fresh->rebuild(Machine, Threads, To.Threads.data(),
                                   cpusOf(To), Options));
        EXPECT_EQ(describe(*Made, Machine), describe(*Fresh, Machine));
        Team::destroy(Fresh);
      }
}

TEST_F(TeamRebuildTest, keepsNoTaskAndLosesNone) {
  for (const TeamOptions &Options : options())
    for (const Shape &S : shapes()) {
      become(S, Options);
      use();
    }
}

TEST_F(TeamRebuildTest, forgetsSleepersAndWaits) {
  Picker Who;
  become(shapes()[5], TeamOptions());
  for (int T = 0; T < Made->numThreads(); ++T) {
    EXPECT_TRUE(Made->lieDown(Made->worker(T)));
    for (uint32_t I = 0; I < Tuned.RemoteRoundsAny; ++I)
      Made->endRound(Made->worker(T), Round::Empty, Who.seeker(Made));
  }
  become(shapes()[0], TeamOptions());
  const Waker Nobody = {[](const Waker &, int Thread) {
    ADD_FAILURE() << "thread " << Thread << " does not sleep";
    return false;
  }};
  Made->wakeOne(0, Nobody);
  for (int T = 0; T < Made->numThreads(); ++T) {
    EXPECT_EQ(Made->worker(T).Delay.emptyRounds(), 0u);
    EXPECT_FALSE(Made->worker(T).LayDown);
    EXPECT_TRUE(Made->lieDown(Made->worker(T)));
  }
}

//===----------------------------------------------------------------------===//
// A team that comes back to a shape
//===----------------------------------------------------------------------===//

TEST_F(TeamRebuildTest, aRecalledShapeIsAsItWas) {
  for (const TeamOptions &Options : {options()[0], options()[3]})
    for (size_t From = 0; From < shapes().size(); ++From) {
      const size_t To = (From + 1) % shapes().size();
      become(shapes()[From], Options, 1);
      const std::vector<int> Was = describe(*Made, Machine);
      use();
      become(shapes()[To], Options, 2);
      use();
      for (int Turn = 0; Turn < 3; ++Turn) {
        ASSERT_TRUE(recall(shapes()[From], Options, 1));
        EXPECT_EQ(describe(*Made, Machine), Was);
        use();
        ASSERT_TRUE(recall(shapes()[To], Options, 2));
        use();
      }
    }
}

TEST_F(TeamRebuildTest, recallsNoOtherShape) {
  const Shape &S = shapes()[0], &Other = shapes()[5];
  become(S, TeamOptions(), 1);
  EXPECT_TRUE(recall(S, TeamOptions(), 1));
  EXPECT_FALSE(recall(S, TeamOptions(), 2));
  EXPECT_FALSE(recall(Other, TeamOptions(), 1));
  for (const TeamOptions &Options : options())
    if (!(Options == TeamOptions()))
      EXPECT_FALSE(recall(S, Options, 1));
  EXPECT_EQ(Made->numThreads(), int(S.Threads.size()));
  // Those who share lists have other lists in each shape.
  for (const TeamOptions &Options : {options()[1], options()[2]}) {
    become(S, Options, 1);
    become(Other, Options, 1);
    EXPECT_FALSE(recall(S, Options, 1));
    become(S, Options, 1);
    EXPECT_FALSE(recall(Other, Options, 1));
  }
}

TEST_F(TeamRebuildTest, recallsNoListsThatASmallerTeamHadNot) {
  auto HasFewer = [](const Shape &A, const Shape &B) {
    return A.Threads.size() < B.Threads.size();
  };
  const auto [Small, Large] =
      std::minmax_element(shapes().begin(), shapes().end(), HasFewer);
  ASSERT_LT(Small->Threads.size(), Large->Threads.size());
  TeamOptions Options;
  Options.Lists = FirstCut;
  Options.NumLists = int(Small->Threads.size()); // its deques are as many
  become(*Large, Options, 1);
  EXPECT_TRUE(Made->lists().areUsed());
  become(*Small, Options, 2);
  EXPECT_FALSE(Made->lists().areUsed());
  EXPECT_FALSE(recall(*Large, Options, 1));
  become(*Large, Options, 1);
  EXPECT_TRUE(Made->lists().areUsed());
}

TEST_F(TeamRebuildTest, recallTouchesNoWorker) {
  become(shapes()[2], TeamOptions(), 1);
  use();
  become(shapes()[5], TeamOptions(), 2); // the largest
  use();
  const std::vector<char> Before = bytes();
  ASSERT_TRUE(recall(shapes()[2], TeamOptions(), 1));
  ASSERT_TRUE(recall(shapes()[5], TeamOptions(), 2));
  EXPECT_EQ(bytes(), Before);
}

/// What threads and lists have learned stays where only the stamp is new.
TEST_F(TeamRebuildTest, recallOfThePresentShapeChangesNothing) {
  for (const TeamOptions &Options : options()) {
    become(shapes()[5], Options, 1);
    become(shapes()[0], Options, 1);
    Worker &W = Made->worker(3);
    Made->startOver(W);
    W.Ask.learn(1, Worth::Much);
    if (Options.Adaptive)
      moveLevel(W);
    const Level Learnt = Made->lists().level();
    const std::vector<char> Before = bytes();
    ASSERT_TRUE(recall(shapes()[0], Options, 1));
    Made->startOver(W);
    EXPECT_EQ(bytes(), Before);
    EXPECT_EQ(W.Ask.guess(), 1);
    EXPECT_EQ(Made->lists().level(), Learnt);
  }
}

/// Numbers of threads and nodes that there are no more, from a search in the
/// larger team.
TEST_F(TeamRebuildTest, aThreadForgetsNumbersWhenItComesBy) {
  FakeClock Clock(1000);
  uint64_t Now = 1000;
  Picker Who;
  become(shapes()[0], TeamOptions(), 1);
  become(shapes()[5], TeamOptions(), 2);
  Worker &Thief = Made->worker(1), &Last = Made->worker(159);
  Made->startOver(Last);
  ASSERT_TRUE(Made->push(Last, task(1)));
  // After some in vain a search looks at all.
  int Searches = 0;
  while (Made->findAny(Thief, Who.seeker(Made)) != task(1)) {
    ASSERT_LE(++Searches, 159 / 3);
    Clock.set(Now += 20000); // as if it had rested
  }
  const VictimOrder &Order = Thief.Victims[int(Level::Thread)];
  ASSERT_TRUE(Order.IsKnown);
  ASSERT_GE(Order.Last, 0);
  EXPECT_EQ(Order.Groups[Order.Last], 159u);
  Thief.Ask.learn(3, Worth::Much);
  ASSERT_TRUE(recall(shapes()[0], TeamOptions(), 1));
  Clock.set(Now += 1000000);
  EXPECT_EQ(Made->findAny(Thief, Who.seeker(Made)), nullptr);
  EXPECT_EQ(Order.Last, -1);
  EXPECT_EQ(std::vector<uint64_t>(Order.Groups.data(), Order.Groups.data() + 3),
            (std::vector<uint64_t>{0, 2, 3}));
  EXPECT_EQ(Thief.Ask.guess(), UnknownNode);
}

TEST_F(TeamRebuildTest, theLimitIsNoLessThanTheTeam) {
  const Shape Few = {blocks(4, 2), {}}, Many = {blocks(4, 100), {}};
  TeamOptions Options;
  Options.InPlace = true;
  Options.Limit = Tuned.ListLimit;
  become(Few, Options, 1);
  become(Many, Options, 1);
  for (int Turn = 0; Turn < 2; ++Turn)
    for (const Shape *S : {&Few, &Many}) {
      const uint32_t Limit =
          std::max(Tuned.ListLimit, uint32_t(S->Threads.size()));
      ASSERT_TRUE(recall(*S, Options, 1));
      Worker &W = Made->worker(1);
      Made->startOver(W);
      uint32_t Count = 0;
      // A loop: there are plenty when the limit is reached.
      while (Made->inPlaceDepth(W)->load() <= 0 && Count < 1000)
        ASSERT_TRUE(Made->push(W, task(int(++Count)), INT32_MAX));
      EXPECT_EQ(Count, Limit);
      Picker Who;
      while (W.Deque.pop(Who.taker()).hasTask())
        ;
    }
}
