//===- support/stats.h - What the scheduler did -----------------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// KMP_TASK_STATS: counters of each thread and each NUMA node, shown when the
// program ends. While it is off, a counter costs one predicted branch.
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_SUPPORT_STATS_H
#define LOCUS_SUPPORT_STATS_H

#include "locus/support/cpu.h"

#include <atomic>
#include <stdint.h>

namespace locus {

/// Adds \p More to \p Sum, which only the calling thread writes, though others
/// may read it: no locked instruction.
static inline void addOwn(std::atomic<uint64_t> &Sum, uint64_t More) {
  Sum.store(Sum.load(std::memory_order_relaxed) + More,
            std::memory_order_relaxed);
}

/// The time that a thread spends between a search for tasks in vain and the
/// next task. Used by that thread alone.
class IdleClock {
public:
  /// The thread has looked for a task. Adds to \p Sum the ticks since it looked
  /// the last time, if it had none since then. False if there is nothing to
  /// count: then it did not read the clock.
  bool look(bool Found, std::atomic<uint64_t> &Sum) {
    if (Found && Since == 0)
      return false;
    const uint64_t Now = ticks();
    if (Since != 0)
      addOwn(Sum, Now - Since);
    Since = Found ? 0 : Now;
    return true;
  }

private:
  uint64_t Since = 0; ///< in ticks; 0 while it has a task
};

/// What is counted for each thread: X(name, name in reports). The last ones are
/// times, in ticks; all from LookupTime on.
#define LOCUS_STATS(X)                                                         \
  /* Tasks that the thread created, of all kinds. */                           \
  X(Created, "created")                                                        \
  /* Tasks that it ran. */                                                     \
  X(Run, "run")                                                                \
  /* Tasks that ran at once because their list was full. */                    \
  X(Throttled, "throttled")                                                    \
  /* Times that it had created too many tasks with dependences. */             \
  X(FellBack, "fell_back")                                                     \
  /* Tasks to its own list, ... */                                             \
  X(PushedOwn, "pushed_own")                                                   \
  /* ... to another thread's public queue, ... */                              \
  X(PushedThread, "pushed_thread")                                             \
  /* ... to a node's public queue, ... */                                      \
  X(PushedNode, "pushed_node")                                                 \
  /* ... to a private queue. */                                                \
  X(PushedStrict, "pushed_strict")                                             \
  /* Tasks from its own list or its own queues, ... */                         \
  X(TakenOwn, "taken_own")                                                     \
  /* ... from the queues of its node, ... */                                   \
  X(TakenNode, "taken_node")                                                   \
  /* ... from a list or queue of a thread on the same core, ... */             \
  X(StolenCore, "stolen_core")                                                 \
  /* ... of another core on the same level 3 cache, ... */                     \
  X(StolenL3, "stolen_l3")                                                     \
  /* ... of another one on the same NUMA node, ... */                          \
  X(StolenNuma, "stolen_numa")                                                 \
  /* ... of another one on the same package, ... */                            \
  X(StolenPackage, "stolen_package")                                           \
  /* ... farther away than all of these. */                                    \
  X(StolenMachine, "stolen_machine")                                           \
  /* Rounds in search of a task that found none. */                            \
  X(Searches, "empty_searches")                                                \
  /* Times that it asked the kernel where data is. */                          \
  X(Lookups, "lookups")                                                        \
  /* Times that it did not have to: the directory of placed data knew. */      \
  X(Known, "directory_answers")                                                \
  /* Times that it served others as combiner. */                               \
  X(Passes, "combiner_passes")                                                 \
  /* Requests that it served, its own included. */                             \
  X(Served, "combined_requests")                                               \
  /* In ticks, as all of these: asking the kernel, ... */                      \
  X(LookupTime, "lookup_seconds")                                              \
  /* ... in queues that are shared, ... */                                     \
  X(AccessTime, "access_seconds")                                              \
  /* ... between the first search in vain and the next task. */                \
  X(IdleTime, "idle_seconds")

enum class Stat : uint8_t {
#define LOCUS_STAT(Name, Reported) Name,
  LOCUS_STATS(LOCUS_STAT)
#undef LOCUS_STAT
      End ///< behind the last
};
constexpr int NumStats = int(Stat::End);
constexpr bool isTime(Stat S) { return S >= Stat::LookupTime; }

/// The counters of one thread. Written by it alone.
struct alignas(CacheLine) ThreadStats {
  std::atomic<uint64_t> Counts[NumStats] = {};
  IdleClock Idle;
  int OsNode = -1; ///< where it was last
  ThreadStats *Next = nullptr;
};

enum class Level : uint8_t; // machine/topology.h

/// All counters of the process.
class Stats {
public:
  /// Whether anything is counted.
  static bool enabled() {
    return __builtin_expect(Enabled.load(std::memory_order_relaxed), 0);
  }

  /// Counts from now on, and reports at the end of the program: to stderr if
  /// \p FileName is null, else as JSON to that file, where %p stands for the
  /// process' number. A further call only changes where to. False, after a
  /// warning, if that cannot be: then nothing is counted. Not for two threads
  /// at once.
  ///
  /// A forked child counts anew. If it has run tasks, it reports for itself, to
  /// a file with its number in the name: in place of %p, or behind the name.
  static bool enable(const char *FileName);

  /// Counts no longer, and does not report.
  static void disable() { Enabled.store(false, std::memory_order_relaxed); }

  /// Adds \p More to a counter of the calling thread.
  static void count(Stat Which, uint64_t More = 1) {
    if (enabled())
      addOwn(mine().Counts[int(Which)], More);
  }
  /// The calling thread took a task from \p Near, see Hierarchy::closeness().
  static void countSteal(Level Near) {
    // One for each level from Core on, in their order: stats.cpp asserts it.
    count(Stat(int(Stat::StolenCore) + int(Near) - 1));
  }
  /// The calling thread, on \p OsNode, has looked for a task. Only if
  /// enabled().
  static void countSearch(bool Found, int OsNode);
  /// A task went to a queue of \p OsNode.
  static void countPlaced(int OsNode, bool Strict);

  /// Writes the report, for tests and the end of the program.
  static void report();

  /// The counters of the calling thread.
  static ThreadStats &mine();

private:
  static void forgetParent();

  static std::atomic<bool> Enabled;
};

} // namespace locus

#endif // LOCUS_SUPPORT_STATS_H
