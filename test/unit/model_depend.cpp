//===- model_depend.cpp - All interleavings of dependences ------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// depend/ itself: a thread that creates tasks, and others that run and end
// them. The bounds: which tasks, who runs which, and how many preemptions,
// stands at each test. Blocks and their plain fields are watched
// (model_memory.h).
//
//===----------------------------------------------------------------------===//

#include "model.h"

using namespace locus;
using namespace locus::test;

namespace locus {
// In node_pool.cpp, where `mutate` opens them to the test.
extern SpinLock *LeftLock;
extern NodePool *Left;
} // namespace locus

namespace {

/// A depend clause: "i0o1" reads the address 0 and writes 1; m = mutexinoutset,
/// s = inoutset, * = omp_all_memory, n = no storage. With a w before that, a
/// taskwait; with an r, the question whether a task would be ready.
struct Clause {
  bool IsAll = false, Waits = false, Asks = false;
  int Count = 0;
  struct {
    Access How;
    int Address;
  } Items[3];

  const char *parse(const char *At) {
    *this = {};
    for (; *At && *At != ' '; ++At)
      if (*At == 'w')
        Waits = true;
      else if (*At == 'r')
        Asks = true;
      else if (*At == 'n')
        continue;
      else if (*At == '*')
        IsAll = true;
      else if (*At < '0' || *At > '9')
        Items[Count++].How = *At == 'i'   ? Access::In
                             : *At == 'o' ? Access::Out
                             : *At == 'm' ? Access::Mutex
                                          : Access::Set;
      else
        Items[Count - 1].Address = *At - '0';
    return *At ? At + 1 : At;
  }
  Dependence operator[](int I) const {
    return {uintptr_t(64 + 8 * Items[I].Address), Items[I].How};
  }
  /// Whether a task with this one comes after a task with \p First.
  bool follows(const Clause &First) const {
    if (IsAll || First.IsAll)
      return true;
    for (int I = 0; I < Count; ++I)
      for (int J = 0; J < First.Count; ++J)
        if (Items[I].Address == First.Items[J].Address &&
            (Items[I].How != First.Items[J].How || Items[I].How == Access::Out))
          return true;
    return false;
  }
};

constexpr int MaxTasks = 5;

/// Thread 0 registers the tasks of Steps::Of; each is run by the thread that
/// Steps::RunBy says, in order of creation; 0 comes after the last one. Then
/// thread Steps::ForgetBy forgets them, before it runs its own.
template <class Steps, int NumThreads>
struct Graph : rl::test_suite<Graph<Steps, NumThreads>, NumThreads> {
  struct Job {
    Clause Uses;
    Node *Known = nullptr;
    rl::var<int> Output;
    rl::var<int> Data; ///< what a tool looks at; gone behind the end
    rl::atomic<int> IsReady;
    // Of the checker, not of the program.
    int NumReady = 0, NumRun = 0;
  };
  static inline Graph *Now;
  Job Jobs[MaxTasks];
  Clause Waits[2];
  int NumJobs = 0;
  NodePool Pools[NumThreads];
  Domain *Known = nullptr;
  rl::atomic<int> IsForgotten;
  rl::atomic<int> IsWaiting; ///< thread 0, for what is before its first wait
  rl::var<int> Shared[3];    ///< what mutexes protect

  void before() {
    simulated::Line = {};
    simulated::Watched.reset();
    Now = this;
    Tuned.DomainLog2 = Steps::TableLog2;
    Tuned.DomainSweep = 1;
    Tuned.NodeChunkLeast = Steps::Chunk;
    Tuned.NodeBatch = Tuned.EndsBatch = Steps::Batch;
    OnEdge = Steps::HasTool ? onEdge : nullptr;
    for (Job &J : Jobs) {
      J.IsReady.store(0, rl::mo_relaxed, $);
      J.Data($) = 0;
    }
    IsForgotten.store(0, rl::mo_relaxed, $);
    IsWaiting.store(0, rl::mo_relaxed, $);
    for (auto &S : Shared)
      S($) = 0;
  }

  static void onEdge(Task *First, Task *, void *) {
    RL_ASSERT(int(jobOf(First).Data($)) == 0);
  }

  static Job &jobOf(Task *Of) { return *reinterpret_cast<Job *>(Of); }

  void isReady(Job &J) {
    RL_ASSERT(++J.NumReady == 1);
    J.IsReady.store(1, rl::mo_release, $);
  }

