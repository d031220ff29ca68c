//===- model_combine.cpp - All interleavings of a combiner ----------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// queue/combining.h itself, in front of an object that only counts. The bounds:
// how many threads, requests of each and requests of one pass, and how many
// preemptions, stands at each test.
//
//===----------------------------------------------------------------------===//

#include "model.h"

using namespace locus;
using namespace locus::test;

namespace {

/// Each thread wants \p NumRequests numbers from one counter, whose combiners
/// serve at most \p MostServed. The last \p NumSharing threads have one slot.
/// Thread 0 is somebody who takes the lock alone if \p Outsider.
template <int NumThreads, int NumRequests, int MostServed, int NumSharing = 1,
          bool Outsider = false>
struct Counter
    : rl::test_suite<
          Counter<NumThreads, NumRequests, MostServed, NumSharing, Outsider>,
          NumThreads> {
  struct Request {
    rl::var<int> Input, Output;
    int Before; ///< a place in line that was taken when this one began
  };

  SpinLock Lock;
  Combiner<Request> Line;
  CombineSlot Slots[NumThreads];
  rl::var<int> Next; ///< the object
  rl::atomic<int> Known;
  // Of the checker, not of the program.
  int Served[NumThreads] = {};
  int InLine = 0, Alone = 0;

  void before() {
    Tuned.CombineMost = MostServed;
    simulated::Line = {};
    simulated::Line.Known = &Known;
    Known.store(0, rl::mo_relaxed, $);
    Next($) = 0;
  }

  void serve(Request &Mine) {
    const int Number = int(Next($));
    const int Self = int(Mine.Input($));
    Next($) = Number + 1;
    Mine.Output($) = Number;
    ++Served[Self];
    // In the order in which they came. Only who finds its slot in use goes
    // before those who wait.
    int &Place = simulated::Line.Of[Self];
    if (Place)
      RL_ASSERT(Place == ++InLine);
    else if (NumSharing == 1)
      RL_ASSERT(Mine.Before <= InLine);
    Place = 0;
  }

  void thread(unsigned Self) {
    if (Outsider && Self == 0) {
      LockGuard Guard(Lock);
      Next($) = int(Next($)) + 1;
      ++Alone;
      return;
    }
    int Last = -1;
    for (int I = 0; I < NumRequests; ++I) {
      Request Mine;
      Mine.Input($) = int(Self);
      Mine.Before = Known.load(rl::mo_acquire, $);
      const unsigned Slot = std::min(Self, unsigned(NumThreads - NumSharing));
      Line.apply(&Slots[Slot], Lock, Mine, [this](Request &R) { serve(R); });
      RL_ASSERT(Served[Self] == I + 1);
      RL_ASSERT(int(Mine.Output($)) > Last);
      Last = int(Mine.Output($));
    }
  }

  void after() {
    RL_ASSERT(int(Next($)) == NumRequests * (NumThreads - Outsider) + Alone);
    RL_ASSERT(Line.isValid());
    RL_ASSERT(Line.served() == uint64_t(InLine));
    RL_ASSERT(simulated::Line.Count == InLine);
    Tuned.CombineMost = Tuning().CombineMost;
  }
};

} // namespace

// Counter<threads, requests of each, requests of a pass, threads that share a
// slot, somebody who goes past the line>.
#ifndef LOCUS_MUTANTS

TEST(ModelCombineTest, twoThreads) { checkAll<Counter<2, 2, 2>>(3); }
TEST(ModelCombineTest, threeThreads) { checkAll<Counter<3, 1, 3>>(3); }
TEST(ModelCombineTest, passesOfOne) { checkAll<Counter<3, 1, 1>>(3); }
TEST(ModelCombineTest, nodesWander) { checkAll<Counter<3, 2, 2>>(1); }
TEST(ModelCombineTest, sharedSlot) { checkAll<Counter<3, 1, 2, 2>>(3); }
TEST(ModelCombineTest, outsider) { checkAll<Counter<3, 1, 2, 1, true>>(3); }

#else

LOCUS_MUTANT(combinerDoesNotLock, 3, Counter<3, 1, 3, 1, true>)
LOCUS_MUTANT(answerDoesNotRelease, 3, Counter<3, 1, 3>)
LOCUS_MUTANT(answerIsNotAcquired, 3, Counter<3, 1, 3>)
LOCUS_MUTANT(requestDoesNotRelease, 3, Counter<3, 1, 3>)
LOCUS_MUTANT(requestIsNotAcquired, 3, Counter<3, 1, 3>)
LOCUS_MUTANT(answerBeforeTheNextIsRead, 3, Counter<3, 2, 2>)
LOCUS_MUTANT(handOverIsMissing, 3, Counter<3, 1, 1>)
LOCUS_MUTANT(nextDoesNotLead, 3, Counter<2, 2, 2>)
LOCUS_MUTANT(lineIsPassed, 3, Counter<3, 1, 3>)
LOCUS_MUTANT(slotIsTakenTwice, 3, Counter<3, 1, 2, 2>)
LOCUS_MUTANT(freshNodeLeads, 3, Counter<3, 1, 3>)
LOCUS_MUTANT(freshNodeKeepsItsNext, 3, Counter<2, 2, 2>)
LOCUS_MUTANT(endIsNotExchanged, 3, Counter<3, 1, 3>)
LOCUS_MUTANT(tryLockDoesNotAcquire, 3, Counter<2, 2, 2>)
LOCUS_MUTANT(idleDoesNotAcquire, 2, Counter<3, 2, 2>)
LOCUS_MUTANT(lineUpDoesNotAcquire, 3, Counter<3, 1, 3>)

#endif
