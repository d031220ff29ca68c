//===- domains_rebuild.cpp - Tests of Team::rebuild --------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Team that were made for another team are as those made for this one.
//
//===----------------------------------------------------------------------===//

#include "team_fixture.h"

#include <algorithm>

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

  void become(const Shape &S, const TeamOptions &Options) {
    const int Threads = int(S.Threads.size());
    Unfinished = Threads;
    if (!Made)
      Made = Team::create(Machine, Threads, S.Threads.data(), &Unfinished,
                          cpusOf(S), Options);
    else
      ASSERT_TRUE(Made->rebuild(Machine, Threads, S.Threads.data(), cpusOf(S),
                                Options));
    ASSERT_NE(Made, nullptr);
  }

  /// Each thread fills its lists, with more than their first memory holds, and
  /// one thread after the other takes all that it may have.
  void use() {
    constexpr int Each = 600;
    const int Threads = Made->numThreads();
    std::vector<int> Found, All;
    for (int T = 0; T < Threads; ++T) {
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
        Team *Fresh = Team::create(Machine, Threads, To.Threads.data(),
                                   &Unfinished, cpusOf(To), Options);
        ASSERT_NE(Fresh, nullptr);
        EXPECT_EQ(describe(*Made, Machine), describe(*Fresh, Machine));
        EXPECT_TRUE(Made->shape().fits(Threads, To.Threads.data(), cpusOf(To)));
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
    EXPECT_TRUE(Made->tryToLieDown(Made->worker(T)));
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
    EXPECT_TRUE(Made->tryToLieDown(Made->worker(T)));
  }
}
