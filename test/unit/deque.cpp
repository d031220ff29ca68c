//===- deque.cpp - Tests of a thread's own tasks --------------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "locus_deque.h"
#include "locus_domains.h"
#include "locus_fence.h"

#include <gtest/gtest.h>
#include <memory>
#include <random>
#include <thread>
#include <vector>

using namespace locus;

namespace {

void *task(intptr_t Number) { return reinterpret_cast<void *>(Number); }
intptr_t number(void *Task) { return reinterpret_cast<intptr_t>(Task); }
bool always(void *, void *) { return true; }
bool never(void *, void *) { return false; }
bool even(void *, void *Task) { return number(Task) % 2 == 0; }

/// A deque with its owner and one thief, in one thread.
struct Pair {
  explicit Pair(uint32_t Capacity = 4) { Deque.init(-1, Capacity); }
  ~Pair() { Deque.destroy(); }

  void push(intptr_t First, intptr_t Last) {
    for (intptr_t I = First; I <= Last; ++I)
      ASSERT_TRUE(Deque.push(task(I)));
    EXPECT_TRUE(Deque.isValid());
  }
  /// The task popped; 0 for none, -1 for a refusal.
  intptr_t pop(bool (*Allowed)(void *, void *) = always) {
    void *Task;
    Outcome Got = Deque.pop(Allowed, nullptr, Task);
    EXPECT_TRUE(Deque.isValid());
    return Got == Outcome::Taken     ? number(Task)
           : Got == Outcome::Refused ? -1
                                     : 0;
  }
  intptr_t steal(bool (*Allowed)(void *, void *) = always,
                 bool ScanAll = false) {
    void *Task;
    Outcome Got =
        Deque.steal({&Finished, Allowed, nullptr}, ScanAll, Unfinished, Task);
    EXPECT_TRUE(Deque.isValid());
    return Got == Outcome::Taken     ? number(Task)
           : Got == Outcome::Refused ? -1
                                     : 0;
  }

