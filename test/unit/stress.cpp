//===- stress.cpp - Many threads on queues and domains --------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is done is fixed by a seed; how the threads interleave is not. The same
// tests run under ThreadSanitizer, which needs no unlucky moment to see a
// missing order. All small interleavings are tried
// by model*.cpp.
//
//===----------------------------------------------------------------------===//

#include "locus/support/cpu.h"
#include "locus/team/find_task.h"
#include "support.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>
#include <sched.h>
#include <thread>

using namespace locus;
using namespace locus::test;

// Clang says it by a feature, gcc by a macro.
#ifdef __has_feature
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)
#define LOCUS_SLOW_BUILD
#endif
#endif
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
#define LOCUS_SLOW_BUILD
#endif
#ifdef LOCUS_SLOW_BUILD
constexpr int MostScale = 1;
#else
constexpr int MostScale = 20;
#endif

namespace {

/// How much is done; less by LOCUS_STRESS_SCALE, where instructions are
/// emulated.
const int Scale = [] {
  const char *Wanted = getenv("LOCUS_STRESS_SCALE");
  return Wanted ? std::clamp(atoi(Wanted), 1, MostScale) : MostScale;
}();

/// Between two looks in vain. Emulated processors that take turns give theirs
/// away by relax() alone.
void lookAgain() {
  relax();
  sched_yield();
}

/// Starts \p Body(0) .. \p Body(\p Count - 1) and waits for all.
template <class Function> void runThreads(int Count, Function Body) {
  std::vector<std::thread> Threads;
  for (int I = 0; I < Count; ++I)
    Threads.emplace_back(Body, I);
  for (std::thread &Thread : Threads)
    Thread.join();
}

} // namespace

//===----------------------------------------------------------------------===//
// One queue
//===----------------------------------------------------------------------===//

namespace {

/// What hides behind a Task.
struct Item {
  int Producer = 0;
  int Number = 0; ///< plain: what was written before push is seen after take
  std::atomic<int> Taken{0};
};

class QueueStressTest : public testing::TestWithParam<End> {
protected:
  /// \p Producers push \p Each items, while \p Takers take them. Whether a
  /// taker may have an item depends on both.
  void run(int Producers, int Takers, int Each) {
    const End From = GetParam();
    std::vector<Item> Items(size_t(Producers) * Each);
    std::atomic<int32_t> Unfinished{Producers + Takers};
    TeamCounters Counters;
    Counters.Unfinished = &Unfinished;
    TaskQueue Queue;
    Queue.init(&Counters, 0);
    std::atomic<int> Left{int(Items.size())};
    std::atomic<int> Disordered{0}, Illegal{0};

    runThreads(Producers + Takers, [&](int Self) {
      if (Self < Producers) {
        for (int I = 0; I < Each; ++I) {
          Item &New = Items[size_t(Self) * Each + I];
          New.Producer = Self;
          New.Number = I;
          ASSERT_TRUE(Queue.push(reinterpret_cast<Task *>(&New)));
          if (I % 64 == Self) // let the queue run empty now and then
            while (Queue.size() > 100)
              lookAgain();
        }
        return;
      }
      int Finished = 0;
      struct Picky : Taker {
        int Self;
        int Takers;
      };
      auto Admit = [](const Taker &Who, Task *Candidate) {
        auto &Me = static_cast<const Picky &>(Who);
        return Me.Takers == 1 ||
               reinterpret_cast<Item *>(Candidate)->Number % 7 != Me.Self % 7;
      };
      const Picky Who = {{Admit, nullptr, &Finished}, Self, Takers};
      std::vector<int> LastOf(Producers, -1);
      while (Left.load() > 0) {
        const Take Taken = Queue.take(From, Who);
        if (!Taken.hasTask()) {
          lookAgain();
          continue;
        }
        Item &Got = *reinterpret_cast<Item *>(Taken.Found);
        Got.Taken.fetch_add(1, std::memory_order_relaxed);
        Illegal += !Admit(Who, Taken.Found);
        // From the old end, the items of one producer come in their order.
        if (From == End::Oldest) {
          Disordered += Got.Number <= LastOf[Got.Producer];
          LastOf[Got.Producer] = Got.Number;
        }
        Left.fetch_sub(1);
      }
    });

    for (const Item &I : Items)
      ASSERT_EQ(I.Taken, 1);
    EXPECT_EQ(Disordered, 0);
    EXPECT_EQ(Illegal, 0);
    EXPECT_TRUE(Queue.isValid());
    EXPECT_EQ(Queue.size(), 0u);
    EXPECT_EQ(Counters.NonEmpty, 0);
    EXPECT_EQ(Unfinished, Producers + Takers);
  }
};

} // namespace

