//===- host/core_system.h - What the core asks of its surroundings -*- C++ -*-//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_LAB_HOST_CORE_SYSTEM_H
#define LOCUS_LAB_HOST_CORE_SYSTEM_H

#include "locus/support/stats.h"

#include <vector>

namespace locus::lab {

// Of the run: set before its core is made.
extern std::vector<ThreadStats> *StatsOfThreads;
/// hwloc's logical numbers of nodes, which the laboratory has, by those of the
/// system, which the core has, and the other way round; -1: none.
extern std::vector<int> *NodeOfOsNode;
extern std::vector<int> *OsNodeOfNode;

} // namespace locus::lab

#endif // LOCUS_LAB_HOST_CORE_SYSTEM_H
