//===- queue/combining.h - Serving the requests of others -------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// CC-Synch (P. Fatourou, N. Kallimanis, "Revisiting the Combining
// Synchronization Technique", PPoPP 2012, section 3): threads that want
// something from the same object line up in a list. The first, the combiner,
// takes the object's lock once and serves all of them in the order of the line,
// so that the object stays in its cache. queue/README.md has the protocol,
// PROOF.md beside it why it is right.
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_QUEUE_COMBINING_H
#define LOCUS_QUEUE_COMBINING_H

#include "locus/support/check.h"
#include "locus/support/lock.h"
#include "locus/tuning.h"

namespace locus {

/// Told of each pass of a combiner and the requests that it served, for
/// statistics: support/stats.cpp. The model check has its own.
void notePass(uint32_t Requests);

/// A place in a line. Nodes wander: a request leaves the one that it brought at
/// the end of the line, and goes with the one that was there before.
struct alignas(CacheLine) CombineNode {
  enum Mark : uint8_t {
    Leads, ///< whoever stands here serves; nobody does if nobody stands here
    Waits, ///< the combiner has not come here yet
    Served ///< the request that stood here has its answer
  };
  std::atomic<Mark> State{Leads};
  /// The place behind; null as long as nobody stands here.
  std::atomic<CombineNode *> Next{nullptr};
  void *Request = nullptr; ///< valid once Next is set
};

/// The node that a thread brings to the next line; any line of the same team.
/// Nodes wander from slots to lines and back: all slots and all combiners that
/// they are used with die together, or are reset together.
class CombineSlot {
public:
  /// The thread's node, or null: somebody else uses this slot right now. The
  /// acquire pairs with put().
  CombineNode *get() {
    return Spare.exchange(nullptr, std::memory_order_acquire);
  }
  void put(CombineNode *Node) { Spare.store(Node, std::memory_order_release); }
  /// Takes its first node back. To be called for all slots and all combiners
  /// that they are used with, while nobody uses any of them.
  void reset() { Spare.store(&First, std::memory_order_relaxed); }

private:
  CombineNode First;
  std::atomic<CombineNode *> Spare{&First};
};

/// The line in front of one object, of those who want a Request from it.
template <class Request> class Combiner {
public:
  /// Has \p Serve(\p Mine) called with \p Guard, the object's lock, held: here
  /// or, while this waits, by another thread. Requests are served in the order
  /// in which they came. What the caller did before is visible to \p Serve, and
  /// what that did is visible after. \p Slot is the calling thread's; without
  /// one it only takes the lock.
  template <class Function>
  void apply(CombineSlot *Slot, SpinLock &Guard, Request &Mine,
             Function Serve) {
    if (tryApply(Guard, Mine, Serve))
      return;
    if (CombineNode *Fresh = Slot ? Slot->get() : nullptr) {
      Slot->put(lineUp(Fresh, Guard, Mine, Serve));
      return;
    }
    Guard.lock();
    Serve(Mine);
    Guard.unlock();
  }

  /// The same if nobody is in line and the lock is free: then no line is
  /// needed. False, and nothing has been done, if not.
  template <class Function>
  bool tryApply(SpinLock &Guard, Request &Mine, Function Serve) {
    if (!isIdle() || !Guard.try_lock())
      return false;
    Serve(Mine);
    Guard.unlock();
    return true;
  }

  /// As CombineSlot::reset().
  void reset() {
    First.State.store(CombineNode::Leads, std::memory_order_relaxed);
    First.Next.store(nullptr, std::memory_order_relaxed);
    End.store(&First, std::memory_order_relaxed);
  }

  /// The newest place in line, where nobody stands yet. For tests: it changes
  /// when somebody comes.
  const CombineNode *end() const { return End.load(std::memory_order_relaxed); }

  /// Passes of combiners, and what they served in all. Exact while nobody is at
  /// work.
  uint64_t passes() const { return Passes; }
  uint64_t served() const { return Requests; }

  /// Checks the invariants of a combiner that nobody uses. For tests.
  bool isValid() const {
    return isIdle() && !end()->Next.load(std::memory_order_relaxed) &&
           Passes <= Requests;
  }

private:
  /// Whether nobody was in line at some moment since the call.
  bool isIdle() const {
    // Acquire: pairs with the exchange in lineUp(), so that the mark is not
    // older than the node's last use.
    return End.load(std::memory_order_acquire)
               ->State.load(std::memory_order_relaxed) == CombineNode::Leads;
  }

  /// Goes through the line with \p Fresh; returns the node for the next time.
  template <class Function>
  __attribute__((noinline)) CombineNode *
  lineUp(CombineNode *Fresh, SpinLock &Guard, Request &Mine, Function &Serve) {
    Fresh->State.store(CombineNode::Waits, std::memory_order_relaxed);
    Fresh->Next.store(nullptr, std::memory_order_relaxed);
    CombineNode *Stand = End.exchange(Fresh, std::memory_order_acq_rel);
    Stand->Request = &Mine;
    Stand->Next.store(Fresh, std::memory_order_release);

    SpinWait Wait;
    CombineNode::Mark State;
    while ((State = Stand->State.load(std::memory_order_acquire)) ==
           CombineNode::Waits)
      Wait.once();
    if (State == CombineNode::Leads)
      lead(Stand, Guard, Serve);
    return Stand;
  }

  /// Serves from \p Stand on, and leaves the next one to lead: after
  /// CombineMost requests, so that no thread works for the others for ever.
  template <class Function>
  void lead(CombineNode *Stand, SpinLock &Guard, Function &Serve) {
    CombineNode *Current = Stand;
    uint32_t Count = 0;
    Guard.lock();
    while (CombineNode *Next = Current->Next.load(std::memory_order_acquire)) {
      if (Count == Tuned.CombineMost)
        break;
      Serve(*static_cast<Request *>(Current->Request));
      ++Count;
      // From this store on the node is the other thread's.
      if (Current != Stand)
        Current->State.store(CombineNode::Served, std::memory_order_release);
      Current = Next;
    }
    LOCUS_CHECK(Count != 0); // its own is linked
    ++Passes;
    Requests += Count;
    Guard.unlock();
    Current->State.store(CombineNode::Leads, std::memory_order_release);
    notePass(Count);
  }

  CombineNode First;
  std::atomic<CombineNode *> End{&First}; ///< exchanged by whoever comes
  uint64_t Passes = 0, Requests = 0; ///< written by combiners, under the lock
};

} // namespace locus

#endif // LOCUS_QUEUE_COMBINING_H
