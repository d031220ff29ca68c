//===- machine/hierarchy.h - How a team lies in the machine -----*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The groups that a team's threads form at each level of hwloc's tree, after
// Clet-Ortega et al., "Evaluation of OpenMP Task Scheduling Algorithms for
// Large NUMA Architectures" (Euro-Par 2014), section 3.1, and how near the
// groups are to each other.
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_MACHINE_HIERARCHY_H
#define LOCUS_MACHINE_HIERARCHY_H

#include "locus/machine/topology.h"

#include <stddef.h>

namespace locus {

/// A thread of the team in the machine.
struct ThreadSpot {
  int OsCpu;  ///< a CPU that it runs on; -1 for any of the node's
  int OsNode; ///< its node, see Domains
};

/// The groups of one team.
class Hierarchy {
public:
  Hierarchy() = default;
  Hierarchy(const Hierarchy &) = delete;
  Hierarchy &operator=(const Hierarchy &) = delete;
  ~Hierarchy();

  /// Groups the \p NumThreads threads of \p Spots. Threads with any CPU of a
  /// node are spread over it in blocks. A level that the machine does not have
  /// gets the groups of the next coarser one that it has. Returns false where
  /// there is no memory. May be called again while nobody uses the groups.
  bool build(const Topology &Machine, int NumThreads, const ThreadSpot *Spots);

  int numThreads() const { return NumThreads; }
  int numGroups(Level L) const { return NumGroups[int(L)]; }
  /// The group of \p Thread: 0 .. numGroups(L) - 1, in hwloc's logical order.
  int groupOf(Level L, int Thread) const {
    return L == Level::Thread ? Thread : Groups[int(L)][Thread];
  }
  /// The group's member that comes first in hwloc's logical order.
  int firstMember(Level L, int Group) const {
    return L == Level::Thread ? Group : First[int(L)][Group];
  }
  int numMembers(Level L, int Group) const {
    return L == Level::Thread ? 1 : Members[int(L)][Group];
  }
  /// False if the machine has no objects of this level.
  bool hasLevel(Level L) const { return Present[int(L)]; }
  /// False if \p L has the same groups as the next finer level.
  bool isInformative(Level L) const {
    return L == Level::Thread || numGroups(L) < numGroups(Level(int(L) - 1));
  }

  /// The finest level at which threads \p A and \p B are in one group.
  Level closeness(int A, int B) const;

  /// Writes the groups at \p L but the one of \p Thread to \p Order, which has
  /// room for numGroups(L) - 1 numbers: those on the thread's node by
  /// closeness, then the others by the distance of their nodes, then by
  /// closeness. Equally near ones begin behind the thread's own group.
  void nearestGroups(Level L, int Thread, uint64_t *Order) const;

private:
  bool reserve(size_t Threads);
  void spread(int Any, int OsNode, int *Cpus) const;

  const Topology *Machine = nullptr;
  int NumThreads = 0;
  int NumGroups[NumLevels] = {};
  bool Present[NumLevels] = {};
  int *Groups[NumLevels] = {};
  int *First[NumLevels] = {};
  int *Members[NumLevels] = {};
  int *OsNodes = nullptr; ///< by thread
  int *Storage = nullptr;
  size_t Room = 0; ///< threads that Storage is for
};

} // namespace locus

#endif // LOCUS_MACHINE_HIERARCHY_H
