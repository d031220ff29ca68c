//===- model_count.cpp - All interleavings of a task's children -----------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// task/child_count.h and flow/count.h themselves: a task and its children, as
// kmp/PROOF.md has them.
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_MUTANTS // there are none here

#include "model.h"

#define std simulated
#include "locus/flow/count.h"
#undef std

using namespace locus;
using namespace locus::test;

namespace {

/// A task: its counters, as kmp.h has them.
struct Counters {
  union {
    AllocatedChildren Allocated;
    IncompleteChildren Incomplete;
  };
  Counters *Parent = nullptr;
  bool IsImplicit = false;
  rl::var<int> *Memory = nullptr; ///< 1 while others may read the above

  Counters() : Allocated() {}
  ~Counters() { Allocated.~AllocatedChildren(); }
};

/// For flow/count.h.
struct Tasks {
  using Data = Counters;
  static Data *parent(Data *Of) { return Of->Parent; }
  static bool isCounted(Data *) { return true; }
  static bool endsInOne(Data *) { return true; }
  static bool isImplicit(Data *Of) {
    RL_ASSERT(!Of->Memory || int((*Of->Memory)($)) == 1);
    return Of->IsImplicit;
  }
  static AllocatedChildren &allocated(Data *Of) { return Of->Allocated; }
  static IncompleteChildren &incomplete(Data *Of) { return Of->Incomplete; }
};

/// An explicit task that ends while children are there; one that waits for
/// them; one of a graph, which runs again when its taskgroup is empty; an
/// implicit one, which waits, or ends and leaves it to the last to clean up.
enum class Parent { Ends, Waits, Replayed, Implicit, Cleaned };

/// Thread 0 runs a task that counts its children in advance, one more than it
/// has, gives that back, and perhaps waits for them. Each of the others is one
/// child. Who leaves an explicit task last frees it.
template <Parent Kind, int NumThreads>
struct Children : rl::test_suite<Children<Kind, NumThreads>, NumThreads> {
  static constexpr int NumChildren = NumThreads - 1;
  static constexpr bool IsImplicit = Kind >= Parent::Implicit,
                        Waits =
                            Kind == Parent::Waits || Kind == Parent::Implicit;

  Counters Counts, Root, Child[NumThreads];
  rl::atomic<int> Began;
  rl::atomic<int> InGroup; ///< children, if it is of a graph
  rl::var<int> Memory;     ///< of the task: written by who frees it
  rl::var<int> Output[NumThreads];
  int Freed = 0; // of the checker, not of the program

  void before() {
    Root.IsImplicit = true;
    Counts.IsImplicit = IsImplicit;
    Counts.Parent = &Root;
    Counts.Memory = IsImplicit ? nullptr : &Memory; // libomp frees no such one
    for (Counters &C : Child)
      C.Parent = &Counts;
    Began.store(0, rl::mo_relaxed, $);
    InGroup.store(NumChildren, rl::mo_relaxed, $);
  }

  void free() {
    Memory($) = 2;
    RL_ASSERT(++Freed == 1);
  }

  /// As fix 0022's __kmp_cleanup_implicit_task does, but for its fence.
  void cleanUp() {
    int32_t Ended = 1;
    if (Counts.Incomplete.load(rl::mo_acquire) == 0 &&
        Counts.Allocated.compare_exchange_strong(Ended, 0))
      free();
  }

  /// \p Of has ended, for its parent, too.
  void freeEnded(Counters &Of, int32_t KeepParent) {
    flow::freeEnded<Tasks>(
        &Of, KeepParent,
        [&](Counters *Ended) {
          if (Ended == &Counts)
            free();
        },
        [&](Counters *) {
          if (Kind == Parent::Cleaned)
            cleanUp();
        });
  }

  /// As __kmp_task_finish() does.
  void runChild(unsigned Self) {
    while (!Began.load(rl::mo_acquire, $))
      rl::yield(1, $);
    RL_ASSERT(int(Memory($)) == 1);
    // What ends a part of a graph counts it itself: kmp/replay_run.cpp.
    if (Kind == Parent::Implicit && Self == 1) {
      Output[Self]($) = 1;
      return flow::addChildren<Tasks>(&Counts, -1);
    }
    Child[Self].Allocated.begin(1);
    const int32_t KeepParent = flow::endForOthers<Tasks>(
        &Child[Self], /*MayBeFreed=*/Kind == Parent::Ends,
        [&] { Output[Self]($) = 1; });
    if (Kind == Parent::Replayed) {
      InGroup.fetch_sub(1, rl::mo_acq_rel, $);
      RL_ASSERT(int(Memory($)) == 1); // reads the flags
    }
    freeEnded(Child[Self], KeepParent);
  }

  /// As ReplayLoop::adopt does, which writes the flags, or freeReplay().
  void runAgain() {
    while (InGroup.load(rl::mo_acquire, $) != 0)
      rl::yield(1, $);
    while (!Counts.Allocated.isItselfAlone())
      rl::yield(1, $);
    free();
  }

  void thread(unsigned Self) {
    if (Self != 0)
      return runChild(Self);
    Counts.Allocated.begin(!IsImplicit);
    Memory($) = 1;
    flow::addChildren<Tasks>(&Counts, NumChildren + 1);
    Began.store(1, rl::mo_release, $);
    RL_ASSERT(int(Memory($)) == 1);
    flow::addChildren<Tasks>(&Counts, -1);
    if (Waits) {
      while (Counts.Incomplete.load(rl::mo_acquire) != 0)
        rl::yield(1, $);
      for (int C = 1; C <= NumChildren; ++C)
        RL_ASSERT(int(Output[C]($)) == 1);
    }
    if (Kind == Parent::Replayed)
      return runAgain();
    if (Kind == Parent::Cleaned) {
      Counts.Allocated.store(1, rl::mo_release);
      return cleanUp();
    }
    if (IsImplicit)
      return free();
    RL_ASSERT(int(Memory($)) == 1); // until it ends
    freeEnded(Counts, -1);
  }

  void after() { RL_ASSERT(Freed == 1); }
};

template <Parent Kind> void checkChildren() {
  checkAll<Children<Kind, 2>>(4);
  checkAll<Children<Kind, 3>>(2);
}

} // namespace

TEST(ModelCountTest, lastFrees) { checkChildren<Parent::Ends>(); }
TEST(ModelCountTest, waits) { checkChildren<Parent::Waits>(); }
TEST(ModelCountTest, runsAgain) { checkChildren<Parent::Replayed>(); }
TEST(ModelCountTest, implicit) { checkChildren<Parent::Implicit>(); }
TEST(ModelCountTest, lastCleansUp) { checkChildren<Parent::Cleaned>(); }

#endif
