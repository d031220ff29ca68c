//===- data/reserve.cpp - What the kernel keeps of a node -----------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "locus/data/reserve.h"
#include "locus/machine/topology.h"
#include "locus/support/lock.h"

#include <algorithm>
#include <atomic>
#include <stdlib.h>
#include <string.h>

namespace locus {

void readReserves(FILE *Text, int *Pages, int NumNodes) {
  std::fill_n(Pages, NumNodes, -1);
  char Line[512]; // the list behind "protection:" has a number for each zone
  int Node = -1, Boost = 0, Low = 0, High = 0, Managed = 0;
  while (fgets(Line, sizeof(Line), Text)) {
    if (sscanf(Line, "Node %d, zone", &Node) == 1) {
      Boost = Low = High = Managed = 0;
      if (Node >= NumNodes)
        Node = -1;
    }
    sscanf(Line, " boost %d", &Boost);
    sscanf(Line, " low %d", &Low);
    sscanf(Line, " high %d", &High);
    sscanf(Line, " managed %d", &Managed);
    // The watermarks are as they are raised now. From all who could have a page
    // of any zone, as a program can: the last.
    if (Node >= 0 && strstr(Line, "protection: ("))
      Pages[Node] =
          std::max(Pages[Node], 0) +
          std::min(Low + 2 * High - 3 * Boost + atoi(strrchr(Line, ' ')),
                   Managed);
  }
}

int reserveOf(int Node) {
  static SpinLock Lock;
  static int Pages[MaxOsNodes];
  static std::atomic<bool> Loaded{false};
  // Pairs with the release below: with the flag a thread sees the numbers.
  if (!Loaded.load(std::memory_order_acquire)) {
    LockGuard Guard(Lock);
    if (!Loaded.load(std::memory_order_relaxed)) {
      if (FILE *Text = fopen("/proc/zoneinfo", "re")) {
        readReserves(Text, Pages, MaxOsNodes);
        fclose(Text);
      } else {
        std::fill_n(Pages, MaxOsNodes, -1);
      }
      Loaded.store(true, std::memory_order_release);
    }
  }
  return Node >= 0 && Node < MaxOsNodes ? Pages[Node] : -1;
}

} // namespace locus
