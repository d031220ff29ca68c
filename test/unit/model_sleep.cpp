//===- model_sleep.cpp - All interleavings of those who sleep and wake ----===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The own sources of the protocol, the sleepers and the queue (see model.h);
// what libomp does around them is modelled here, each step named after its
// original. The bounds: how many threads, tasks and queues, and how many
// preemptions, stands at each test.
//
//===----------------------------------------------------------------------===//

#include "model.h"

using namespace locus;
using namespace locus::test;

namespace {

/// What of libomp can be left out, to see that it is missed. What of the
/// protocol: faults_sleep.py.
struct Protocol {
  /// The call of tryToLieDown() in __kmp_suspend_template.
  bool LooksAgain = true;
  bool WakesLocked = true; ///< __kmp_resume_template takes the suspend mutex
};

/// Libomp's way to sleep.
template <class Steps> struct Suspension {
  /// The part of kmp_info_t.
  struct Thread {
    rl::mutex SuspendMutex;
    rl::condition_variable SuspendCondition;
    simulated::atomic<int> Sleeping{0}; // a bit of the flag
    simulated::atomic<int> SleepLoc{0}, SleepLocType{0};
  };

  static constexpr Protocol Keep = Steps::Keep;
  simulated::atomic<int> Done{0}; // the flag that the barrier waits for

  /// __kmp_null_resume_wrapper and __kmp_resume_template.
  void resume(Thread &T) {
    if (!T.SleepLoc.load(rl::mo_relaxed) ||
        !T.SleepLocType.load(rl::mo_relaxed))
      return;
    if (Keep.WakesLocked)
      T.SuspendMutex.lock($);
    if (T.SleepLoc.load(rl::mo_relaxed) && T.Sleeping.load(rl::mo_relaxed)) {
      T.Sleeping.store(0, rl::mo_relaxed);
      T.SleepLoc.store(0, rl::mo_relaxed);
      T.SleepLocType.store(0, rl::mo_relaxed);
      T.SuspendCondition.notify_one($);
    }
    if (Keep.WakesLocked)
      T.SuspendMutex.unlock($);
  }

  /// wake() of the adapter.
  bool wake(Thread &T) {
    if (!T.SleepLoc.load(rl::mo_relaxed))
      return false;
    resume(T);
    return true;
  }

  /// __kmp_suspend_template
  template <class Try> void suspend(Thread &T, Try TryToLieDown) {
    T.SuspendMutex.lock($);
    T.Sleeping.store(1, rl::mo_relaxed);
    T.SleepLoc.store(1, rl::mo_relaxed);
    T.SleepLocType.store(1, rl::mo_relaxed);
    if ((Keep.LooksAgain && !TryToLieDown()) || Done.load(rl::mo_seq_cst)) {
      T.Sleeping.store(0, rl::mo_relaxed);
    } else {
      while (T.Sleeping.load(rl::mo_relaxed))
        T.SuspendCondition.wait(T.SuspendMutex, $);
    }
    T.SleepLoc.store(0, rl::mo_relaxed);
    T.SleepLocType.store(0, rl::mo_relaxed);
    T.SuspendMutex.unlock($);
  }

  /// libomp's own release of the barrier: sound, and not in question here.
  template <int Count> void release(Thread (&Threads)[Count], int First) {
    Done.store(1, rl::mo_seq_cst);
    simulated::atomic_thread_fence(rl::mo_seq_cst);
    for (int T = First; T < Count; ++T)
      resume(Threads[T]);
  }
};

/// Thread 0 pushes \p NumTasks tasks to one queue, which the others, all of
/// them responsible for it, sleep in front of: the queue of a node or, with two
/// threads, of a thread. Who does not wake up in the end is a deadlock.
template <class Steps, int NumThreads, int NumTasks>
struct Sleep : rl::test_suite<Sleep<Steps, NumThreads, NumTasks>, NumThreads>,
               Suspension<Steps> {
  using Suspension<Steps>::Keep;
  simulated::atomic<int32_t> Unfinished{NumThreads};
  TeamCounters Counters;
  TaskQueue Queue;
  simulated::atomic<TaskQueue *> Places{nullptr}; // tt_locus
  simulated::atomic<int> Ran{0};
  typename Suspension<Steps>::Thread Threads[NumThreads];
  Work Works[NumTasks];

  void push(int Number) {
    Works[Number].Input($) = 7;
    Queue.push(Works[Number].task());
    static constexpr int All[] = {0, 1, 2};
    const bool IsOfThread = NumThreads == 2;
    wakeResponsible(IsOfThread ? 1 : -1, All, IsOfThread ? 0 : NumThreads,
                    /*Pusher=*/0,
                    [&](int T) { return this->wake(Threads[T]); });
  }

  bool tryToLieDown() {
    noteSleeper<simulated::atomic<int>>(nullptr);
    TaskQueue *Known = Places.load(rl::mo_acquire);
    return !Known || Known->size() == 0;
  }

  void before() {
    Counters.Unfinished = &Unfinished;
    Queue.init(&Counters, 0);
  }

  void thread(unsigned Self) {
    if (Self == 0) {
      Places.store(&Queue, rl::mo_release); // makeTeam(), at first use
      for (int I = 0; I < NumTasks; ++I)
        push(I);
      return;
    }
    int Finished = 0;
    while (!this->Done.load(rl::mo_seq_cst)) {
      Take Found = {Outcome::Empty};
      if (TaskQueue *Known = Places.load(rl::mo_acquire))
        Found = Known->take(End::Oldest, {always, nullptr, &Finished});
      if (!Found.hasTask()) {
        this->suspend(Threads[Self], [this] { return tryToLieDown(); });
        continue;
      }
      Work &Mine = Work::of(Found.Found);
      Mine.Output($) = Mine.Input($);
      if (Ran.fetch_add(1) + 1 == NumTasks)
        this->release(Threads, 1);
    }
  }
};

/// By default: the first task of a region, of thread 0, wakes all if somebody
/// has said that it sleeps, and nobody looks for sleepers later. Who sleeps on
/// is a deadlock.
template <class Steps, int NumThreads>
struct FirstTask : rl::test_suite<FirstTask<Steps, NumThreads>, NumThreads>,
                   Suspension<Steps> {
  using Suspension<Steps>::Keep;
  simulated::atomic<int> FoundTasks{0}; // tt_found_tasks
  simulated::atomic<int> Slept{0};      // tt_locus_slept
  typename Suspension<Steps>::Thread Threads[NumThreads];

  void thread(unsigned Self) {
    if (Self == 0) { // __kmp_enable_tasking()
      FoundTasks.store(1, rl::mo_relaxed);
      if (!mayHaveSlept(Slept))
        return;
      for (int T = 1; T < NumThreads; ++T)
        this->wake(Threads[T]);
      return;
    }
    this->suspend(Threads[Self], [this] { // tryToLieDown()
      noteSleeper(&Slept);
      return !FoundTasks.load(rl::mo_relaxed);
    });
  }
};

/// \p NumPushers threads push \p NumTasks tasks each, to queues of their own.
/// The others, as many as there are tasks, sleep until there is one, and then
/// do nothing else: a task that lies there while one of them sleeps is a
/// deadlock.
template <class Steps, int NumPushers, int NumTasks>
struct Wake : rl::test_suite<Wake<Steps, NumPushers, NumTasks>,
                             NumPushers + NumPushers * NumTasks>,
              Suspension<Steps> {
  using Suspension<Steps>::Keep;
  static constexpr int NumThreads = NumPushers + NumPushers * NumTasks;
  simulated::atomic<int32_t> Unfinished{NumThreads};
  TeamCounters Counters;
  TaskQueue Queues[NumPushers];
  Sleepers Down;
  typename Suspension<Steps>::Thread Threads[NumThreads];
  Work Works[NumPushers * NumTasks];

  void wakeNext(int Self) {
    wakeOne(Down, Self, [&](int T) { return this->wake(Threads[T]); });
  }

  bool hasTasks() {
    for (TaskQueue &Queue : Queues)
      if (Queue.size() != 0)
        return true;
    return false;
  }

  bool tryToLieDown(int Self) {
    return lieDown(Down, Self, [this] { return hasTasks(); });
  }

  void before() {
    Counters.Unfinished = &Unfinished;
    for (TaskQueue &Queue : Queues)
      Queue.init(&Counters, 0);
    Down.build(NumThreads);
  }

  void thread(unsigned Self) {
    if (Self < NumPushers) {
      for (int I = 0; I < NumTasks; ++I) {
        Work &New = Works[int(Self) * NumTasks + I];
        New.Input($) = 7;
        Queues[Self].push(New.task());
        wakeNext(int(Self));
      }
      return;
    }
    int Finished = 0;
    bool LayDown = false, Misses = true;
    while (true) {
      // A search may miss a task once: its owner wants it for a moment.
      const bool MissesNow = LayDown && Misses && rl::rand(2);
      Misses = Misses && !MissesNow;
      for (TaskQueue &Queue : Queues) {
        if (MissesNow)
          break;
        const Take Found =
            Queue.take(End::Oldest, {always, nullptr, &Finished});
        if (!Found.hasTask())
          continue;
        if (LayDown)
          passOn([this] { return hasTasks(); }, [&] { wakeNext(int(Self)); });
        Work &Mine = Work::of(Found.Found);
        Mine.Output($) = Mine.Input($);
        return;
      }
      LayDown = true;
      this->suspend(Threads[Self], [&] { return tryToLieDown(int(Self)); });
    }
  }
};

struct Whole {
  [[maybe_unused]] static constexpr Protocol Keep = {};
};
struct NoSecondLook {
  [[maybe_unused]] static constexpr Protocol Keep = {false, true};
};
struct UnlockedWake {
  [[maybe_unused]] static constexpr Protocol Keep = {true, false};
};

} // namespace

