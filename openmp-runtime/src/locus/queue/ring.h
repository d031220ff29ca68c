//===- queue/ring.h - An array of tasks without end -------------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where both kinds of queue keep their tasks. Indices grow without end; memory
// is there for a window [First, Last) of them, which the queue knows. A ring
// has no lock and no order of its own: queue/README.md says who may touch what.
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_QUEUE_RING_H
#define LOCUS_QUEUE_RING_H

#include "locus/machine/page_node.h"
#include "locus/queue/taker.h"
#include "locus/support/check.h"
#include "locus/tuning.h"

#include <stdint.h>

namespace locus {

/// The end of a queue to take from.
enum class End { Oldest, Newest };

class Ring {
public:
  Ring() = default;
  ~Ring() { destroy(); }
  Ring(const Ring &) = delete;
  Ring &operator=(const Ring &) = delete;

  /// find()'s answer if there is no such task.
  static constexpr int64_t None = -1;

  /// The memory goes to \p TheOsNode from now on. What the ring has stays if it
  /// is there, and no more than Tuned.FirstCapacity. No task is in the ring.
  void init(int TheOsNode);
  /// Frees the memory. No task is in the ring.
  void destroy();

  uint32_t capacity() const { return Capacity; }
  Task *&operator[](int64_t Index) const {
    return Slots[uint64_t(Index) & (Capacity - 1)];
  }

  /// Makes room for \p Room tasks, and keeps those of [\p First, \p Last).
  /// False, and nothing has changed, if there is no memory.
  bool grow(uint64_t Room, int64_t First, int64_t Last);

  /// The index of the task of [\p First, \p Last) nearest to \p From that
  /// \p Who admits; None if there is none.
  int64_t find(End From, int64_t First, int64_t Last, const Taker &Who) const {
    for (int64_t Steps = 0; Steps < Last - First; ++Steps) {
      const int64_t Index =
          From == End::Oldest ? First + Steps : Last - 1 - Steps;
      if (Who.Admit(Who, (*this)[Index]))
        return Index;
    }
    return None;
  }

  /// Removes the task at \p Index from [\p First, \p Last), and closes the gap
  /// from the end that was searched: that side is the shorter one in all but
  /// contrived cases. The window is then shorter by one at \p Searched.
  Task *remove(End Searched, int64_t Index, int64_t First, int64_t Last) {
    LOCUS_CHECK(First <= Index && Index < Last);
    Task *const Removed = (*this)[Index];
    if (Searched == End::Oldest)
      for (; Index > First; --Index)
        (*this)[Index] = (*this)[Index - 1];
    else
      for (; Index + 1 < Last; ++Index)
        (*this)[Index] = (*this)[Index + 1];
    return Removed;
  }

  /// Checks the invariants. For tests.
  bool isValid() const {
    return !(Capacity & (Capacity - 1)) &&
           (Capacity == 0) == (Slots == nullptr);
  }

private:
  Task **Slots = nullptr;
  uint32_t Capacity = 0; ///< a power of two, or 0 before the first task
  int OsNode = -1;
};

inline void Ring::init(int TheOsNode) {
  if (OsNode != TheOsNode || Capacity > Tuned.FirstCapacity)
    destroy();
  OsNode = TheOsNode;
}

inline void Ring::destroy() {
  freeOnNode(Slots, size_t(Capacity) * sizeof(Task *));
  Slots = nullptr;
  Capacity = 0;
}

inline bool Ring::grow(uint64_t Room, int64_t First, int64_t Last) {
  LOCUS_CHECK(uint64_t(Last - First) <= Room && Room > Capacity);
  uint64_t Bigger = Capacity ? 2 * uint64_t(Capacity) : Tuned.FirstCapacity;
  while (Bigger < Room)
    Bigger *= 2;
  if (Bigger > UINT32_MAX)
    return false;
  Task **Fresh = static_cast<Task **>(
      allocateOnNode(size_t(Bigger) * sizeof(Task *), OsNode));
  if (!Fresh)
    return false;
  for (int64_t I = First; I < Last; ++I)
    Fresh[uint64_t(I) & (Bigger - 1)] = (*this)[I];
  destroy();
  Slots = Fresh;
  Capacity = uint32_t(Bigger);
  return true;
}

} // namespace locus

#endif // LOCUS_QUEUE_RING_H
