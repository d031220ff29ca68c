//===- team/options.h - How a team keeps its tasks --------------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_TEAM_OPTIONS_H
#define LOCUS_TEAM_OPTIONS_H

#include "locus/lists/shared_lists.h"
#include "locus/steal/steal_search.h"
#include "locus/tuning.h"

namespace locus {

/// How several threads take from one queue: KMP_TASK_SYNC.
enum class Sync : uint8_t { Combining, Lock };

/// The settings of a team.
struct TeamOptions : ListsOptions {
  StealPolicy Steal = StealPolicy::Sample;
  /// Tasks in a list, for each thread that shares it, from which on new ones
  /// are throttled, which means that they run at once: KMP_TASK_QUEUE_SIZE.
  /// 0: never. The default is no less than the team's threads, for as many
  /// tasks may wait for each other.
  uint32_t Limit = Tuned.ListLimit;
  bool InPlace = false; ///< tasks may run in place, see inplace/README.md
  Sync TakeBy = Sync::Combining;

  bool operator==(const TeamOptions &O) const {
    return ListsOptions::operator==(O) && Steal == O.Steal &&
           Limit == O.Limit && InPlace == O.InPlace && TakeBy == O.TakeBy;
  }
};

} // namespace locus

#endif // LOCUS_TEAM_OPTIONS_H
