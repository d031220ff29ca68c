//===- find_far.cpp - Tests of when other nodes' tasks are taken ----------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "team_fixture.h"

using namespace locus;
using namespace locus::test;

namespace {

/// Two nodes; all threads have looked for so long that they would take
/// anything, if there had been anything.
struct IdleTeam : TestTeam {
  explicit IdleTeam(StealPolicy Steal = StealPolicy::Hierarchical)
      : IdleTeam(topology("node:2 pu:2"), 2, Steal) {}
  IdleTeam(const Topology &Machine, int PerNode, StealPolicy Steal)
      : TestTeam(Machine, blocks(2, PerNode), by(Steal)) {
    for (int Thread = 0; Thread < 2 * PerNode; ++Thread)
      for (uint32_t I = 0; I <= Tuned.RemoteRoundsAny; ++I)
        EXPECT_EQ(round(Thread, Any), 0);
  }
  static TeamOptions by(StealPolicy Steal) {
    TeamOptions Options;
    Options.Steal = Steal;
    return Options;
  }
  Picker Any;
};

} // namespace

// After a long serial part of the program, or in its first parallel loop.
TEST(FindFarTest, whoHasBeenIdleForLongIsNotTheFirstToTakeATask) {
  for (TestTeam::Queue Kind : {TestTeam::NodePublic, TestTeam::ThreadPublic}) {
    IdleTeam T;
    ASSERT_TRUE(T.place(Kind, Kind == TestTeam::NodePublic ? 1 : 2, 7));
    for (uint32_t I = 0; I < Tuned.RemoteRoundsAny; ++I)
      ASSERT_EQ(T.round(0, T.Any), 0) << I;
    // Whoever it is for finds it at once.
    if (Kind == TestTeam::NodePublic) {
      EXPECT_EQ(T.round(3, T.Any), 7);
    } else {
      EXPECT_EQ(T.round(0, T.Any), 7);
    }
  }
}

// Where it looks at some lists only, and rests.
TEST(FindFarTest, norInALargeTeam) {
  IdleTeam T(topology("node:2 pu:8"), 8, StealPolicy::Sample);
  ASSERT_TRUE(T.place(TestTeam::NodePublic, 1, 7));
  for (uint32_t I = 0; I < Tuned.RemoteRoundsAny; ++I)
    ASSERT_EQ(T.round(0, T.Any), 0) << I;
  EXPECT_EQ(T.round(0, T.Any), 7);
  // One in a list is seen now and then, and in each search from then on.
  T->noteLocalHint();
  ASSERT_TRUE(T.push(8, Picker::Placed));
  uint32_t Rounds = 0;
  while (T.round(0, T.Any) == 0)
    ASSERT_LT(++Rounds, Tuned.RemoteRoundsAny + 1000);
  EXPECT_GE(Rounds, Tuned.RemoteRoundsAny);
}

// An owner that may not run its only task hides it while it asks.
TEST(FindFarTest, theWaitGoesOnWhereAnOwnerHidesItsTask) {
  IdleTeam T;
  ASSERT_TRUE(T.push(2, Picker::Placed));
  int Found = 0;
  Picker Refuses([&](int) {
    Found = T.round(0, T.Any);
    return false;
  });
  for (uint32_t I = 0; Found == 0; ++I) {
    ASSERT_LT(I, Tuned.RemoteRoundsAny + 10);
    if (I % 8 == 0)
      Found = T.round(0, T.Any);
    else
      ASSERT_EQ(T.popOwn(2, Refuses), 0);
  }
  EXPECT_EQ(Found, Picker::Placed);
}

// Where it looks at all lists only now and then.
TEST(FindFarTest, alsoInALargeTeam) {
  constexpr int PerNode = 64, Owner = PerNode;
  IdleTeam T(topology("node:2 pu:64"), PerNode, StealPolicy::Sample);
  T->noteLocalHint();
  ASSERT_TRUE(T.push(Owner, Picker::Placed));
  int Found = 0;
  Picker Refuses([&](int) {
    Found = T.round(0, T.Any);
    return false;
  });
  for (uint32_t I = 0; Found == 0; ++I) {
    ASSERT_LT(I, 10 * Tuned.RemoteRoundsAny);
    if (T.worker(1).draw(8) != 0)
      Found = T.round(0, T.Any);
    else
      ASSERT_EQ(T.popOwn(Owner, Refuses), 0);
  }
  EXPECT_EQ(Found, Picker::Placed);
}

