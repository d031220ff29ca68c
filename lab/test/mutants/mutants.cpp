//===- mutants/mutants.cpp - Faults of the core show ----------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Some of the core's sources are compiled once more, broken as faults.py says.
// For each fault there is a figure of a run that tells it from the core as it
// is.
//
//===----------------------------------------------------------------------===//

#include "mutants.h"
#include "lab/machine.h"
#include "lab/programs/programs.h"
#include "on.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <memory>

using namespace locus::lab;

int MutantThatIsOn = 0;

namespace {

Result runWith(int Mutant, const Program &P,
               const std::vector<std::string> &Settings = {},
               const Machine &M = simpleMachine(2, 4)) {
  MutantThatIsOn = Mutant;
  RunOptions Options;
  for (const std::string &Setting : Settings) {
    const size_t Equal = Setting.find('=');
    Options.Settings.push_back(
        {Setting.substr(0, Equal), Setting.substr(Equal + 1)});
  }
  Options.MostSeconds = 0.05;
  const Result R = run(M, Options, P);
  MutantThatIsOn = 0;
  return R;
}

TEST(MutantTest, AllArePlanted) { EXPECT_STREQ(MissingMutants, ""); }

/// A creator that gives strict tasks to threads which have had time to sleep.
Program strictForSleepers() {
  Program P;
  P.Constructs = {"strict"};
  P.ImplicitTask = [](Context &C) {
    if (C.thread() != 0)
      return;
    for (uint64_t I = 0; I < 100; ++I) {
      C.compute(100000);
      TaskSpec Spec;
      Spec.Affinity = {HintKind::Thread, 1 + I % 7, 0, true};
      Spec.Body = [](Context &D) { D.compute(1000); };
      C.create(Spec);
    }
    C.taskwait();
  };
  return P;
}

TEST(MutantTest, LostWakeUpShows) {
  const Program P = strictForSleepers();
  // The lab sees that a thread waits for ever if it looks at all lists, and
  // does not nap.
  const std::vector<std::string> Settings = {"OMP_WAIT_POLICY=passive",
                                             "KMP_TASK_STEAL=hierarchical",
                                             "KMP_BLOCKTIME=infinite"};
  const Result Right = runWith(0, P, Settings),
               Wrong = runWith(lostWakeUp, P, Settings);
  EXPECT_TRUE(Right.IsComplete) << Right.Why;
  EXPECT_GT(Right.Wakes, 50u);
  EXPECT_FALSE(Wrong.IsComplete);
  EXPECT_EQ(Wrong.Why, "nobody can go on: all threads wait");
}

/// One list, of which most threads may run nothing while they wait.
TEST(MutantTest, LockConvoyShows) {
  const Program P = fib(14, CoreSpeed());
  const Result Right = runWith(0, P, {"KMP_TASK_QUEUES=machine"}),
               Wrong = runWith(lockConvoy, P, {"KMP_TASK_QUEUES=machine"});
  ASSERT_TRUE(Right.IsComplete) << Right.Why;
  EXPECT_GT(Wrong.Seconds, 10 * Right.Seconds);
}

/// The creator runs something long while its tasks wait.
TEST(MutantTest, StarvingThiefShows) {
  Program P;
  P.Constructs = {"short"};
  P.ImplicitTask = [](Context &C) {
    if (C.thread() != 0)
      return;
    TaskSpec Spec;
    Spec.Body = [](Context &D) { D.compute(10000); };
    for (int I = 0; I < 100; ++I)
      C.create(Spec);
    C.compute(1e6);
  };
  auto OfThieves = [](const Result &R) { return R.Tasks - R.Threads[0].Tasks; };
  const Result Right = runWith(0, P), Wrong = runWith(starvingThief, P);
  ASSERT_TRUE(Right.IsComplete && Wrong.IsComplete);
  EXPECT_EQ(OfThieves(Right), 100u);
  EXPECT_LT(OfThieves(Wrong), 90u);
  EXPECT_GT(Wrong.Seconds, 1.1 * Right.Seconds);
}

/// As test/flow/program.c, which libomp runs: a first task holds back others.
Program heldBack() {
  Program P;
  P.Constructs = {"held"};
  P.ImplicitTask = [](Context &C) {
    if (C.thread() != 0)
      return;
    TaskSpec Spec;
    Spec.Body = [](Context &D) { D.compute(1e6); };
    Spec.Depends = {{0x1000, DepKind::Out}};
    C.create(Spec);
    C.compute(10000); // another thread has begun it
    Spec.Body = [](Context &) {};
    Spec.Depends = {{0x1000, DepKind::In}};
    for (int I = 0; I < 100; ++I)
      C.create(Spec);
    Spec.Depends.clear();
    for (int I = 0; I < 200; ++I)
      C.create(Spec);
    Spec.Affinity = {HintKind::Thread, 1, 0, /*Strict=*/true};
    for (int I = 0; I < 10; ++I)
      C.create(Spec);
  };
  return P;
}

double counterOf(const Result &R, const std::string &Name) {
  for (const auto &[Of, Value] : R.Counters)
    if (Of == Name)
      return Value;
  return -1;
}

/// Each fault of the flow keeps a counter at 0, here as in libomp.
void expectNone(int Mutant, const char *Counter) {
  const std::vector<std::string> Settings = {
      "KMP_TASK_QUEUE_SIZE=4", "KMP_TASK_DEPENDENT_LIMIT=8",
      "KMP_TASK_INPLACE=0", "KMP_TASK_DEPEND_AFFINITY=0"};
  EXPECT_GT(counterOf(runWith(0, heldBack(), Settings), Counter), 0);
  EXPECT_EQ(counterOf(runWith(Mutant, heldBack(), Settings), Counter), 0);
}

TEST(MutantTest, FlowsShow) {
  expectNone(strictIsAWish, "pushed_strict");
  expectNone(neverThrottled, "throttled");
  expectNone(neverFallsBack, "fell_back");
}

/// \p Number tasks, one of which may run in place if \p InPlace says so.
void createEmpty(Context &C, int Number, bool InPlace) {
  TaskSpec Spec;
  Spec.Body = [](Context &) {};
  Spec.MayRunInPlace = InPlace;
  for (int I = 0; I < Number; ++I)
    C.create(Spec);
}

TEST(MutantTest, NothingOfferedAloneShows) {
  Program P;
  P.Constructs = {"empty"};
  P.ImplicitTask = [](Context &C) { createEmpty(C, 10, true); };
  const Machine M = simpleMachine(1, 1);
  EXPECT_EQ(runWith(0, P, {}, M).InPlace, 9u);
  EXPECT_EQ(runWith(neverOffersAlone, P, {}, M).InPlace, 0u);
}

/// Four tasks fill the list, the next one runs at once: behind that the next
/// one is real.
TEST(MutantTest, TasksInPlaceBehindAReturnShow) {
  Program P;
  P.Constructs = {"empty"};
  P.ImplicitTask = [](Context &C) {
    if (C.thread() != 0)
      return C.compute(1e6);
    createEmpty(C, 5, false);
    createEmpty(C, 10, true);
  };
  const std::vector<std::string> Settings = {"KMP_TASK_QUEUE_SIZE=4"};
  const Machine M = simpleMachine(1, 2);
  EXPECT_EQ(runWith(0, P, Settings, M).InPlace, 9u);
  EXPECT_EQ(runWith(neverRealBehindReturn, P, Settings, M).InPlace, 10u);
}

TEST(MutantTest, ThreadsThatNobodyWakesShow) {
  Program P;
  P.Constructs = {"empty"};
  P.ImplicitTask = [](Context &C) {
    for (int I = 0; C.thread() == 0 && I < 100; ++I) {
      C.compute(100000);
      createEmpty(C, 1, false);
    }
  };
  const std::vector<std::string> Settings = {"OMP_WAIT_POLICY=passive"};
  const Result Right = runWith(0, P, Settings),
               Wrong = runWith(neverWakesForAny, P, Settings);
  ASSERT_TRUE(Right.IsComplete && Wrong.IsComplete);
  EXPECT_GT(Right.Wakes, 50u);
  EXPECT_LE(Wrong.Wakes, 7u); // at the barrier
}

/// How many of 100 tasks with a child are still there when the program is over.
long notFreed(int Mutant) {
  const auto Token = std::make_shared<int>();
  Program P;
  P.Constructs = {"above"};
  P.ImplicitTask = [Token](Context &C) {
    TaskSpec Spec;
    Spec.Body = [Token](Context &D) {
      createEmpty(D, 1, false);
      D.taskwait();
    };
    for (int I = 0; C.thread() == 0 && I < 100; ++I)
      C.create(Spec);
  };
  EXPECT_TRUE(runWith(Mutant, P).IsComplete);
  return Token.use_count() - 2;
}

TEST(MutantTest, TasksThatAreNotFreedShow) {
  EXPECT_EQ(notFreed(0), 0);
  EXPECT_EQ(notFreed(neverFrees), 100);
}

} // namespace