  /// All that a task or waiter with \p Uses comes after has ended.
  void checkBefore(const Clause &Uses, int Number) {
    for (int I = 0; I < Number; ++I)
      if (Uses.follows(Jobs[I].Uses))
        RL_ASSERT(int(Jobs[I].Output($)) == I);
  }

  void wait(const Clause &Uses) {
    NodePool &Mine = Pools[0];
    Node *N = Node::make(Mine, nullptr);
    if (Uses.IsAll)
      Known->awaitAll(Mine, *N, nullptr);
    for (int I = 0; I < Uses.Count; ++I)
      Known->await(Mine, *N, Uses[I], nullptr);
    if (!N->endRegistration()) {
      IsWaiting.store(1, rl::mo_release, $);
      while (N->pending().load(simulated::memory_order_acquire) > 0)
        rl::yield(1, $);
    }
    Node::destroy(Mine, N);
    checkBefore(Uses, NumJobs);
  }

  void create() {
    NodePool &Mine = Pools[0];
    Known = Domain::create(Mine);
    for (const char *At = Steps::Of; *At;) {
      Clause Uses;
      At = Uses.parse(At);
      if (Uses.Waits) {
        wait(Uses);
        continue;
      }
      if (Uses.Asks) {
        if (Known->isReady(Uses[0]))
          checkBefore(Uses, NumJobs);
        continue;
      }
      Job &J = Jobs[NumJobs++];
      J.Uses = Uses;
      Mine.countBegin();
      Node *N = J.Known = Node::make(Mine, reinterpret_cast<Task *>(&J));
      if (Uses.IsAll)
        Known->addAll(Mine, *N, nullptr);
      for (int I = 0; I < Uses.Count; ++I)
        Known->add(Mine, *N, Uses[I], nullptr);
      if (N->endRegistration())
        isReady(J);
    }
  }

  void run(int Self, int Number) {
    Job &J = Jobs[Number];
    while (!J.IsReady.load(rl::mo_acquire, $))
      rl::yield(1, $);
    Node *N = J.Known;
    if (Steps::Looks != 0) {
      const bool Waits = IsWaiting.load(rl::mo_acquire, $);
      const bool MayBeAwaited = N->mayBeAwaited(Steps::Looks);
      RL_ASSERT(MayBeAwaited || !Waits);
    }
    if (N->needsMutexes())
      while (!N->tryToHoldMutexes())
        rl::yield(1, $);
    RL_ASSERT(++J.NumRun == 1);
    checkBefore(J.Uses, Number);
    for (int I = 0; I < J.Uses.Count; ++I)
      if (J.Uses.Items[I].How == Access::Mutex) {
        auto &Mine = Shared[J.Uses.Items[I].Address];
        Mine($) = int(Mine($)) + 1;
      }
    J.Output($) = Number;
    N->end(Pools[Self], [this](Task *Ready) { isReady(jobOf(Ready)); });
    J.Data($) = 1;
  }

  void thread(unsigned Self) {
    if (Self == 0) {
      create();
      IsForgotten.store(1, rl::mo_release, $);
    }
    if (Self == Steps::ForgetBy) {
      while (!IsForgotten.load(rl::mo_acquire, $))
        rl::yield(1, $);
      Domain::destroy(Pools[Self], Known);
    }
    for (int I = 0; Steps::RunBy[I]; ++I)
      if (unsigned(Steps::RunBy[I] - '0') == Self)
        run(int(Self), I);
    Pools[Self].flush();
  }

  void after() {
    OnEdge = nullptr;
    for (int I = 0; I < NumJobs; ++I)
      RL_ASSERT(Jobs[I].NumRun == 1);
    for (NodePool &P : Pools) {
      RL_ASSERT(P.numAway() == 0);
      RL_ASSERT(P.numLive() == 0);
      P.destroy();
    }
    simulated::Watched.end();
  }
};

/// Threads come and go. Thread 0 creates two tasks, the second after the first,
/// forgets them and ends; thread 1 runs them and ends. The last thread begins,
/// perhaps with what they have left, takes a block and ends.
template <int NumThreads, int EndsBatch>
struct Leave : rl::test_suite<Leave<NumThreads, EndsBatch>, NumThreads> {
  Node *Nodes[2];
  rl::atomic<int> IsReady[2];
  alignas(SpinLock) char Room[sizeof(SpinLock)];

