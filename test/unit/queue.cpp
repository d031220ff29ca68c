//===- queue.cpp - Tests of the queue of placed tasks, one thread ---------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The same scenarios for both ends. Every step is compared with a std::deque
// and with the invariant of queue/README.md.
//
//===----------------------------------------------------------------------===//

#include "locus/queue/task_queue.h"
#include "support.h"

#include <deque>
#include <gtest/gtest.h>
#include <numeric>
#include <random>

using namespace locus;
using namespace locus::test;

namespace {

/// A team of some threads and queues, with its counters.
class QueueTeam {
public:
  explicit QueueTeam(int Threads) : Unfinished(Threads), Running(Threads) {
    Counters.Unfinished = &Unfinished;
  }

  /// \p Who has found nothing and waits in the barrier, as libomp has it.
  void finish(Picker &Who) {
    ASSERT_FALSE(Who.Finished);
    --Unfinished;
    Who.Finished = 1;
    --Running;
  }

  std::atomic<int32_t> Unfinished;
  TeamCounters Counters;
  int Running;      ///< threads that are not finished
  int NonEmpty = 0; ///< queues that have a task
};

/// A queue that checks itself.
class CheckedQueue {
public:
  explicit CheckedQueue(QueueTeam &TheTeam) : Of(TheTeam) {
    Queue.init(&Of.Counters, AnyNode);
    check();
  }

  void push(int Number) {
    ASSERT_TRUE(Queue.push(task(Number)));
    Of.NonEmpty += Expected.empty();
    Expected.push_back(Number);
    check();
  }

  /// The number of the task that \p Who got, which is the one that it should
  /// get; 0 for none, -1 for refused.
  int take(End From, Picker &Who) {
    // What a taker should be offered, and get.
    std::vector<int> Offers;
    std::deque<int> After = Expected;
    int Wanted = Expected.empty() ? 0 : -1;
    while (Offers.size() < Expected.size()) {
      size_t Index = From == End::Oldest ? Offers.size()
                                         : Expected.size() - 1 - Offers.size();
      Offers.push_back(Expected[Index]);
      if (!Who.Accept || Who.Accept(Expected[Index])) {
        Wanted = Expected[Index];
        After.erase(After.begin() + ptrdiff_t(Index));
        break;
      }
    }

    Who.Offered.clear();
    const bool WasFinished = Who.Finished;
    const Take Got = Queue.take(From, Who.taker());
    EXPECT_EQ(Who.Offered, Offers);
    if (Wanted > 0) {
      EXPECT_EQ(Got.Result, Outcome::Taken);
      EXPECT_EQ(numberOf(Got.Found), Wanted);
      EXPECT_FALSE(Who.Finished);
      Of.Running += WasFinished;
      Of.NonEmpty -= After.empty();
      Expected = After;
    } else {
      EXPECT_EQ(Got.Result, Wanted ? Outcome::Refused : Outcome::Empty);
      EXPECT_EQ(Got.Found, nullptr);
      EXPECT_EQ(Who.Finished, int(WasFinished));
    }
    check();
    return Wanted;
  }

  void check() {
    EXPECT_TRUE(Queue.isValid());
    EXPECT_EQ(Queue.size(), Expected.size());
    EXPECT_EQ(Of.Unfinished, Of.Running + Of.NonEmpty);
    EXPECT_EQ(Of.Counters.NonEmpty, Of.NonEmpty);
  }

  std::deque<int> Expected;

private:
  static constexpr int AnyNode = -1;
  QueueTeam &Of;
  TaskQueue Queue;
};

class QueueTest : public testing::TestWithParam<End> {
protected:
  End From = GetParam();
  QueueTeam Four{4};
  Picker Any;
  CheckedQueue Queue{Four};

