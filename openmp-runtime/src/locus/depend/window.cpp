//===- depend/window.cpp - How far a creator runs ahead -------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "locus/depend/window.h"

namespace locus {

void Window::enter(uint64_t Live, uint32_t Limit) {
  Size = Limit;
  Low = Size * LowPercent / 100;
  Since = 0;
  Fewest = Least = Live;
  NumInVain = 0;
  IsInVain = false;
  ++Depth;
}

bool Window::runsOn(uint64_t Live) {
  if (Live < Least) {
    Least = Live;
    NumInVain = 0;
    return true;
  }
  return ++NumInVain < Size;
}

bool Window::waits(uint64_t Live, uint64_t Now) {
  if (Live < Size * WaitTimes)
    return false;
  if (Patience == 0)
    Patience = ShortestPatience;
  if (Since == 0 || Live < Fewest) {
    // Tasks end: that is worth waiting for.
    if (Since != 0)
      Patience = ShortestPatience;
    Fewest = Live;
    Since = Now;
    return true;
  }
  if (Now - Since < Patience)
    return true;
  // The next wait in vain may take twice as long, so that memory grows with the
  // logarithm of the time while nothing ends; but not so long that a program
  // whose tasks wait for one that is yet to come seems to stand still.
  Patience = 2 * Patience < LongestPatience ? 2 * Patience : LongestPatience;
  IsInVain = true;
  return false;
}

void Window::leave(uint64_t Live) {
  --Depth;
  if (isLowEnough(Live)) {
    Next = Patience = 0;
    return;
  }
  // What could not be run just now is not tried again for each new task.
  Next = Live + (IsInVain ? Size * WaitTimes : (Size + 7) / 8);
}

} // namespace locus