INSTANTIATE_TEST_SUITE_P(, QueueStressTest,
                         testing::Values(End::Oldest, End::Newest),
                         [](const testing::TestParamInfo<End> &Info) {
                           return Info.param == End::Oldest ? "oldest"
                                                            : "newest";
                         });

TEST_P(QueueStressTest, oneProducerOneTaker) { run(1, 1, 20000 * Scale); }
TEST_P(QueueStressTest, oneProducerManyTakers) { run(1, 4, 10000 * Scale); }
TEST_P(QueueStressTest, manyProducersOneTaker) { run(4, 1, 5000 * Scale); }
TEST_P(QueueStressTest, manyProducersManyTakers) { run(3, 3, 5000 * Scale); }

//===----------------------------------------------------------------------===//
// A team that goes through barriers, as libomp's does
//===----------------------------------------------------------------------===//

namespace {

struct Work {
  int Id = 0;
  Placement Where = {};
  int Depth = 0;
  std::atomic<int> Ran{0};
};

/// What libomp does around a Team. Threads push tasks, which push tasks, and
/// wait in a barrier, where they run what they find: they take themselves out
/// of Unfinished, and are counted again by taking a task. Thread 0 opens the
/// barrier when Unfinished is zero. Between two barriers it gives the team
/// another size, of \p Sizes in turns.
class BarrierStress {
public:
  BarrierStress(const Topology &TheMachine,
                const std::vector<NodeSet> &TheShape, unsigned TheSeed,
                const std::vector<int> &TheSizes = {}, int TheNumHomes = 1)
      : Machine(TheMachine), Shape(TheShape), NumThreads(int(Shape.size())),
        Sizes(TheSizes.empty() ? std::vector<int>{NumThreads} : TheSizes),
        NumHomes(TheNumHomes), Seed(TheSeed), Tasks(MaxTasks),
        Unfinished(NumThreads), Made(Team::create(&Unfinished)),
        Threads(Shape.size()) {
    change(1);
  }
  ~BarrierStress() { Team::destroy(Made); }

  void run(int Barriers) {
    runThreads(NumThreads, [=](int Self) {
      for (int B = 1; B <= Barriers && !Failed; ++B)
        region(Self, B);
    });
    EXPECT_FALSE(Failed);
    EXPECT_GT(TasksInAll, Barriers); // it did something
  }
  /// How often the Team was built for another size.
  int rebuilds() const { return Rebuilds; }

private:
  static constexpr int MaxTasks = 400;

  struct ThreadState {
    std::mt19937 Random;
    int Self = 0;
    int Finished = 0;
  };

  int sizeOf(int Number) const { return Sizes[size_t(Number) % Sizes.size()]; }

  /// The team of region \p Number. While nobody uses it.
  void change(int Number) {
    const int Size = sizeOf(Number), Home = Number % NumHomes;
    const std::vector<int> Homes(size_t(Size), Home);
    Unfinished = Size;
    if (Made->recall(Size, [=](int) { return Home; }, TeamOptions()))
      return;
    ++Rebuilds;
    check(Made->rebuild(Machine, Size, Shape.data(), nullptr, TeamOptions(),
                        Homes.data()),
          "not rebuilt");
  }

