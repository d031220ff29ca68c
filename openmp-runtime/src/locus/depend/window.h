//===- depend/window.h - How far a creator runs ahead -----------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A thread that creates tasks with dependences faster than they end would fill
// the memory with waiting ones. From a limit on it runs tasks instead, until
// enough have ended; where there is nothing that it may run, it goes on up to a
// multiple of the limit, and waits from there on. It never waits for good: what
// it waits for may be a task that it has yet to create, or one that wants a
// lock that it holds. README.md, "Running ahead", has the argument.
//
// Decides only, without threads or a clock of its own.
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_DEPEND_WINDOW_H
#define LOCUS_DEPEND_WINDOW_H

#include "locus/tuning.h"

#include <stdint.h>

namespace locus {

class Window {
public:
  /// A creator may create again when so much of the limit is left.
  static constexpr uint64_t LowPercent = 50;
  /// Where it finds no task to run it creates more, up to so many times the
  /// limit, and then waits for the others: ...
  static constexpr uint64_t WaitTimes = 64;
  /// ... so long, in ns, if none ends meanwhile, then twice as long each time,
  /// up to about a second. Then it creates WaitTimes as many more.
  static constexpr uint64_t ShortestPatience = 1000000,
                            LongestPatience = 1024 * ShortestPatience;
  /// Tasks that a creator runs on its stack for that reason may come to it in
  /// turn, so deep: what untied ones run there need not be their own.
  static constexpr uint32_t MostDepth = 16;

  /// Whether a creator with \p Live tasks that have not ended should run some
  /// before it creates more. \p Limit is the least such number; 0 = never.
  /// Not within so many tasks that were begun for that reason that the stack
  /// might not have room for more.
  bool isFull(uint64_t Live, uint32_t Limit) const {
    return Limit != 0 && Live >= Limit && Live >= Next && Depth < MostDepth;
  }

  /// The creator begins to run tasks, or to wait.
  void enter(uint64_t Live, uint32_t Limit);

  /// Whether it may create again, with \p Live tasks left.
  bool isLowEnough(uint64_t Live) const { return Live <= Low; }

  /// The creator has run a task, or a part of one. Whether it runs more; if
  /// not, it creates more first. So many as the limit have left as many tasks
  /// as before: they may all wait for what the creator does next.
  bool runsOn(uint64_t Live);

  /// The creator has found nothing to run. Whether it looks again; if not, it
  /// creates more, and comes back when there are more tasks than now. \p Live
  /// as before; \p Now in ns.
  bool waits(uint64_t Live, uint64_t Now);

  /// The creator goes on. \p Live as before.
  void leave(uint64_t Live);

private:
  uint64_t Next = 0; ///< full again only from so many on, while not low
  uint64_t Low = 0;
  uint64_t Size = 0;      ///< the limit
  uint64_t Since = 0;     ///< in ns; of this wait, 0 before it
  uint64_t Fewest = 0;    ///< tasks left, of this wait
  uint64_t Least = 0;     ///< tasks left, of what has run since enter()
  uint64_t NumInVain = 0; ///< tasks run since then
  uint64_t WaitMost = 0;  ///< in ns; 0: the first one
  bool IsInVain = false;  ///< the last wait
  uint32_t Depth = 0;     ///< of enter() without leave()
};

inline void Window::enter(uint64_t Live, uint32_t Limit) {
  Size = Limit;
  Low = Size * LowPercent / 100;
  Since = 0;
  Fewest = Least = Live;
  NumInVain = 0;
  IsInVain = false;
  ++Depth;
}

inline bool Window::runsOn(uint64_t Live) {
  if (Live < Least) {
    Least = Live;
    NumInVain = 0;
    return true;
  }
  return ++NumInVain < Size;
}

inline bool Window::waits(uint64_t Live, uint64_t Now) {
  if (Live < Size * WaitTimes)
    return false;
  if (WaitMost == 0)
    WaitMost = ShortestPatience;
  if (Since == 0 || Live < Fewest) {
    // Tasks end: that is worth waiting for.
    if (Since != 0)
      WaitMost = ShortestPatience;
    Fewest = Live;
    Since = Now;
    return true;
  }
  if (Now - Since < WaitMost)
    return true;
  // The next wait in vain may take twice as long, so that memory grows with the
  // logarithm of the time while nothing ends; but not so long that a program
  // whose tasks wait for one that is yet to come seems to stand still.
  WaitMost = 2 * WaitMost < LongestPatience ? 2 * WaitMost : LongestPatience;
  IsInVain = true;
  return false;
}

inline void Window::leave(uint64_t Live) {
  --Depth;
  if (isLowEnough(Live)) {
    Next = WaitMost = 0;
    return;
  }
  // What could not be run just now is not tried again for each new task.
  Next = Live + (IsInVain ? Size * WaitTimes : (Size + 7) / 8);
}

/// How long a thread that waits for certain tasks (taskwait depend) leaves
/// others alone, and how often it looks meanwhile: README.md, "Waiting for
/// some". Of one wait. Times are in nanoseconds.
class Patience {
public:
  explicit Patience(uint64_t Now) : Begin(Now) {}

  /// Whether the thread takes any task that it may run. It has rested for long;
  /// or it has waited for very long: what it runs may itself wait for others.
  bool isOver(uint64_t Now) const {
    const uint64_t Most = uint64_t(Tuned.AwaitPatience) * 1000;
    return Rested >= Most || Now - Begin >= Times * Most;
  }
  /// Whether it takes what waits for threads of other nodes.
  bool reachesFar() const { return Rested >= Far; }

  /// The thread has found nothing that it waits for. How long it rests.
  uint64_t rest() const {
    const uint64_t Time = Rested / Part;
    return Time < Least ? Least : Time < Longest ? Time : Longest;
  }
  /// It has rested \p Time.
  void noteRest(uint64_t Time) { Rested += Time; }

  // A look takes the locks of deques. What comes up meanwhile is seen a 16th of
  // the wait later, and never later than a millisecond.
  static constexpr uint64_t Part = 16, Least = 1000, Longest = 1000 * 1000;
  // Whose task it is has had time to take it.
  static constexpr uint64_t Far = 50 * 1000;
  static constexpr uint64_t Times = 10;

private:
  const uint64_t Begin;
  uint64_t Rested = 0;
};

} // namespace locus

#endif // LOCUS_DEPEND_WINDOW_H