  /// Takes everything, in the order of this end.
  void drain() {
    while (!Queue.Expected.empty()) {
      ASSERT_GT(Queue.take(From, Any), 0);
      if (HasFailure())
        return;
    }
    EXPECT_EQ(Queue.take(From, Any), 0);
  }
};

} // namespace

INSTANTIATE_TEST_SUITE_P(, QueueTest, testing::Values(End::Oldest, End::Newest),
                         [](const testing::TestParamInfo<End> &Info) {
                           return Info.param == End::Oldest ? "oldest"
                                                            : "newest";
                         });

TEST_P(QueueTest, smoke) {
  EXPECT_EQ(Queue.take(From, Any), 0);
  Queue.push(1);
  EXPECT_EQ(Queue.take(From, Any), 1);
  EXPECT_EQ(Queue.take(From, Any), 0);
  Queue.push(2);
  Queue.push(3);
  EXPECT_EQ(Queue.take(From, Any), From == End::Oldest ? 2 : 3);
  Queue.push(4);
  drain();
}

TEST_P(QueueTest, order) {
  for (int I = 1; I <= 100; ++I)
    Queue.push(I);
  for (int I = 1; I <= 100; ++I)
    EXPECT_EQ(Queue.take(From, Any), From == End::Oldest ? I : 101 - I);
  EXPECT_EQ(Queue.take(From, Any), 0);
}

TEST_P(QueueTest, growth) {
  // 512 is the first capacity: one less, exactly, one more, and twice more.
  for (int Tasks : {511, 512, 513, 1024, 1025, 5000}) {
    QueueTeam Own(1);
    CheckedQueue Fresh(Own);
    for (int I = 1; I <= Tasks; ++I)
      Fresh.push(I);
    for (int I = 1; I <= Tasks; ++I)
      ASSERT_EQ(Fresh.take(From, Any), From == End::Oldest ? I : Tasks + 1 - I);
  }
}

TEST_P(QueueTest, wrapAroundAtEverySlot) {
  // The oldest task visits each slot of the first ring, and the tasks span
  // its end.
  for (int I = 1; I <= 7; ++I)
    Queue.push(I);
  for (int I = 8; I <= 2 * 512 + 8; ++I) {
    Queue.push(I);
    ASSERT_EQ(Queue.take(End::Oldest, Any), I - 7);
    ASSERT_FALSE(HasFailure());
  }
  drain();
}

TEST_P(QueueTest, wrapAroundThenGrowth) {
  for (int Start : {1, 200, 256, 511}) {
    QueueTeam Own(1);
    CheckedQueue Fresh(Own);
    int Next = 1;
    for (int I = 0; I < Start; ++I)
      Fresh.push(Next++);
    for (int I = 0; I < Start; ++I)
      Fresh.take(End::Oldest, Any);
    // The oldest task is in slot Start; the ring fills around its end, then
    // grows, twice.
    for (int I = 0; I < 1500; ++I)
      Fresh.push(Next++);
    while (!Fresh.Expected.empty())
      ASSERT_GT(Fresh.take(From, Any), 0);
  }
}

TEST_P(QueueTest, growthInAQueueThatShrankAtBothEnds) {
  for (int I = 1; I <= 512; ++I)
    Queue.push(I);
  for (int I = 0; I < 100; ++I) {
    Queue.take(End::Oldest, Any);
    Queue.take(End::Newest, Any);
  }
  for (int I = 1001; I <= 1600; ++I)
    Queue.push(I);
  drain();
}

TEST_P(QueueTest, refusedEverything) {
  Picker Nobody([](int) { return false; });
  EXPECT_EQ(Queue.take(From, Nobody), 0);
  for (int I = 1; I <= 20; ++I) {
    Queue.push(I);
    EXPECT_EQ(Queue.take(From, Nobody), -1);
    EXPECT_EQ(Nobody.Offered.size(), size_t(I));
  }
  // Nor does a refusal make a finished thread run.
  Four.finish(Nobody);
  EXPECT_EQ(Queue.take(From, Nobody), -1);
  EXPECT_EQ(Nobody.Finished, 1);
  drain();
}

