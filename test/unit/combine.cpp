//===- combine.cpp - Tests of combining -----------------------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Who waits in line, and for what, is the same in each run: a thread comes when
// the one before stands in line, and combiners stop where a test wants them to.
//
//===----------------------------------------------------------------------===//

#include "locus/queue/task_queue.h"
#include "locus/queue/work_deque.h"
#include "support.h"

#include <gtest/gtest.h>
#include <memory>
#include <random>
#include <sched.h>
#include <thread>

using namespace locus;
using namespace locus::test;

namespace {

/// Opened once; who passes waits until then.
class Gate {
public:
  void open() { IsOpen.store(true, std::memory_order_release); }
  void pass() {
    Reached.store(true, std::memory_order_release);
    while (!IsOpen.load(std::memory_order_acquire))
      sched_yield();
  }
  void awaitSomebody() {
    while (!Reached.load(std::memory_order_acquire))
      sched_yield();
  }

private:
  std::atomic<bool> IsOpen{false}, Reached{false};
};

/// The two kinds of queue that have a line, with \p Tasks tasks.
struct PlacedTasks {
  explicit PlacedTasks(int Tasks) {
    Counters.Unfinished = &Unfinished;
    Queue.init(&Counters, -1);
    for (int I = 1; I <= Tasks; ++I)
      EXPECT_TRUE(Queue.push(task(I)));
  }
  ~PlacedTasks() { EXPECT_TRUE(Queue.isValid()); }
  Take take(const Taker &Who) { return Queue.take(End::Oldest, Who); }
  const auto &line() const { return Queue.line(); }

  std::atomic<int32_t> Unfinished{1};
  TeamCounters Counters;
  TaskQueue Queue;
};

struct OwnTasks {
  explicit OwnTasks(int Tasks) {
    Deque.init(-1);
    for (int I = 1; I <= Tasks; ++I)
      EXPECT_TRUE(Deque.push(task(I)));
  }
  ~OwnTasks() { EXPECT_TRUE(Deque.isValid()); }
  Take take(const Taker &Who) { return Deque.steal(Who, true, Unfinished); }
  const auto &line() const { return Deque.line(); }

  std::atomic<int32_t> Unfinished{1};
  WorkDeque Deque;
};

/// A thread that takes one task, and what it got.
class OneTaker {
public:
  explicit OneTaker(CombineSlot *TheSlot, int WasFinished = 0)
      : Slot(TheSlot), Finished(WasFinished) {}

  template <class Tasks> void start(Tasks &From) {
    Thread = std::thread([this, &From] {
      auto Admit = [](const Taker &Who, Task *Candidate) {
        auto &Self = static_cast<const Asking &>(Who).Self;
        Self.ServedBy = std::this_thread::get_id();
        if (Self.Stop)
          Self.Stop->pass();
        return !Self.Accept || Self.Accept(numberOf(Candidate));
      };
      const Asking Who = {{Admit, nullptr, &Finished, Slot}, *this};
      const Take Taken = From.take(Who);
      Result = Taken.Result;
      Got = numberOf(Taken.Found);
    });
  }
  /// The same; returns when it stands in line.
  template <class Tasks> void lineUp(Tasks &From) {
    const CombineNode *Before = From.line().end();
    start(From);
    while (From.line().end() == Before)
      sched_yield();
  }
  void join() { Thread.join(); }
  void noteId() { Id = Thread.get_id(); }

  CombineSlot *const Slot;
  int Finished;
  Gate *Stop = nullptr; ///< where it stops when it is served
  std::function<bool(int)> Accept;
  Outcome Result = Outcome::Empty;
  int Got = -1;
  std::thread::id Id, ServedBy;

private:
  struct Asking : Taker {
    OneTaker &Self;
  };

  std::thread Thread;
};

template <class Tasks> class CombineTest : public testing::Test {
protected:
  /// Holds the lock from here to the end of Holding.
  void hold(Tasks &From) {
    First = std::make_unique<OneTaker>(&Slots[0]);
    First->Stop = &Holding;
    First->start(From);
    Holding.awaitSomebody();
  }

  static constexpr int Most = 80;
  CombineSlot Slots[Most];
  Gate Holding;
  std::unique_ptr<OneTaker> First;
};

using Kinds = testing::Types<PlacedTasks, OwnTasks>;
TYPED_TEST_SUITE(CombineTest, Kinds);

} // namespace

