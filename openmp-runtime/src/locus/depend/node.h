//===- depend/node.h - A task in a graph of dependences ---------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a task with dependences waits for, and who waits for it. An edge costs
// one locked addition when it is made and one locked decrement when it is
// released; nobody waits for anybody. README.md has the protocol,
// PROOF.md why it is right.
//
// After Alvarez et al., "Advanced Synchronization Techniques for Task-based
// Runtime Systems" (PPoPP 2021), in that making an edge is wait-free, as is
// releasing it; the structure is another one: theirs follows each address, this
// one each task.
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_DEPEND_NODE_H
#define LOCUS_DEPEND_NODE_H

#include "locus/depend/node_pool.h"
#include "locus/queue/taker.h"
#include "locus/support/check.h"
#include "locus/support/lock.h"

#include <atomic>
#include <new>
#include <stdint.h>

namespace locus {

/// The lock of an address in mutexinoutset dependences. Nobody waits for it: a
/// thread that finds it held looks for another task. The table of addresses
/// uses it, and each task that needs it, which may outlive the table.
class Mutex : private Block {
public:
  /// With the caller as the one user.
  static Mutex *make(NodePool &Mine) {
    Block *Memory = Mine.take();
    return new (Memory) Mutex(Memory->Home);
  }

  void use() { Users.fetch_add(1, std::memory_order_relaxed); }
  /// One user less; the last one frees it.
  void drop(NodePool &Mine) {
    // Acquire and release: what the others did comes before its end.
    if (Users.fetch_sub(1, std::memory_order_acq_rel) == 1)
      Mine.give(this);
  }

  /// Takes the mutex if it is free. Acquire: what the last task wrote that held
  /// it is visible.
  bool tryToHold() {
    return !Held.load(std::memory_order_relaxed) &&
           !Held.exchange(true, std::memory_order_acquire);
  }
  void release() { Held.store(false, std::memory_order_release); }

private:
  explicit Mutex(NodePool *Home) : Block{Home, nullptr} {}

  std::atomic<int32_t> Users{1};
  std::atomic<bool> Held{false};
};

/// For a tool that wants to know of each edge; null without one. Called by the
/// creator, with the tasks that come first and next; the first has not ended.
/// A null task is one that waits (taskwait). Set before the first dependence.
extern void (*OnEdge)(Task *First, Task *Next, void *Context);

class Node : private Block {
public:
  //===--------------------------------------------------------------------===//
  // The creator, from the task's creation to the end of its registration
  //===--------------------------------------------------------------------===//

  /// A node in memory of \p Mine, which is the calling thread's, as are all
  /// pools below. \p Owner is null for a thread that waits.
  static Node *make(NodePool &Mine, Task *Owner) {
    Block *Memory = Mine.take();
    return new (Memory) Node(Memory->Home, Owner);
  }
  /// One for a thread that waits in \p Waiter, and destroys it.
  static Node *makeWait(NodePool &Mine, Task *Waiter) {
    Node *N = make(Mine, nullptr);
    N->Waiter = Waiter;
    return N;
  }
  static void destroy(NodePool &Mine, Node *N) {
    N->Needs = nullptr;
    N->free(Mine);
  }

  /// This task comes after \p First, if that has not ended.
  void follow(NodePool &Mine, Node &First, void *Context);

  /// Something else than a thread of the team may end the task: who fulfills an
  /// event, say. Before the first edge.
  void noteEvent() { BehindEvent = true; }
  /// Whether that holds for this task, or for one that it has followed, over
  /// others or not.
  bool isBehindEvent() const { return BehindEvent; }

  /// The task runs only while it holds \p M.
  void need(NodePool &Mine, Mutex &M);

  /// The table of addresses refers to this node once more.
  void hold() { ++Holds; }

  /// All edges to this task are made. Whether it is ready now; if not, whoever
  /// ends the last task before it makes it ready.
  bool endRegistration();

  //===--------------------------------------------------------------------===//
  // The table of addresses: one thread at a time, the creator or who ends it
  //===--------------------------------------------------------------------===//

  /// The table refers to this node once less. The last time, if the task has
  /// ended, frees it.
  void drop(NodePool &Mine);

  //===--------------------------------------------------------------------===//
  // Anybody
  //===--------------------------------------------------------------------===//

