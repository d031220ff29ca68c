//===- queue/work_deque.cpp - A thread's own tasks ------------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "locus/queue/work_deque.h"
#include "locus/inplace/inplace.h"
#include "locus/machine/memory.h"
#include "locus/support/fence.h"

#include <new>

namespace locus {

void WorkDeque::init(int TheOsNode, uint32_t TheFirstCapacity) {
  if (OsNode != TheOsNode || Capacity > TheFirstCapacity)
    destroy();
  void **const KeptRing = Ring;
  const uint64_t KeptCapacity = Capacity;
  this->~WorkDeque();
  new (this) WorkDeque;
  Ring = KeptRing;
  Capacity = KeptCapacity;
  OsNode = TheOsNode;
  FirstCapacity = TheFirstCapacity;
  FullFence = !hasAsymmetricFences();
}

void WorkDeque::destroy() {
  freeOnNode(Ring, size_t(Capacity) * sizeof(void *));
  Ring = nullptr;
  Capacity = 0;
}

bool WorkDeque::grow(uint32_t More) {
  LockGuard Guard(Lock);
  const int64_t First = Head.load(std::memory_order_relaxed);
  const int64_t Last = Tail.load(std::memory_order_relaxed);
  HeadSeen = First;
  if (uint64_t(Last - First) + More <= Capacity)
    return true; // thieves have made room
  uint64_t Bigger = Capacity ? 2 * Capacity : FirstCapacity;
  while (Bigger < uint64_t(Last - First) + More)
    Bigger *= 2;
  void **Fresh = static_cast<void **>(
      allocateOnNode(size_t(Bigger) * sizeof(void *), OsNode));
  if (!Fresh)
    return false;
  for (int64_t I = First; I < Last; ++I)
    Fresh[uint64_t(I) & (Bigger - 1)] = slot(I);
  freeOnNode(Ring, size_t(Capacity) * sizeof(void *));
  Ring = Fresh;
  Capacity = Bigger;
  return true;
}

bool WorkDeque::push(void *Task, int32_t Siblings) {
  const int64_t Last = Tail.load(std::memory_order_relaxed);
  if (__builtin_expect(uint64_t(Last - HeadSeen) >= Capacity, 0) && !grow(1))
    return false;
  slot(Last) = Task;
  // Release: pairs with forcePublish(), which reads Tail and then the slots.
  Tail.store(Last + 1, std::memory_order_release);
  if (__builtin_expect(Requested.load(std::memory_order_relaxed), 0))
    answer();
  if (!Plenty.load(std::memory_order_relaxed))
    weigh(Siblings);
  else if (!PushedMore.load(std::memory_order_relaxed))
    PushedMore.store(true, std::memory_order_relaxed);
  return true;
}

void WorkDeque::setPlenty(int32_t Tasks) {
  // A recursion leaves one task for each level: a few ten. A loop has
  // thousands.
  constexpr int32_t LeastPlenty = 2, MostPlenty = 256;
  PlentyFrom = Tasks < LeastPlenty  ? LeastPlenty
               : Tasks > MostPlenty ? MostPlenty
                                    : Tasks;
  PushesSince = 0;
  WasPlenty = false;
}

void WorkDeque::weigh(int32_t Siblings) {
  if (__builtin_expect(!hasAsymmetricFences(), 0) && !FullFence) {
    LockGuard Guard(Lock);
    FullFence = true;
  }
  if (Limit == 0)
    return;
  // A thief has found nothing at all though the owner kept tasks for itself:
  // there have to be more. A recursion that never gets so many: fewer will do.
  if (Hungry.load(std::memory_order_relaxed)) {
    Hungry.store(false, std::memory_order_relaxed);
    if (WasPlenty)
      setPlenty(2 * PlentyFrom);
  }
  // The creator's own tasks may wait for those that it has yet to create. What
  // a recursion leaves behind are tasks of several creators.
  const uint32_t Beside = uint32_t(Siblings) + uint32_t(PlentyFrom);
  const uint32_t From = Beside < Limit ? Beside : Limit;
  const bool IsEnough = !isShorterThan(From);
  if (IsEnough)
    announce(From);
  if (Tail.load(std::memory_order_relaxed) - HeadSeen <= Siblings)
    return; // a loop says nothing about recursions
  if (!IsEnough && ++PushesSince > 4 * PlentyFrom)
    setPlenty(PlentyFrom / 2);
  // Nobody takes what the owner pushes: fewer will do as well.
  if (++PushesKept >= 16 * PlentyFrom) {
    const int64_t First = Head.load(std::memory_order_relaxed);
    if (First == HeadKept)
      setPlenty(PlentyFrom / 2);
    HeadKept = First;
    PushesKept = 0;
  }
}

/// Says that there are plenty of tasks if there still are \p From.
void WorkDeque::announce(int64_t From) {
  // Whoever has the lock may be about to leave too few, and has looked at
  // Plenty: a deque must not keep it when it has become empty.
  if (!Lock.try_lock())
    return;
  HeadSeen = Head.load(std::memory_order_relaxed);
  if (Tail.load(std::memory_order_relaxed) - HeadSeen >= From) {
    const bool IsLoop = From == Limit;
    const int64_t Wanted = IsLoop ? From : PlentyFrom;
    PlentyUntil.store(int32_t(Wanted - Wanted * 3 / 10),
                      std::memory_order_relaxed);
    PushesSince = 0;
    WasPlenty = WasPlenty || !IsLoop;
    PushedMore.store(false, std::memory_order_relaxed);
    Plenty.store(DeepestInline, std::memory_order_relaxed);
  }
  Lock.unlock();
}

void WorkDeque::answer() {
  LockGuard Guard(Lock);
  Requested.store(false, std::memory_order_relaxed);
  if (!hasAsymmetricFences())
    FullFence = true;
  const int64_t Border = Split.load(std::memory_order_relaxed);
  const int64_t Mine = Tail.load(std::memory_order_relaxed) - Border;
  // The older half, but at least one: thieves want large tasks, and the owner
  // wants to go on without the lock.
  Split.store(Border + (Mine + 1) / 2, std::memory_order_relaxed);
}

Outcome WorkDeque::popPublished(bool (*Allowed)(void *Context, void *Task),
                                void *Context, void *&Task) {
  // Only the owner adds tasks, so none means none; a stale Head only leads to
  // the lock. Acquire: pairs with steal(), so that an owner who finds its deque
  // empty and takes itself out of the barrier's count does so after the thief
  // has counted again.
  if (Head.load(std::memory_order_acquire) ==
      Tail.load(std::memory_order_relaxed)) {
    setFew(); // pop() counts from a Head that may be old
    return Outcome::Empty;
  }
  LockGuard Guard(Lock);
  const int64_t First = Head.load(std::memory_order_relaxed);
  // Not Split: a thief may have drawn it back since this owner looked, so that
  // its newest task is its own again.
  const int64_t Last = Tail.load(std::memory_order_relaxed);
  HeadSeen = First;
  if (First == Last) {
    setFew();
    return Outcome::Empty;
  }
  void *Newest = slot(Last - 1);
  if (!Allowed(Context, Newest)) {
    // What the owner may not run is for others.
    Split.store(Last, std::memory_order_relaxed);
    return Outcome::Refused;
  }
  Task = Newest;
  if (isFewForOwner(Last - 1 - First))
    setFew();
  Tail.store(Last - 1, std::memory_order_release);
  // Take back the newer half of the rest.
  Split.store(Last - 1 - (Last - 1 - First) / 2, std::memory_order_relaxed);
  return Outcome::Taken;
}

Outcome WorkDeque::pop(bool (*Allowed)(void *Context, void *Task),
                       void *Context, void *&Task) {
  if (__builtin_expect(Requested.load(std::memory_order_relaxed), 0))
    answer();
  for (;;) {
    const int64_t Last = Tail.load(std::memory_order_relaxed) - 1;
    if (Last < Split.load(std::memory_order_relaxed))
      return popPublished(Allowed, Context, Task);
    // Claim the newest task, then see whether it was the owner's to claim. The
    // order of the store and the load is forcePublish()'s concern.
    Tail.store(Last, std::memory_order_relaxed);
    ownerFence(FullFence);
    const int64_t Border = Split.load(std::memory_order_relaxed);
    if (__builtin_expect(Last >= Border, 1)) {
      void *Newest = slot(Last);
      if (__builtin_expect(Allowed(Context, Newest), 1)) {
        Task = Newest;
        // Thieves may have taken the others, or do so right now.
        if (Last == Border || isFewForOwner(Last - HeadSeen))
          setFew();
        return Outcome::Taken;
      }
      Tail.store(Last + 1, std::memory_order_release);
      // The owner can't go on with its tasks, so all of them are for others.
      LockGuard Guard(Lock);
      Split.store(Last + 1, std::memory_order_relaxed);
      return Outcome::Refused;
    }
    // A thief published it in between. Back out; the lock decides.
    Tail.store(Last + 1, std::memory_order_release);
  }
}

Outcome WorkDeque::popBehind(bool (*Allowed)(void *Context, void *Task),
                             void *Context, void *&Task) {
  if (sizeForOwner() == 0)
    return Outcome::Empty;
  // Under the lock nobody but the owner, which is here, touches any slot.
  LockGuard Guard(Lock);
  const int64_t First = Head.load(std::memory_order_relaxed);
  const int64_t Last = Tail.load(std::memory_order_relaxed);
  const int64_t Border = Split.load(std::memory_order_relaxed);
  if (First == Last)
    return Outcome::Empty;
  int64_t At = Last - 1;
  while (!Allowed(Context, slot(At)))
    if (--At < First)
      return Outcome::Refused;
  Task = slot(At);
  if (At < Border)
    Split.store(Border - 1, std::memory_order_relaxed);
  for (; At + 1 < Last; ++At)
    slot(At) = slot(At + 1);
  if (isFewForOwner(Last - 1 - First))
    setFew();
  Tail.store(Last - 1, std::memory_order_release);
  return Outcome::Taken;
}

Outcome WorkDeque::steal(const Taker &Who, bool ScanAll,
                         std::atomic<int32_t> &Unfinished, void *&Task,
                         Batch *More) {
  if (!hasPublished())
    return Outcome::Empty;
  Request Mine = {Who, ScanAll, Unfinished, Task, More, Outcome::Empty};
  Line.apply(Who.Slot, Lock, Mine, [this](Request &R) { stealLocked(R); });
  return Mine.Result;
}

void WorkDeque::stealLocked(Request &R) {
  const int64_t First = Head.load(std::memory_order_relaxed);
  const int64_t Border = Split.load(std::memory_order_relaxed);
  if (First == Border)
    return;
  int64_t At = First;
  R.Result = Outcome::Refused;
  while (!R.Who.Allowed(R.Who.Context, slot(At)))
    if (++At == Border || !R.ScanAll)
      return;
  R.Result = Outcome::Taken;
  R.Task = slot(At);
  int64_t Next = First + 1;
  if (R.More && At == First)
    for (const int64_t Half = First + (Border - First + 1) / 2;
         Next < Half && R.More->Count < Batch::Most; ++Next)
      R.More->Tasks[R.More->Count++] = slot(Next);
  for (; At > First; --At)
    slot(At) = slot(At - 1);
  // The owner keeps the barrier closed while its deque has a task, and finds
  // out under this lock that it has none.
  if (*R.Who.Finished) {
    R.Unfinished.fetch_add(1, std::memory_order_relaxed);
    *R.Who.Finished = 0;
  }
  Head.store(Next, std::memory_order_release);
  if (Tail.load(std::memory_order_relaxed) - Next <
      PlentyUntil.load(std::memory_order_relaxed))
    setFew();
}

void WorkDeque::forcePublish() {
  bool Refused;
  {
    // Not only if the lock is free: thieves that may not run what is published
    // may have it nearly all the time.
    LockGuard Guard(Lock);
    Refused = !publishAll();
  }
  if (Refused)
    warnOfRefusal();
}

bool WorkDeque::publishAll() {
  const int64_t Border = Split.load(std::memory_order_relaxed);
  const int64_t Seen = Tail.load(std::memory_order_relaxed);
  if (Seen <= Border)
    return true;
  // From here on the owner's pop sees that [Border, Seen) may be taken, or its
  // claim is seen below.
  Split.store(Seen, std::memory_order_relaxed);
  if (FullFence) {
    std::atomic_thread_fence(std::memory_order_seq_cst);
  } else if (!thiefFence()) {
    // No thief has seen it; an owner that has waits for the lock. With its next
    // push or pop it finds out.
    Split.store(Border, std::memory_order_relaxed);
    Requested.store(true, std::memory_order_relaxed);
    return false;
  }
  // Acquire: pairs with push(). A tail below Seen is a claim of the owner,
  // which goes through if it read the old border, so leave it its task.
  const int64_t Last = Tail.load(std::memory_order_acquire);
  if (Last < Seen)
    Split.store(Last > Border ? Last : Border, std::memory_order_relaxed);
  return true;
}

bool WorkDeque::isValid() const {
  const int64_t First = Head.load(std::memory_order_relaxed);
  const int64_t Border = Split.load(std::memory_order_relaxed);
  const int64_t Last = Tail.load(std::memory_order_relaxed);
  return Line.isValid() && First <= Border && Border <= Last &&
         HeadSeen <= First && uint64_t(Last - First) <= Capacity &&
         !(Capacity & (Capacity - 1)) && (Capacity == 0) == (Ring == nullptr);
}

} // namespace locus
