//===- pool_team.h - A team for the tests of locus_pool ---------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_TEST_POOL_TEAM_H
#define LOCUS_TEST_POOL_TEAM_H

#include "locus/team/pool.h"
#include "support.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace locus::test {

inline PoolOptions with(Level Queues,
                        StealPolicy Steal = StealPolicy::Hierarchical,
                        uint32_t Limit = 0) {
  PoolOptions Options;
  Options.Queues = Queues;
  Options.Steal = Steal;
  Options.Limit = Limit;
  return Options;
}

/// A team's pool. Tasks are numbers from 1 on; 0 means none.
class Pool {
public:
  Pool(const Topology &Machine, const PoolOptions &Options,
       const std::vector<ThreadSpot> &Threads)
      : Unfinished(int(Threads.size())) {
    EXPECT_TRUE(Team.build(Machine, int(Threads.size()), Threads.data()));
    EXPECT_TRUE(Made.build(Team, Threads.data(), Options, &Unfinished));
  }
  Pool(const Topology &Machine, const PoolOptions &Options)
      : Pool(Machine, Options, onEachCpu(Machine)) {}

  TaskPool *operator->() { return &Made; }
  TaskPool &operator*() { return Made; }

  bool push(int Thread, int Number) { return Made.push(Thread, task(Number)); }
  void push(int Thread, int First, int Last) {
    for (int I = First; I <= Last; ++I)
      ASSERT_TRUE(push(Thread, I));
  }
  int popOwn(int Thread, Worker &Who) {
    return get(Made.popOwn(Thread, Who.taker(), Got));
  }
  int popShared(int Thread, Worker &Who) {
    return get(Made.popShared(Thread, Who.taker(), Got));
  }
  int steal(int Thread, Worker &Who, bool ScanAll = true) {
    return get(Made.steal(Thread, Who.taker(), Who.taker(), Reach::Near,
                          ScanAll, Got));
  }
  /// What \p Thread finds of its own, or of others.
  int take(int Thread, Worker &Who) {
    int Found = popOwn(Thread, Who);
    if (!Found)
      Found = popShared(Thread, Who);
    return Found ? Found : steal(Thread, Who);
  }

  /// The owner of a deque publishes all that it may not run.
  void publish(int Thread) {
    Worker Nobody([](int) { return false; });
    EXPECT_EQ(popOwn(Thread, Nobody), 0);
  }

  /// Adds so many tasks to each list, each task with the list's number plus 1,
  /// so that thieves see them at once.
  void fill(Level L, const std::vector<int> &Sizes) {
    for (int Group = 0; Group < int(Sizes.size()); ++Group) {
      const int Owner = Team.firstMember(L, Group);
      for (int I = 0; I < Sizes[Group]; ++I)
        ASSERT_TRUE(push(Owner, Group + 1));
      if (L == Level::Thread)
        publish(Owner);
    }
  }
  void fill(Level L) { fill(L, std::vector<int>(Team.numGroups(L), 1)); }

  /// The lists that \p Thread looks into in one search that takes nothing.
  std::vector<int> visits(int Thread) {
    Worker Nobody([](int) { return false; });
    EXPECT_EQ(steal(Thread, Nobody), 0);
    for (int &Number : Nobody.Offered)
      --Number;
    // A list is offered task by task.
    std::vector<int> &All = Nobody.Offered;
    All.erase(std::unique(All.begin(), All.end()), All.end());
    return All;
  }

  std::atomic<int32_t> Unfinished;
  Hierarchy Team;

private:
  int get(Outcome Result) {
    return Result == Outcome::Taken ? numberOf(Got) : 0;
  }

  TaskPool Made;
  void *Got = nullptr;
};

} // namespace locus::test

#endif // LOCUS_TEST_POOL_TEAM_H
