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

void Worker::renew(int TheNumber, int TheNode, int OsNode,
                   TeamCounters &Counters) {
  Deque.init(OsNode);
  Private.init(&Counters, OsNode);
  Public.init(&Counters, OsNode);
  Slot.reset();
  Number = TheNumber;
  Node = TheNode;
  locus::renew(Delay);
  locus::renew(Backoff);
  locus::renew(Ask);
  Asked = PublishedFor = -1;
  UnansweredSearches = 0;
  Random = uint32_t(Number + 1) * 2654435761u; // Knuth's; never 0
  Throttled = LayDown = false;
  freeVictims();
  locus::renew(Times);
}

void Worker::freeVictims() {
  for (uint64_t *&Order : Victims) {
    free(Order);
    Order = nullptr;
  }
}

void Worker::destroy() {
  Deque.destroy();
  Private.destroy();
  Public.destroy();
  freeVictims();
}

} // namespace locus
