//===- test/engine.cpp - Cases with a formula -----------------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the engine computes for lines, locks, rounds and stores, where a formula
// says the result to the picosecond.
//
//===----------------------------------------------------------------------===//

#include "lab/engine/engine.h"

#include <cmath>
#include <gtest/gtest.h>
#include <random>

using namespace locus::lab;

namespace {

/// A machine of one node with \p Cores, and figures that are easy to add.
Machine plainMachine(int Cores) {
  Machine M = simpleMachine(1, Cores);
  M.L3LineNs = 100;
  M.Cost.AccessNs = 1;
  M.Cost.LockedNs = 4;
  M.Cost.FenceNs = 7;
  M.Cost.ShareNs = 10;
  M.MemoryNs = {90};
  return M;
}

std::vector<int> firstProcessors(int Count) {
  std::vector<int> All;
  for (int I = 0; I < Count; ++I)
    All.push_back(I);
  return All;
}

constexpr Time Ns = 1000;

/// The address of a new line.
uint64_t newLine() { return uint64_t(allocate(64)); }

//===----------------------------------------------------------------------===//
// Lines
//===----------------------------------------------------------------------===//

TEST(LineTest, PingPongTakesOneTransferEach) {
  const Machine M = plainMachine(2);
  constexpr int Each = 1000;
  Engine E(M, {0, 1});
  const uint64_t At = newLine();
  for (int T = 0; T < 2; ++T)
    E.begin(T, [&] {
      for (int I = 0; I < Each; ++I)
        E.readModifyWrite(At);
    });
  EXPECT_EQ(E.run(NoTime), "");
  // The first takes it from memory; then it goes to and fro, while the next
  // locked instruction of the other one waits for it.
  EXPECT_EQ(E.end(), (1 + 4) * Ns + 90 * Ns + (2 * Each - 1) * 100 * Ns);
  EXPECT_EQ(E.counts().LinesMoved, 2u * Each);
}

TEST(LineTest, AloneNothingMoves) {
  const Machine M = plainMachine(1);
  Engine E(M, {0});
  const uint64_t At = newLine();
  E.begin(0, [&] {
    for (int I = 0; I < 1000; ++I) {
      E.load(At, true);
      E.readModifyWrite(At);
    }
  });
  EXPECT_EQ(E.run(NoTime), "");
  EXPECT_EQ(E.end(), 90 * Ns + 1000 * (1 + 1 + 4) * Ns);
}

TEST(LineTest, ReadersComeOneAfterTheOther) {
  constexpr int Readers = 10;
  const Machine M = plainMachine(Readers + 1);
  Engine E(M, firstProcessors(Readers + 1));
  const uint64_t At = newLine();
  std::vector<Time> Has(Readers + 1);
  E.begin(0, [&] { E.readModifyWrite(At); });
  for (int T = 1; T <= Readers; ++T)
    E.begin(T, [&, T] {
      E.advance(1000 * Ns);
      E.load(At, true);
      Has[size_t(T)] = E.now();
    });
  EXPECT_EQ(E.run(NoTime), "");
  for (int T = 1; T <= Readers; ++T)
    EXPECT_EQ(Has[size_t(T)], Time(1000 + (T - 1) * 10 + 100 + 1) * Ns);
}

TEST(LineTest, AWriterWaitsForTheFarthestCopy) {
  Machine M;
  M.Synthetic = "numa:2 l3:1 core:2 pu:1";
  M.fromTopology();
  M.L3LineNs = 30;
  M.NodeLineNs = {60, 150, 150, 60};
  M.Cost.AccessNs = 1;
  M.Cost.LockedNs = 0;
  Engine E(M, firstProcessors(4));
  const uint64_t At = newLine();
  Time Took = 0;
  E.begin(0, [&] {
    E.readModifyWrite(At);
    E.advance(1000 * Ns);
    E.sync();
    const Time Before = E.now();
    E.readModifyWrite(At);
    Took = E.now() - Before;
  });
  E.begin(1, [&] {
    E.advance(500 * Ns);
    E.load(At, true);
  });
  E.begin(2, [&] {
    E.advance(600 * Ns);
    E.load(At, true);
  });
  E.begin(3, [] {});
  EXPECT_EQ(E.run(NoTime), "");
  EXPECT_EQ(Took, 151 * Ns);
}

TEST(LineTest, StoresWaitInTheirBuffer) {
  Machine M = plainMachine(2);
  M.Cost.StoreBuffer = 2;
  Engine E(M, {0, 1});
  const uint64_t Lines3[] = {newLine(), newLine(), newLine()};
  Time After[3], Drained = 0;
  E.begin(0, [&] {
    for (uint64_t At : Lines3)
      E.readModifyWrite(At);
  });
  E.begin(1, [&] {
    E.advance(1000 * Ns);
    for (int I = 0; I < 3; ++I) {
      E.store(Lines3[I], true);
      After[I] = E.now();
    }
    E.fence();
    Drained = E.now();
  });
  EXPECT_EQ(E.run(NoTime), "");
  EXPECT_EQ(After[0], 1001 * Ns);
  EXPECT_EQ(After[1], 1002 * Ns);
  // The buffer is full: the first store is done at 1100.
  EXPECT_EQ(After[2], 1101 * Ns);
  // The third one began at 1002.
  EXPECT_EQ(Drained, (1002 + 100 + 7) * Ns);
}

//===----------------------------------------------------------------------===//
// A queue: M/D/1
//===----------------------------------------------------------------------===//

/// Customers who come at random times want a line that takes 100 ns to each.
struct Station {
  static constexpr int Threads = 200, Each = 500;
  std::vector<Time> Arrivals, Waits;