  void before() {
    simulated::Line = {};
    simulated::Watched.reset();
    Tuned.DomainLog2 = 2;
    Tuned.NodeChunkLeast = 4;
    Tuned.NodeBatch = 2;
    Tuned.EndsBatch = EndsBatch;
    OnEdge = nullptr;
    Left = nullptr;
    LeftLock = new (Room) SpinLock;
    for (auto &R : IsReady)
      R.store(0, rl::mo_relaxed, $);
  }

  void isReady(Task *Of) {
    static_cast<rl::atomic<int> *>(static_cast<void *>(Of))
        ->store(1, rl::mo_release, $);
  }

  void thread(unsigned Self) {
    NodePool *Mine = NodePool::adopt();
    if (Self == 0) {
      Domain *D = Domain::create(*Mine);
      for (int I = 0; I < 2; ++I) {
        Mine->countBegin();
        Nodes[I] = Node::make(*Mine, reinterpret_cast<Task *>(&IsReady[I]));
        D->add(*Mine, *Nodes[I], {64, Access::Out}, nullptr);
        if (Nodes[I]->endRegistration())
          isReady(reinterpret_cast<Task *>(&IsReady[I]));
      }
      Domain::destroy(*Mine, D);
    } else if (Self == 1) {
      for (int I = 0; I < 2; ++I) {
        while (!IsReady[I].load(rl::mo_acquire, $))
          rl::yield(1, $);
        Nodes[I]->end(*Mine, [this](Task *Ready) { isReady(Ready); });
      }
    } else {
      Mine->give(Mine->take());
    }
    NodePool::abandon(Mine);
  }

  void after() {
    while (NodePool *Pool = Left) {
      Left = Pool->NextLeft;
      RL_ASSERT(Pool->numAway() == 0);
      RL_ASSERT(Pool->numLive() == 0);
      Pool->destroy();
      Pool->~NodePool();
      simulated::Watched.keep(Pool);
    }
    LeftLock->~SpinLock();
    simulated::Watched.end();
  }
};

/// Who runs what: see Graph.
struct Usual {
  [[maybe_unused]] static constexpr unsigned ForgetBy = 0, Batch = 1, Chunk = 8,
                                             TableLog2 = 2, Looks = 0;
  [[maybe_unused]] static constexpr bool HasTool = false;
};
struct WithTool : Usual {
  [[maybe_unused]] static constexpr bool HasTool = true;
};
struct ByThread2 : Usual {
  [[maybe_unused]] static constexpr unsigned ForgetBy = 2;
};
struct InPairs : Usual {
  [[maybe_unused]] static constexpr unsigned Batch = 2;
};
struct LittleMemory : Usual {
  [[maybe_unused]] static constexpr unsigned Chunk = 4;
};
struct SmallTable : Usual {
  [[maybe_unused]] static constexpr unsigned TableLog2 = 1;
};
struct WithLooks : Usual {
  [[maybe_unused]] static constexpr unsigned Looks = 9;
};
#define LOCUS_GRAPH(NAME, OF, RUN_BY, HOW)                                     \
  struct NAME : HOW {                                                          \
    [[maybe_unused]] static constexpr const char *Of = OF, *RunBy = RUN_BY;    \
  }
LOCUS_GRAPH(Chain, "o0 o0", "11", Usual);
LOCUS_GRAPH(ChainHere, "o0 o0", "10", Usual);
LOCUS_GRAPH(ChainOfTwo, "o0 o0", "12", Usual);
LOCUS_GRAPH(Reader, "o0 i0", "12", Usual);
LOCUS_GRAPH(Join, "o0 o1 i0i1", "122", Usual);
LOCUS_GRAPH(JoinOfThree, "o0 o1 o2 i0i1i2", "1111", Usual);
LOCUS_GRAPH(Fork, "o0 i0 i0", "112", InPairs);
LOCUS_GRAPH(Storm, "o0 i0 i0 i0 i0", "11000", InPairs);
LOCUS_GRAPH(Sets, "s0 s0 o0", "120", Usual);
LOCUS_GRAPH(All, "o0 * i1", "112", Usual);
LOCUS_GRAPH(TwoMutexes, "m0 m0", "10", Usual);
LOCUS_GRAPH(Mutexes, "m0 m0 i0", "121", Usual);
LOCUS_GRAPH(LateMutex, "o0 m0", "11", Usual);
LOCUS_GRAPH(WaitForOne, "o0 wi0 o1", "11", Usual);
LOCUS_GRAPH(WaitForTwo, "o0 o1 wi0i1", "12", Usual);
LOCUS_GRAPH(Asked, "o0 ri0", "1", Usual);
LOCUS_GRAPH(LookedAt, "o0 o0", "11", WithLooks);
LOCUS_GRAPH(Awaited, "o0 o0 wi0", "11", WithLooks);
LOCUS_GRAPH(AwaitedByTwo, "o0 i0 wo0", "12", WithLooks);
LOCUS_GRAPH(NoStorage, "n", "1", Usual);
LOCUS_GRAPH(Grows, "o0 i1 o0 i2", "1111", SmallTable);
LOCUS_GRAPH(ForgottenElsewhere, "o0 o0", "12", ByThread2);
LOCUS_GRAPH(Told, "o0 o0", "11", WithTool);
LOCUS_GRAPH(ToldForgotten, "o0", "1", WithTool);
LOCUS_GRAPH(Returns, "o0 o0 o1", "111", LittleMemory);
LOCUS_GRAPH(ReturnsFromTwo, "o0 o0 o1 o1", "1122", LittleMemory);

} // namespace

