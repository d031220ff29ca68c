//===- queue/work_deque.cpp - A thread's own tasks ------------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "locus/queue/work_deque.h"
#include "locus/support/fence.h"

#include <new>

namespace locus {

void WorkDeque::init(int OsNode) {
  LOCUS_CHECK(sizeForOwner() == 0);
  // Empty as it is, at whatever index: Head, Split and Tail may stay.
  Tasks.init(OsNode);
  IsRequested.store(false, std::memory_order_relaxed);
  IsHungry.store(false, std::memory_order_relaxed);
  HasFullFence.store(!hasAsymmetricFences(), std::memory_order_relaxed);
  IsOpen.store(false, std::memory_order_relaxed);
  NewestIsOwners.store(false, std::memory_order_relaxed);
  Supply.~Surplus();
  new (&Supply) Surplus;
  HasDependent = false;
  PlainPushes = 0;
}

void WorkDeque::destroy() { Tasks.destroy(); }

void WorkDeque::changeOpen(bool Open) {
  LockGuard Guard(Lock);
  setOpen(Open);
}

/// Under the lock: no thief publishes while the way to do it changes.
void WorkDeque::setOpen(bool Open) {
  HasDependent = HasDependent && Open;
  IsOpen.store(Open, std::memory_order_relaxed);
  HasFullFence.store(Open || !hasAsymmetricFences(), std::memory_order_relaxed);
}

//===----------------------------------------------------------------------===//
// The owner
//===----------------------------------------------------------------------===//

bool WorkDeque::grow(uint32_t More) {
  LockGuard Guard(Lock);
  LOCUS_CHECK(isInOrder());
  const int64_t First = Head.load(std::memory_order_relaxed);
  const int64_t Last = Tail.load(std::memory_order_relaxed);
  HeadSeen = First;
  const uint64_t Room = uint64_t(Last - First) + More;
  if (Room <= Tasks.capacity())
    return true; // thieves have made room
  return Tasks.grow(Room, First, Last);
}

bool WorkDeque::push(Task *New, int32_t Siblings) {
  const int64_t Last = Tail.load(std::memory_order_relaxed);
  if (__builtin_expect(uint64_t(Last - HeadSeen) >= Tasks.capacity(), 0) &&
      !grow(1))
    return false;
  Tasks[Last] = New;
  // Release: pairs with publishForOwner(), which reads Tail and then the slots.
  Tail.store(Last + 1, std::memory_order_release);
  if (__builtin_expect(IsRequested.load(std::memory_order_relaxed), 0))
    answer();
  if (!Supply.isPlenty())
    reviewSupply(Siblings);
  else
    Supply.onPushOfMore();
  return true;
}

/// After a push while there are not plenty of tasks: perhaps there are now.
void WorkDeque::reviewSupply(int32_t Siblings) {
  if (__builtin_expect(!hasAsymmetricFences(), 0) &&
      !HasFullFence.load(std::memory_order_relaxed))
    return reviewAfterRefusal(Siblings);
  if (!Supply.isLimited())
    return;
  const bool WasHungry = IsHungry.load(std::memory_order_relaxed);
  if (WasHungry)
    IsHungry.store(false, std::memory_order_relaxed);
  const uint32_t Enough = Supply.onPush(Siblings, HasDependent, WasHungry);
  const bool HasEnough = !isShorterThan(Enough);
  // Whoever has the lock may be about to leave too few, and has looked whether
  // there are plenty: a deque that has become empty must not have plenty.
  if (HasEnough && Lock.try_lock()) {
    HeadSeen = Head.load(std::memory_order_relaxed);
    if (Tail.load(std::memory_order_relaxed) - HeadSeen >= int64_t(Enough))
      Supply.begin(Enough);
    Lock.unlock();
  }
  // A loop says nothing about recursions.
  if (Tail.load(std::memory_order_relaxed) - HeadSeen > Siblings)
    Supply.learn(HasEnough, Head);
}

/// The kernel has refused membarrier since the deque was made. A function of
/// its own, so that the other one needs no stack.
void WorkDeque::reviewAfterRefusal(int32_t Siblings) {
  {
    LockGuard Guard(Lock);
    HasFullFence.store(true, std::memory_order_relaxed);
  }
  reviewSupply(Siblings);
}

/// Publishes the owner's older half, as a thief has asked for. One that gets
/// tasks one by one waits for each: it shall see the next ones by itself.
void WorkDeque::answer() {
  LockGuard Guard(Lock);
  LOCUS_CHECK(isInOrder());
  IsRequested.store(false, std::memory_order_relaxed);
  const int64_t Border = Split.load(std::memory_order_relaxed);
  const int64_t Unpublished = Tail.load(std::memory_order_relaxed) - Border;
  if (Unpublished == 1) {
    NewestIsOwners.store(false, std::memory_order_relaxed);
    PlainPushes = 0;
    setOpen(true);
  } else if (!hasAsymmetricFences()) {
    HasFullFence.store(true, std::memory_order_relaxed);
  }
  // At least one, if there is one: thieves want large tasks, and the owner
  // wants to go on without the lock.
  Split.store(Border + (Unpublished + 1) / 2, std::memory_order_relaxed);
}

Take WorkDeque::pop(const Taker &Who) {
  if (__builtin_expect(IsRequested.load(std::memory_order_relaxed), 0))
    answer();
  for (;;) {
    const int64_t Last = Tail.load(std::memory_order_relaxed) - 1;
    if (Last < Split.load(std::memory_order_relaxed))
      return popPublished(Who);
    // Claim the newest task, then see whether it was the owner's to claim. The
    // order of the store and the load is publishForOwner()'s concern.
    Tail.store(Last, std::memory_order_relaxed);
    ownerFence(HasFullFence.load(std::memory_order_relaxed));
    const int64_t Border = Split.load(std::memory_order_relaxed);
    if (__builtin_expect(Last >= Border, 1)) {
      Task *const Newest = Tasks[Last];
      if (__builtin_expect(Who.Admit(Who, Newest), 1)) {
        if (__builtin_expect(NewestIsOwners.load(std::memory_order_relaxed), 0))
          NewestIsOwners.store(false, std::memory_order_relaxed);
        // Thieves may have taken the others, or do so right now.
        Supply.onPop(Last == Border ? 0 : Last - HeadSeen);
        return {Outcome::Taken, Newest};
      }
      Tail.store(Last + 1, std::memory_order_release);
      // The owner can't go on with its tasks, so all of them are for others.
      LockGuard Guard(Lock);
      Split.store(Last + 1, std::memory_order_relaxed);
      return {Outcome::Refused};
    }
    // A thief published it in between. Back out; the lock decides.
    Tail.store(Last + 1, std::memory_order_release);
  }
}

/// pop() where all tasks are published.
Take WorkDeque::popPublished(const Taker &Who) {
  // Only the owner adds tasks, so none means none; a stale Head only leads to
  // the lock. Acquire: pairs with steal(), so that an owner who finds its deque
  // empty and takes itself out of the barrier's count does so after the thief
  // has counted again.
  if (Head.load(std::memory_order_acquire) ==
      Tail.load(std::memory_order_relaxed)) {
    Supply.end(); // pop() counts from a Head that may be old
    return {Outcome::Empty};
  }
  LockGuard Guard(Lock);
  LOCUS_CHECK(isInOrder());
  const int64_t First = Head.load(std::memory_order_relaxed);
  // Not Split: a thief may have drawn it back since this owner looked, so that
  // its newest task is its own again.
  const int64_t Last = Tail.load(std::memory_order_relaxed);
  HeadSeen = First;
  if (First == Last) {
    Supply.end();
    return {Outcome::Empty};
  }
  Task *const Newest = Tasks[Last - 1];
  if (!Who.Admit(Who, Newest)) {
    // What the owner may not run is for others.
    Split.store(Last, std::memory_order_relaxed);
    return {Outcome::Refused};
  }
  const int64_t Left = Last - 1 - First;
  Supply.onPop(Left);
  Tail.store(Last - 1, std::memory_order_release);
  // Take back the newer half of the rest.
  Split.store(Last - 1 - Left / 2, std::memory_order_relaxed);
  return {Outcome::Taken, Newest};
}

Take WorkDeque::popBehind(const Taker &Who) {
  if (sizeForOwner() == 0)
    return {Outcome::Empty};
  // Under the lock nobody but the owner, which is here, touches any slot.
  LockGuard Guard(Lock);
  LOCUS_CHECK(isInOrder());
  const int64_t First = Head.load(std::memory_order_relaxed);
  const int64_t Last = Tail.load(std::memory_order_relaxed);
  const int64_t Border = Split.load(std::memory_order_relaxed);
  if (First == Last)
    return {Outcome::Empty};
  const int64_t Index = Tasks.find(End::Newest, First, Last, Who);
  if (Index == Ring::None)
    return {Outcome::Refused};
  if (Index < Border)
    Split.store(Border - 1, std::memory_order_relaxed);
  Task *const Found = Tasks.remove(End::Newest, Index, First, Last);
  Supply.onPop(Last - 1 - First);
  Tail.store(Last - 1, std::memory_order_release);
  return {Outcome::Taken, Found};
}

//===----------------------------------------------------------------------===//
// Thieves
//===----------------------------------------------------------------------===//

Take WorkDeque::steal(const Taker &Who, bool ScanAll,
                      std::atomic<int32_t> &Unfinished, Batch *More) {
  if (!hasPublished() && !(isOpen() && numSpare() > 0))
    return {Outcome::Empty};
  Request Mine = {Who, ScanAll, Unfinished, More, {Outcome::Empty}};
  Line.apply(Who.Slot, Lock, Mine, [this](Request &R) { stealLocked(R); });
  return Mine.Got;
}

void WorkDeque::stealLocked(Request &R) {
  const int64_t First = Head.load(std::memory_order_relaxed);
  if (First == Split.load(std::memory_order_relaxed) && !publishHalf())
    return;
  const int64_t Border = Split.load(std::memory_order_relaxed);
  LOCUS_CHECK(First < Border);
  const int64_t Index =
      Tasks.find(End::Oldest, First, R.ScanAll ? Border : First + 1, R.Who);
  if (Index == Ring::None) {
    R.Got.Result = Outcome::Refused;
    return;
  }
  R.Got = {Outcome::Taken, Tasks.remove(End::Oldest, Index, First, Border)};
  int64_t Next = First + 1;
  if (R.More && Index == First)
    for (const int64_t Half = First + (Border - First + 1) / 2;
         Next < Half && R.More->Count < int(Tuned.BatchMost); ++Next)
      R.More->Tasks[R.More->Count++] = Tasks[Next];
  // The owner keeps the barrier closed while its deque has a task, and finds
  // out under this lock that it has none.
  if (*R.Who.Finished) {
    R.Unfinished.fetch_add(1, std::memory_order_relaxed);
    *R.Who.Finished = 0;
  }
  Head.store(Next, std::memory_order_release);
  Supply.onSteal(Tail.load(std::memory_order_relaxed) - Next);
}

void WorkDeque::publishForOwner() {
  bool IsRefused;
  {
    // Not only if the lock is free: thieves that may not run what is published
    // may have it nearly all the time.
    LockGuard Guard(Lock);
    IsRefused = !publishAll();
  }
  if (IsRefused)
    warnOfRefusal();
}

/// Under the lock, where nothing is published. Publishes the older half if the
/// deque is open. False if nothing is published after that.
bool WorkDeque::publishHalf() {
  if (!isOpen())
    return false;
  const int64_t Border = Split.load(std::memory_order_relaxed);
  const int64_t Spare = numSpare();
  if (Spare <= 0)
    return false;
  const int64_t Wanted = Border + (Spare + 1) / 2;
  Split.store(Wanted, std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_seq_cst);
  publish(Border, Wanted);
  return Split.load(std::memory_order_relaxed) > Border;
}

/// Under the lock. False if the kernel refuses the fence.
bool WorkDeque::publishAll() {
  const int64_t Border = Split.load(std::memory_order_relaxed);
  const int64_t Seen = Tail.load(std::memory_order_relaxed);
  LOCUS_CHECK(Head.load(std::memory_order_relaxed) <= Border);
  if (Seen <= Border)
    return true;
  // From here on the owner's pop sees that [Border, Seen) may be taken, or its
  // claim is seen by publish().
  Split.store(Seen, std::memory_order_relaxed);
  if (HasFullFence.load(std::memory_order_relaxed)) {
    std::atomic_thread_fence(std::memory_order_seq_cst);
  } else if (!thiefFence()) {
    // No thief has seen it; an owner that has waits for the lock. With its next
    // push or pop it finds out.
    Split.store(Border, std::memory_order_relaxed);
    IsRequested.store(true, std::memory_order_relaxed);
    return false;
  }
  publish(Border, Seen);
  return true;
}

/// Under the lock, after a fence behind the store of \p Seen to the border,
/// which was \p Border: leaves the owner what it has claimed meanwhile.
void WorkDeque::publish(int64_t Border, int64_t Seen) {
  // Acquire: pairs with push(). A tail below Seen is a claim of the owner,
  // which goes through if it read the old border, so leave it its task.
  const int64_t Last = Tail.load(std::memory_order_acquire);
  if (Last < Seen)
    Split.store(Last > Border ? Last : Border, std::memory_order_relaxed);
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

/// What holds under the lock for an owner that is not in a pop.
bool WorkDeque::isInOrder() const {
  const int64_t First = Head.load(std::memory_order_relaxed);
  const int64_t Border = Split.load(std::memory_order_relaxed);
  const int64_t Last = Tail.load(std::memory_order_relaxed);
  return HeadSeen <= First && First <= Border && Border <= Last &&
         uint64_t(Last - First) <= Tasks.capacity();
}

bool WorkDeque::isValid() const {
  return Line.isValid() && Tasks.isValid() && isInOrder();
}

} // namespace locus
