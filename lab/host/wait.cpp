//===- host/wait.cpp - Threads that wait ----------------------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lab/host/host.h"

namespace locus::lab {

//===----------------------------------------------------------------------===//
// What the core asks
//===----------------------------------------------------------------------===//

static Host &hostOf(const Seeker &S) {
  return *static_cast<const HostSeeker &>(S).Thread->Of;
}

/// As __kmp_task_is_allowed().
bool Host::isAllowed(const HostThread &T, bool Constrained,
                     TaskData *Candidate) {
  if (Constrained) {
    const TaskData *Current = T.Current->LastTied;
    if (!Current->IsImplicit || Current->TaskwaitThread > 0) {
      const TaskData *Parent = Candidate->Parent;
      while (Parent != Current && Parent->Level > Current->Level)
        Parent = Parent->Parent;
      if (Parent != Current)
        return false;
    }
  }
  return flow::acquireMutexes(Candidate->DependNode);
}

static bool admit(const Taker &Who, Task *Candidate) {
  const HostSeeker &S = static_cast<const HostSeeker &>(*Who.Search);
  Host &H = hostOf(S);
  H.noteCandidate();
  return H.isAllowed(*S.Thread, S.Constrained && !Who.IsExempt,
                     LabTasks::data(Candidate));
}

bool Host::mayNest(const HostThread &T, uint32_t EmptyRounds) const {
  const char *Here = static_cast<const char *>(__builtin_frame_address(0));
  const size_t Used = size_t(T.StackTop - Here);
  return hasRoomToNest(Used, StackBytes, EmptyRounds);
}

static HostThread *Searching = nullptr;
static bool mayNestHere(uint32_t EmptyRounds) {
  return Searching->Of->mayNest(*Searching, EmptyRounds);
}

static Waker *TheSleepers = nullptr;
static const Waker *sleepersOf(const Seeker &S) {
  return hostOf(S).sleepsBetweenTasks() ? TheSleepers : nullptr;
}

static const SeekerHost Libomp = {admit, flow::placeOf<LabTasks>, mayNestHere,
                                  sleepersOf};

//===----------------------------------------------------------------------===//
// A round, and those that find nothing
//===----------------------------------------------------------------------===//

TaskData *Host::search(HostThread &T, int *Finished, bool Constrained) {
  HostSeeker S;
  S.Host = &Libomp;
  flow::beginSearch<LabTasks>(S, *Ours, T.Current, Finished, Constrained,
                              AnyStrict);
  S.Thread = &T;
  S.Constrained = Constrained;
  Searching = &T;
  TheSleepers = &Sleepers;
  E.advance(toPs(Cost.RoundNs));
  Worker &W = *T.Mine;
  Task *Found = nullptr;
  if (T.Next.kept() || Ours->mayHavePlacedTasks())
    Found = flow::takeKeptOrPlaced(*Ours, T, W, S,
                                   [&](TaskData *Kept) { queue(T, Kept); });
  if (!Found)
    Found = Ours->findAny(W, S);
  T.Next.endSearch(Found);
  flow::endRound<LabTasks>(*Ours, W, S, Found, T.RunsPlaced);
  return LabTasks::data(Found);
}

void Host::endSearches(HostThread &T) {
  flow::endSearches(T, [&](TaskData *Kept) { queue(T, Kept); });
}

/// Until when \p Of leaves out searches, or looks at its victim before.
static Time restsUntil(const StealBackoff &Of, Time Now) {
  auto LeavesOut = [&](uint64_t Ns) {
    StealBackoff Copy = Of;
    return Copy.leavesOut([=] { return Ns; },
                          [](int, int64_t &) { return true; });
  };
  uint64_t Low = 1000000000 + Now / 1000; // Engine::readClock()
  uint64_t High = Low + 2 * uint64_t(Tuned.RestLongest);
  while (Low < High) {
    const uint64_t Middle = Low + (High - Low) / 2;
    if (LeavesOut(Middle))
      Low = Middle + 1;
    else
      High = Middle;
  }
  return (Low - 1000000000) * 1000;
}

/// When \p Of, which sees an empty round every \p Each ns, grants more, or
/// looks again into queues that have refused it.
static Time grantsAt(const RemoteDelay &Of, Time Now, Time Each) {
  if (Of.isRefused() && Of.looksAgain())
    return Now;
  RemoteDelay Copy = Of;
  for (uint32_t Rounds = 1; Rounds <= 2 * Tuned.RemoteRoundsAny; ++Rounds) {
    const Time Then = Now + Rounds * Each;
    Copy.endRound(Round::Empty,
                  [=] { return uint64_t(1000000000 + Then / 1000); });
    if (Copy.reach() != Of.reach() || (Of.isRefused() && Copy.looksAgain()))
      return Then;
    if (Copy.reach() == Reach::Anything && !Of.isRefused())
      break;
  }
  return NoTime;
}

/// A search has ended in vain at \p At: perhaps the thread sleeps for a moment.
/// (What it takes to read the clock is in RoundNs.)
void Host::miss(HostThread &T, Time At) {
  if (T.LooksSince == 0)
    T.LooksSince = At;
  const uint64_t Ns =
      T.Naps.onMiss() ? T.Naps.rest(Set.BlockTime, At / 1000) : 0;
  if (Ns == 0)
    return;
  const Spent Was = E.spend(Spent::Sleeping);
  E.advance(toPs(double(Ns) + Cost.WakeUpNs));
  E.sync();
  E.spend(Was);
}

/// A round that began at \p Began has found nothing. Leaves out those that
/// would find nothing either: until a line that it has read is written, or a
/// clock of its own says that it does something else.
void Host::idle(HostThread &T, Time Began) {
  Worker &W = *T.Mine;
  Time Due = NoTime;
  if (W.Backoff.isResting())
    Due = restsUntil(W.Backoff, E.now());
  if (Candidates != 0 || W.Delay.isRefused() || Ours->mayHavePlacedTasks())
    Due = std::min(Due, grantsAt(W.Delay, E.now(), E.now() - Began));
  if (Set.BlockTime != UINT64_MAX)
    Due = std::min(Due, T.LooksSince + Set.BlockTime * 1000);
  const Time Before = E.now(), Each = std::max(Time(1), E.now() - Began);
  const uint64_t Left = E.watch(Began, Due);
  // Whoever counts rounds has counted them. On the stack, for the time that
  // takes has passed.
  RemoteDelay Delay = W.Delay;
  const uint64_t Most = 2 * Tuned.RemoteRoundsAny;
  for (uint64_t I = Left > Most ? Left - Most : 0; I < Left; ++I)
    Delay.endRound(Round::Empty, [=] {
      return uint64_t(1000000000 + (Before + (I + 1) * Each) / 1000);
    });
  W.Delay = Delay;
  Stats::count(Stat::Searches, Left);
  for (uint64_t I = Left > Nap::MissesAwake ? Left - Nap::MissesAwake : 0;
       I < Left; ++I)
    miss(T, Before + (I + 1) * Each);
}

static void endNaps(HostThread &T) {
  T.Naps.end();
  T.LooksSince = 0;
}

static bool isChildless(TaskData *Waiting) {
  return Waiting->Incomplete.load(std::memory_order_acquire) == 0;
}

/// Runs tasks until \p IsOver. \p IsFinal: in a barrier, where a thread that
/// finds nothing does not count as unfinished.
template <class Predicate>
void Host::waitUntil(HostThread &T, Predicate IsOver, bool IsFinal,
                     bool Constrained, bool MaySleep) {
  const Spent Was = E.spend(Spent::Searching);
  flow::giveBack<LabTasks>(T.Children, T.Current);
  int Finished = 0;
  Worker &W = *T.Mine;
  endNaps(T);
  while (!IsOver()) {
    const Time Began = E.now();
    E.hasBeenIdle();
    Candidates = 0;
    const uint32_t Random = W.Random;
    if (TaskData *Found = search(T, &Finished, Constrained)) {
      endNaps(T);
      invoke(T, Found);
      continue;
    }
    if (IsFinal && !Finished && isChildless(T.Current) &&
        !Ours->holdsTasks(W)) {
      Unfinished->fetch_sub(1);
      Finished = 1;
    }
    if (IsOver())
      break;
    miss(T, E.now());
    if (!Constrained)
      E.pause();
    if (MaySleep && sleepsBetweenTasks() && Finished) {
      sleep(T);
      continue;
    }
    const bool IsSame = Random == W.Random && !Ours->lists().areAdaptive();
    if (E.hasBeenIdle() && IsSame)
      idle(T, Began);
  }
  endSearches(T);
  endNaps(T);
  // It was let go while it ran a task that another thread, which was let go
  // before, has created. The new barrier counts it already: libomp has a task
  // team of its own for each.
  if (IsFinal && !Finished)
    Unfinished->fetch_sub(1);
  E.spend(Was);
}

//===----------------------------------------------------------------------===//
// taskwait and barriers
//===----------------------------------------------------------------------===//

void Host::taskwait(HostThread &T) {
  if (T.Depth != 0)
    return; // in place: no children, and a test in compiled code
  E.advance(toPs(Cost.WaitNs));
  flow::giveBack<LabTasks>(T.Children, T.Current);
  TaskData *Current = T.Current;
  if (isChildless(Current))
    return;
  const int32_t Before = Current->TaskwaitThread;
  Current->TaskwaitThread = T.Number + 1;
  waitUntil(
      T, [=] { return isChildless(Current); }, /*IsFinal=*/false,
      /*Constrained=*/true, /*MaySleep=*/false);
  Current->TaskwaitThread = Before;
}

/// A tree of four branches, as libomp's default.
static constexpr int Branches = 4;

void Host::barrier(HostThread &T) {
  const Spent Was = E.spend(Spent::Other);
  const int First = Branches * T.Number + 1;
  const int Last = std::min(First + Branches, int(Threads.size()));
  const uint32_t Mine =
      Flags[T.Number].Arrived.load(std::memory_order_relaxed) + 1;
  for (int Child = First; Child < Last; ++Child)
    waitUntil(
        T,
        [=] {
          return Flags[Child].Arrived.load(std::memory_order_acquire) >= Mine;
        },
        /*IsFinal=*/false, /*Constrained=*/false, /*MaySleep=*/false);
  if (T.Number != 0) {
    Flags[T.Number].Arrived.store(Mine, std::memory_order_release);
    waitUntil(
        T,
        [=] {
          return Flags[T.Number].Go.load(std::memory_order_acquire) >= Mine;
        },
        /*IsFinal=*/true, /*Constrained=*/false, /*MaySleep=*/true);
  } else {
    Flags[0].Arrived.store(Mine, std::memory_order_release);
    waitUntil(
        T, [=] { return Unfinished->load(std::memory_order_acquire) == 0; },
        /*IsFinal=*/true, /*Constrained=*/false, /*MaySleep=*/false);
    Unfinished->store(int32_t(Threads.size()), std::memory_order_relaxed);
  }
  for (int Child = First; Child < Last; ++Child) {
    Flags[Child].Go.store(Mine, std::memory_order_release);
    if (sleepsBetweenTasks())
      wake(Child);
  }
  if (Domain *Old = T.Current->Dependences; Old && T.Current->IsImplicit) {
    Domain::destroy(*T.Nodes, Old);
    T.Current->Dependences = nullptr;
  }
  T.Allowed = NeverAllowed;
  E.spend(Was);
}

//===----------------------------------------------------------------------===//
// Sleep: OMP_WAIT_POLICY=passive
//===----------------------------------------------------------------------===//

void Host::sleep(HostThread &T) {
  std::atomic<uint32_t> &Mark = Flags[T.Number].SleepsAt;
  Mark.store(1, std::memory_order_relaxed);
  const uint32_t Go = Flags[T.Number].Go.load(std::memory_order_relaxed);
  const uint32_t Mine = Flags[T.Number].Arrived.load(std::memory_order_relaxed);
  if (!Ours->lieDown(*T.Mine) || Go >= Mine) {
    Mark.store(0, std::memory_order_relaxed);
    return;
  }
  const Spent Was = E.spend(Spent::Sleeping);
  E.advance(toPs(Cost.SleepNs));
  E.sync();
  // libomp holds a mutex from the mark on until it sleeps.
  if (!WakeIsPending[size_t(T.Number)]) {
    IsAsleep[size_t(T.Number)] = true;
    E.block();
  }
  IsAsleep[size_t(T.Number)] = WakeIsPending[size_t(T.Number)] = false;
  E.spend(Was);
}

bool Host::wake(int Thread) {
  std::atomic<uint32_t> &Mark = Flags[Thread].SleepsAt;
  if (Mark.load(std::memory_order_relaxed) == 0)
    return false;
  E.countWake();
  Mark.store(0, std::memory_order_relaxed);
  E.advance(toPs(Cost.WakeNs));
  E.sync();
  if (IsAsleep[size_t(Thread)])
    E.wake(Thread, E.now() + toPs(Cost.WakeUpNs));
  else
    WakeIsPending[size_t(Thread)] = true;
  return true;
}

} // namespace locus::lab
