//===- team_infer.cpp - What a team does with inferred hints --------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "team_fixture.h"

#include <algorithm>

using namespace locus;
using namespace locus::test;

namespace {

constexpr TaskTarget Somewhere = {uintptr_t(1) << 40, 8};

/// A kernel that says \p Node for every page.
MovePages allOn(int Node) {
  return [Node](unsigned long Count, void **, int *Status) {
    std::fill(Status, Status + Count, Node);
    return 0;
  };
}

/// \p Tasks inferred tasks with data on \p Node; returns whether it is crowded.
bool infer(TestTeam &T, int Node, int Tasks) {
  FakeKernel Fake(allOn(T.shape().osNode(Node)));
  for (int I = 0; I < Tasks; ++I)
    EXPECT_EQ(T->infer(T.worker(0), Kind::Depend, Somewhere), Node);
  return T->isCrowded(Node);
}

TEST(TeamInferTest, aCrowdIsRobbedAtOnce) {
  TestTeam T(topology("node:4 pu:2"), blocks(4, 2));
  ASSERT_TRUE(infer(T, 2, 200));
  // Number Placed has a hint that somebody wrote.
  constexpr int Crowded = Picker::Inferred + 2;
  ASSERT_TRUE(T.place(TestTeam::NodePublic, 1, Picker::Inferred + 1));
  ASSERT_TRUE(T.place(TestTeam::NodePublic, 2, Picker::Placed));
  ASSERT_TRUE(T.place(TestTeam::NodePublic, 2, Crowded));
  Picker Any;
  for (int Thread : {0, 6}) {
    ASSERT_EQ(T.round(Thread, Any), Crowded);
    ASSERT_EQ(T.round(Thread, Any), 0);
    ASSERT_TRUE(T.place(TestTeam::NodePublic, 2, Crowded));
  }
}

TEST(TeamInferTest, elsewhereOnePatientlyWaits) {
  TestTeam T(topology("node:4 pu:2"), blocks(4, 2));
  for (int Node : {0, 1, 2, 3, 0, 1, 2, 3})
    infer(T, Node, 40);
  ASSERT_FALSE(T->isCrowded(2));
  ASSERT_TRUE(T.place(TestTeam::NodePublic, 2, Picker::Inferred + 2));
  Picker Any;
  EXPECT_EQ(T.round(0, Any), 0);
}

TEST(TeamInferTest, beforeACrowdNobodySleeps) {
  TestTeam T(topology("node:4 pu:2"), blocks(4, 2));
  ASSERT_TRUE(T.place(TestTeam::NodePublic, 2, 3));
  EXPECT_FALSE(T->lieDown(T.worker(4)));
  EXPECT_TRUE(T->lieDown(T.worker(0)));
  ASSERT_TRUE(infer(T, 2, 200));
  for (int Thread = 0; Thread < 8; ++Thread)
    EXPECT_FALSE(T->lieDown(T.worker(Thread)));
}

TEST(TeamInferTest, aTasksLengthIsNotedForTheTeam) {
  TestTeam T(topology("node:2 pu:2"), blocks(2, 2));
  FakeKernel Fake(allOn(1));
  uint64_t Time = 1000;
  FakeClock Clock(Time);
  auto Run = [&](uint64_t Length) {
    T.endRound(3, Round::PlacedTask);
    Clock.set(Time += Length);
  };
  auto Asks = [&] { // in one cycle of questions
    int Before = MovePagesCalls;
    for (uint32_t I = 0; I <= Asker::MostSkips; ++I)
      T->infer(T.worker(0), Kind::Depend, Somewhere);
    return MovePagesCalls - Before;
  };
  for (int I = 0; I < 3; ++I)
    Run(Inference::ShortTask / 2);
  EXPECT_EQ(Asks(), 1);
  EXPECT_EQ(Asks(), 1);
  for (int I = 0; I < 3; ++I)
    Run(Inference::ShortTask * 10);
  Asks();
  EXPECT_EQ(Asks(), int(Asker::MostSkips) + 1);
}

} // namespace