// Graph<tasks and who runs them, threads>.
#ifndef LOCUS_MUTANTS

TEST(ModelDependTest, chain) {
  checkAll<Graph<Chain, 2>>(4);
  checkAll<Graph<ChainHere, 2>>(4);
  checkAll<Graph<ChainOfTwo, 3>>(2);
}
TEST(ModelDependTest, reader) { checkAll<Graph<Reader, 3>>(2); }
TEST(ModelDependTest, join) {
  checkAll<Graph<Join, 3>>(2);
  checkAll<Graph<JoinOfThree, 2>>(2);
}
TEST(ModelDependTest, fork) { checkAll<Graph<Fork, 3>>(2); }
TEST(ModelDependTest, storm) { checkAll<Graph<Storm, 2>>(2); }
TEST(ModelDependTest, sets) { checkAll<Graph<Sets, 3>>(1); }
TEST(ModelDependTest, all) { checkAll<Graph<All, 3>>(1); }
TEST(ModelDependTest, mutexes) {
  checkAll<Graph<TwoMutexes, 2>>(3);
  checkAll<Graph<LateMutex, 2>>(3);
  checkAll<Graph<Mutexes, 3>>(1);
}
TEST(ModelDependTest, waits) {
  checkAll<Graph<WaitForOne, 2>>(3);
  checkAll<Graph<WaitForTwo, 3>>(2);
}
TEST(ModelDependTest, asks) { checkAll<Graph<Asked, 2>>(4); }
TEST(ModelDependTest, looks) {
  checkAll<Graph<LookedAt, 2>>(3);
  checkAll<Graph<Awaited, 2>>(2);
  checkAll<Graph<AwaitedByTwo, 3>>(1);
}
TEST(ModelDependTest, noStorage) { checkAll<Graph<NoStorage, 2>>(4); }
TEST(ModelDependTest, growth) { checkAll<Graph<Grows, 2>>(2); }
TEST(ModelDependTest, forgottenElsewhere) {
  checkAll<Graph<ForgottenElsewhere, 3>>(2);
}
TEST(ModelDependTest, told) {
  checkAll<Graph<Told, 2>>(3);
  checkAll<Graph<ToldForgotten, 2>>(5);
}
TEST(ModelDependTest, blocksReturn) {
  checkAll<Graph<Returns, 2>>(3);
  checkAll<Graph<ReturnsFromTwo, 3>>(1);
}
TEST(ModelDependTest, threadsLeave) {
  checkAll<Leave<2, 2>>(3);
  checkAll<Leave<2, 8>>(3);
  checkAll<Leave<3, 2>>(2);
}

#else

