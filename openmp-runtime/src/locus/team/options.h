//===- team/options.h - How a team keeps its tasks --------------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_TEAM_OPTIONS_H
#define LOCUS_TEAM_OPTIONS_H

#include "locus/machine/topology.h"
#include "locus/tuning.h"

namespace locus {

/// Whom a thread without a task robs: KMP_TASK_STEAL. A list is that of one
/// group of threads. Clet-Ortega et al. (Euro-Par 2014), section 3.2.
enum class StealPolicy : uint8_t {
  Hierarchical, ///< all lists, the nearest first
  Random,       ///< one list, drawn for each search
  RandomOrder,  ///< all lists, in an order drawn for each search
  RoundRobin,   ///< all lists in their order, from behind the thread's own on
  Producer,     ///< the one with most tasks; the others where that gives none
  ProducerOrder ///< all lists, those with most tasks first
};
constexpr int NumStealPolicies = int(StealPolicy::ProducerOrder) + 1;

/// How several threads take from one queue: KMP_TASK_SYNC.
enum class Sync : uint8_t { Combining, Lock };

/// The settings of a team.
struct TeamOptions {
  /// One list of tasks for each group of this level: KMP_TASK_QUEUES.
  Level Lists = Level::Thread;
  bool Adaptive = false; ///< Lists is only where to start
  StealPolicy Steal = StealPolicy::Hierarchical;
  /// Tasks in a list, for each thread that shares it, from which on new ones
  /// are throttled, which means that they run at once: KMP_TASK_QUEUE_SIZE.
  /// 0: never. The default is no less than the team's threads, for as many
  /// tasks may wait for each other.
  uint32_t Limit = Tuned.ListLimit;
  bool InPlace = false; ///< tasks may run in place, see inplace/README.md
  Sync TakeBy = Sync::Combining;
};

} // namespace locus

#endif // LOCUS_TEAM_OPTIONS_H