TYPED_TEST(CombineTest, nobodyLinesUpAlone) {
  CombineSlot Slot;
  TypeParam From(2);
  int Finished = 0;
  const Taker Who = {[](const Taker &, Task *) { return true; }, nullptr,
                     &Finished, &Slot};
  const CombineNode *Before = From.line().end();
  for (int I = 1; I <= 2; ++I) {
    const Take Got = From.take(Who);
    ASSERT_TRUE(Got.hasTask());
    EXPECT_EQ(numberOf(Got.Found), I);
  }
  EXPECT_EQ(From.take(Who).Result, Outcome::Empty);
  EXPECT_EQ(From.line().end(), Before);
  EXPECT_EQ(From.line().passes(), 0u);
}

TYPED_TEST(CombineTest, servedInTheOrderOfArrival) {
  // Fewer than a combiner serves in one pass, exactly so many, more, twice.
  for (int Waiting : {2, 31, 32, 33, 70}) {
    // Nodes wander between the slots and the line.
    CombineSlot Slots[TestFixture::Most];
    TypeParam From(Waiting + 1);
    Gate Holding;
    OneTaker Holder(&Slots[0]);
    Holder.Stop = &Holding;
    Holder.start(From);
    Holding.awaitSomebody();
    std::vector<std::unique_ptr<OneTaker>> Others;
    for (int I = 1; I <= Waiting; ++I) {
      Others.push_back(std::make_unique<OneTaker>(&Slots[I]));
      Others.back()->lineUp(From);
    }
    Holding.open();
    Holder.join();
    for (auto &Other : Others)
      Other->join();
    EXPECT_EQ(Holder.Got, 1);
    for (int I = 0; I < Waiting; ++I)
      EXPECT_EQ(Others[size_t(I)]->Got, I + 2);
    EXPECT_EQ(From.line().passes(), uint64_t(Waiting + 31) / 32);
    EXPECT_EQ(From.line().served(), uint64_t(Waiting));
  }
}

TYPED_TEST(CombineTest, whoComesDuringAPassIsServedLast) {
  TypeParam From(6);
  this->hold(From);
  std::vector<std::unique_ptr<OneTaker>> Others;
  for (int I = 1; I <= 5; ++I)
    Others.push_back(std::make_unique<OneTaker>(&this->Slots[I]));
  // The combiner, Others[0], stops where it serves Others[1].
  Gate InPass;
  Others[1]->Stop = &InPass;
  for (int I = 0; I < 3; ++I)
    Others[size_t(I)]->lineUp(From);
  this->Holding.open();
  InPass.awaitSomebody();
  Others[3]->lineUp(From);
  Others[4]->lineUp(From);
  InPass.open();
  this->First->join();
  for (auto &Other : Others) {
    Other->noteId();
    Other->join();
  }
  for (int I = 0; I < 5; ++I) {
    EXPECT_EQ(Others[size_t(I)]->Got, I + 2);
    EXPECT_EQ(Others[size_t(I)]->ServedBy, Others[0]->Id);
  }
  EXPECT_EQ(From.line().passes(), 1u);
  EXPECT_EQ(From.line().served(), 5u);
}

TYPED_TEST(CombineTest, eachIsAskedForItself) {
  TypeParam From(4);
  this->hold(From);
  OneTaker Even(&this->Slots[1]), Nothing(&this->Slots[2]),
      Any(&this->Slots[3]), Late(&this->Slots[4]);
  Even.Accept = [](int Number) { return Number % 2 == 0; };
  Nothing.Accept = [](int) { return false; };
  Late.Accept = [](int Number) { return Number == 4; };
  for (OneTaker *Other : {&Even, &Nothing, &Any, &Late})
    Other->lineUp(From);
  this->Holding.open();
  this->First->join();
  for (OneTaker *Other : {&Even, &Nothing, &Any, &Late})
    Other->join();
  EXPECT_EQ(this->First->Got, 1);
  EXPECT_EQ(Even.Got, 2);
  EXPECT_EQ(Nothing.Result, Outcome::Refused);
  EXPECT_EQ(Any.Got, 3);
  EXPECT_EQ(Late.Got, 4);
}

TYPED_TEST(CombineTest, theRestFindsItEmpty) {
  TypeParam From(2);
  this->hold(From);
  OneTaker Lucky(&this->Slots[1]), Late(&this->Slots[2]),
      Later(&this->Slots[3]);
  for (OneTaker *Other : {&Lucky, &Late, &Later})
    Other->lineUp(From);
  this->Holding.open();
  this->First->join();
  for (OneTaker *Other : {&Lucky, &Late, &Later})
    Other->join();
  EXPECT_EQ(Lucky.Got, 2);
  EXPECT_EQ(Late.Result, Outcome::Empty);
  EXPECT_EQ(Later.Result, Outcome::Empty);
}

