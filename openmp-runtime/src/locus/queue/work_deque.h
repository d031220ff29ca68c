//===- queue/work_deque.h - A thread's own tasks ----------------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The deque of the tasks that a thread creates. Its owner pushes and pops at
// one end with plain loads and stores; thieves take from the other end, under a
// lock, what the owner has published. A thief that finds nothing published asks
// for it, and after a while publishes by itself. In a deque that is open
// thieves publish at once, and the owner pays a fence for each pop.
// queue/README.md has the protocol and why it is right.
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_QUEUE_WORK_DEQUE_H
#define LOCUS_QUEUE_WORK_DEQUE_H

#include "locus/queue/combining.h"
#include "locus/queue/ring.h"
#include "locus/queue/surplus.h"
#include "locus/queue/taker.h"
#include "locus/support/lock.h"

#include <atomic>
#include <stdint.h>

namespace locus {

class WorkDeque {
public:
  /// Tasks that a thief takes beside the one that it runs, the oldest first.
  struct Batch {
    int Count = 0;
    Task *Tasks[BatchRoom];
  };

  /// \p OsNode is where the deque's memory goes. A deque that is empty, and
  /// that nobody uses any more, is as new then, and keeps what memory it has
  /// there.
  void init(int OsNode);
  /// Its line has its first node back: CombineSlot::reset().
  void resetLine() { Line.reset(); }
  /// From \p Tasks on there are plenty, whoever creates them; 0 = never. While
  /// it is open by open(), already from \p IfOpen on.
  void limitPlenty(uint32_t Tasks, uint32_t IfOpen = UINT32_MAX) {
    Supply.limit(Tasks, IfOpen);
  }
  /// Frees the memory. The deque is empty, and nobody uses it any more.
  void destroy();

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
  /// not complete, this one among them, wherever they are. Returns false, with
  /// the deque unchanged, only if it had to grow and there is no memory.
  bool push(Task *New, int32_t Siblings = 0);

  /// Removes the newest task if \p Who admits it. If not, all tasks are
  /// published.
  Take pop(const Taker &Who);

  /// Removes the newest task that \p Who admits, looking behind others. For
  /// when pop() was refused; takes the lock.
  Take popBehind(const Taker &Who);

  /// From now on thieves see each push at once: for tasks that become ready one
  /// by one, on a thread that has nothing else. With \p KeepsNewest they leave
  /// the newest one to the owner, which is about to take it: until it has, or
  /// calls this again.
  void open(bool KeepsNewest) {
    NewestIsOwners.store(KeepsNewest, std::memory_order_relaxed);
    PlainPushes = 0;
    HasDependent = true;
    if (__builtin_expect(!isOpen(), 0))
      changeOpen(true);
  }
  /// One of many pushes that do not want an open deque. Closes it after
  /// Tuned.PushesOpen of them without an open() in between.
  void closeInTime() {
    if (__builtin_expect(isOpen(), 0) && ++PlainPushes >= Tuned.PushesOpen)
      changeOpen(false);
  }

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

  /// As Surplus::savesTasks().
  bool savesTasks() const { return Supply.savesTasks(); }

  /// The thief has found nothing here, so the owner shall not keep its next
  /// task for itself. If there was no task at all, it shall publish it.
  void demand() {
    Supply.end();
    if (sizeHint() == 0 && !IsHungry.load(std::memory_order_relaxed)) {
      IsHungry.store(true, std::memory_order_relaxed);
      request();
    }
  }

  /// Whether thieves see what is pushed without being told.
  bool isOpen() const { return IsOpen.load(std::memory_order_relaxed); }

  /// Removes the oldest published task that \p Who admits. \p ScanAll looks
  /// behind a refused one. With \p More, and if it is the very oldest, half of
  /// the published tasks leave with it, which need not be admitted now. On
  /// success a finished taker counts again in \p Unfinished before anybody can
  /// miss the task.
  Take steal(const Taker &Who, bool ScanAll, std::atomic<int32_t> &Unfinished,
             Batch *More = nullptr);

  /// Whether there seems to be a task that steal() does not see yet.
  bool hasUnpublished() const {
    return Tail.load(std::memory_order_relaxed) >
           Split.load(std::memory_order_relaxed);
  }
  /// The number of tasks at about this time.
  uint32_t sizeHint() const {
    const int64_t Size = Tail.load(std::memory_order_relaxed) -
                         Head.load(std::memory_order_relaxed);
    return Size > 0 ? uint32_t(Size) : 0;
  }
  bool hasPublished() const {
    return Split.load(std::memory_order_relaxed) >
           Head.load(std::memory_order_relaxed);
  }

  /// Asks the owner to publish at its next push or pop. True if it had been
  /// asked and has not answered yet. Needless while the deque is open.
  bool request() {
    if (isOpen())
      return false;
    if (IsRequested.load(std::memory_order_relaxed))
      return true;
    IsRequested.store(true, std::memory_order_relaxed);
    return false;
  }

  /// Publishes all tasks in the owner's stead, which runs something long. Costs
  /// a system call that interrupts the process' other threads (a microsecond or
  /// more), so it is for requests that stay unanswered. Only asks if the kernel
  /// refuses it, until the owner has answered.
  void publishForOwner();

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
  void answer();
  void reviewSupply(int32_t Siblings);
  __attribute__((noinline)) void reviewAfterRefusal(int32_t Siblings);
  Take popPublished(const Taker &Who);
  void stealLocked(Request &R);
  void changeOpen(bool Open);
  void setOpen(bool Open);
  /// What a thief may publish of an open deque.
  int64_t numSpare() const {
    return Tail.load(std::memory_order_relaxed) -
           Split.load(std::memory_order_relaxed) -
           NewestIsOwners.load(std::memory_order_relaxed);
  }
  bool publishHalf();
  bool publishAll();
  void publish(int64_t Border, int64_t Seen);
  bool isInOrder() const;

  // Head <= Split <= Tail, as indices into Tasks: [Head, Split) is published,
  // [Split, Tail) is the owner's.
  alignas(64) std::atomic<int64_t> Tail{0}; ///< written by the owner
  int64_t HeadSeen = 0;                     ///< the owner's lower bound of Head
  Ring Tasks;                               ///< grown by the owner, under Lock
  std::atomic<bool> HasFullFence{false}; ///< pop() has one; by the owner, under
                                         ///< Lock, as is IsOpen
  std::atomic<bool> IsOpen{false};
  std::atomic<bool> NewestIsOwners{false}; ///< a hint, by the owner
  Surplus Supply;
  bool HasDependent = false; ///< opened by open(); the owner's, as is this:
  uint32_t PlainPushes = 0;  ///< since open()

  // A thief that publishes, and one that asks, leave the owner its first line.
  alignas(64) std::atomic<int64_t> Split{0};        ///< written under Lock
  alignas(64) std::atomic<bool> IsRequested{false}; ///< set by thieves,
  std::atomic<bool> IsHungry{false};                ///< cleared by the owner

  alignas(64) std::atomic<int64_t> Head{0}; ///< written under Lock
  SpinLock Lock;

  alignas(64) Combiner<Request> Line; ///< thieves
};

} // namespace locus

#endif // LOCUS_QUEUE_WORK_DEQUE_H
