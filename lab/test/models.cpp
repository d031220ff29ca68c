//===- test/models.cpp - Other schedulers, as models ---------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lab/machine/file.h"
#include "lab/programs/catalog.h"
#include "lab/programs/count.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <stdexcept>

using namespace locus::lab;

namespace {

const std::vector<std::string> Models = {"stock",    "libgomp", "ompi",
                                         "ompi-old", "kaapi",   "pool"};
const std::vector<std::string> Programs = {
    "fib:n=12",
    "lu:order=256,tile=64,place=strict,touch=owners",
    "strassen_depend:order=256,tile=32,place=data,touch=cyclic",
    "uts:children=30",
    "sort:elements=100000",
    "producers:producers=2,tasks=500",
    "dynamic:k=8",
    "sparselu:blocks=8,block=20,many=1",
    "jacobi:order=256,block=32,steps=3,place=strict,touch=owners",
    "spmv:side=64,products=4,place=data,touch=owners",
    "cholesky:order=512,tile=64,touch=cyclic"};

Result runOne(const std::string &Contender, const std::string &Spec,
              int Threads, std::map<uint64_t, int> *Runs = nullptr) {
  const Machine M = simpleMachine(2, 4, 1 << 20);
  RunOptions Options;
  Options.Threads = Threads;
  Options.Contender = Contender;
  Options.MostSeconds = 10;
  if (Runs)
    Options.OnTask = [Runs](const TaskRecord &R) { ++(*Runs)[R.Number]; };
  return run(M, Options, makeProgram(Spec, Threads, {2, 10}));
}

TEST(ModelsTest, EachTaskRunsOnce) {
  for (const std::string &Contender : Models)
    for (const std::string &Spec : Programs)
      for (const int Threads : {2, 8}) {
        std::map<uint64_t, int> Runs;
        const Result R = runOne(Contender, Spec, Threads, &Runs);
        const uint64_t Wanted =
            count(makeProgram(Spec, Threads, {2, 10}), Threads).Tasks;
        const std::string Which = Contender + " " + Spec;
        EXPECT_TRUE(R.IsComplete) << Which << ": " << R.Why;
        EXPECT_EQ(Runs.size(), Wanted) << Which;
        for (const auto &[Number, Times] : Runs)
          EXPECT_EQ(Times, 1) << Which << ": task " << Number;
      }
}

/// No more than all threads' time is spent, and no less.
TEST(ModelsTest, TimeComesFromNowhere) {
  for (const std::string &Contender : Models) {
    const Result R = runOne(Contender, "cholesky:order=512,tile=64", 8);
    for (const ThreadResult &T : R.Threads)
      EXPECT_NEAR(T.Working + T.Creating + T.Ending + T.Searching + T.Waiting +
                      T.Sleeping + T.Other,
                  R.Seconds, R.Seconds * 1e-6)
          << Contender;
  }
}

TEST(ModelsTest, TheSameSeedIsTheSameRun) {
  for (const std::string &Contender : Models) {
    const Result A = runOne(Contender, "uts:children=50", 8);
    const Result B = runOne(Contender, "uts:children=50", 8);
    EXPECT_EQ(A.Seconds, B.Seconds) << Contender;
    EXPECT_EQ(A.LinesMoved, B.LinesMoved) << Contender;
  }
}

/// A task with dependences does not begin before those that it needs have
/// ended: each block of Jacobi is written in each step, in order.
TEST(ModelsTest, DependencesHold) {
  for (const std::string &Contender : Models) {
    const Machine M = simpleMachine(2, 2);
    RunOptions Options;
    Options.Contender = Contender;
    int Last = 0;
    bool InOrder = true;
    Program P;
    P.Constructs = {"chain"};
    P.ImplicitTask = [&](Context &C) {
      if (C.thread() != 0)
        return;
      for (int I = 1; I <= 100; ++I) {
        TaskSpec Spec;
        Spec.Depends = {{0x1000, DepKind::InOut}};
        Spec.Body = [&Last, &InOrder, I](Context &X) {
          X.compute(double(100 - I));
          InOrder = InOrder && Last == I - 1;
          Last = I;
        };
        C.create(Spec);
      }
    };
    EXPECT_TRUE(run(M, Options, P).IsComplete);
    EXPECT_TRUE(InOrder) << Contender;
    EXPECT_EQ(Last, 100) << Contender;
  }
}

/// Readers run side by side, and a writer waits for all of them.
TEST(ModelsTest, ReadersRunTogether) {
  for (const std::string &Contender : Models) {
    const Machine M = simpleMachine(1, 4);
    RunOptions Options;
    Options.Contender = Contender;
    double Begun = 0, LastRead = 0;
    Program P;
    P.ImplicitTask = [&](Context &C) {
      if (C.thread() != 0)
        return;
      for (int I = 0; I < 5; ++I) {
        TaskSpec Spec;
        Spec.Depends = {{0x1000, I < 4 ? DepKind::In : DepKind::Out}};
        Spec.Body = [&, I](Context &X) {
          if (I == 4)
            Begun = X.now();
          X.compute(100000);
          if (I < 4)
            LastRead = std::max(LastRead, X.now());
        };
        C.create(Spec);
      }
    };
    const Result R = run(M, Options, P);
    EXPECT_GE(Begun, LastRead) << Contender;
    EXPECT_LT(R.Seconds, 3 * 100e-6) << Contender;
  }
}

/// XKaapi's strict tasks run nowhere else; the others ignore hints.
TEST(ModelsTest, StrictTasksStayWithKaapi) {
  const Machine M = simpleMachine(2, 4);
  RunOptions Options;
  Options.Contender = "kaapi";
  bool AtHome = true;
  Program P;
  P.ImplicitTask = [&](Context &C) {
    if (C.thread() != 0)
      return;
    for (uint64_t I = 0; I < 64; ++I) {
      TaskSpec Spec;
      Spec.Affinity = {HintKind::Thread, I, 0, true};
      Spec.Body = [&AtHome, I](Context &X) {
        AtHome = AtHome && X.thread() == int(I % 8);
        X.compute(1000);
      };
      C.create(Spec);
    }
  };
  EXPECT_EQ(run(M, Options, P).Tasks, 64u);
  EXPECT_TRUE(AtHome);
}

/// With one lock for the team, more threads are not faster; with a deque for
/// each they are.
TEST(ModelsTest, OneLockDoesNotScale) {
  const MachineFile F = readMachine("epyc-7742");
  const auto Seconds = [&](const char *Contender, int Threads) {
    RunOptions Options;
    Options.Threads = Threads;
    Options.Contender = Contender;
    return run(F.M, Options, makeProgram("fib:n=16", Threads, F.Speed)).Seconds;
  };
  EXPECT_GT(Seconds("libgomp", 32), Seconds("libgomp", 2));
  EXPECT_LT(Seconds("stock", 32), Seconds("stock", 2) * 0.8);
  EXPECT_GT(Seconds("libgomp", 32), Seconds("stock", 32) * 5);
}

/// Threads without work look at the only deque that has some, and all that see
/// a task there stand in line for its lock, the creator behind them.
TEST(ModelsTest, ThievesDelayTheirOnlyVictim) {
  const MachineFile F = readMachine("uv2000");
  const auto Seconds = [&](int Threads) {
    RunOptions Options;
    Options.Threads = Threads;
    Options.Contender = "stock";
    return run(F.M, Options,
               makeProgram("producers:producers=1,tasks=2000,load=1024",
                           Threads, F.Speed))
        .Seconds;
  };
  const double Few = Seconds(8), Many = Seconds(64);
  EXPECT_GT(Many, 2 * Few);
}

/// Who runs new tasks at once because its queue is full looks at it again
/// before the next one: others have taken tasks meanwhile.
TEST(ModelsTest, AFullQueueIsLookedAtWhenItsCreatorGetsThere) {
  const Machine M = simpleMachine(2, 4);
  constexpr int NumTasks = 4000;
  constexpr double TaskNs = 50000;
  for (const std::string &Contender : Models) {
    RunOptions Options;
    Options.Contender = Contender;
    Program P;
    P.ImplicitTask = [&](Context &C) {
      TaskSpec Spec;
      Spec.Body = [](Context &T) { T.compute(TaskNs); };
      for (int I = 0; C.thread() == 0 && I < NumTasks; ++I)
        C.create(Spec);
    };
    const Result R = run(M, Options, P);
    const double Share = NumTasks * TaskNs * 1e-9 / 8;
    EXPECT_LT(R.Seconds, Share * 1.1) << Contender;
    EXPECT_LT(R.InPlace, uint64_t(NumTasks / 4)) << Contender;
  }
}

/// Hofmann and Runger put all tasks into the pool before threads start: the
/// others wait for nothing but the queue, and creation is not counted.
TEST(ModelsTest, StaticTasksAreThereBeforeThreadsStart) {
  const MachineFile F = readMachine("p690");
  const auto SolveSeconds = [&](int Threads) {
    RunOptions Options;
    Options.Threads = Threads;
    Options.Contender = "pool";
    const TimedProgram P =
        makeProgram("static:tasks=640,times=800", Threads, F.Speed);
    return run(F.M, Options, P).Seconds - *P.SolveFrom * 1e-9;
  };
  EXPECT_GT(SolveSeconds(1) / SolveSeconds(16), 0.9 * 16);
}

TEST(ModelsTest, WhatCannotRunIsRefused) {
  const auto Refusal = [](const char *Contender, int Threads) -> std::string {
    try {
      runOne(Contender, "fib:n=5", Threads);
    } catch (const std::invalid_argument &Error) {
      return Error.what();
    }
    return "";
  };
  EXPECT_NE(Refusal("stock", 9).find("9 threads on the 8 processors"),
            std::string::npos);
  EXPECT_NE(Refusal("tbb", 2).find("there is no scheduler 'tbb'"),
            std::string::npos);
}

TEST(ModelsTest, AProgramWithoutTasksEnds) {
  for (const std::string &Contender : Models) {
    const Machine M = simpleMachine(1, 3);
    RunOptions Options;
    Options.Contender = Contender;
    Program P;
    P.ImplicitTask = [](Context &C) { C.barrier(); };
    const Result R = run(M, Options, P);
    EXPECT_TRUE(R.IsComplete) << Contender;
    EXPECT_EQ(R.Tasks, 0u);
  }
}

} // namespace
