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
#include "locus/support/array.h"

namespace locus {

// Several threads may run on the same place, which has several nodes or CPUs.
// Each thread is assigned one of them, by its rank among those threads.

/// One of \p Count threads that share some things: the one that \p Rank others
/// come before.
struct Sharer {
  int Rank = 0;
  int Count = 1;

  /// Which of \p Things things it gets, in blocks: threads of neighbouring rank
  /// get the same thing or neighbours, and no thing has two threads more than
  /// another. 0 .. Things - 1; 0 for no things.
  int inBlocks(int Things) const {
    LOCUS_CHECK(Rank >= 0 && Rank < Count && Things >= 0);
    return int(int64_t(Rank) * Things / Count);
  }
};

/// Thread \p Thread among those of threads 0 .. \p NumThreads - 1 for which
/// \p Shares(thread) is true, in the order of their numbers. Count is 0 if
/// there are none.
template <class Test> Sharer sharerOf(int Thread, int NumThreads, Test Shares) {
  Sharer Found = {0, 0};
  for (int Other = 0; Other < NumThreads; ++Other)
    if (Shares(Other)) {
      Found.Rank += Other < Thread;
      ++Found.Count;
    }
  return Found;
}

/// A thread of the team in the machine.
struct ThreadSpot {
  int OsCpu;  ///< a CPU that it runs on; -1 for any of the node's
  int OsNode; ///< its node, see TeamShape
};

/// The groups of one team. Its const members may be called from any thread
/// without synchronization while nobody builds.
class Hierarchy {
public:
  /// Groups the \p NumThreads threads of \p Spots. Threads with any CPU of a
  /// node are spread over it in blocks. A level that the machine does not have
  /// gets the groups of the next coarser one that it has. \p Machine must
  /// outlive the groups. May be called again, which uses the memory of the last
  /// time as far as it suffices. False if there is no memory: the groups can
  /// only be built again then.
  bool build(const Topology &Machine, int NumThreads, const ThreadSpot *Spots);

  /// Adds Level(NumLevels + I) for the I-th call since build() or forgetCuts(),
  /// at most MaxCuts: \p Number groups (1 .. numThreads()) of neighbours in
  /// hwloc's logical order, whose sizes differ by one at most. False if there
  /// is no memory. Nobody may use the groups meanwhile.
  bool cut(int Number);
  /// As cut(), one group for each object of Topology::wantObjects()'s type;
  /// threads that are in none form one more group.
  bool cutByObjects();
  bool canCutByObjects() const { return Machine->hasWantedObjects(); }
  void forgetCuts() { NumCuts = 0; }
  int numCuts() const { return NumCuts; }

  int numThreads() const { return NumThreads; }
  int numGroups(Level L) const {
    return L == Level::Thread ? NumThreads : Levels[int(L)].Count;
  }
  /// The group of \p Thread: 0 .. numGroups(L) - 1, in hwloc's logical order.
  int groupOf(Level L, int Thread) const {
    LOCUS_CHECK(Thread >= 0 && Thread < NumThreads);
    return L == Level::Thread ? Thread : Levels[int(L)].GroupOf[Thread];
  }
  /// The group's member that comes first in hwloc's logical order.
  int firstMember(Level L, int Group) const {
    LOCUS_CHECK(Group >= 0 && Group < numGroups(L));
    return L == Level::Thread ? Group : Levels[int(L)].Groups[Group].First;
  }
  int numMembers(Level L, int Group) const {
    LOCUS_CHECK(Group >= 0 && Group < numGroups(L));
    return L == Level::Thread ? 1 : Levels[int(L)].Groups[Group].NumMembers;
  }
  /// False if the machine has no objects of this level.
  bool hasLevel(Level L) const { return Levels[int(L)].IsPresent; }
  /// False if \p L has the same groups as the next finer level.
  bool isInformative(Level L) const {
    return L == Level::Thread || numGroups(L) < numGroups(Level(int(L) - 1));
  }

  /// The finest level at which threads \p A and \p B are in one group.
  Level closeness(int A, int B) const;

  /// Writes the groups at \p L but the one of \p Thread to \p Nearest, which
  /// has room for numGroups(L) - 1 numbers: those on the thread's node by
  /// closeness, then the others by the distance of their nodes, then by
  /// closeness. Equally near ones begin behind the thread's own group.
  void nearestGroups(Level L, int Thread, uint64_t *Nearest) const;

private:
  struct Group {
    int First; ///< thread
    int NumMembers;
  };
  struct GroupsOfLevel {
    bool IsPresent = false; ///< the machine has objects of this level
    int Count = 0;
    Array<int> GroupOf; ///< by thread
    Array<Group> Groups;
  };

  bool reserve(size_t Count);
  template <class Function> void group(GroupsOfLevel &Made, Function Together);
  void assignCpus(const ThreadSpot *Wanted);
  void spreadOver(int OsNode);
  void sortThreads();
  void group(Level L);
  bool areTogether(Level L, Level Source, int A, int B) const;
  GroupsOfLevel *addCut();

  const Topology *Machine = nullptr;
  int NumThreads = 0;
  /// That of Level::Thread needs no arrays; behind Level::Machine the cuts.
  GroupsOfLevel Levels[NumGroupings];
  int NumCuts = 0;
  Array<ThreadSpot> Spots; ///< by thread; all have a CPU
  Array<uint64_t> Order;   ///< thread numbers in hwloc's order, with a sort key
  size_t Room = 0;         ///< threads that there is memory for
};

} // namespace locus

#endif // LOCUS_MACHINE_HIERARCHY_H