  explicit Station(double Load) {
    std::mt19937_64 Random(1);
    std::exponential_distribution<double> Gap(Load / 100);
    double At = 1000;
    for (int I = 0; I < Threads * Each; ++I) {
      At += Gap(Random);
      Arrivals.push_back(toPs(At));
    }
    Waits.resize(Arrivals.size());
  }

  void run() {
    Machine M = plainMachine(Threads);
    M.Cost.LockedNs = 0;
    M.Cost.AccessNs = 0.001;
    Engine E(M, firstProcessors(Threads));
    const uint64_t At = newLine();
    for (int T = 0; T < Threads; ++T)
      E.begin(T, [&, T] {
        if (T == Threads - 1)
          E.readModifyWrite(At); // from memory
        for (size_t I = size_t(T); I < Arrivals.size(); I += Threads) {
          ASSERT_LT(E.now(), Arrivals[I]) << "the last one is still served";
          E.advance(Arrivals[I] - E.now());
          E.readModifyWrite(At);
          Waits[I] = E.now() - Arrivals[I] - 1 - 100 * Ns;
        }
      });
    EXPECT_EQ(E.run(NoTime), "");
  }
};

TEST(QueueTest, EachCustomerWaitsAsLindleySays) {
  Station S(0.7);
  S.run();
  // D. V. Lindley, 1952: the wait of the next is that of the last, and its
  // service, less what passes between the two.
  Time Wait = 0;
  for (size_t I = 0; I < S.Arrivals.size(); ++I) {
    if (I != 0) {
      const Time Until = S.Arrivals[I - 1] + Wait + 100 * Ns;
      Wait = Until > S.Arrivals[I] ? Until - S.Arrivals[I] : 0;
    }
    ASSERT_EQ(S.Waits[I], Wait) << "customer " << I;
  }
}

TEST(QueueTest, InTheMeanAsPollaczekAndKhinchineSay) {
  for (double Load : {0.3, 0.5, 0.7}) {
    Station S(Load);
    S.run();
    double Sum = 0;
    for (Time Wait : S.Waits)
      Sum += double(Wait) / Ns;
    const double Expected = 100 * Load / (2 * (1 - Load));
    // Of 100,000 customers that wait for each other.
    EXPECT_NEAR(Sum / double(S.Waits.size()), Expected, 0.04 * Expected);
  }
}

//===----------------------------------------------------------------------===//
// Rounds that are left out
//===----------------------------------------------------------------------===//

/// A thread that reads a line every 50 ns until it is written at \p Written.
struct Poller {
  Time Noticed = 0;
  uint64_t Left = 0;