  /// Whether the task has ended. What it wrote is visible then.
  bool hasEnded() const {
    return (State.load(std::memory_order_acquire) & Closed) != 0;
  }
  /// The edges that the task waits for; 0 = it is ready. Registering counts for
  /// many.
  std::atomic<int32_t> &pending() { return Pending; }
  /// Of a task that has not begun, or does not end meanwhile: whether a thread
  /// waits for it or for a task behind it, or perhaps so, where more than
  /// \p Looks nodes are behind it.
  bool mayBeAwaited(uint32_t Looks) const { return mayLeadToWait(Looks); }
  /// Whether \p Is(Node) for one of those that wait for this task, the newest
  /// first.
  template <class Predicate> bool anyFollower(Predicate Is) const;
  /// Calls \p Do(Node) for each that waits for this task, the one that was
  /// created first comes last. While nothing ends.
  template <class Action> void forEachFollower(Action Do) {
    forEachOf(State.load(std::memory_order_acquire) / One, Do);
  }

  //===--------------------------------------------------------------------===//
  // Who runs the task
  //===--------------------------------------------------------------------===//

  /// What make() was given.
  Task *owner() const { return Owner; }
  /// The task that waits, of a node without an owner.
  Task *waiter() const { return Waiter; }
  bool needsMutexes() const { return Needs != nullptr; }
  /// Takes all mutexes that the task needs. False, without any, if one is not
  /// free.
  bool tryToHoldMutexes();

  /// The task has ended: calls \p Ready(Task) for each that becomes ready by
  /// that, the one that was created first comes last. The caller does not use
  /// the node any more.
  template <class Action> void end(NodePool &Mine, Action Ready) {
    if (__builtin_expect(HoldsMutexes, 0))
      releaseMutexes();
    Mine.countEnd(Home);
    if (endAlone(Mine))
      return;
    const uint32_t NumFollowers = close() / One;
    prefetchFollowers(NumFollowers);
    forEachOf(NumFollowers, [&](Node &N) {
      // Behind the decrement the next task may run, end, and be gone.
      Task *Owner = N.Owner;
      if (N.Pending.fetch_sub(1, std::memory_order_acq_rel) == 1 && Owner)
        Ready(Owner);
    });
    // Release: whoever frees the node comes after the walk. Acquire: the table
    // is done with it.
    if (State.fetch_or(Ended, std::memory_order_acq_rel) & Dropped)
      free(Mine);
  }

private:
  friend struct Layout;

  // State: flags, and above them the number of followers.
  static constexpr uint32_t Dropped = 1; ///< the table does not refer to it
  static constexpr uint32_t Closed = 2;  ///< the task has ended: no more edges
  static constexpr uint32_t Ended = 4;   ///< and those there were are released
  static constexpr uint32_t One = 8;     ///< follower
  /// Pending while edges are made.
  static constexpr int32_t Registering = 1 << 30;

  using Slot = Node *;                ///< for a follower
  static constexpr uint32_t Near = 8; ///< that the node has room for
  /// Further ones.
  struct Followers : Block {
    static constexpr uint32_t Count =
        (BlockBytes - sizeof(Block)) / sizeof(Slot) - 1;
    Followers *Older;
    Slot Room[Count];
  };
  /// A mutex that the task needs, in a list by descending address.
  struct Need : Block {
    Mutex *Needed;
    Need *Rest;
  };

  Node(NodePool *Home, Task *TheOwner)
      : Block{Home, nullptr}, Owner(TheOwner) {}

  Slot *slot(NodePool &Mine, uint32_t Index);
  Slot *farSlot(NodePool &Mine, uint32_t Index);
  const Followers *blockOf(uint32_t Index) const;
  bool mayLeadToWait(uint32_t &Looks) const;
  bool insert(NodePool &Mine, Node &First);
  template <class Action> void forEachOf(uint32_t Count, Action Do);
  void prefetchFollowers(uint32_t Count) const;
  bool endAlone(NodePool &Mine);
  uint32_t close();
  void releaseMutexes();
  void free(NodePool &Mine);

