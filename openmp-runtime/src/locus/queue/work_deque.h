//===- queue/work_deque.h - A thread's own tasks ----------------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The deque of the tasks that a thread creates, after the THE protocol of
// Frigo, Leiserson and Randall, "The Implementation of the Cilk-5 Multithreaded
// Language" (PLDI 1998), section 5. Its owner pushes and pops at one end
// without the lock; thieves take from the other end, under the lock. Where they
// meet the lock decides. queue/PROOF.md says why that is right.
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_QUEUE_WORK_DEQUE_H
#define LOCUS_QUEUE_WORK_DEQUE_H

#include "locus/queue/combining.h"
#include "locus/queue/ring.h"
#include "locus/queue/surplus.h"

namespace locus {

/// A thief takes no more tasks than these beside the one that it runs.
constexpr int BatchRoom = 7;

class WorkDeque {
public:
  /// Tasks that a thief takes beside the one that it runs, the oldest first.
  struct Batch {
    int Most = BatchRoom; ///< that it wants
    int Count = 0;
    Task *Tasks[BatchRoom];
  };

  /// \p OsNode is where the deque's memory goes. A deque that is empty, and
  /// that nobody uses any more, is as new then, and keeps what memory it has
  /// there.
  void init(int OsNode);
  /// Its line has its first node back: CombineSlot::reset().
  void resetLine() { Line.reset(); }
  /// From \p Tasks on there are plenty, whoever creates them; 0 = never. For a
  /// task with dependences already from \p IfDependent on.
  void limitPlenty(uint32_t Tasks, uint32_t IfDependent = UINT32_MAX) {
    Supply.limit(Tasks, IfDependent);
  }

  //===--------------------------------------------------------------------===//
  // The owner
  //===--------------------------------------------------------------------===//

  /// Makes room for a Batch. False if there is no memory.
  bool makeRoom() {
    return uint64_t(Tail.load(std::memory_order_relaxed) - HeadSeen) +
                   BatchRoom <=
               Tasks.capacity() ||
           grow(BatchRoom);
  }

  /// Appends \p New as the newest. Its creator has \p Siblings tasks that are
  /// not complete, this one among them, wherever they are. \p IsDependent: it
  /// has dependences. Returns false, with the deque unchanged, only if it had
  /// to grow and there is no memory.
  bool push(Task *New, int32_t Siblings = 0, bool IsDependent = false);

  /// Removes the newest task if \p Who admits it.
  Take pop(const Taker &Who);

  /// Removes the newest task that \p Who admits, looking behind others. For
  /// when pop() was refused; takes the lock.
  Take popBehind(const Taker &Who);

  /// A bound on the number of tasks; exact when no thief is at work.
  uint32_t sizeForOwner() const {
    return uint32_t(Tail.load(std::memory_order_relaxed) -
                    Head.load(std::memory_order_acquire));
  }

  /// Whether there are fewer than \p Limit tasks. Looks at the thieves' cache
  /// line only if there seem not to be.
  bool isShorterThan(uint32_t Limit) {
    const int64_t Last = Tail.load(std::memory_order_relaxed);
    if (Last - HeadSeen < int64_t(Limit))
      return true;
    HeadSeen = Head.load(std::memory_order_acquire);
    return Last - HeadSeen < int64_t(Limit);
  }

  /// How deep the owner's tasks may nest in place: see Surplus::depth().
  const std::atomic<int32_t> &inPlaceDepth() const { return Supply.depth(); }

  /// Another task than before creates the next ones: there are not plenty for
  /// it until a push says so.
  void startOver() { Supply.end(); }

  //===--------------------------------------------------------------------===//
  // Thieves
  //===--------------------------------------------------------------------===//

  /// The thief has found nothing here, so the owner shall not keep its next
  /// task for itself.
  void starve() { Supply.starve(); }

  /// Removes the oldest task that \p Who admits. \p ScanAll looks behind a
  /// refused one. With \p More, and if it is the very oldest, half of the tasks
  /// leave with it, which need not be admitted now. On success a finished taker
  /// counts again in \p Unfinished before anybody can miss the task. If others
  /// are at work here, and may well leave nothing, a thief that \p MayLeave
  /// does not wait for them.
  Take steal(const Taker &Who, bool ScanAll, std::atomic<int32_t> &Unfinished,
             Batch *More = nullptr, bool MayLeave = false);

  /// The number of tasks at about this time.
  uint32_t sizeHint() const {
    const int64_t Size = Tail.load(std::memory_order_relaxed) -
                         Head.load(std::memory_order_relaxed);
    return Size > 0 ? uint32_t(Size) : 0;
  }

  /// Where the tasks end: mostly elsewhere after pushes and pops.
  int64_t tailHint() const { return Tail.load(std::memory_order_relaxed); }

  /// Whether the owner runs new tasks in place, as there are plenty here.
  bool hasPlenty() const { return Supply.isPlenty(); }

  /// Those who wait to steal. For tests and counts.
  const auto &line() const { return Line; }

  /// Checks the invariants of a deque that nobody else uses. For tests.
  bool isValid() const;

private:
  friend struct Layout;

  /// A call of steal().
  struct Request {
    const Taker &Who;
    const bool ScanAll;
    std::atomic<int32_t> &Unfinished;
    Batch *More;
    Take Got;
  };

  bool grow(uint32_t More);
  bool growAndPush(Task *New, int32_t Siblings, bool IsDependent);
  void reviewSupply(int32_t Siblings, bool IsDependent);
  Take popLocked(const Taker &Who, int64_t Last);
  void stealLocked(Request &R);
  int64_t findLocked(Request &R, int64_t First);
  int64_t takeMore(Batch &More, int64_t First);
  int64_t claim(int64_t From, int64_t To);
  bool isInOrder() const;

  // The tasks are [Head, Tail), as indices into Tasks.
  alignas(CacheLine) std::atomic<int64_t> Tail{0}; ///< written by the owner
  int64_t HeadSeen = 0; ///< the owner's lower bound of Head
  Ring Tasks;           ///< grown by the owner, under Lock
  Surplus Supply;

  alignas(CacheLine) std::atomic<int64_t> Head{0}; ///< written under Lock
  /// A thief may take [Head, Claimed) right now: written under Lock. As Head
  /// when nobody has the lock.
  std::atomic<int64_t> Claimed{0};
  SpinLock Lock;

  alignas(CacheLine) Combiner<Request> Line; ///< thieves
};

inline bool WorkDeque::push(Task *New, int32_t Siblings, bool IsDependent) {
  const int64_t Last = Tail.load(std::memory_order_relaxed);
  if (__builtin_expect(uint64_t(Last - HeadSeen) >= Tasks.capacity(), 0))
    return growAndPush(New, Siblings, IsDependent);
  Tasks[Last] = New;
  // Release: pairs with claim(), which reads Tail and then the slot.
  Tail.store(Last + 1, std::memory_order_release);
  if (!Supply.isPlenty())
    reviewSupply(Siblings, IsDependent);
  return true;
}

} // namespace locus

#endif // LOCUS_QUEUE_WORK_DEQUE_H
