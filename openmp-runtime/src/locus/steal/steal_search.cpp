//===- steal/steal_search.cpp - A thief's way through the lists -----------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "locus/steal/steal_search.h"
#include "locus/team/find_task.h"
#include "locus/trace/recorder.h"

namespace locus {

/// Most deques that a thief comes by are empty, in a large team nearly all:
/// that takes a look at two lines of the victim, and no more.
Task *StealSearch::tryList(int Group) {
  if (__builtin_expect(L != Level::Thread, 0))
    return robShared(Group);
  WorkDeque &Victim = T.worker(Group).Deque;
  if (const uint32_t Size = Victim.sizeHint())
    return rob(Group, Size);
  Victim.starve();
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Whom to rob: one function for each policy
//===----------------------------------------------------------------------===//

/// Whether the thief looks at some lists only, and rests when it finds nothing.
bool StealSearch::rests() const {
  return T.stealPolicy() == StealPolicy::Sample &&
         T.numThreads() - 1 > SampleLooks;
}

LOCUS_ALWAYS_INLINE Task *StealSearch::sample() {
  VictimOrder &Order = nearest();
  const int Others = Count - 1, Last = Order.Last;
  Order.Last = -1;
  // What it leaves to another node: it has to see when that is gone.
  if (Order.Far >= 0 && sizeOf(Order.Far) != 0)
    W.Delay.noteFar();
  // After so many in vain a search looks at all: that makes twice as many looks
  // at most. So does one behind a pause: others may pause, too; and one of a
  // thread that looks seldom.
  if (Others <= SampleLooks || ++Order.Samples > Others / SampleLooks ||
      W.Backoff.hasPaused() || S.Rests) {
    Order.Samples = 0;
    for (int I = 0; I < Others; ++I)
      if (Task *Found = tryListAt(Order, I))
        return Found;
    return nullptr;
  }
  IsPatient = false;
  int Looks[SampleLooks], NumLooks = 0;
  if (Last >= 0)
    Looks[NumLooks++] = Last;
  if (Order.NumNear > 0)
    Looks[NumLooks++] = W.draw(Order.NumNear);
  Looks[NumLooks++] = W.draw(Others);
  for (int I = 0; I < NumLooks; ++I)
    if (Task *Found = tryListAt(Order, Looks[I]))
      return Found;
  return nullptr;
}

/// A look of sample() at the list of \p Index in \p Order.
inline Task *StealSearch::tryListAt(VictimOrder &Order, int Index) {
  Task *Found = tryList(int(Order.Groups[Index]));
  if (Found) {
    Order.Last = Index;
    Order.Samples = 0;
  }
  return Found;
}

Task *StealSearch::nearestFirst() {
  return tryInOrder(nearest().Groups.data(), Count - 1);
}

/// The groups at L, the nearest first.
inline VictimOrder &StealSearch::nearest() {
  VictimOrder &Order = W.Victims[int(L)];
  if (__builtin_expect(!Order.IsKnown, 0))
    sort(Order);
  return Order;
}

void StealSearch::sort(VictimOrder &Order) {
  T.groups().nearestGroups(L, W.Number, Order.Groups.data());
  Order.NumNear = 0;
  while (Order.NumNear < Count - 1 && !isFar(int(Order.Groups[Order.NumNear])))
    ++Order.NumNear;
  Order.Last = Order.Far = -1;
  Order.Samples = 0;
  Order.IsKnown = true;
}

Task *StealSearch::drawOne() {
  W.Delay.noteFar(); // perhaps
  return tryList(behind(1 + W.draw(Count - 1)));
}

/// Makes room for all groups at L. Called by the thread that uses it, so it is
/// on its node. False if there is no memory.
inline bool StealSearch::makeRoom() {
  VictimOrder &Order = W.Victims[int(L)];
  const size_t Needed = size_t(Count), Twice = 2 * Order.Groups.size();
  // In large steps: malloc keeps a few blocks of each size for each thread.
  return Order.Groups.size() >= Needed ||
         Order.Groups.renew(Twice > Needed ? Twice : Needed);
}

int StealSearch::behind(int Steps) const {
  return (T.groups().groupOf(L, W.Number) + Steps) % Count;
}

//===----------------------------------------------------------------------===//
// One list
//===----------------------------------------------------------------------===//

/// Whether the group is on another NUMA node than the thief.
inline bool StealSearch::isFar(int Group) const {
  const Hierarchy &Groups = T.groups();
  return Groups.numGroups(Level::Numa) > 1 &&
         Groups.groupOf(Level::Numa, W.Number) !=
             Groups.groupOf(Level::Numa, Groups.firstMember(L, Group));
}

/// Whether the thief takes of a far list, which has \p Size tasks, as of a near
/// one.
bool StealSearch::reachesFar(int Group, uint32_t Size) {
  if (Size != 0) {
    W.Delay.noteFar();
    if (T.hasLocalHints())
      W.Victims[int(L)].Far = Group;
  }
  return reaches(reachOf(W, S), Size, T.groups().numMembers(L, Group));
}

/// The thief as one that takes from the list.
inline Taker StealSearch::takerOf(int Group, uint32_t Size, bool IsFar) {
  return !IsFar || reachesFar(Group, Size) ? T.taker(W, S)
                                           : T.remoteTaker(W, S);
}

/// A list that threads share.
Task *StealSearch::robShared(int Group) {
  const bool IsFar = isFar(Group);
  const Taker Who = takerOf(Group, IsFar ? sizeOf(Group) : 0, IsFar);
  Task *Found = W.takeFrom(T.lists().list(L, Group), End::Oldest, Who);
  if (Found)
    noteSteal(T.groups().firstMember(L, Group));
  return Found;
}

/// The deque of thread \p Number, which has some \p Size tasks.
Task *StealSearch::rob(int Number, uint32_t Size) {
  const bool IsFar = isFar(Number);
  const Taker Who = takerOf(Number, Size, IsFar);
  // Where there are several tasks, the owner makes them faster than they are
  // taken.
  Task *Found = Size > 1 ? takeSeveral(Number, Who, IsFar)
                         : take(Number, Who, /*More=*/nullptr);
  if (Found)
    noteSteal(Number);
  return Found;
}

inline Task *StealSearch::take(int Number, const Taker &Who,
                               WorkDeque::Batch *More) {
  WorkDeque &Victim = T.worker(Number).Deque;
  const Take Got = Victim.steal(Who, S.ScanAll, T.unfinished(), More,
                                /*MayLeave=*/!IsPatient);
  if (Got.Result == Outcome::Empty)
    Victim.starve();
  return Got.Found;
}

/// As take(), and weighs what that brings: most tasks of a skewed tree are
/// small: one steal for several.
Task *StealSearch::takeSeveral(int Number, const Taker &Who, bool IsFar) {
  WorkDeque::Batch More;
  bool Keeps = false;
  if (Who.MayKeep && T.lists().level() == Level::Thread) {
    More.Most = W.Backoff.bag(BatchRoom, IsFar);
    Keeps = More.Most > 0 && W.Deque.sizeForOwner() == 0 && W.Deque.makeRoom();
  }
  const bool Weighs = T.runsInPlace() && !T.lists().areUsed();
  const uint64_t Before = Weighs ? nanoseconds() : 0;
  Task *Found = take(Number, Who, Keeps ? &More : nullptr);
  if (Found && Weighs) {
    const uint64_t Now = nanoseconds(); // before it waits for Tail's line
    W.Backoff.noteSteal(1 + uint32_t(More.Count), Before, Now, Number,
                        T.worker(Number).Deque.tailHint());
  }
  for (int I = 0; I < More.Count; ++I) {
    [[maybe_unused]] const bool Pushed = W.Deque.push(More.Tasks[I]);
    LOCUS_CHECK(Pushed); // makeRoom() has seen to that
  }
  return Found;
}

/// The thief has a task from a list of \p Victim.
inline void StealSearch::noteSteal(int Victim) const {
  if (!Stats::enabled() && !Trace::enabled())
    return;
  const Level Closeness = T.groups().closeness(W.Number, Victim);
  Stats::countSteal(Closeness);
  Trace::noteSteal(int(Closeness), Victim);
}

//===----------------------------------------------------------------------===//
// A search
//===----------------------------------------------------------------------===//

/// Inline in run(), with sample(): most rounds find nothing.
LOCUS_ALWAYS_INLINE Task *StealSearch::searchLevel(Level Which) {
  static constexpr Task *(StealSearch::*Policies[])() = {
#define LOCUS_POLICY(Name, Search, Value) &StealSearch::Search,
      LOCUS_STEAL_POLICIES(LOCUS_POLICY)
#undef LOCUS_POLICY
  };
  L = Which;
  Count = T.groups().numGroups(L);
  IsPatient = W.Hasty >= MostHasty || S.Rests;
  Task *Found = Count <= 1    ? nullptr
                : !makeRoom() ? drawOne()
                : T.stealPolicy() == StealPolicy::Sample
                    ? sample() // the default: no call
                    : (this->*Policies[int(T.stealPolicy())])();
  if (L == Level::Thread)
    W.Hasty = IsPatient ? 0 : W.Hasty + 1;
  return Found;
}

/// As SharedLists::areAdaptive(): what was added before the level changed.
Task *StealSearch::searchOtherLevels(Level But) {
  const SharedLists &Lists = T.lists();
  Task *Found = nullptr;
  for (int I = 0; !Found && I < Lists.numSteps(); ++I)
    if (const Level Other = Lists.step(I);
        Other != But && (Other == Level::Thread || Lists.mayHaveTasks(Other)))
      Found = searchLevel(Other);
  return Found;
}

/// Whether the thief rests, and not even its last victim wants it.
bool StealSearch::isLeftOut() {
  // A creator that runs nothing in place, and whose deque ends where it did, is
  // elsewhere as it seems: only a thief brings these tasks on.
  const auto WantsThief = [this](int Number, int64_t &TailSeen) {
    if (Number >= T.numThreads())
      return true; // a thread of a larger team before
    const WorkDeque &Victim = T.worker(Number).Deque;
    const int64_t Before = TailSeen;
    TailSeen = Victim.tailHint();
    return TailSeen == Before && !Victim.hasPlenty() && Victim.sizeHint() != 0;
  };
  return W.Backoff.leavesOut(nanoseconds, WantsThief);
}

Task *StealSearch::run() {
  if (W.Backoff.weighs() && isLeftOut())
    return nullptr; // it sees what it saw in the round before
  W.Delay.beginLook();
  const Level Now = T.lists().level();
  Task *Found = searchLevel(Now);
  if (__builtin_expect(T.lists().areAdaptive(), 0) && !Found)
    Found = searchOtherLevels(Now);
  if (Found)
    W.Backoff.noteFound();
  else if (rests())
    W.Backoff.noteVain(nanoseconds(),
                       uint64_t(Tuned.RestInVain) * uint64_t(T.numThreads()));
  return Found;
}

} // namespace locus
