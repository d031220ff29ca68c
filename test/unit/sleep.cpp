//===- sleep.cpp - Who stays awake, and who is woken ----------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One thread at a time; model_sleep.cpp has the order of all steps.
//
//===----------------------------------------------------------------------===//

#include "team_fixture.h"

using namespace locus;
using namespace locus::test;

namespace {

using Ints = std::vector<int>;

/// Threads that sleep until they are woken. All that are asked are noted.
struct Bedroom : Waker {
  explicit Bedroom(int NumThreads) : Waker{wake}, Sleeps(NumThreads) {}

  std::vector<bool> Sleeps;
  mutable Ints Asked;

private:
  static bool wake(const Waker &Host, int Thread) {
    const Bedroom &Mine = static_cast<const Bedroom &>(Host);
    Mine.Asked.push_back(Thread);
    return Mine.Sleeps[Thread];
  }
};

class SleepTest : public testing::Test {
protected:
  TestTeam T{topology("node:2 pu:2"), blocks(2, 2)};
  Bedroom All{4};
  Picker Any;

  bool lieDown(int Thread) { return T->lieDown(T.worker(Thread)); }
};

TEST_F(SleepTest, anyTaskThatMayRunAnywhereKeepsAllAwake) {
  for (int Thread = 0; Thread < 4; ++Thread)
    EXPECT_TRUE(lieDown(Thread));
  ASSERT_TRUE(T.push(1, 1));
  for (int Thread = 0; Thread < 4; ++Thread)
    EXPECT_FALSE(lieDown(Thread));
}

TEST_F(SleepTest, oneSleeperForEachTask) {
  for (int Thread : {1, 2, 3})
    EXPECT_TRUE(lieDown(Thread));
  All.Sleeps = {false, false, true, true}; // 1 has been woken otherwise
  T->wakeOne(0, All);
  EXPECT_EQ(All.Asked, (Ints{1, 2}));
  T->wakeOne(0, All);
  T->wakeOne(0, All);
  EXPECT_EQ(All.Asked, (Ints{1, 2, 3})); // nobody else has lain down
}

TEST_F(SleepTest, whoFindsATaskPassesTheWakeOn) {
  for (int Thread : {1, 3})
    EXPECT_TRUE(lieDown(Thread));
  All.Sleeps = {false, false, false, true};
  auto EndRound = [&](int Thread) {
    Any.Sleepers = &All;
    T->endRound(T.worker(Thread), Round::Task, Any.seeker(&*T));
  };
  EndRound(1); // no task is left
  EXPECT_TRUE(All.Asked.empty());
  T->wakeOne(0, All); // 1 again, then 3
  EXPECT_EQ(All.Asked, (Ints{1, 3}));

  EXPECT_TRUE(lieDown(1));
  EXPECT_TRUE(lieDown(3));
  ASSERT_TRUE(T.push(0, 1));
  EndRound(2); // did not sleep
  EXPECT_EQ(All.Asked, (Ints{1, 3}));
  EndRound(1);
  EXPECT_EQ(All.Asked, (Ints{1, 3, 3}));
  EndRound(1); // once for each sleep
  EXPECT_EQ(All.Asked, (Ints{1, 3, 3}));
}

TEST_F(SleepTest, aStrictTaskWakesItsThreadAlone) {
  All.Sleeps = {true, true, true, true};
  EXPECT_TRUE(T->wakeFor({Placement::OnThread, true, 3}, 0, All));
  EXPECT_EQ(All.Asked, (Ints{3}));
  All.Sleeps[3] = false;
  EXPECT_FALSE(T->wakeFor({Placement::OnThread, true, 3}, 0, All));
  EXPECT_EQ(All.Asked, (Ints{3, 3}));
  // If that is awake but busy, a neighbour may take one that is not strict.
  EXPECT_TRUE(T->wakeFor({Placement::OnThread, false, 3}, 0, All));
  EXPECT_EQ(All.Asked, (Ints{3, 3, 3, 2}));
}

TEST_F(SleepTest, oneMemberOfTheNodeButNotThePusher) {
  All.Sleeps = {true, true, true, true};
  EXPECT_TRUE(T->wakeFor({Placement::OnNode, true, 1}, 2, All));
  EXPECT_EQ(All.Asked, (Ints{3}));
  EXPECT_TRUE(T->wakeFor({Placement::OnNode, true, 1}, -1, All));
  EXPECT_EQ(All.Asked, (Ints{3, 2}));
}

TEST_F(SleepTest, whoIsRefusedItsOwnTaskWakesAnother) {
  // It hid the task for a moment from whoever looked then.
  All.Sleeps = {false, true, false, false};
  Picker Nobody([](int) { return false; });
  for (bool AnyoneSleeps : {false, true}) {
    EXPECT_TRUE(lieDown(1));
    ASSERT_TRUE(T.push(0, 1));
    Nobody.Sleepers = AnyoneSleeps ? &All : nullptr;
    EXPECT_EQ(T.findAny(0, Nobody), 0);
    EXPECT_EQ(All.Asked, AnyoneSleeps ? Ints{1} : Ints());
    EXPECT_EQ(T.popOwn(0, Any), 1);
  }
}

TEST_F(SleepTest, whoStoleSeveralTasksWakesAnother) {
  // They were in no list for a moment.
  All.Sleeps = {false, false, true, false};
  T.pushAll(1, 1, 8);
  Any.MayKeep = true;
  Any.Sleepers = &All;
  T->lieDown(T.worker(2));
  EXPECT_EQ(T.findAny(0, Any), 1);
  EXPECT_TRUE(T.holdsTasks(0));
  EXPECT_EQ(All.Asked, Ints{2});
}

} // namespace