  TaskDeque Deque;
  std::atomic<int32_t> Unfinished{1};
  int Finished = 0;
};

TEST(DequeTest, smoke) {
  Pair P;
  EXPECT_EQ(P.pop(), 0);
  EXPECT_EQ(P.steal(), 0);
  P.push(1, 1);
  EXPECT_EQ(P.Deque.sizeForOwner(), 1u);
  EXPECT_EQ(P.pop(), 1);
  EXPECT_EQ(P.pop(), 0);
  EXPECT_EQ(P.Deque.sizeForOwner(), 0u);
}

TEST(DequeTest, ownerTakesTheNewest) {
  Pair P;
  P.push(1, 1000); // through several sizes
  for (intptr_t I = 1000; I >= 1; --I)
    ASSERT_EQ(P.pop(), I);
  EXPECT_EQ(P.pop(), 0);
}

TEST(DequeTest, thiefSeesNothingUntilItAsks) {
  Pair P;
  P.push(1, 8);
  EXPECT_TRUE(P.Deque.hasUnpublished());
  EXPECT_FALSE(P.Deque.hasPublished());
  EXPECT_EQ(P.steal(), 0);
  P.Deque.request();
  EXPECT_EQ(P.steal(), 0);
  P.push(9, 9); // answers with the older half, rounded up
  for (intptr_t I = 1; I <= 5; ++I)
    EXPECT_EQ(P.steal(), I);
  EXPECT_EQ(P.steal(), 0);
  // One request, one answer.
  P.push(10, 10);
  EXPECT_EQ(P.steal(), 0);
  P.Deque.request();
  EXPECT_EQ(P.pop(), 10);
  EXPECT_EQ(P.steal(), 6);
}

TEST(DequeTest, ownerTakesBackHalf) {
  Pair P;
  P.push(1, 8);
  P.Deque.forcePublish();
  EXPECT_FALSE(P.Deque.hasUnpublished());
  EXPECT_EQ(P.pop(), 8);
  // 5 .. 7 are the owner's now.
  for (intptr_t I = 1; I <= 4; ++I)
    EXPECT_EQ(P.steal(), I);
  EXPECT_EQ(P.steal(), 0);
  for (intptr_t I = 7; I >= 5; --I)
    EXPECT_EQ(P.pop(), I);
  EXPECT_EQ(P.pop(), 0);
}

TEST(DequeTest, lastTaskIsEithersOnce) {
  for (bool OwnerFirst : {true, false}) {
    Pair P;
    P.push(1, 1);
    P.Deque.forcePublish();
    EXPECT_EQ(OwnerFirst ? P.pop() : P.steal(), 1);
    EXPECT_EQ(P.steal(), 0);
    EXPECT_EQ(P.pop(), 0);
  }
}

TEST(DequeTest, refused) {
  Pair P;
  P.push(1, 4);
  EXPECT_EQ(P.pop(never), -1);
  EXPECT_EQ(P.Deque.sizeForOwner(), 4u);
  P.Deque.forcePublish();
  EXPECT_EQ(P.steal(never, true), -1);
  EXPECT_EQ(P.steal(even, false), -1);
  EXPECT_EQ(P.steal(even, true), 2);
  EXPECT_EQ(P.steal(), 1);
  EXPECT_EQ(P.steal(even, true), 4);
  EXPECT_EQ(P.steal(), 3);
  EXPECT_EQ(P.Deque.sizeForOwner(), 0u);
}

TEST(DequeTest, growthKeepsTheWindow) {
  Pair P(4);
  // Move the window so that it wraps, then grow with published tasks in it.
  P.push(1, 3);
  P.Deque.forcePublish();
  EXPECT_EQ(P.steal(), 1);
  EXPECT_EQ(P.steal(), 2);
  P.push(4, 20);
  EXPECT_EQ(P.steal(), 3);
  for (intptr_t I = 20; I >= 4; --I)
    EXPECT_EQ(P.pop(), I);
}

TEST(DequeTest, roomThatThievesMadeIsUsed) {
  Pair P(4);
  for (intptr_t I = 1; I <= 100; ++I) {
    P.push(I, I);
    P.Deque.forcePublish();
    EXPECT_EQ(P.steal(), I);
  }
  EXPECT_EQ(P.Deque.sizeForOwner(), 0u);
}

TEST(DequeTest, finishedThiefCountsAgain) {
  Pair P;
  P.push(1, 2);
  P.Deque.forcePublish();
  P.Finished = 1;
  EXPECT_EQ(P.steal(never), -1);
  EXPECT_EQ(P.Unfinished, 1);
  EXPECT_EQ(P.Finished, 1);
  EXPECT_EQ(P.steal(), 1);
  EXPECT_EQ(P.Unfinished, 2);
  EXPECT_EQ(P.Finished, 0);
  EXPECT_EQ(P.steal(), 2);
  EXPECT_EQ(P.Unfinished, 2);
}

/// Owner and thieves at once: each task is taken once, none is lost.
void stress(int NumThieves, bool Force, int Tasks) {
  prepareFences();
  TaskDeque Deque;
  Deque.init(-1, 4);
  auto Seen = std::make_unique<std::atomic<uint8_t>[]>(size_t(Tasks) + 1);
  std::atomic<int> Total{0};
  std::atomic<bool> Twice{false};
  std::atomic<int32_t> Unfinished{1};
  auto Took = [&](void *Task) {
    if (Seen[size_t(number(Task))].fetch_add(1) != 0)
      Twice = true;
    ++Total;
  };
  std::vector<std::thread> Thieves;
  for (int I = 0; I < NumThieves; ++I)
    Thieves.emplace_back([&] {
      int Finished = 0, Idle = 0;
      void *Task;
      while (Total < Tasks && !Twice) {
        if (Deque.steal({&Finished, always, nullptr}, true, Unfinished, Task) ==
            Outcome::Taken) {
          Took(Task);
        } else {
          Deque.request();
          if (Force && ++Idle % 8 == 0)
            Deque.forcePublish();
        }
      }
    });
  std::mt19937 Random(12345);
  void *Task;
  for (int Next = 1; Next <= Tasks && !Twice;) {
    for (unsigned I = Random() % 9; I > 0 && Next <= Tasks; --I)
      EXPECT_TRUE(Deque.push(task(Next++)));
    for (unsigned I = Random() % 9; I > 0; --I)
      if (Deque.pop(always, nullptr, Task) == Outcome::Taken)
        Took(Task);
  }
  while (Total < Tasks && !Twice)
    if (Deque.pop(always, nullptr, Task) == Outcome::Taken)
      Took(Task);
  for (std::thread &Thief : Thieves)
    Thief.join();
  EXPECT_FALSE(Twice);
  EXPECT_EQ(Total, Tasks);
  EXPECT_TRUE(Deque.isValid());
  EXPECT_EQ(Deque.sizeForOwner(), 0u);
  Deque.destroy();
}

TEST(DequeStressTest, requests) { stress(1, false, 100000); }
TEST(DequeStressTest, forced) { stress(1, true, 100000); }
TEST(DequeStressTest, severalThieves) { stress(3, true, 50000); }
TEST(DequeStressTest, fullFences) {
  prepareFences();
  bool Before = AsymmetricFences;
  AsymmetricFences = false;
  stress(2, true, 50000);
  AsymmetricFences = Before;
}

TEST(DomainsDequeTest, throttleWithHysteresis) {
  Topology Machine;
  ASSERT_TRUE(Machine.load("node:1 pu:1"));
  std::atomic<int32_t> Unfinished{1};
  NodeSet Zero;
  Zero.add(0);
  Domains *D = Domains::create(Machine, 1, &Zero, &Unfinished);
  constexpr uint32_t Limit = 100;
  for (intptr_t I = 1; I <= 100; ++I) {
    EXPECT_FALSE(D->isThrottled(0, Limit)) << I;
    ASSERT_TRUE(D->pushOwn(0, task(I)));
  }
  EXPECT_TRUE(D->isThrottled(0, Limit));
  EXPECT_FALSE(D->isThrottled(0, 0)); // no limit
  EXPECT_TRUE(D->isThrottled(0, Limit));
  int Finished = 0;
  void *Task;
  for (int I = 0; I < 29; ++I) {
    ASSERT_EQ(D->popOwn(0, {&Finished, always, nullptr}, Task), Outcome::Taken);
    EXPECT_TRUE(D->isThrottled(0, Limit)) << I;
  }
  ASSERT_EQ(D->popOwn(0, {&Finished, always, nullptr}, Task), Outcome::Taken);
  EXPECT_FALSE(D->isThrottled(0, Limit)); // 70 are left
  Domains::destroy(D);
}

TEST(DomainsDequeTest, stealsFromNeighboursThenOneNodeARound) {
  Topology Machine;
  ASSERT_TRUE(Machine.load("node:3 pu:2"));
  std::atomic<int32_t> Unfinished{6};
  NodeSet Sets[6];
  for (int T = 0; T < 6; ++T)
    Sets[T].add(T / 2);
  Domains *D = Domains::create(Machine, 6, Sets, &Unfinished);
  int Finished = 0;
  Taker Who = {&Finished, always, nullptr};
  void *Task;
  // Two each, so that one request publishes one.
  for (int T = 1; T < 6; ++T)
    for (int I = 0; I < 2; ++I)
      ASSERT_TRUE(D->pushOwn(T, task(10 * T + I)));
  // The first look at each only asks.
  for (int Round = 0; Round < 2; ++Round) {
    EXPECT_EQ(D->stealOwn(0, Who, false, Task), Outcome::Empty);
    D->endRound(0, false);
  }
  for (int T = 1; T < 6; ++T)
    ASSERT_TRUE(D->pushOwn(T, task(10 * T + 2)));
  // The neighbour first, then node 1 in even rounds and node 2 in odd ones.
  auto Steal = [&] {
    return D->stealOwn(0, Who, false, Task) == Outcome::Taken ? number(Task)
                                                              : intptr_t(0);
  };
  EXPECT_EQ(Steal(), 10);
  EXPECT_EQ(Steal(), 11);
  EXPECT_EQ(Steal(), 20);
  D->endRound(0, false);
  EXPECT_EQ(Steal(), 40);
  // A long silence is broken.
  for (int T = 1; T < 6; ++T)
    while (D->popOwn(T, Who, Task) == Outcome::Taken)
      ;
  ASSERT_TRUE(D->pushOwn(1, task(99)));
  for (uint32_t I = 1; I < Domains::RoundsBeforeForce; ++I) {
    EXPECT_EQ(Steal(), 0) << I;
    EXPECT_TRUE(D->hasWorkFor(0)); // it has asked: no time to sleep
    D->endRound(0, false);
  }
  EXPECT_EQ(Steal(), 99);
  EXPECT_FALSE(D->hasWorkFor(0));
  for (int T = 1; T < 6; ++T)
    while (D->popOwn(T, Who, Task) == Outcome::Taken)
      ;
  Domains::destroy(D);
}

} // namespace
