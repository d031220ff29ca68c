//===- test/unit/task_pool.cpp - Tasks for free agents --------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "locus/pool/task_pool.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>
#include <vector>

using namespace locus;

namespace {

Task *task(uintptr_t Number) { return reinterpret_cast<Task *>(Number * 8); }

/// As libomp makes one: of memory that is zero.
struct ZeroPool {
  alignas(TaskPool) char Memory[sizeof(TaskPool)] = {};
  TaskPool &get() { return *reinterpret_cast<TaskPool *>(Memory); }
};

bool any(Task *, bool) { return true; }

TEST(TaskPoolTest, endsAreOldestAndNewest) {
  ZeroPool P;
  EXPECT_FALSE(P.get().mayHaveTasks());
  for (uintptr_t I = 1; I <= 4; ++I)
    EXPECT_TRUE(P.get().push(task(I), /*IsForAgents=*/I % 2 == 0));
  EXPECT_EQ(P.get().takeNewest(any), task(4));
  EXPECT_EQ(P.get().takeOldest(any), task(1));
  EXPECT_TRUE(P.get().hasTasksForAgents());
  EXPECT_EQ(
      P.get().takeOldest([](Task *, bool IsForAgents) { return IsForAgents; }),
      task(2));
  EXPECT_FALSE(P.get().hasTasksForAgents());
  EXPECT_EQ(
      P.get().takeNewest([](Task *, bool IsForAgents) { return IsForAgents; }),
      nullptr);
  EXPECT_TRUE(P.get().mayHaveTasks());
  EXPECT_EQ(P.get().takeNewest(any), task(3));
  EXPECT_FALSE(P.get().mayHaveTasks());
  EXPECT_EQ(P.get().takeNewest(any), nullptr);
}

TEST(TaskPoolTest, teamsTakeTurns) {
  PoolList All;
  ZeroPool A, B;
  for (ZeroPool *P : {&A, &B}) {
    P->get().Limit = 1;
    for (uintptr_t I = 1; I <= 2; ++I) {
      ASSERT_TRUE(P->get().push(task(I + (P == &B ? 10 : 0)), true));
      All.update(P->get());
    }
  }
  auto Take = [&] { return All.take([](TaskPool &, Task *) { return true; }); };
  EXPECT_EQ(Take(), task(1));
  EXPECT_EQ(Take(), task(11));
  A.get().Running = 1; // as many as it may have
  EXPECT_EQ(Take(), task(12));
  EXPECT_EQ(Take(), nullptr);
  A.get().Running = 0;
  EXPECT_EQ(Take(), task(2));
  EXPECT_EQ(Take(), nullptr);
}

/// Against lists of the standard library.
TEST(TaskPoolTest, randomAgainstVectors) {
  constexpr int NumPools = 3;
  struct Known {
    Task *Which;
    bool IsForAgents;
  };
  PoolList All;
  ZeroPool Pools[NumPools];
  std::vector<Known> Should[NumPools];
  std::mt19937 Random{7};
  uintptr_t Next = 1;
  for (ZeroPool &P : Pools)
    P.get().Limit = 1;
  for (int Step = 0; Step < 20000; ++Step) {
    const size_t Of = Random() % NumPools;
    TaskPool &P = Pools[Of].get();
    std::vector<Known> &S = Should[Of];
    switch (Random() % 4) {
    case 0:
    case 1: {
      const bool IsForAgents = Random() % 2;
      ASSERT_TRUE(P.push(task(Next), IsForAgents));
      S.push_back({task(Next++), IsForAgents});
      All.update(P);
      break;
    }
    case 2: { // a thread of the team that may not run every third one
      auto May = [](Task *T, bool) {
        return reinterpret_cast<uintptr_t>(T) / 8 % 3 != 0;
      };
      Task *Newest = nullptr;
      for (size_t I = S.size(); I-- > 0 && !Newest;)
        if (May(S[I].Which, true)) {
          Newest = S[I].Which;
          S.erase(S.begin() + long(I));
        }
      ASSERT_EQ(P.takeNewest(May), Newest);
      All.update(P);
      break;
    }
    default: { // a free agent: the oldest of one of the pools
      TaskPool *From = nullptr;
      Task *Taken = All.take([&](TaskPool &Pool, Task *) {
        From = &Pool;
        return true;
      });
      for (size_t I = 0; I < NumPools; ++I) {
        const auto Oldest = std::find_if(Should[I].begin(), Should[I].end(),
                                         [](Known K) { return K.IsForAgents; });
        if (From == &Pools[I].get()) {
          ASSERT_NE(Oldest, Should[I].end());
          ASSERT_EQ(Taken, Oldest->Which);
          Should[I].erase(Oldest);
        } else if (!Taken) {
          ASSERT_EQ(Oldest, Should[I].end());
        }
      }
    }
    }
    ASSERT_EQ(P.mayHaveTasks(), !S.empty());
  }
  for (ZeroPool &P : Pools)
    while (P.get().takeNewest(any))
      ;
}

} // namespace
