//===- lists/queues_setting.h - KMP_TASK_QUEUES -----------------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_LISTS_QUEUES_SETTING_H
#define LOCUS_LISTS_QUEUES_SETTING_H

#include "locus/machine/topology.h"

namespace locus {

/// How tasks are divided into lists: KMP_TASK_QUEUES.
struct ListsOptions {
  /// One list of tasks for each group of this level. FirstCut: for each object
  /// of Topology::wantObjects()'s type, or, if NumLists is not 0, so many
  /// lists, each of as many neighbours as any other.
  Level Lists = Level::Thread;
  int NumLists = 0;
  bool Adaptive = false; ///< Lists is only where to start

  bool operator==(const ListsOptions &O) const {
    return Lists == O.Lists && NumLists == O.NumLists && Adaptive == O.Adaptive;
  }
};

/// What KMP_TASK_QUEUES may be, for messages.
extern const char LegalQueues[];

/// Sets how \p Options divide tasks into lists as \p Text says: the name of a
/// level ("thread", ... "machine"), of any other type of hwloc's objects, a
/// number of lists from 1 on, or "adaptive"; in any case of letters. False, and
/// no change, for anything else. Topology::wantObjects() is told the type, so
/// the topology must not be loaded yet.
bool parseQueues(const char *Text, ListsOptions &Options);

} // namespace locus

#endif // LOCUS_LISTS_QUEUES_SETTING_H