  void region(int Self, int Number) {
    if (Self < sizeOf(Number))
      work(Self, Number);
    // All leave before the next region begins.
    if (Self != 0) {
      Left.fetch_add(1);
      while (Begun.load(std::memory_order_acquire) != Number)
        lookAgain();
      return;
    }
    while (Left.load() != NumThreads - 1)
      lookAgain();
    Left = 0;
    for (int I = 0; I < Created; ++I)
      Tasks[I].Ran.store(0, std::memory_order_relaxed);
    TasksInAll += Created;
    Created = 0;
    change(Number + 1);
    Begun.store(Number, std::memory_order_release);
  }

  void work(int Self, int Number) {
    ThreadState &Me = Threads[Self];
    Me.Self = Self;
    Me.Random.seed(Seed + unsigned(Number) * 64 + unsigned(Self));
    Me.Finished = 0;
    // The implicit task. Often one or two threads have all the work, or nobody
    // has any.
    if (Me.Random() % 3 == 0)
      for (unsigned I = Me.Random() % 8; I > 0; --I)
        create(Me, int(Me.Random() % 3));

    // The barrier.
    while (Open.load(std::memory_order_acquire) != Number) {
      if (runOne(Me))
        continue;
      if (!Me.Finished && !Made->holdsTasks(Made->worker(Self))) {
        Me.Finished = 1;
        Unfinished.fetch_sub(1);
      }
      const int32_t Closed = Unfinished.load(std::memory_order_acquire);
      check(Closed >= 0, "more was taken out than was counted");
      if (Self == 0 && Closed == 0) {
        checkOpen();
        Open.store(Number, std::memory_order_release);
      }
      if (Me.Random() % 4 == 0)
        lookAgain();
    }
  }

  /// The barrier opens: nothing may be left, and nothing running.
  void checkOpen() {
    const int Expected = Created;
    int Ran = 0;
    for (int I = 0; I < Expected; ++I)
      Ran += Tasks[I].Ran.load(std::memory_order_relaxed);
    check(Ran == Expected, "a task was left, or ran twice");
    check(Running == 0, "a task is running");
    check(Made->isEmpty(), "a queue has a task");
  }

  void create(ThreadState &Me, int Depth) {
    int Id = Created.fetch_add(1);
    if (Id >= MaxTasks) {
      Created.fetch_sub(1);
      return;
    }
    Work &New = Tasks[Id];
    New.Id = Id;
    New.Depth = Depth;
    if (Me.Random() % 3 == 0) {
      New.Where = {};
      Worker &W = Made->worker(Me.Self);
      Made->startOver(W);
      check(Made->push(W, reinterpret_cast<Task *>(&New)), "not pushed");
      return;
    }
    Kind What = Me.Random() % 2 ? Kind::Thread : Kind::Node;
    bool Strict = Me.Random() % 2;
    New.Where = resolve(Made->shape(), What, Strict, {Me.Random(), 0}, Me.Self,
                        UnknownPolicy::First);
    if (New.Where.Place == Placement::Anywhere)
      execute(Me, New); // as if it were undeferred
    else
      check(Made->push(New.Where, reinterpret_cast<Task *>(&New)),
            "not pushed");
  }

  void execute(ThreadState &Me, Work &T) {
    ++Running;
    if (T.Where.Strict)
      check(T.Where.Index == (T.Where.Place == Placement::OnThread
                                  ? Me.Self
                                  : Made->shape().nodeOfThread(Me.Self)),
            "a strict task runs elsewhere");
    check(!Me.Finished, "a finished thread runs a task");
    if (T.Depth > 0)
      for (unsigned I = Me.Random() % 4; I > 0; --I)
        create(Me, T.Depth - 1);
    check(T.Ran.fetch_add(1, std::memory_order_relaxed) == 0, "it ran twice");
    --Running;
  }