TYPED_TEST(CombineTest, finishedThreadsCountAgain) {
  TypeParam From(3);
  this->hold(From);
  const int32_t Before = From.Unfinished;
  OneTaker Idle(&this->Slots[1], 1), Last(&this->Slots[2], 1),
      Empty(&this->Slots[3], 1);
  for (OneTaker *Other : {&Idle, &Last, &Empty})
    Other->lineUp(From);
  this->Holding.open();
  this->First->join();
  for (OneTaker *Other : {&Idle, &Last, &Empty})
    Other->join();
  EXPECT_EQ(Idle.Finished, 0);
  EXPECT_EQ(Last.Finished, 0);
  EXPECT_EQ(Empty.Finished, 1);
  // A queue's own one goes to the taker of its last task; the owner of a deque
  // counts for what is in it.
  const bool QueueCounts = std::is_same_v<TypeParam, PlacedTasks>;
  EXPECT_EQ(From.Unfinished, Before + (QueueCounts ? 1 : 2));
}

TYPED_TEST(CombineTest, twoThreadsWithOneSlot) {
  TypeParam From(3);
  this->hold(From);
  OneTaker One(&this->Slots[1]), Two(&this->Slots[1]);
  One.lineUp(From);
  Two.start(From); // finds the slot in use, and waits for the lock
  this->Holding.open();
  this->First->join();
  One.join();
  Two.join();
  EXPECT_EQ(One.Got + Two.Got, 5);
  // The node is back.
  EXPECT_NE(this->Slots[1].get(), nullptr);
}

namespace {

/// Whoever takes from there need not wait.
struct HastyTasks : OwnTasks {
  using OwnTasks::OwnTasks;
  Take take(const Taker &Who) {
    return Deque.steal(Who, true, Unfinished, nullptr, /*MayLeave=*/true);
  }
};

using CombineHastyTest = CombineTest<HastyTasks>;

} // namespace

TEST_F(CombineHastyTest, fewTasksAreLeftToOthers) {
  HastyTasks From(8);
  hold(From);
  int Finished = 1;
  const Taker Who = {[](const Taker &, Task *) { return true; }, nullptr,
                     &Finished, &Slots[1]};
  for (int I = 0; I < 100; ++I)
    EXPECT_EQ(From.take(Who).Result, Outcome::Busy);
  EXPECT_EQ(Finished, 1);
  Holding.open();
  First->join();
  EXPECT_EQ(First->Got, 1);
  const Take Got = From.take(Who);
  ASSERT_TRUE(Got.hasTask());
  EXPECT_EQ(numberOf(Got.Found), 2);
  EXPECT_EQ(Finished, 0);
}

TEST_F(CombineHastyTest, manyTasksAreWorthToWait) {
  HastyTasks From(9);
  hold(From);
  OneTaker Other(&Slots[1]);
  Other.lineUp(From);
  Holding.open();
  First->join();
  Other.join();
  EXPECT_EQ(Other.Got, 2);
}

TYPED_TEST(CombineTest, stress) {
  constexpr int Tasks = 20000, Threads = 6;
  TypeParam From(Tasks);
  std::vector<std::atomic<int>> Taken(Tasks + 1);
  std::atomic<int> Disordered{0}, Begun{0};
  const CombineNode *const Nobody = From.line().end();
  std::vector<std::thread> All;
  for (int T = 0; T < Threads; ++T)
    All.emplace_back([&, T] {
      ++Begun;
      while (Begun < Threads)
        sched_yield();
      int Finished = 0, Last = 0;
      struct Hesitating : Taker {
        std::minstd_rand &Random;
        const TypeParam &From;
        const CombineNode *Nobody;
      };
      // The first waits until somebody lines up; the others long enough that
      // some do. One thread does without.
      auto Admit = [](const Taker &Who, Task *Candidate) {
        auto &Self = static_cast<const Hesitating &>(Who);
        while (numberOf(Candidate) == 1 &&
               Self.From.line().end() == Self.Nobody)
          sched_yield();
        if (Self.Random() % 64 == 0)
          sched_yield();
        return true;
      };
      std::minstd_rand Random(unsigned(T) + 1);
      CombineSlot *Slot = T == Threads - 1 ? nullptr : &this->Slots[T];
      const Hesitating Who = {
          {Admit, nullptr, &Finished, Slot}, Random, From, Nobody};
      for (Take Got; (Got = From.take(Who)).hasTask();) {
        const int Number = numberOf(Got.Found);
        ++Taken[size_t(Number)];
        Disordered += Number <= Last;
        Last = Number;
      }
    });
  for (std::thread &Thread : All)
    Thread.join();
  for (int I = 1; I <= Tasks; ++I)
    ASSERT_EQ(Taken[size_t(I)], 1) << I;
  EXPECT_EQ(Disordered, 0);
  EXPECT_GT(From.line().served(), 0u);
}