  void run(Time Written, bool LeavesOut, Time Due = NoTime) {
    const Machine M = plainMachine(2);
    Engine E(M, {0, 1});
    const uint64_t At = newLine();
    bool IsWritten = false;
    E.begin(0, [&] {
      for (;;) {
        const Time Began = E.now();
        E.hasBeenIdle();
        E.load(At, true);
        E.advance(49 * Ns);
        if (IsWritten || (Due != NoTime && E.now() >= Due))
          break;
        if (LeavesOut && E.hasBeenIdle())
          Left += E.watch(Began, Due);
      }
      Noticed = E.now();
    });
    E.begin(1, [&] {
      E.advance(Written);
      E.store(At, true);
      IsWritten = true;
    });
    EXPECT_EQ(E.run(NoTime), "");
  }
};

TEST(WatchTest, NoticesWhatAPollerNotices) {
  for (Time Written : {1000 * Ns, 1020 * Ns, 98765 * Ns + 43}) {
    Poller Watches, Polls;
    Watches.run(Written, true);
    Polls.run(Written, false);
    EXPECT_GT(Watches.Left, 5u);
    // The written line is on its way for 100 ns; a round is 50 ns long.
    EXPECT_GE(Watches.Noticed, Written);
    EXPECT_NEAR(double(Watches.Noticed), double(Polls.Noticed), 150 * Ns);
  }
}

TEST(WatchTest, ComesBackAtItsTime) {
  Poller P;
  P.run(1000000 * Ns, true, /*Due=*/5000 * Ns);
  EXPECT_GE(P.Noticed, 5000 * Ns);
  EXPECT_LE(P.Noticed, 5150 * Ns);
}

//===----------------------------------------------------------------------===//
// Runs that don't end
//===----------------------------------------------------------------------===//

TEST(EngineTest, SaysThatAllWait) {
  const Machine M = plainMachine(2);
  Engine E(M, {0, 1});
  E.begin(0, [&] { E.block(); });
  E.begin(1, [&] { E.advance(5 * Ns); });
  EXPECT_EQ(E.run(NoTime), "nobody can go on: all threads wait");
}

TEST(EngineTest, GivesUpAtItsLimit) {
  const Machine M = plainMachine(2);
  Engine E(M, {0, 1});
  const uint64_t At = newLine();
  for (int T = 0; T < 2; ++T)
    E.begin(T, [&] {
      for (;;)
        E.readModifyWrite(At);
    });
  EXPECT_EQ(E.run(1000000 * Ns), "it takes longer than the limit");
}

TEST(EngineTest, PassesOnWhatAThreadThrows) {
  const Machine M = plainMachine(2);
  Engine E(M, {0, 1});
  E.begin(0, [&] { throw std::invalid_argument("wrong"); });
  E.begin(1, [&] { E.block(); });
  EXPECT_THROW(E.run(NoTime), std::invalid_argument);
}

TEST(EngineTest, TimesOfAThreadSumUp) {
  const Machine M = plainMachine(3);
  Engine E(M, firstProcessors(3));
  const uint64_t At = newLine();
  for (int T = 0; T < 3; ++T)
    E.begin(T, [&, T] {
      for (int I = 0; I < 100 * (T + 1); ++I) {
        E.spend(Spent(I % NumSpent));
        E.readModifyWrite(At);
        E.advance(Time(I) * 77);
      }
    });
  EXPECT_EQ(E.run(NoTime), "");
  for (int T = 0; T < 3; ++T) {
    Time Sum = 0;
    for (Time Part : E.processor(T).Times)
      Sum += Part;
    EXPECT_EQ(Sum, E.end());
  }
}

TEST(EngineTest, RefusesWhatCannotBe) {
  const Machine M = plainMachine(2);
  EXPECT_THROW(Engine(M, {0, 2}), std::invalid_argument);
  EXPECT_THROW(Engine(M, {1, 1}), std::invalid_argument);
  EXPECT_THROW(Engine(M, {}), std::invalid_argument);
}

} // namespace