  bool runOne(ThreadState &Me) {
    struct Search : Seeker {
      ThreadState *Me;
    } S;
    // Some tasks are not for some threads, but always for their own.
    static const SeekerHost Host = {
        [](const Taker &Who, Task *Ready) {
          const int Self = static_cast<const Search &>(*Who.Search).Me->Self;
          auto *T = reinterpret_cast<Work *>(Ready);
          return T->Where.Strict || T->Where.Place != Placement::OnThread ||
                 T->Where.Index == Self || T->Id % 5 != Self % 5;
        },
        [](const Task *Ready) {
          auto *T = reinterpret_cast<const Work *>(Ready);
          return TaskPlace{T->Where.Place != Placement::Anywhere, false, 0};
        },
        [](uint32_t) { return true; },
        [](const Seeker &) -> const Waker * { return nullptr; }};
    S.Host = &Host;
    S.Where = Made;
    S.Finished = &Me.Finished;
    S.IsWaiting = Me.Random() % 2;
    S.OwnsDeque = !Me.Finished;
    S.MayKeep = S.OwnsDeque && !S.IsWaiting;
    S.ScanAll = true;
    S.Me = &Me;
    Worker &W = Made->worker(Me.Self);
    Task *Found = Made->findPlacedHere(W, S);
    if (!Found)
      Found = Made->findAny(W, S);
    Made->endRound(W, Found ? Round::PlacedTask : Round::Empty, S);
    if (Found)
      execute(Me, *reinterpret_cast<Work *>(Found));
    return Found != nullptr;
  }

  void check(bool Fine, const char *What) {
    if (!Fine && !Failed.exchange(true)) {
      ADD_FAILURE() << What;
      // The threads would wait for ever.
      std::abort();
    }
  }

  const Topology &Machine;
  const std::vector<NodeSet> Shape;
  const int NumThreads;
  const std::vector<int> Sizes;
  const int NumHomes; ///< that the threads have in turns, all the same
  const unsigned Seed;
  std::vector<Work> Tasks;
  std::atomic<int32_t> Unfinished;
  Team *Made;
  std::vector<ThreadState> Threads;
  int Rebuilds = 0;
  std::atomic<int> Created{0}, Running{0};
  std::atomic<int> Open{0}, Left{0}, Begun{0};
  std::atomic<int64_t> TasksInAll{0};
  std::atomic<bool> Failed{false};
};

} // namespace

TEST(BarrierStressTest, twoThreads) {
  BarrierStress(topology("node:2 pu:1"), boundTo({0, 1}), 1).run(1500 * Scale);
}

TEST(BarrierStressTest, twoThreadsOneNode) {
  BarrierStress(topology("node:1 pu:2"), boundTo({0, 0}), 2).run(1500 * Scale);
}

TEST(BarrierStressTest, twoByTwo) {
  BarrierStress(topology("node:2 pu:2"), boundTo({0, 0, 1, 1}), 3)
      .run(400 * Scale);
}

TEST(BarrierStressTest, irregular) {
  BarrierStress(irregularMachine(), boundTo({0, 1, 1, 2, 2, 2}), 4)
      .run(200 * Scale);
}

TEST(BarrierStressTest, oversubscribed) {
  BarrierStress(topology("node:4 pu:2"), boundTo({0, 0, 1, 1, 2, 2, 3, 3}), 5)
      .run(100 * Scale);
}

TEST(BarrierStressTest, sizesThatTakeTurns) {
  BarrierStress Test(topology("node:4 pu:2"), boundTo({0, 0, 1, 1, 2, 2, 3, 3}),
                     6, {8, 3, 5, 2});
  Test.run(100 * Scale);
  EXPECT_EQ(Test.rebuilds(), 4);
}

TEST(BarrierStressTest, moreShapesThanAreKept) {
  BarrierStress Test(topology("node:2 pu:2"), boundTo({0, 1, 0, 1}), 7,
                     {4, 1, 3, 2, 3, 1, 4, 2, 1, 3}, ShapesKept);
  Test.run(400 * Scale);
  EXPECT_GT(Test.rebuilds(), 4 * ShapesKept);
}
