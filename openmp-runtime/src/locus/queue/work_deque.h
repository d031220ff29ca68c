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
// for it, and after a while publishes by itself. queue/work_deque.md has the
// protocol and why it is right.
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_QUEUE_WORK_DEQUE_H
#define LOCUS_QUEUE_WORK_DEQUE_H

#include "locus/queue/task_queue.h"

namespace locus {

class WorkDeque {
public:
  /// Tasks that a thief takes beside the one that it runs, the oldest first.
  struct Batch {
    static constexpr int Most = 7;
    int Count = 0;
    void *Tasks[Most];
  };

  /// \p TheOsNode is where the deque's memory goes, \p Capacity the number of
  /// tasks of the first allocation (a power of two). A deque that is empty, and
  /// that nobody uses any more, is as new then, and keeps what memory it has
  /// there.
  void init(int TheOsNode, uint32_t FirstCapacity = 512);
  /// From \p Tasks on there are plenty, whoever creates them; 0 = never.
  void limitPlenty(uint32_t Tasks) { Limit = Tasks; }
  /// Frees the memory. The deque is empty, and nobody uses it any more.
  void destroy();

  //===--------------------------------------------------------------------===//
  // The owner
  //===--------------------------------------------------------------------===//

  /// Makes room for a Batch. False if there is no memory.
  bool makeRoom() {
    return uint64_t(Tail.load(std::memory_order_relaxed) - HeadSeen) +
                   Batch::Most <=
               Capacity ||
           grow(Batch::Most);
  }

  /// Appends \p Task as the newest. Its creator has \p Siblings tasks that are
  /// not complete, this one among them, wherever they are. Returns false, with
  /// the deque unchanged, only if it had to grow and there is no memory.
  bool push(void *Task, int32_t Siblings = 0);

  /// Removes the newest task into \p Task, if \p Allowed says that it may run.
  /// If not, all tasks are published.
  Outcome pop(bool (*Allowed)(void *Context, void *Task), void *Context,
              void *&Task);

  /// Removes the newest task that \p Allowed accepts, looking behind others.
  /// For when pop() was refused; takes the lock.
  Outcome popBehind(bool (*Allowed)(void *Context, void *Task), void *Context,
                    void *&Task);

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

  /// Whether there are plenty of tasks for thieves, and none of them has come
  /// in vain since the last push. Only a hint, without any order.
  const std::atomic<int32_t> &plenty() const { return Plenty; }

  /// Another task than before creates the next ones: there are not plenty for
  /// it until a push says so.
  void startOver() { setFew(); }

  //===--------------------------------------------------------------------===//
  // Thieves
  //===--------------------------------------------------------------------===//

  /// Whether the owner, as far as one can see, creates no more tasks when there
  /// are plenty, but runs them in place. False while it creates such as can't.
  bool savesTasks() const {
    return !PushedMore.load(std::memory_order_relaxed);
  }

  /// The thief has found nothing here, so the owner shall not keep its next
  /// task for itself. If there was no task at all, it shall publish it.
  void demand() {
    setFew();
    if (Tail.load(std::memory_order_relaxed) ==
            Head.load(std::memory_order_relaxed) &&
        !Hungry.load(std::memory_order_relaxed)) {
      Hungry.store(true, std::memory_order_relaxed);
      request();
    }
  }

  /// Removes the oldest published task that \p Who may run. \p ScanAll looks
  /// behind a refused one. With \p More, and if it is the very oldest, half of
  /// the published tasks leave with it, which need not be Allowed now. On
  /// success a finished taker counts again in \p Unfinished before the task is
  /// anyone else's to miss.
  Outcome steal(const Taker &Who, bool ScanAll,
                std::atomic<int32_t> &Unfinished, void *&Task,
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
  /// asked and has not answered yet.
  bool request() {
    if (Requested.load(std::memory_order_relaxed))
      return true;
    Requested.store(true, std::memory_order_relaxed);
    return false;
  }

  /// Publishes all tasks in the owner's stead, which runs something long. Costs
  /// a system call that interrupts the process' other threads (a microsecond or
  /// more), so it is for requests that stay unanswered. Only asks if the kernel
  /// refuses it, until the owner has answered.
  void forcePublish();

  /// Those who wait to steal. For tests and counts.
  const auto &line() const { return Line; }

  /// Checks the invariants of a deque that nobody else uses. For tests.
  bool isValid() const;

private:
  /// A call of steal().
  struct Request {
    const Taker &Who;
    const bool ScanAll;
    std::atomic<int32_t> &Unfinished;
    void *&Task;
    Batch *More;
    Outcome Result;
  };

  void setFew() {
    if (Plenty.load(std::memory_order_relaxed))
      Plenty.store(0, std::memory_order_relaxed);
  }
  /// Whether \p Left tasks are few after the owner took one: half as many as
  /// after a thief did, which has shown that there are takers. An owner that
  /// comes back from a recursion takes them one by one, and would make two new
  /// ones of each.
  bool isFewForOwner(int64_t Left) const {
    return Left == 0 || Left < PlentyUntil.load(std::memory_order_relaxed) / 2;
  }
  void weigh(int32_t Siblings);
  void announce(int64_t From);
  void setPlenty(int32_t Tasks);
  bool grow(uint32_t More);
  void answer();
  bool publishAll();
  void stealLocked(Request &R);
  Outcome popPublished(bool (*Allowed)(void *Context, void *Task),
                       void *Context, void *&Task);
  void *&slot(int64_t Index) { return Ring[uint64_t(Index) & (Capacity - 1)]; }

  // Head <= Split <= Tail, as indices into an endless array of which Ring holds
  // a window: [Head, Split) is published, [Split, Tail) is the owner's.
  alignas(64) std::atomic<int64_t> Tail{0}; ///< written by the owner
  std::atomic<int64_t> Split{0};            ///< written under Lock
  std::atomic<bool> Requested{false}; ///< set by thieves, cleared by owner
  std::atomic<bool> Hungry{false};    ///< the same; there was no task at all
  std::atomic<int32_t> Plenty{0};     ///< set by owner, cleared by anyone
  std::atomic<bool> PushedMore{true}; ///< by owner: since there were plenty
  bool FullFence = false; ///< of the owner in pop(); set by it, under Lock
  void **Ring = nullptr;  ///< written by the owner under Lock
  uint64_t Capacity = 0;
  int64_t HeadSeen = 0; ///< the owner's lower bound of Head
  int OsNode = -1;
  uint32_t FirstCapacity = 512;
  /// There are plenty from PlentyFrom tasks beside the creator's own on, or
  /// from Limit tasks of any, until there are fewer than PlentyUntil.
  int32_t PlentyFrom = 64;
  uint32_t Limit = 256;
  std::atomic<int32_t> PlentyUntil{45};
  int32_t PushesSince = 0; ///< since there were plenty, or PlentyFrom changed
  int32_t PushesKept = 0;  ///< since the last look at Head, which it was:
  int64_t HeadKept = 0;
  bool WasPlenty = false; ///< since PlentyFrom changed

  alignas(64) std::atomic<int64_t> Head{0}; ///< written under Lock
  SpinLock Lock;

  alignas(64) Combiner<Request> Line; ///< thieves
};

} // namespace locus

#endif // LOCUS_QUEUE_WORK_DEQUE_H
