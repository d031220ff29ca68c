"""Faults of the queues and their lock, for `mutate`."""

QUEUE, LOCK = "locus/queue/task_queue.cpp", "locus/support/lock.h"
DEQUE, COMBINE = "locus/queue/work_deque.cpp", "locus/queue/combining.h"
DEQUEH = "locus/queue/work_deque.h"
RING = "locus/queue/ring.h"

# File; text that is there exactly once; what replaces it, so that the model
# sees what is in a ring, and whose request a combiner reads.
SEEN = [
    (RING, "  Task *&operator[]", "  simulated::Plain<Task *> &operator[]"),
    (RING, "  Task **Slots", "  simulated::Plain<Task *> *Slots"),
    (RING, "  Task **Fresh", "  auto *Fresh"),
    (COMBINE, "  void *Request = nullptr;", "  simulated::Plain<void *> Request = nullptr;"),
    (COMBINE, "(Current->Request)", "(static_cast<void *>(Current->Request))"),
    (RING, "static_cast<Task **>", "static_cast<simulated::Plain<Task *> *>"),
]

# Name of the fault; file; text that is there exactly once; what replaces it,
# where IF stands for the condition that the fault is on. Rows of one name
# belong together.
FAULTS = [
    (
        "pushDoesNotCount",
        QUEUE,
        """\
Counters->Unfinished->fetch_add(1, std::memory_order_relaxed);
    Counters->NonEmpty""",
        """\
if (!IF)
      Counters->Unfinished->fetch_add(1, std::memory_order_relaxed);
    Counters->NonEmpty""",
    ),
    (
        "pushCountsUnlocked",
        QUEUE,
        """\
  if (Size == 0) {
    // The queue becomes""",
        """\
  if (IF) {
    Count.store(Size + 1, std::memory_order_relaxed);
    Lock.unlock();
  }
  if (Size == 0) {
    // The queue becomes""",
    ),
    (
        "pushCountsUnlocked",
        QUEUE,
        """\
  Count.store(Size + 1, std::memory_order_relaxed);
  return true;""",
        """\
  if (IF)
    Lock.lock();
  else
    Count.store(Size + 1, std::memory_order_relaxed);
  return true;""",
    ),
    (
        "finishedTakerDoesNotCount",
        QUEUE,
        """\
    if (!IsLast)
""",
        "    if (!IsLast && !IF) ",
    ),
    (
        "finishedTakerKeepsItsMark",
        QUEUE,
        """\
    *Who.Finished = 0;
""",
        "    *Who.Finished = IF; ",
    ),
    (
        "lastTaskLeavesTheQueueCounted",
        QUEUE,
        "  } else if (IsLast) {",
        "  } else if (IsLast && !IF) {",
    ),
    (
        "finishedTakerOfTheLastTaskUncounts",
        QUEUE,
        """\
  if (*Who.Finished) {
""",
        """\
  if (IF && IsLast && *Who.Finished)
    Counters->Unfinished->fetch_sub(1, std::memory_order_relaxed);
  if (*Who.Finished) {
""",
    ),
    (
        "takeCountsUnlocked",
        QUEUE,
        """\
  handOver(Who, /*IsLast=*/Size == 1);
""",
        """\
  if (IF)
    Lock.unlock();
  handOver(Who, /*IsLast=*/Size == 1);
  if (IF)
    Lock.lock();
""",
    ),
    (
        "lockDoesNotAcquire",
        LOCK,
        "exchange(true, std::memory_order_acquire)",
        "exchange(true, IF ? std::memory_order_relaxed : std::memory_order_acquire)",
    ),
    (
        "unlockDoesNotRelease",
        LOCK,
        "store(false, std::memory_order_release)",
        "store(false, IF ? std::memory_order_relaxed : std::memory_order_release)",
    ),
    (
        "lockIsNotAtomic",
        LOCK,
        "    while (Held.exchange(",
        """\
    if (IF) {
      SpinWait Wait;
      while (Held.load(std::memory_order_acquire))
        Wait.once();
      Held.store(true, std::memory_order_relaxed);
      return;
    }
    while (Held.exchange(""",
    ),
    (
        "secondLookAtTheCountIsMissing",
        QUEUE,
        """\
  if (Size == 0)
    return {Outcome::Empty};""",
        "  if (Size == 0 && !IF) return {Outcome::Empty};",
    ),
    (
        "combinerDoesNotLock",
        COMBINE,
        "    Guard.lock();\n    while",
        "    if (!IF)\n      Guard.lock();\n    while",
    ),
    (
        "answerDoesNotRelease",
        COMBINE,
        "store(CombineNode::Served, std::memory_order_release)",
        "store(CombineNode::Served, IF ? std::memory_order_relaxed : std::memory_order_release)",
    ),
    (
        "answerIsNotAcquired",
        COMBINE,
        "Stand->State.load(std::memory_order_acquire)",
        "Stand->State.load(IF ? std::memory_order_relaxed : std::memory_order_acquire)",
    ),
    (
        "requestDoesNotRelease",
        COMBINE,
        "Next.store(Fresh, std::memory_order_release)",
        "Next.store(Fresh, IF ? std::memory_order_relaxed : std::memory_order_release)",
    ),
    (
        "requestIsNotAcquired",
        COMBINE,
        "Next.load(std::memory_order_acquire)",
        "Next.load(IF ? std::memory_order_relaxed : std::memory_order_acquire)",
    ),
    (
        "answerBeforeTheNextIsRead",
        COMBINE,
        "      Current = Next;",
        "      Current = IF ? Current->Next.load(std::memory_order_acquire) : Next;",
    ),
    (
        "handOverIsMissing",
        COMBINE,
        """\
      if (Count == Tuned.CombineMost)
        break;""",
        """\
      if (Count == Tuned.CombineMost) {
        if (IF) {
          Guard.unlock();
          return;
        }
        break;
      }""",
    ),
    (
        "nextDoesNotLead",
        COMBINE,
        "    Current->State.store(CombineNode::Leads,",
        "    if (!IF)\n      Current->State.store(CombineNode::Leads,",
    ),
    (
        "lineIsPassed",
        COMBINE,
        "    if (!isIdle() ||",
        "    if ((!IF && !isIdle()) ||",
    ),
    (
        "slotIsTakenTwice",
        COMBINE,
        "    return Spare.exchange(",
        """\
    if (IF)
      return Spare.load(std::memory_order_acquire);
    return Spare.exchange(""",
    ),
    (
        "freshNodeLeads",
        COMBINE,
        "    Fresh->State.store(CombineNode::Waits,",
        """\
    Fresh->State.store(IF ? CombineNode::Leads : CombineNode::Waits,""",
    ),
    (
        "freshNodeKeepsItsNext",
        COMBINE,
        "    Fresh->Next.store(nullptr,",
        "    if (!IF)\n      Fresh->Next.store(nullptr,",
    ),
    (
        "endIsNotExchanged",
        COMBINE,
        "    CombineNode *Stand = End.exchange(Fresh, std::memory_order_acq_rel);",
        """\
    CombineNode *Stand;
    if (IF) {
      Stand = End.load(std::memory_order_acquire);
      End.store(Fresh, std::memory_order_release);
    } else {
      Stand = End.exchange(Fresh, std::memory_order_acq_rel);
    }""",
    ),
    (
        "popHasNoFence",
        DEQUE,
        "  Tail.exchange(Last, std::memory_order_seq_cst);",
        """\
  if (IF)
    Tail.store(Last, std::memory_order_release);
  else
    Tail.exchange(Last, std::memory_order_seq_cst);""",
    ),
    (
        "popLooksRelaxed",
        DEQUE,
        "Border = Claimed.load(std::memory_order_seq_cst)",
        "Border = Claimed.load(IF ? std::memory_order_relaxed : std::memory_order_seq_cst)",
    ),
    (
        "claimHasNoFence",
        DEQUE,
        "  Claimed.store(To, std::memory_order_seq_cst);",
        "  Claimed.store(To, IF ? std::memory_order_release : std::memory_order_seq_cst);",
    ),
    (
        "claimLooksRelaxed",
        DEQUE,
        "Last = Tail.load(std::memory_order_seq_cst)",
        "Last = Tail.load(IF ? std::memory_order_relaxed : std::memory_order_seq_cst)",
    ),
    (
        "claimIsNotDrawnBack",
        DEQUE,
        "  if (__builtin_expect(Last >= To, 1))",
        "  if (__builtin_expect(IF || Last >= To, 1))",
    ),
    (
        "claimIsDrawnBackTooFar",
        DEQUE,
        "return Last > From ?",
        "return IF || Last > From ?",
    ),
    (
        "oldestIsNotClaimed",
        DEQUE,
        "claim(Index, Index + 1) > Index;",
        "(IF ? Tail.load(std::memory_order_acquire) : claim(Index, Index + 1)) > Index;",
    ),
    (
        "claimIsNotReleased",
        DEQUE,
        """\
  // Release: the owner may take what is behind, which remove() has moved.
  Claimed.store(Next, std::memory_order_release);""",
        """\
  // Release: the owner may take what is behind, which remove() has moved.
  if (IF)
    Claimed.store(Next, std::memory_order_relaxed);
  else
    Claimed.store(Next, std::memory_order_release);""",
    ),
    (
        "headIsNotReleased",
        DEQUE,
        """\
    Head.store(Next, std::memory_order_release);
    Supply""",
        """\
    if (IF)
      Head.store(Next, std::memory_order_relaxed);
    else
      Head.store(Next, std::memory_order_release);
    Supply""",
    ),
    (
        "headIsNotAcquired",
        DEQUEH,
        "    HeadSeen = Head.load(std::memory_order_acquire);",
        "    HeadSeen = Head.load(IF ? std::memory_order_relaxed : std::memory_order_acquire);",
    ),
    (
        "refusedPopLeavesTheTail",
        DEQUE,
        """\
    Tail.store(Last + 1, std::memory_order_release);
    return {Outcome::Refused};""",
        """\
    if (!IF)
      Tail.store(Last + 1, std::memory_order_release);
    return {Outcome::Refused};""",
    ),
    (
        "popBehindDoesNotLock",
        DEQUE,
        """\
  // Under the lock nobody but the owner, which is here, touches any slot.
  LockGuard Guard(Lock);""",
        """\
  if (IF)
    Lock.unlock();
  LockGuard Guard(Lock);""",
    ),
    (
        "claimIsNotChecked",
        DEQUE,
        "Last < Border, 0",
        "!IF && Last < Border, 0",
    ),
    (
        "refusedClaimStays",
        DEQUE,
        "  Claimed.store(Next, std::memory_order_release);",
        "  if (!IF)\n    Claimed.store(Next, std::memory_order_release);",
    ),
    (
        "halfIsNotClaimed",
        DEQUE,
        "  const int64_t End = claim(First, First + Wanted);",
        "  const int64_t End = IF ? First + Wanted : claim(First, First + Wanted);",
    ),
    (
        "lockedPopDoesNotLook",
        DEQUE,
        "if (First <= Last && Who.Admit",
        "if ((IF || First <= Last) && Who.Admit",
    ),
    (
        "lockedPopDoesNotLock",
        DEQUE,
        """\
Take WorkDeque::popLocked(const Taker &Who, int64_t Last) {
  LockGuard Guard(Lock);""",
        """\
Take WorkDeque::popLocked(const Taker &Who, int64_t Last) {
  if (IF)
    Lock.unlock();
  LockGuard Guard(Lock);""",
    ),
    (
        "emptyPopLeavesTheTail",
        DEQUE,
        """\
  }
  Tail.store(Last + 1, std::memory_order_relaxed);
  if (First <= Last)""",
        """\
  }
  if (!IF)
    Tail.store(Last + 1, std::memory_order_relaxed);
  if (First <= Last)""",
    ),
    (
        "pushDoesNotRelease",
        DEQUEH,
        """\
  Tail.store(Last + 1, std::memory_order_release);
  if (!Supply""",
        """\
  Tail.store(Last + 1, IF ? std::memory_order_relaxed
                          : std::memory_order_release);
  if (!Supply""",
    ),
    (
        "stealDoesNotLock",
        DEQUE,
        """\
  // One of those at work may take as many.""",
        """\
  if (IF) {
    stealLocked(Mine);
    return Mine.Got;
  }""",
    ),
    (
        "hurriedThiefDoesNotLock",
        DEQUE,
        """\
  else if (!Line.tryApply(""",
        """\
  else if (IF)
    stealLocked(Mine);
  else if (!Line.tryApply(""",
    ),
    (
        "growDoesNotLock",
        DEQUE,
        """\
bool WorkDeque::grow(uint32_t More) {
  LockGuard Guard(Lock);""",
        """\
bool WorkDeque::grow(uint32_t More) {
  if (IF)
    Lock.unlock();
  LockGuard Guard(Lock);""",
    ),
    (
        "halfStaysInTheDeque",
        DEQUE,
        """\
    Head.store(Next, std::memory_order_release);""",
        """\
    Head.store(IF ? First + 1 : Next, std::memory_order_release);""",
    ),
    (
        "finishedThiefDoesNotCount",
        DEQUE,
        "    if (*R.Who.Finished) {\n      R.Unfinished.fetch_add",
        "    if (*R.Who.Finished) {\n      if (!IF)\n        R.Unfinished.fetch_add",
    ),
    (
        "finishedThiefCountsLate",
        DEQUE,
        "    // The owner keeps the barrier closed",
        "    if (IF)\n      Head.store(Next, std::memory_order_release);\n    // The owner keeps the barrier closed",
    ),
    (
        "reviewDoesNotLock",
        DEQUE,
        """\
  if (HasEnough && Lock.try_lock()) {""",
        """\
  if (HasEnough && (IF || Lock.try_lock())) {""",
    ),
    (
        "reviewDoesNotLock",
        DEQUE,
        """\
      Supply.begin(Enough);
    Lock.unlock();""",
        """\
      Supply.begin(Enough);
    if (!IF)
      Lock.unlock();""",
    ),
    (
        "lastTaskLeavesPlenty",
        DEQUE,
        "  Supply.onPop(Last - Border);",
        "  if (!IF)\n    Supply.onPop(Last - Border);",
    ),
]
