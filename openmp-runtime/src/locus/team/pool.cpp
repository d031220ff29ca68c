//===- team/pool.cpp - The tasks that may run anywhere --------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "locus/team/pool.h"
#include "locus/support/array.h"
#include "locus/support/clock.h"
#include "locus/support/sort.h"
#include "locus/support/stats.h"

namespace locus {

TaskPool::~TaskPool() {
  freeLists();
  for (int T = 0; T < Room; ++T)
    Members[T].Deque.destroy();
  free(Members);
}

/// Frees what is made for the shape of a team: all but the deques' memory.
void TaskPool::freeLists() {
  for (int T = 0; T < Room; ++T)
    for (uint64_t *&Order : Members[T].Orders) {
      free(Order);
      Order = nullptr;
    }
  for (int L = 0; L < NumLevels; ++L) {
    for (int G = 0; G < NumLists[L]; ++G)
      Lists[L][G].destroy();
    free(Lists[L]);
    Lists[L] = nullptr;
    NumLists[L] = 0;
  }
}

/// \p NumThreads members with deques that may have memory from before, and
/// nothing else.
bool TaskPool::renewMembers(int NumThreads) {
  if (NumThreads > Room) {
    Member *More = makeArray<Member>(size_t(NumThreads));
    if (!More)
      return false;
    for (int T = 0; T < Room; ++T)
      Members[T].Deque.destroy();
    free(Members);
    Members = More;
    Room = NumThreads;
  }
  for (int T = 0; T < NumThreads; ++T) {
    Member &M = Members[T];
    M.AccessTime.store(0, std::memory_order_relaxed);
    M.IdleTime.store(0, std::memory_order_relaxed);
    M.IdleSince = 0;
    M.Accesses = 0;
    M.Asked = M.Forced = -1;
    M.UnansweredSearches = 0;
    M.Random = uint32_t(T + 1) * 2654435761u;
    M.Throttled = false;
    new (&M.Past) StealBackoff;
  }
  return true;
}

bool TaskPool::build(const Hierarchy &TheTeam, const ThreadSpot *Spots,
                     const PoolOptions &Options,
                     std::atomic<int32_t> *Unfinished) {
  Team = &TheTeam;
  Policy = Options.Steal;
  Adaptive = Options.Adaptive;
  Shares = Adaptive || Options.Queues != Level::Thread;
  Current.store(uint8_t(Options.Queues), std::memory_order_relaxed);
  const int NumThreads = Team->numThreads();
  Limit = Options.Limit;
  if (Limit == PoolOptions::DefaultLimit && uint32_t(NumThreads) > Limit)
    Limit = uint32_t(NumThreads);
  InPlace = Options.InPlace && Limit != 0 &&
            (Adaptive || Options.Queues == Level::Thread);
  freeLists();
  if (!renewMembers(NumThreads))
    return false;
  for (int T = 0; T < NumThreads; ++T) {
    Members[T].Deque.init(Spots[T].OsNode);
    Members[T].Deque.limitPlenty(InPlace ? Limit : 0);
  }
  int Start = NumSteps = 0;
  AccessBefore = IdleBefore = TicksBefore = 0;
  DecidedAt.store(0, std::memory_order_relaxed);
  Changes.store(0, std::memory_order_relaxed);
  for (int L = 0; L < NumLevels; ++L) {
    Counters[L].Unfinished = Unfinished;
    const bool IsStart = L == int(Options.Queues);
    if (!IsStart && !(Adaptive && Team->isInformative(Level(L))))
      continue;
    if (IsStart)
      Start = NumSteps;
    Steps[NumSteps++] = Level(L);
    if (L == int(Level::Thread))
      continue;
    const int NumGroups = Team->numGroups(Level(L));
    Lists[L] = makeArray<TaskQueue>(size_t(NumGroups));
    if (!Lists[L])
      return false;
    NumLists[L] = NumGroups;
    for (int G = 0; G < NumGroups; ++G)
      Lists[L][G].init(&Counters[L],
                       Spots[Team->firstMember(Level(L), G)].OsNode);
  }
  Control.init(NumSteps, Start);
  return true;
}

//===----------------------------------------------------------------------===//
// A thread's own list
//===----------------------------------------------------------------------===//

bool TaskPool::push(int Thread, void *Task, int32_t Siblings) {
  const Level L = level();
  if (__builtin_expect(L == Level::Thread, 1))
    return Members[Thread].Deque.push(Task, Siblings);
  return pushShared(L, Thread, Task);
}

bool TaskPool::pushShared(Level L, int Thread, void *Task) {
  TaskQueue &List = Lists[int(L)][Team->groupOf(L, Thread)];
  const bool Timed = Adaptive || Stats::enabled();
  const uint64_t Since = Timed ? ticks() : 0;
  const bool Pushed = List.push(Task);
  if (Timed)
    countAccess(Thread, Since);
  return Pushed;
}

bool TaskPool::isThrottled(int Thread, bool IsDeep) {
  Member &M = Members[Thread];
  if (Limit == 0)
    return false;
  const Level L = level();
  if (__builtin_expect(L == Level::Thread, 1)) {
    if (__builtin_expect(!M.Throttled && M.Deque.isShorterThan(Limit), 1))
      return false;
    M.Throttled =
        !M.Deque.isShorterThan(uint32_t(uint64_t(Limit) * 7 / 10) + 1);
    const bool IsWanted =
        IsDeep || !M.Deque.plenty().load(std::memory_order_relaxed);
    return M.Throttled &&
           !(InPlace && IsWanted && M.Deque.isShorterThan(2 * Limit));
  }
  const int Group = Team->groupOf(L, Thread);
  const uint64_t Most = uint64_t(Limit) * uint64_t(Team->numMembers(L, Group));
  const uint64_t Size = Lists[int(L)][Group].size();
  M.Throttled = M.Throttled ? Size > Most * 7 / 10 : Size >= Most;
  return M.Throttled;
}

Outcome TaskPool::takeShared(int Thread, const Taker &Who, void *&Task) {
  const Level Now = level();
  auto Take = [&](Level L) {
    TaskQueue &List = Lists[int(L)][Team->groupOf(L, Thread)];
    if (List.size() == 0)
      return false;
    const bool Timed = Adaptive || Stats::enabled();
    const uint64_t Since = Timed ? ticks() : 0;
    const bool Taken = List.take(End::Newest, Who, Task) == Outcome::Taken;
    if (Timed)
      countAccess(Thread, Since);
    return Taken;
  };
  if (Now != Level::Thread && Take(Now))
    return Outcome::Taken;
  // What was added before the level changed.
  for (int I = 0; Adaptive && I < NumSteps; ++I)
    if (Steps[I] != Now && Steps[I] != Level::Thread && Take(Steps[I]))
      return Outcome::Taken;
  return Outcome::Empty;
}

bool TaskPool::hasShared(int Thread) const {
  for (int I = 0; I < NumSteps; ++I)
    if (const Level L = Steps[I];
        L != Level::Thread &&
        Lists[int(L)][Team->groupOf(L, Thread)].size() != 0)
      return true;
  return false;
}

bool TaskPool::hasTasks() const {
  for (int I = 0; I < NumSteps; ++I)
    for (int G = 0; G < Team->numGroups(Steps[I]); ++G)
      if (sizeHint(Steps[I], G) != 0)
        return true;
  return false;
}

//===----------------------------------------------------------------------===//
// Stealing
//===----------------------------------------------------------------------===//

uint32_t TaskPool::sizeHint(Level L, int Group) const {
  return L == Level::Thread ? Members[Group].Deque.sizeHint()
                            : Lists[int(L)][Group].size();
}

bool TaskPool::tryList(Search &S, Level L, int Group, void *&Task) {
  Member &Self = Members[S.Thread];
  const Level Near = Team->closeness(S.Thread, Team->firstMember(L, Group));
  const Taker &Who =
      Near <= Level::Numa ||
              mayRobAfar(S.Far, sizeHint(L, Group), Team->numMembers(L, Group))
          ? S.Who
          : S.Afar;
  if (L != Level::Thread) {
    if (Lists[int(L)][Group].take(End::Oldest, Who, Task) != Outcome::Taken)
      return false;
    Stats::countSteal(Near);
    return true;
  }
  WorkDeque &Victim = Members[Group].Deque;
  // Most tasks of a skewed tree are small: one trip for several.
  WorkDeque::Batch More;
  const bool Keeps = Who.MayKeep && Near <= Level::Numa &&
                     level() == Level::Thread &&
                     Self.Deque.sizeForOwner() == 0 && Self.Deque.makeRoom();
  const bool Weighs =
      InPlace && !Shares && Victim.savesTasks() && Victim.hasPublished();
  const uint64_t Before = Weighs ? nanoseconds() : 0;
  const Outcome Got = Victim.steal(Who, S.ScanAll, *Counters[0].Unfinished,
                                   Task, Keeps ? &More : nullptr);
  if (Got == Outcome::Empty)
    Victim.demand();
  // What is published and refused may hide what is not published.
  if ((Got == Outcome::Empty || (Got == Outcome::Refused && S.ScanAll)) &&
      Victim.hasUnpublished()) {
    Victim.request();
    // The first of a search, the nearest one for a hierarchical thief; but
    // after a force in vain the others have their turn.
    if (Self.Asked < 0 && Self.Forced < 0)
      Self.Asked = Group;
  }
  if (Self.Forced == Group)
    Self.Forced = -1;
  if (Got != Outcome::Taken)
    return false;
  if (Weighs)
    Self.Past.bring(1 + uint32_t(More.Count), Before, nanoseconds());
  for (int I = 0; I < More.Count; ++I)
    Self.Deque.push(More.Tasks[I]);
  Stats::countSteal(Near);
  return true;
}

/// Memory for the victims of \p Thread at \p L, in its own order if that never
/// changes. Null if there is no memory.
uint64_t *TaskPool::orderOf(Level L, int Thread) {
  uint64_t *&Order = Members[Thread].Orders[int(L)];
  if (Order)
    return Order;
  // Allocated by the thread that uses it, so on its node.
  uint64_t *Fresh = makeArray<uint64_t>(size_t(Team->numGroups(L)));
  if (!Fresh)
    return nullptr;
  if (Policy == StealPolicy::Hierarchical)
    Team->nearestGroups(L, Thread, Fresh);
  // A thread that left a larger team may look in once more under the number of
  // another one: the first order stays.
  uint64_t *Expected = nullptr;
  if (!__atomic_compare_exchange_n(&Order, &Expected, Fresh, false,
                                   __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
    free(Fresh);
    return Expected;
  }
  return Fresh;
}

bool TaskPool::searchLevel(Search &S, Level L, void *&Task) {
  Member &Self = Members[S.Thread];
  const int Own = Team->groupOf(L, S.Thread), Count = Team->numGroups(L);
  if (Count < 2)
    return false;
  auto Random = [&](int Below) {
    // Marsaglia's xorshift. A late thread may come by under the same number:
    // what it writes is not 0 either.
    uint32_t Drawn = Self.Random;
    Drawn ^= Drawn << 13;
    Drawn ^= Drawn >> 17;
    Drawn ^= Drawn << 5;
    Self.Random = Drawn;
    return int(uint64_t(Drawn) * uint64_t(Below) >> 32);
  };
  auto Behind = [&](int Steps) { return (Own + Steps) % Count; };

  switch (Policy) {
  case StealPolicy::Random:
    return tryList(S, L, Behind(1 + Random(Count - 1)), Task);
  case StealPolicy::RoundRobin:
    for (int I = 1; I < Count; ++I)
      if (tryList(S, L, Behind(I), Task))
        return true;
    return false;
  case StealPolicy::Producer: {
    int Best = Behind(1);
    uint32_t Most = sizeHint(L, Best);
    for (int I = 2; I < Count; ++I)
      if (uint32_t Size = sizeHint(L, Behind(I)); Size > Most) {
        Best = Behind(I);
        Most = Size;
      }
    if (Most == 0)
      return false;
    if (tryList(S, L, Best, Task))
      return true;
    // What is there may never be for this thread.
    for (int I = 1; I < Count; ++I)
      if (const int Other = Behind(I); Other != Best &&
                                       sizeHint(L, Other) != 0 &&
                                       tryList(S, L, Other, Task))
        return true;
    return false;
  }
  case StealPolicy::Hierarchical:
  case StealPolicy::RandomOrder:
  case StealPolicy::ProducerOrder:
    break;
  }

  uint64_t *Order = orderOf(L, S.Thread);
  if (!Order)
    return tryList(S, L, Behind(1 + Random(Count - 1)), Task);
  int NumVictims = Count - 1;
  if (Policy == StealPolicy::RandomOrder) {
    for (int I = 0; I < NumVictims; ++I) {
      const int J = Random(I + 1);
      Order[I] = Order[J];
      Order[J] = uint64_t(Behind(I + 1));
    }
  } else if (Policy == StealPolicy::ProducerOrder) {
    NumVictims = 0;
    for (int I = 1; I < Count; ++I)
      if (const uint32_t Size = sizeHint(L, Behind(I)))
        Order[NumVictims++] = uint64_t(~Size) << 32 | uint32_t(I);
    sortKeys(Order, size_t(NumVictims));
    for (int I = 0; I < NumVictims; ++I)
      Order[I] = uint64_t(Behind(int(uint32_t(Order[I]))));
  }
  for (int I = 0; I < NumVictims; ++I)
    if (tryList(S, L, int(Order[I]), Task))
      return true;
  return false;
}

Outcome TaskPool::steal(int Thread, const Taker &Who, const Taker &Afar,
                        Reach Far, bool ScanAll, void *&Task) {
  Member &Self = Members[Thread];
  if (Self.Past.rests(nanoseconds))
    return Outcome::Empty;
  Search S = {Thread, Who, Afar, Far, ScanAll};
  const Level Now = level();
  bool Found = searchLevel(S, Now, Task);
  // What was added before the level changed.
  for (int I = 0; Adaptive && !Found && I < NumSteps; ++I)
    if (const Level L = Steps[I];
        L != Now && (L == Level::Thread ||
                     Counters[int(L)].NonEmpty.load(std::memory_order_relaxed)))
      Found = searchLevel(S, L, Task);
  // Where nobody behind it was to ask, the first may be asked again.
  Self.Forced = -1;
  // A policy with a single trial may not come by the same victim again soon.
  if (Found || Self.Asked < 0 || !Members[Self.Asked].Deque.hasUnpublished()) {
    Self.Asked = -1;
    Self.UnansweredSearches = 0;
  } else if (++Self.UnansweredSearches >= RoundsBeforeForce) {
    const int Victim = Self.Asked;
    Self.Asked = -1;
    Self.UnansweredSearches = 0;
    Members[Victim].Deque.forcePublish();
    Stats::count(Stat::Forced);
    Found = tryList(S, Level::Thread, Victim, Task);
    Self.Forced = Found ? -1 : Victim;
  }
  return Found ? Outcome::Taken : Outcome::Empty;
}

//===----------------------------------------------------------------------===//
// Adaptation
//===----------------------------------------------------------------------===//

/// Adds to a counter that only the calling thread writes.
static void add(std::atomic<uint64_t> &Sum, uint64_t More) {
  Sum.store(Sum.load(std::memory_order_relaxed) + More,
            std::memory_order_relaxed);
}

void TaskPool::countAccess(int Thread, uint64_t Since) {
  constexpr uint32_t AccessesBetweenLooks = 64;
  Member &Self = Members[Thread];
  const uint64_t Time = ticks() - Since;
  Stats::count(Stat::AccessTime, Time);
  if (!Adaptive)
    return;
  add(Self.AccessTime, Time);
  if (++Self.Accesses % AccessesBetweenLooks == 0)
    adapt();
}

void TaskPool::countIdle(int Thread, bool Found) {
  Member &Self = Members[Thread];
  if (Found && Self.IdleSince == 0)
    return;
  const uint64_t Now = ticks();
  if (Self.IdleSince != 0)
    add(Self.IdleTime, Now - Self.IdleSince);
  Self.IdleSince = Found ? 0 : Now;
  adapt();
}

void TaskPool::adapt() {
  constexpr uint64_t Interval = 1000000; // 1 ms
  const uint64_t Now = nanoseconds();
  if (Now - DecidedAt.load(std::memory_order_relaxed) < Interval ||
      !Deciding.try_lock())
    return;
  const uint64_t Passed = Now - DecidedAt.load(std::memory_order_relaxed);
  if (Passed >= Interval) {
    DecidedAt.store(Now, std::memory_order_relaxed);
    uint64_t Access = 0, Idle = 0;
    for (int T = 0; T < Team->numThreads(); ++T) {
      Access += Members[T].AccessTime.load(std::memory_order_relaxed);
      Idle += Members[T].IdleTime.load(std::memory_order_relaxed);
    }
    const uint64_t Ticks = ticks();
    const Overhead Lost = {Access - AccessBefore, Idle - IdleBefore,
                           (Ticks - TicksBefore) *
                               uint64_t(Team->numThreads())};
    AccessBefore = Access;
    IdleBefore = Idle;
    TicksBefore = Ticks;
    // An interval much too long was spent elsewhere, in serial code.
    if (Passed < 4 * Interval) {
      const Level Next = Steps[Control.learn(Lost)];
      if (Next != level()) {
        Current.store(uint8_t(Next), std::memory_order_relaxed);
        add(Changes, 1);
      }
    }
  }
  Deciding.unlock();
}

} // namespace locus