  // Block::Next is the first of further blocks of followers. The first cache
  // line has all that ends most tasks.
  std::atomic<uint32_t> State{0};
  std::atomic<int32_t> Pending{Registering};
  Task *const Owner;
  bool HoldsMutexes = false;   ///< by who runs the task
  bool BehindEvent = false;    ///< the creator's
  SpinLock ForTool;            ///< held while a tool is told, and at the end
  int32_t Edges = 0;           ///< that others will release; the creator's
  Slot Room[Near];             ///< the first followers
  Followers *Newest = nullptr; ///< of the further blocks; the creator's
  union {
    Need *Needs = nullptr;
    Task *Waiter; ///< of a node without an owner
  };
  uint32_t Holds = 0;  ///< of the table
  uint32_t NumFar = 0; ///< further blocks; the creator's
};

static_assert(sizeof(Node) <= BlockBytes, "a node is one block");

/// Where follower \p Index goes. The creator's.
inline Node::Slot *Node::slot(NodePool &Mine, uint32_t Index) {
  return __builtin_expect(Index < Near, 1) ? &Room[Index]
                                           : farSlot(Mine, Index - Near);
}

/// Adds an edge to the followers of \p First. False if that has ended.
inline bool Node::insert(NodePool &Mine, Node &First) {
  // Acquire: if it has ended, what it wrote is this task's to read.
  const uint32_t Seen = First.State.load(std::memory_order_acquire);
  if (Seen & Closed)
    return false;
  const uint32_t Count = Seen / One;
  if (Count != 0 && *First.slot(Mine, Count - 1) == this)
    return true; // by another address, just now
  *First.slot(Mine, Count) = this;
  // Release: who closes sees the slot, and this node. Acquire as above.
  if (First.State.fetch_add(One, std::memory_order_acq_rel) & Closed)
    return false;
  if (First.BehindEvent)
    BehindEvent = true;
  ++Edges;
  return true;
}

inline void Node::follow(NodePool &Mine, Node &First, void *Context) {
  LOCUS_CHECK(&First != this);
  if (__builtin_expect(!OnEdge, 1)) {
    insert(Mine, First);
    return;
  }
  // The tool looks at the first task, which must not end meanwhile.
  LockGuard Guard(First.ForTool);
  const int32_t Before = Edges;
  if (insert(Mine, First) && Edges != Before)
    OnEdge(First.Owner, Owner, Context);
}

inline bool Node::endRegistration() {
  LOCUS_CHECK(Pending.load(std::memory_order_relaxed) <= Registering);
  if (Holds == 0) // nobody else knows of it, but those that it waits for
    State.store(Dropped, std::memory_order_relaxed);
  if (Edges == 0) {
    Pending.store(0, std::memory_order_relaxed);
    return true;
  }
  const int32_t Rest = Registering - Edges;
  // Acquire and release as in end(): who is last sees what all others did.
  return Pending.fetch_sub(Rest, std::memory_order_acq_rel) == Rest;
}

inline void Node::drop(NodePool &Mine) {
  LOCUS_CHECK(Holds != 0);
  if (--Holds != 0)
    return;
  // Acquire: who has ended the task is done with the node. Release: the table
  // is done with it before who ends the task frees it.
  if ((State.load(std::memory_order_acquire) & Ended) ||
      (State.fetch_or(Dropped, std::memory_order_acq_rel) & Ended))
    free(Mine);
}

/// Ends a task that nobody waits for. False if somebody does.
inline bool Node::endAlone(NodePool &Mine) {
  uint32_t Seen = State.load(std::memory_order_relaxed);
  // Acquire and release as in close() and at the end of end().
  if (Seen >= One || !State.compare_exchange_strong(Seen, Seen | Closed | Ended,
                                                    std::memory_order_acq_rel,
                                                    std::memory_order_relaxed))
    return false;
  if (Seen & Dropped)
    free(Mine);
  return true;
}

inline uint32_t Node::close() {
  // Release: what the task did comes before whatever sees the end. Acquire: the
  // followers.
  if (__builtin_expect(!OnEdge, 1))
    return State.fetch_or(Closed, std::memory_order_acq_rel);
  LockGuard Guard(ForTool);
  return State.fetch_or(Closed, std::memory_order_acq_rel);
}

/// Their lines come at the same time, not one after the other.
inline void Node::prefetchFollowers(uint32_t Count) const {
  for (uint32_t I = 0; I < Near && I < Count; ++I)
    __builtin_prefetch(Room[I], /*rw=*/1);
}

/// From the newest to the oldest.
template <class Action> void Node::forEachOf(uint32_t Count, Action Do) {
  if (__builtin_expect(Count > Near, 0)) {
    uint32_t Index = Count - Near;
    const Followers *More = blockOf(Index - 1);
    for (; Index != 0; --Index) {
      Do(*More->Room[(Index - 1) % Followers::Count]);
      if ((Index - 1) % Followers::Count == 0)
        More = More->Older;
    }
    Count = Near;
  }
  for (uint32_t I = Count; I != 0; --I)
    Do(*Room[I - 1]);
}

template <class Predicate> bool Node::anyFollower(Predicate Is) const {
  // Acquire: the creator may add followers just now.
  const uint32_t Count = State.load(std::memory_order_acquire) / One;
  for (uint32_t I = Count; I > Near; --I)
    if (Is(*blockOf(I - 1 - Near)->Room[(I - 1 - Near) % Followers::Count]))
      return true;
  for (uint32_t I = Count < Near ? Count : Near; I != 0; --I)
    if (Is(*Room[I - 1]))
      return true;
  return false;
}

} // namespace locus

#endif // LOCUS_DEPEND_NODE_H
