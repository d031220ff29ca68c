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

#include "locus/machine/topology.h"

#include <atomic>
#include <stddef.h>
#include <stdint.h>

namespace locus {

/// What is counted for each thread. support/stats.cpp has a name for each.
enum class Stat : uint8_t {
  Created,      ///< tasks that the thread created, of all kinds
  Run,          ///< tasks that it ran
  Inlined,      ///< tasks that ran at once because their list was full
  PushedOwn,    ///< to its own list
  PushedThread, ///< to another thread's public queue
  PushedNode,   ///< to a node's public queue
  PushedStrict, ///< to a private queue
  TakenOwn,     ///< from its own list or its own queues
  TakenNode,    ///< from the queues of its node
  StolenCore,   ///< from a list or queue of a thread on the same core
  StolenL3,     ///< of another core on the same level 3 cache
  StolenNuma,   ///< of another one on the same NUMA node
  StolenPackage,
  StolenMachine, ///< farther away than all of these
  Searches,      ///< rounds through all queues without a task
  Forced,        ///< times that it published another thread's tasks
  Lookups,       ///< times that it asked the kernel where data is
  Passes,        ///< times that it served others as combiner
  Served,        ///< requests that it served, its own included
  LookupTime,    ///< in ticks, as all of these
  AccessTime,    ///< in queues that are shared
  IdleTime,      ///< between the first search in vain and the next task
};
constexpr int NumStats = int(Stat::IdleTime) + 1;

/// The counters of one thread. Written by it alone.
struct alignas(64) ThreadStats {
  std::atomic<uint64_t> Counts[NumStats] = {};
  std::atomic<uint64_t> LargestBatch{0}; ///< most requests in one pass
  uint64_t IdleSince = 0;                ///< in ticks; 0 while it has a task
  int OsNode = -1;                       ///< where it was last
  ThreadStats *Next = nullptr;
};

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
  static void count(Stat What, uint64_t More = 1) {
    if (enabled())
      add(mine().Counts[int(What)], More);
  }
  /// The calling thread took a task from \p Near, see Hierarchy::closeness().
  static void countSteal(Level Near) {
    count(Stat(int(Stat::StolenCore) + int(Near) - int(Level::Core)));
  }
  /// The calling thread, on \p OsNode, has looked for a task.
  static void countSearch(bool Found, int OsNode) {
    if (enabled())
      addSearch(Found, OsNode);
  }
  /// The calling thread, a combiner, served \p Requests at once.
  static void countPass(uint32_t Requests);
  /// A task went to a queue of \p OsNode.
  static void countPlaced(int OsNode, bool Strict);

  /// Writes the report, for tests and the end of the program.
  static void report();

private:
  static ThreadStats &mine();
  static void addSearch(bool Found, int OsNode);
  static void forgetParent();
  static void add(std::atomic<uint64_t> &Sum, uint64_t More) {
    Sum.store(Sum.load(std::memory_order_relaxed) + More,
              std::memory_order_relaxed);
  }

  static std::atomic<bool> Enabled;
};

} // namespace locus

#endif // LOCUS_SUPPORT_STATS_H