TEST_P(QueueTest, removalAtEveryPosition) {
  // Also where the ring's end lies between the tasks.
  for (int Offset : {0, 505, 508, 511}) {
    for (int Wanted = 1; Wanted <= 12; ++Wanted) {
      QueueTeam Own(1);
      CheckedQueue Fresh(Own);
      for (int I = 0; I < Offset; ++I)
        Fresh.push(99);
      for (int I = 0; I < Offset; ++I)
        Fresh.take(End::Oldest, Any);
      for (int I = 1; I <= 12; ++I)
        Fresh.push(I);
      Picker One([=](int Number) { return Number == Wanted; });
      ASSERT_EQ(Fresh.take(From, One), Wanted);
      // The others keep their order, seen from both ends.
      ASSERT_EQ(Fresh.take(From, One), -1);
      while (Fresh.Expected.size() > 1) {
        ASSERT_GT(Fresh.take(End::Oldest, Any), 0);
        ASSERT_GT(Fresh.take(End::Newest, Any), 0);
      }
      Fresh.take(From, Any);
    }
  }
}

TEST_P(QueueTest, removalInAFullQueue) {
  for (int I = 1; I <= 512; ++I)
    Queue.push(I);
  Picker Middle([](int Number) { return Number == 256; });
  EXPECT_EQ(Queue.take(From, Middle), 256);
  Queue.push(513);
  Queue.push(514);
  drain();
}

TEST_P(QueueTest, onlyTheNearestAllowedTask) {
  for (int I = 1; I <= 10; ++I)
    Queue.push(I);
  Picker Even([](int Number) { return Number % 2 == 0; });
  for (int I = 1; I <= 5; ++I)
    EXPECT_EQ(Queue.take(From, Even), From == End::Oldest ? 2 * I : 12 - 2 * I);
  EXPECT_EQ(Queue.take(From, Even), -1);
  EXPECT_EQ(Queue.Expected, (std::deque<int>{1, 3, 5, 7, 9}));
}

//===----------------------------------------------------------------------===//
// The rules of "A barrier neither opens early nor stays closed"
//===----------------------------------------------------------------------===//

TEST_P(QueueTest, rule1PushIntoAnEmptyQueueCounts) {
  EXPECT_EQ(Four.Unfinished, 4);
  Queue.push(1);
  EXPECT_EQ(Four.Unfinished, 5);
  Queue.push(2); // the queue counts once
  EXPECT_EQ(Four.Unfinished, 5);
  CheckedQueue Other(Four);
  Other.push(3);
  EXPECT_EQ(Four.Unfinished, 6);
  EXPECT_EQ(Four.Counters.NonEmpty, 2);
  Other.take(From, Any);
  drain();
  EXPECT_EQ(Four.Unfinished, 4);
}

TEST_P(QueueTest, rule2FinishedTakerOfATaskAmongMoreCountsAgain) {
  Queue.push(1);
  Queue.push(2);
  Picker Late;
  Four.finish(Late);
  EXPECT_EQ(Four.Unfinished, 4); // three threads and the queue
  EXPECT_GT(Queue.take(From, Late), 0);
  EXPECT_EQ(Late.Finished, 0);
  EXPECT_EQ(Four.Unfinished, 5);
}

TEST_P(QueueTest, rule3RunningTakerOfTheLastTaskUncountsTheQueue) {
  Queue.push(1);
  EXPECT_EQ(Four.Unfinished, 5);
  EXPECT_EQ(Queue.take(From, Any), 1);
  EXPECT_EQ(Any.Finished, 0);
  EXPECT_EQ(Four.Unfinished, 4);
  EXPECT_EQ(Four.Counters.NonEmpty, 0);
}