LOCUS_MUTANT(insertDoesNotAcquire, 2, Graph<Reader, 3>)
LOCUS_MUTANT(insertDoesNotRelease, 3, Graph<Chain, 2>)
LOCUS_MUTANT(insertInVainDoesNotAcquire, 2, Graph<Reader, 3>)
LOCUS_MUTANT(insertIsNotAtomic, 3, Graph<Chain, 2>)
LOCUS_MUTANT(insertWritesLate, 3, Graph<Chain, 2>)
LOCUS_MUTANT(closeDoesNotAcquire, 3, Graph<Chain, 2>)
LOCUS_MUTANT(closeDoesNotRelease, 2, Graph<Fork, 3>)
LOCUS_MUTANT(closeIsNotAtomic, 3, Graph<Chain, 2>)
LOCUS_MUTANT(closeEnds, 3, Graph<Chain, 2>)
LOCUS_MUTANT(endDoesNotAcquireTheDrop, 3, Graph<Chain, 2>)
LOCUS_MUTANT(endDoesNotReleaseTheNode, 3, Graph<Chain, 2>)
LOCUS_MUTANT(aloneDoesNotAcquire, 3, Graph<Chain, 2>)
LOCUS_MUTANT(aloneDoesNotRelease, 2, Graph<Reader, 3>)
LOCUS_MUTANT(aloneIgnoresFollowers, 3, Graph<Chain, 2>)
LOCUS_MUTANT(aloneIgnoresTheDrop, 3, Graph<Chain, 2>)
LOCUS_MUTANT(dropLooksWithoutAcquire, 3, Graph<Chain, 2>)
LOCUS_MUTANT(dropDoesNotAcquire, 3, Graph<Chain, 2>)
LOCUS_MUTANT(dropDoesNotRelease, 3, Graph<Chain, 2>)
LOCUS_MUTANT(dropOnlyLooks, 3, Graph<Chain, 2>)
LOCUS_MUTANT(endIgnoresTheDrop, 3, Graph<Chain, 2>)
LOCUS_MUTANT(endDoesNotAcquire, 2, Graph<Join, 3>)
LOCUS_MUTANT(endDoesNotRelease, 2, Graph<Join, 3>)
LOCUS_MUTANT(endReadsTheOwnerLate, 3, Graph<WaitForOne, 2>)
LOCUS_MUTANT(endIsCountedLate, 3, Graph<Returns, 2>)
LOCUS_MUTANT(mutexesAreReleasedLate, 3, Graph<TwoMutexes, 2>)
LOCUS_MUTANT(registrationDoesNotAcquire, 3, Graph<ChainHere, 2>)
LOCUS_MUTANT(registrationDoesNotRelease, 3, Graph<LateMutex, 2>)
LOCUS_MUTANT(registrationIsNotAtomic, 3, Graph<Chain, 2>)
LOCUS_MUTANT(registrationForgetsTheEdges, 3, Graph<Chain, 2>)
LOCUS_MUTANT(unknownNodeStays, 3, Graph<NoStorage, 2>)
LOCUS_MUTANT(lookDoesNotAcquire, 3, Graph<LookedAt, 2>)
LOCUS_MUTANT(hasEndedDoesNotAcquire, 3, Graph<Asked, 2>)
LOCUS_MUTANT(toldEndDoesNotLock, 3, Graph<Told, 2>)
LOCUS_MUTANT(toldFollowDoesNotLock, 3, Graph<Told, 2>)
LOCUS_MUTANT(mutexDoesNotAcquire, 3, Graph<TwoMutexes, 2>)
LOCUS_MUTANT(mutexDoesNotRelease, 3, Graph<TwoMutexes, 2>)
LOCUS_MUTANT(mutexIsNotAtomic, 3, Graph<TwoMutexes, 2>)
LOCUS_MUTANT(mutexDropDoesNotOrder, 3, Graph<TwoMutexes, 2>)
LOCUS_MUTANT(mutexHasOneUser, 3, Graph<TwoMutexes, 2>)
LOCUS_MUTANT(receiveDoesNotRelease, 3, Graph<Returns, 2>)
LOCUS_MUTANT(takeDoesNotAcquire, 3, Graph<Returns, 2>)
LOCUS_MUTANT(receiveIsNotAtomic, 2, Graph<ReturnsFromTwo, 3>)
LOCUS_MUTANT(receiveKeepsTheFirstHead, 2, Graph<ReturnsFromTwo, 3>)
LOCUS_MUTANT(endsDoNotRelease, 3, Leave<2, 8>)
LOCUS_MUTANT(abandonDoesNotAcquire, 3, Leave<2, 8>)
LOCUS_MUTANT(abandonIgnoresTheEnds, 3, Leave<2, 8>)
LOCUS_MUTANT(abandonIgnoresTheBlocks, 3, Leave<2, 1>)
LOCUS_MUTANT(abandonDoesNotFlush, 3, Leave<2, 8>)
LOCUS_MUTANT(adoptDoesNotLock, 1, Leave<3, 2>)
LOCUS_MUTANT(batchIsSentTwice, 2, Graph<Returns, 2>)

#endif
