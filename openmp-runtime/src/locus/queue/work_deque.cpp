//===- queue/work_deque.cpp - A thread's own tasks ------------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "locus/queue/work_deque.h"

#include <new>

namespace locus {

void WorkDeque::init(int OsNode) {
  LOCUS_CHECK(sizeForOwner() == 0);
  // Empty as it is, at whatever index: Head, Claimed and Tail may stay.
  Tasks.init(OsNode);
  Supply.~Surplus();
  new (&Supply) Surplus;
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

bool WorkDeque::growAndPush(Task *New, int32_t Siblings, bool IsDependent) {
  return grow(1) && push(New, Siblings, IsDependent);
}

/// After a push while there are not plenty of tasks: perhaps there are now.
void WorkDeque::reviewSupply(int32_t Siblings, bool IsDependent) {
  if (!Supply.isLimited())
    return;
  const uint32_t Enough = Supply.onPush(Siblings, IsDependent);
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

Take WorkDeque::pop(const Taker &Who) {
  const int64_t Last = Tail.load(std::memory_order_relaxed) - 1;
  // Only the owner adds tasks, so none means none. Acquire: pairs with steal(),
  // so that an owner who finds its deque empty and takes itself out of the
  // barrier's count does so after the thief has counted again.
  if (Head.load(std::memory_order_acquire) > Last) {
    Supply.end();
    return {Outcome::Empty};
  }
  // Claim the newest task, then see whether a thief has: claim() does the same
  // the other way round, so one of the two sees the other. An exchange, as that
  // is the cheapest store with a full fence on x86.
  Tail.exchange(Last, std::memory_order_seq_cst);
  const int64_t Border = Claimed.load(std::memory_order_seq_cst);
  if (__builtin_expect(Last < Border, 0))
    return popLocked(Who, Last);
  Task *const Newest = Tasks[Last];
  if (__builtin_expect(!Who.Admit(Who, Newest), 0)) {
    Tail.store(Last + 1, std::memory_order_release);
    return {Outcome::Refused};
  }
  Supply.onPop(Last - Border);
  return {Outcome::Taken, Newest};
}

/// pop() where a thief may have claimed the task at \p Last, too: under the
/// lock it has taken it or left it.
Take WorkDeque::popLocked(const Taker &Who, int64_t Last) {
  LockGuard Guard(Lock);
  const int64_t First = Head.load(std::memory_order_relaxed);
  HeadSeen = First;
  if (First <= Last && Who.Admit(Who, Tasks[Last])) {
    Supply.onPop(Last - First);
    return {Outcome::Taken, Tasks[Last]};
  }
  Tail.store(Last + 1, std::memory_order_relaxed);
  if (First <= Last)
    return {Outcome::Refused};
  Supply.end();
  return {Outcome::Empty};
}

Take WorkDeque::popBehind(const Taker &Who) {
  if (sizeForOwner() == 0)
    return {Outcome::Empty};
  // Under the lock nobody but the owner, which is here, touches any slot.
  LockGuard Guard(Lock);
  LOCUS_CHECK(isInOrder());
  const int64_t First = Head.load(std::memory_order_relaxed);
  const int64_t Last = Tail.load(std::memory_order_relaxed);
  if (First == Last)
    return {Outcome::Empty};
  const int64_t Index = Tasks.find(End::Newest, First, Last, Who);
  if (Index == Ring::None)
    return {Outcome::Refused};
  Task *const Found = Tasks.remove(End::Newest, Index, First, Last);
  Supply.onPop(Last - 1 - First);
  Tail.store(Last - 1, std::memory_order_relaxed);
  return {Outcome::Taken, Found};
}

//===----------------------------------------------------------------------===//
// Thieves
//===----------------------------------------------------------------------===//

Take WorkDeque::steal(const Taker &Who, bool ScanAll,
                      std::atomic<int32_t> &Unfinished, Batch *More,
                      bool MayLeave) {
  const uint32_t Size = sizeHint();
  if (Size == 0)
    return {Outcome::Empty};
  Request Mine = {Who, ScanAll, Unfinished, More, {Outcome::Empty}};
  const auto Serve = [this](Request &R) { stealLocked(R); };
  // One of those at work may take as many.
  if (!MayLeave || Size > BatchRoom + 1)
    Line.apply(Who.Slot, Lock, Mine, Serve);
  else if (!Line.tryApply(Lock, Mine, Serve))
    return {Outcome::Busy};
  return Mine.Got;
}

/// Under the lock: claims the tasks of [\p From, \p To), those before being
/// claimed already. Where those end that the owner has not claimed before it.
/// The caller stores to Claimed once more before it unlocks.
int64_t WorkDeque::claim(int64_t From, int64_t To) {
  Claimed.store(To, std::memory_order_seq_cst);
  // Also an acquire, which pairs with push().
  const int64_t Last = Tail.load(std::memory_order_seq_cst);
  if (__builtin_expect(Last >= To, 1))
    return To;
  // Tail may be one too low, if the owner has met an earlier claim.
  return Last > From ? Last : From;
}

void WorkDeque::stealLocked(Request &R) {
  const int64_t First = Head.load(std::memory_order_relaxed);
  int64_t Next = First;
  if (const int64_t Index = findLocked(R, First); Index != Ring::None) {
    R.Got = {Outcome::Taken,
             Tasks.remove(End::Oldest, Index, First, Index + 1)};
    ++Next;
    if (R.More && Index == First)
      Next = takeMore(*R.More, Next);
    // The owner keeps the barrier closed while its deque has a task, and finds
    // out under this lock, or by Head, that it has none.
    if (*R.Who.Finished) {
      R.Unfinished.fetch_add(1, std::memory_order_relaxed);
      *R.Who.Finished = 0;
    }
    Head.store(Next, std::memory_order_release);
    Supply.onSteal(Tail.load(std::memory_order_relaxed) - Next);
  }
  // Release: the owner may take what is behind, which remove() has moved.
  Claimed.store(Next, std::memory_order_release);
}

/// Claims tasks from \p First on until there is one that the thief may run.
int64_t WorkDeque::findLocked(Request &R, int64_t First) {
  for (int64_t Index = First; claim(Index, Index + 1) > Index; ++Index) {
    if (R.Who.Admit(R.Who, Tasks[Index]))
      return Index;
    R.Got.Result = Outcome::Refused;
    if (!R.ScanAll)
      break;
  }
  return Ring::None;
}

/// Takes half of the tasks from \p First on, or what \p More wants of them.
/// Where those begin that are left.
int64_t WorkDeque::takeMore(Batch &More, int64_t First) {
  const int64_t Half = (Tail.load(std::memory_order_relaxed) - First) / 2;
  const int64_t Wanted = Half < More.Most ? Half : More.Most;
  if (Wanted <= 0)
    return First;
  const int64_t End = claim(First, First + Wanted);
  for (int64_t Index = First; Index < End; ++Index)
    More.Tasks[More.Count++] = Tasks[Index];
  return End;
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

/// What holds under the lock for an owner that is not in a pop.
bool WorkDeque::isInOrder() const {
  const int64_t First = Head.load(std::memory_order_relaxed);
  const int64_t Last = Tail.load(std::memory_order_relaxed);
  return HeadSeen <= First &&
         First == Claimed.load(std::memory_order_relaxed) && First <= Last &&
         uint64_t(Last - First) <= Tasks.capacity();
}

bool WorkDeque::isValid() const {
  return Line.isValid() && Tasks.isValid() && isInOrder();
}

} // namespace locus