// There, too, the wait is for tasks that are there.
TEST(FindFarTest, norWhereTheListWasEmptyInBetween) {
  IdleTeam T(topology("node:2 pu:8"), 8, StealPolicy::Sample);
  T->noteLocalHint();
  for (int Times = 0; Times < 3; ++Times) {
    ASSERT_TRUE(T.push(8, Picker::Placed));
    for (uint32_t I = 0; I < Tuned.RemoteRoundsAny / 2 + 1000; ++I)
      ASSERT_EQ(T.round(0, T.Any), 0) << I;
    ASSERT_EQ(T.popOwn(8, T.Any), Picker::Placed);
    for (uint32_t Looks = 0; Looks <= RemoteDelay::LooksFar;
         Looks += !T.worker(0).Backoff.hasLeftOut())
      ASSERT_EQ(T.round(0, T.Any), 0);
  }
}

TEST(FindFarTest, norToTakeOneFromALongQueue) {
  IdleTeam T;
  for (int I = 1; I <= 4 * int(RemoteBacklog); ++I)
    ASSERT_TRUE(T.place(TestTeam::NodePublic, 1, I));
  for (uint32_t I = 0; I < Tuned.RemoteRoundsBacklog; ++I)
    ASSERT_EQ(T.round(0, T.Any), 0) << I;
  EXPECT_EQ(T.round(0, T.Any), 1);
}

TEST(FindFarTest, norToTakeAPlacedTaskFromAList) {
  IdleTeam T;
  ASSERT_TRUE(T.push(2, Picker::Placed));
  for (uint32_t I = 0; I < Tuned.RemoteRoundsAny; ++I)
    ASSERT_EQ(T.round(0, T.Any), 0) << I;
  EXPECT_EQ(T.round(0, T.Any), Picker::Placed);
}

// Rounds without any such task in between begin the wait anew, and those with
// others' do not.
TEST(FindFarTest, theWaitIsForTasksThatAreThere) {
  IdleTeam T;
  for (int Times = 0; Times < 3; ++Times) {
    ASSERT_TRUE(T.place(TestTeam::NodePublic, 1, 1));
    for (uint32_t I = 0; I < Tuned.RemoteRoundsAny - 1; ++I)
      ASSERT_EQ(T.round(0, T.Any), 0) << I;
    ASSERT_EQ(T.round(2, T.Any), 1);
    for (uint32_t I = 0; I <= RemoteDelay::LooksFar; ++I)
      ASSERT_EQ(T.round(0, T.Any), 0) << I;
  }
  ASSERT_TRUE(T.place(TestTeam::NodePublic, 1, 1));
  for (uint32_t I = 0; I < Tuned.RemoteRoundsAny; ++I) {
    ASSERT_TRUE(T.place(TestTeam::NodePublic, 1, 1));
    ASSERT_EQ(T.round(3, T.Any), 1);
    ASSERT_EQ(T.round(0, T.Any), 0) << I;
  }
  EXPECT_EQ(T.round(0, T.Any), 1);
}

// By whatever policy: also where a search looks at one list only.
TEST(FindFarTest, eachTaskIsFoundInTheEnd) {
  for (StealPolicy Steal : Policies) {
    IdleTeam T(Steal);
    ASSERT_TRUE(T.place(TestTeam::ThreadPublic, 3, 1));
    ASSERT_TRUE(T.push(2, Picker::Placed));
    int Found = 0;
    for (uint32_t I = 0; Found < 2 && I < 4 * Tuned.RemoteRoundsAny; ++I)
      Found += T.round(0, T.Any) != 0;
    EXPECT_EQ(Found, 2) << int(Steal);
  }
}
