//===- domains_rebuild.cpp - Tests of Domains::rebuild --------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Domains that were made for another team are as those made for this one.
//
//===----------------------------------------------------------------------===//

#include "domains_team.h"

#include <algorithm>

using namespace locus;
using namespace locus::test;

namespace {

struct Shape {
  std::vector<NodeSet> Threads;
  std::vector<int> Cpus;
};

/// All that can be asked about the shape of \p D.
std::vector<int> describe(Domains &D, const Topology &Machine) {
  std::vector<int> All = {D.numThreads(), D.numNodes(), D.isBound()};
  for (int T = 0; T < D.numThreads(); ++T) {
    All.push_back(D.nodeOfThread(T));
    for (int L = 0; L < NumLevels; ++L)
      All.push_back(D.team().groupOf(Level(L), T));
  }
  for (int N = 0; N < D.numNodes(); ++N) {
    All.push_back(D.osNode(N));
    All.insert(All.end(), D.threadsOfNode(N),
               D.threadsOfNode(N) + D.numThreadsOfNode(N));
    for (int Os = 0; Os < Machine.numNodes(); ++Os)
      All.push_back(D.nearestNode(Os));
  }
  for (int L = 0; L < NumLevels; ++L)
    for (int G = 0; G < D.team().numGroups(Level(L)); ++G) {
      All.push_back(D.team().firstMember(Level(L), G));
      All.push_back(D.team().numMembers(Level(L), G));
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

std::vector<PoolOptions> options() {
  std::vector<PoolOptions> All(4);
  All[1].Queues = Level::Numa;
  All[2].Adaptive = true;
  All[3].How = Sync::Lock;
  All[3].InPlace = true;
  return All;
}

class DomainsRebuildTest : public ::testing::Test {
protected:
  ~DomainsRebuildTest() override { Domains::destroy(Made); }

  void become(const Shape &S, const PoolOptions &Options) {
    const int Threads = int(S.Threads.size());
    Unfinished = Threads;
    if (!Made)
      Made = Domains::create(Machine, Threads, S.Threads.data(), &Unfinished,
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
        ASSERT_TRUE(Made->pool().push(T, task(++Last)));
      ASSERT_TRUE(Made->push({Placement::OnThread, true, T}, task(++Last)));
      ASSERT_TRUE(Made->push({Placement::OnThread, false, T}, task(++Last)));
    }
    ASSERT_TRUE(Made->mayHaveTasks());
    const int Count = Threads * (Each + 2);
    for (int T = 0; T < Threads; ++T) {
      Worker Who;
      Taker Taker = Who.taker();
      Taker.Slot = Made->slot(T);
      void *Task;
      while (Made->takeOwn(T, Taker, Taker, Task) == Outcome::Taken ||
             (Made->pool().level() == Level::Thread
                  ? Made->pool().popOwn(T, Taker, Task)
                  : Made->pool().popShared(T, Taker, Task)) == Outcome::Taken)
        Found.push_back(numberOf(Task));
    }
    for (int I = 0; I < Count; ++I)
      All.push_back(Last - Count + 1 + I);
    std::sort(Found.begin(), Found.end());
    EXPECT_EQ(Found, All);
    EXPECT_FALSE(Made->mayHaveTasks());
    EXPECT_FALSE(Made->pool().hasTasks());
    EXPECT_EQ(Unfinished.load(), Threads);
  }

  const Topology &Machine = topology("node:4 pu:2");
  std::atomic<int32_t> Unfinished{0};
  Domains *Made = nullptr;
  int Last = 0;
};

} // namespace

TEST_F(DomainsRebuildTest, isAsNew) {
  for (const PoolOptions &Options : options())
    for (const Shape &From : shapes())
      for (const Shape &To : shapes()) {
        const int Threads = int(To.Threads.size());
        become(From, Options);
        become(To, Options);
        Domains *Fresh = Domains::create(Machine, Threads, To.Threads.data(),
                                         &Unfinished, cpusOf(To), Options);
        ASSERT_NE(Fresh, nullptr);
        EXPECT_EQ(describe(*Made, Machine), describe(*Fresh, Machine));
        EXPECT_TRUE(Made->hasShape(Threads, To.Threads.data(), cpusOf(To)));
        Domains::destroy(Fresh);
      }
}

TEST_F(DomainsRebuildTest, keepsNoTaskAndLosesNone) {
  for (const PoolOptions &Options : options())
    for (const Shape &S : shapes()) {
      become(S, Options);
      use();
    }
}

TEST_F(DomainsRebuildTest, forgetsSleepersAndWaits) {
  become(shapes()[5], PoolOptions());
  for (int T = 0; T < Made->numThreads(); ++T) {
    Made->lieDown(T);
    for (uint32_t I = 0; I < RemoteDelay::RoundsBeforeAnything; ++I)
      Made->endRound(T, Round::Empty, DomainsTeam::noClock);
  }
  become(shapes()[0], PoolOptions());
  EXPECT_EQ(Made->claimSleeper(0), -1);
  for (int T = 0; T < Made->numThreads(); ++T) {
    EXPECT_EQ(Made->emptyRounds(T), 0u);
    EXPECT_FALSE(Made->endRest(T));
    EXPECT_FALSE(Made->hasWorkFor(T));
  }
}