TEST_P(QueueTest, rule4FinishedTakerOfTheLastTaskInheritsTheCount) {
  Queue.push(1);
  Picker Late;
  Four.finish(Late);
  EXPECT_EQ(Four.Unfinished, 4);
  EXPECT_EQ(Queue.take(From, Late), 1);
  EXPECT_EQ(Late.Finished, 0);
  EXPECT_EQ(Four.Unfinished, 4);
}

TEST_P(QueueTest, runningTakerOfATaskAmongMoreChangesNothing) {
  Queue.push(1);
  Queue.push(2);
  EXPECT_GT(Queue.take(From, Any), 0);
  EXPECT_EQ(Four.Unfinished, 5);
}

TEST_P(QueueTest, allThreadsFinishedButOneQueue) {
  Picker Threads[4];
  Queue.push(1);
  for (Picker &Thread : Threads)
    Four.finish(Thread);
  EXPECT_EQ(Four.Unfinished, 1); // the queue alone keeps the barrier closed
  EXPECT_EQ(Queue.take(From, Threads[2]), 1);
  EXPECT_EQ(Four.Unfinished, 1); // now thread 2 does
  Four.finish(Threads[2]);
  EXPECT_EQ(Four.Unfinished, 0);
}

//===----------------------------------------------------------------------===//
// Everything together, against a std::deque
//===----------------------------------------------------------------------===//

TEST_P(QueueTest, randomOperations) {
  // Mostly this end, the other now and then.
  const End Other = From == End::Oldest ? End::Newest : End::Oldest;
  std::mt19937 Random(From == End::Oldest ? 1 : 2);
  Picker Threads[4];
  for (int I = 0; I < 4; ++I)
    Threads[I].Accept = [I](int Number) { return I == 0 || Number % 4 == I; };
  CheckedQueue Second(Four);
  CheckedQueue *Queues[] = {&Queue, &Second};
  int Next = 1;
  for (int Step = 0; Step < 30000; ++Step) {
    CheckedQueue &Q = *Queues[Random() % 2];
    Picker &Who = Threads[Random() % 4];
    // Phases of growing and of shrinking.
    const bool Grow =
        Step / 3000 % 2 == 0 ? Random() % 8 < 5 : Random() % 8 < 3;
    if (Grow) {
      // Only a thread that runs pushes.
      if (!Who.Finished)
        Q.push(Next++);
    } else if (Q.take(Random() % 4 ? From : Other, Who) <= 0 && !Who.Finished &&
               Random() % 4 == 0) {
      Four.finish(Who);
    }
    // Thread 0 never finishes for long, so that the barrier stays closed.
    if (Threads[0].Finished) {
      Four.Unfinished++;
      Four.Running++;
      Threads[0].Finished = 0;
    }
    ASSERT_FALSE(HasFailure()) << "step " << Step;
  }
}

TEST(QueueLifeTest, emptyQueueNeedsNoMemory) {
  QueueTeam One(1);
  TaskQueue Queue;
  Queue.init(&One.Counters, 0);
  EXPECT_TRUE(Queue.isValid());
  EXPECT_EQ(Queue.size(), 0u);
  Picker Any;
  EXPECT_EQ(Queue.take(End::Oldest, Any.taker()).Result, Outcome::Empty);
}

TEST(QueueLifeTest, isAsNewAfterInit) {
  QueueTeam One(1);
  TaskQueue Queue;
  Picker Any;
  for (int Life = 0; Life < 3; ++Life) {
    Queue.init(&One.Counters, /*OsNode=*/Life % 2);
    for (int I = 1; I <= 600; ++I)
      ASSERT_TRUE(Queue.push(task(I)));
    for (int I = 1; I <= 600; ++I) {
      const Take Got = Queue.take(End::Oldest, Any.taker());
      ASSERT_TRUE(Got.hasTask());
      ASSERT_EQ(numberOf(Got.Found), I);
    }
    EXPECT_TRUE(Queue.isValid());
  }
}
