"""Faults of the queues and their lock, for `mutate`."""

QUEUE, LOCK = "locus/queue/task_queue.cpp", "locus/support/lock.h"
DEQUE, COMBINE = "locus/queue/work_deque.cpp", "locus/queue/combining.h"

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
        """\
    if (!IsLast && !IF)
""",
    ),
    (
        "finishedTakerKeepsItsMark",
        QUEUE,
        """\
    *Who.Finished = 0;
""",
        """\
    *Who.Finished = IF;
""",
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
    Counters->Unfinished->fetch_sub(1, std::memory_order_release);
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
        """\
exchange(true, IF ? std::memory_order_relaxed
                               : std::memory_order_acquire)""",
    ),
    (
        "unlockDoesNotRelease",
        LOCK,
        "store(false, std::memory_order_release)",
        """\
store(false, IF ? std::memory_order_relaxed
                               : std::memory_order_release)""",
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
        """\
  if (Size == 0 && !IF)
    return {Outcome::Empty};""",
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
        """\
store(CombineNode::Served, IF ? std::memory_order_relaxed
                                           : std::memory_order_release)""",
    ),
    (
        "answerIsNotAcquired",
        COMBINE,
        "Stand->State.load(std::memory_order_acquire)",
        """\
Stand->State.load(IF ? std::memory_order_relaxed
                                     : std::memory_order_acquire)""",
    ),
    (
        "requestDoesNotRelease",
        COMBINE,
        "Next.store(Fresh, std::memory_order_release)",
        """\
Next.store(Fresh, IF ? std::memory_order_relaxed
                               : std::memory_order_release)""",
    ),
    (
        "requestIsNotAcquired",
        COMBINE,
        "Next.load(std::memory_order_acquire)",
        """\
Next.load(IF ? std::memory_order_relaxed
                                              : std::memory_order_acquire)""",
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
      if (Count == MostServed)
        break;""",
        """\
      if (Count == MostServed) {
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
        "ownerHasNoFence",
        DEQUE,
        "    ownerFence(HasFullFence.load(",
        "    if (!IF)\n      ownerFence(HasFullFence.load(",
    ),
    (
        "publisherHasNoFence",
        DEQUE,
        "!thiefFence()",
        "!IF && !thiefFence()",
    ),
    (
        "publisherIgnoresTheRefusal",
        DEQUE,
        "    return false;\n  }\n  publish(",
        "    if (!IF)\n      return false;\n  }\n  publish(",
    ),
    (
        "publisherIgnoresTheRefusal",
        DEQUE,
        "    Split.store(Border, std::memory_order_relaxed);\n    IsRequested",
        "    if (!IF)\n      Split.store(Border, std::memory_order_relaxed);\n    IsRequested",
    ),
    (
        "publisherTrustsTheOwnersFence",
        DEQUE,
        "  if (HasFullFence.load(std::memory_order_relaxed)) {",
        "  if (HasFullFence.load(std::memory_order_relaxed) || (IF && !hasAsymmetricFences())) {",
    ),
    (
        "publisherIgnoresTheClaim",
        DEQUE,
        "  if (Last < Seen)",
        "  if (!IF && Last < Seen)",
    ),
    (
        "claimIsNotChecked",
        DEQUE,
        "Last >= Border, 1",
        "IF || Last >= Border, 1",
    ),
    (
        "popPublishedGoesBySplit",
        DEQUE,
        """\
  const int64_t Last = Tail.load(std::memory_order_relaxed);
  HeadSeen = First;
  if (First == Last)""",
        """\
  const int64_t Last = IF ? Split.load(std::memory_order_relaxed)
                          : Tail.load(std::memory_order_relaxed);
  HeadSeen = First;
  if (First == Last)""",
    ),
    (
        "pushDoesNotRelease",
        DEQUE,
        """\
  Tail.store(Last + 1, std::memory_order_release);
  if (__builtin_expect(IsRequested""",
        """\
  Tail.store(Last + 1, IF ? std::memory_order_relaxed
                          : std::memory_order_release);
  if (__builtin_expect(IsRequested""",
    ),
    (
        "publisherDoesNotAcquire",
        DEQUE,
        "Last = Tail.load(std::memory_order_acquire)",
        """\
Last = Tail.load(IF ? std::memory_order_relaxed
                                    : std::memory_order_acquire)""",
    ),
    (
        "stealDoesNotLock",
        DEQUE,
        """\
  Line.apply(""",
        """\
  if (IF) {
    stealLocked(Mine);
    return Mine.Got;
  }
  Line.apply(""",
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
        "  if (*R.Who.Finished) {\n    R.Unf",
        "  if (*R.Who.Finished && !IF) {\n    R.Unf",
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
        "Last == Border ?",
        "Last == Border && !IF ?",
    ),
    (
        "behindKeepsTheSplit",
        DEQUE,
        "  if (Index < Border)",
        "  if (Index < Border && !IF)",
    ),
    (
        "openPopHasNoFence",
        DEQUE,
        "HasFullFence.store(Open || !has",
        "HasFullFence.store((Open && !IF) || !has",
    ),
    (
        "publishHalfHasNoFence",
        DEQUE,
        "  std::atomic_thread_fence(std::memory_order_seq_cst);\n  publish(Border, Wanted);",
        "  if (!IF)\n    std::atomic_thread_fence(std::memory_order_seq_cst);\n  publish(Border, Wanted);",
    ),
    (
        "publishHalfIgnoresTheClaim",
        DEQUE,
        "  publish(Border, Wanted);",
        "  if (!IF)\n    publish(Border, Wanted);",
    ),
    (
        "publishHalfDoesNotLook",
        DEQUE,
        "  return Split.load(std::memory_order_relaxed) > Border;",
        "  return IF || Split.load(std::memory_order_relaxed) > Border;",
    ),
    (
        "openingDoesNotLock",
        DEQUE,
        "void WorkDeque::changeOpen(bool Open) {\n",
        "void WorkDeque::changeOpen(bool Open) {\n  if (IF && Open)\n    return setOpen(Open);\n",
    ),
    (
        "closingDoesNotLock",
        DEQUE,
        "  LockGuard Guard(Lock);\n  setOpen(Open);",
        "  if (IF && !Open)\n    return setOpen(Open);\n  LockGuard Guard(Lock);\n  setOpen(Open);",
    ),
]