#ifndef LOCUS_MUTANTS

TEST(ModelSleepTest, oneThread) { checkAll<Sleep<Whole, 2, 1>>(4); }
TEST(ModelSleepTest, oneThreadTwoTasks) { checkAll<Sleep<Whole, 2, 2>>(3); }
TEST(ModelSleepTest, nodeOfTwoThreads) { checkAll<Sleep<Whole, 3, 1>>(2); }
TEST(ModelSleepTest, nodeOfTwoThreadsTwoTasks) {
  checkAll<Sleep<Whole, 3, 2>>(1);
}

TEST(ModelFirstTaskTest, oneSleeper) { checkAll<FirstTask<Whole, 2>>(5); }
TEST(ModelFirstTaskTest, twoSleepers) { checkAll<FirstTask<Whole, 3>>(2); }
// Wake<steps, pushers, tasks of each>, and as many sleepers as tasks.
TEST(ModelWakeTest, oneTask) { checkAll<Wake<Whole, 1, 1>>(3); }
TEST(ModelWakeTest, twoTasks) { checkAll<Wake<Whole, 1, 2>>(1); }
TEST(ModelWakeTest, twoPushers) { checkAll<Wake<Whole, 2, 1>>(1); }

// Libomp with a step left out: the checker must notice.
TEST(ModelSleepTest, failsWithoutASecondLook) {
  checkFails<Sleep<NoSecondLook, 2, 1>>(3);
}
TEST(ModelSleepTest, failsIfTheWakerTakesNoMutex) {
  checkFails<Sleep<UnlockedWake, 2, 1>>(3);
}

#else

LOCUS_MUTANT(firstTaskHasNoFence, 3, FirstTask<Whole, 2>)
LOCUS_MUTANT(sleeperHasNoFence, 3, FirstTask<Whole, 2>)
LOCUS_MUTANT(sleeperSaysItLate, 3, FirstTask<Whole, 2>)
LOCUS_MUTANT(pusherHasNoFence, 3, Sleep<Whole, 2, 1>)
LOCUS_MUTANT(wakerHasNoFence, 3, Wake<Whole, 1, 1>)
LOCUS_MUTANT(liesDownWithoutFence, 3, Wake<Whole, 1, 1>)
LOCUS_MUTANT(nobodyPassesOn, 1, Wake<Whole, 1, 2>)
LOCUS_MUTANT(wakersShareASleeper, 2, Wake<Whole, 2, 1>)

TEST(ModelMutantTest, sleeperHasNoFenceBeforeItLooks) {
  Mutant = sleeperHasNoFence;
  checkFails<Sleep<Whole, 2, 1>>(3);
  Mutant = 0;
}

#endif // LOCUS_MUTANTS
