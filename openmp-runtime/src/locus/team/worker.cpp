//===- team/worker.cpp - What a thread of a team owns ---------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "locus/team/worker.h"

#include <new>
#include <stdlib.h>

namespace locus {

/// Puts a new T where \p Old is.
template <class T> static void renew(T &Old) {
  Old.~T();
  new (&Old) T;
}

void Worker::renew(int TheNumber, int OsNode, TeamCounters &Counters) {
  Deque.init(OsNode);
  Private.init(&Counters, OsNode);
  Public.init(&Counters, OsNode);
  Number = TheNumber;
  locus::renew(Delay);
  locus::renew(Backoff);
  Random = uint32_t(Number + 1) * 2654435761u; // Knuth's; never 0
  Hasty = 0;
  Throttled = LayDown = false;
  forgetNumbers();
  locus::renew(Times);
}

void Worker::resetLines() {
  Deque.resetLine();
  Private.resetLine();
  Public.resetLine();
  Slot.reset();
}

void Worker::forgetNumbers() {
  locus::renew(Ask);
  for (VictimOrder &Order : Victims)
    Order.IsKnown = false;
}

void Worker::destroy() {
  Deque.destroy();
  Private.destroy();
  Public.destroy();
  for (VictimOrder &Order : Victims)
    free(Order.Groups);
}

} // namespace locus
