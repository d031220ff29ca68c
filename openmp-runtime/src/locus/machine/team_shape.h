//===- machine/team_shape.h - Which node each thread is on ------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where a team's threads are in the machine. A "thread" is a thread number of
// the team, 0 .. numThreads() - 1. A "team node" is a NUMA node with threads of
// the team: dense numbers, 0 .. numNodes() - 1, in the order in which the nodes
// first appear by thread number. An "OS node" is the kernel's number.
//
// These are the locality domains of Virouleau et al., "Description,
// Implementation and Evaluation of an Affinity Clause for Task Directives"
// (IWOMP 2016), section 3.3, without their queues: machine/README.md.
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_MACHINE_TEAM_SHAPE_H
#define LOCUS_MACHINE_TEAM_SHAPE_H

#include "locus/machine/hierarchy.h"

namespace locus {

/// The shape of one team. Its const members may be called from any thread
/// without synchronization while nobody builds.
class TeamShape {
public:
  /// Becomes the shape of a team of \p NumThreads threads, at least one. Thread
  /// I runs on the CPUs of the OS nodes \p ThreadNodes[I]; an empty set counts
  /// as the whole machine. Threads with the same set of several nodes are
  /// spread over it in blocks. \p ThreadCpus[I] is an OS CPU of thread I, -1
  /// for any of its node's; null if that is so for all threads. \p Machine must
  /// outlive the shape; the arrays need not.
  ///
  /// Uses the memory of the last time as far as it suffices; where it does not,
  /// there is room for a quarter more threads afterwards. False if there is no
  /// memory: the shape can only be built again then.
  bool build(const Topology &Machine, int NumThreads,
             const NodeSet *ThreadNodes, const int *ThreadCpus);

  int numThreads() const { return NumThreads; }
  int numNodes() const { return NumNodes; }

  /// The team node of \p Thread.
  int nodeOfThread(int Thread) const {
    LOCUS_CHECK(Thread >= 0 && Thread < NumThreads);
    return ThreadNodes[Thread];
  }
  /// The OS CPU that build() was told for \p Thread, or -1, and its OS node.
  const ThreadSpot &spotOfThread(int Thread) const {
    LOCUS_CHECK(Thread >= 0 && Thread < NumThreads);
    return Spots[Thread];
  }

  /// The OS node of team node \p Node.
  int osNode(int Node) const { return ofNode(Node).OsNode; }
  /// The team node of \p OsNode, any number; -1 if no thread of the team is
  /// there.
  int teamNode(int OsNode) const;
  /// The team node nearest to \p OsNode, any number: itself, if it is one; of
  /// equally near ones the smallest.
  int nearestNode(int OsNode) const;

  /// The threads of team node \p Node, at least one, ascending.
  const int *threadsOfNode(int Node) const {
    return &NodeThreads[ofNode(Node).FirstThread];
  }
  int numThreadsOfNode(int Node) const { return ofNode(Node).NumThreads; }
  /// The other numNodes() - 1 team nodes, nearest to \p Node first. Equally
  /// near ones begin behind \p Node, so that the nodes do not all turn to node
  /// 0 first.
  const int *otherNodes(int Node) const {
    LOCUS_CHECK(Node >= 0 && Node < NumNodes);
    return Others.data() + size_t(Node) * size_t(NumNodes - 1);
  }

  /// False if some thread's CPUs span several nodes, so that the operating
  /// system may run it on another node than nodeOfThread() says.
  bool isBound() const { return Bound; }

  /// The groups that the threads form at each level of the machine.
  const Hierarchy &groups() const { return Groups; }
  /// To cut: while nobody uses the shape.
  Hierarchy &groups() { return Groups; }

  /// How many threads, and how many nodes, there is memory for.
  int room() const { return Room; }
  int nodeRoom() const { return NodeRoom; }

private:
  struct NodeInfo {
    int OsNode;
    int FirstThread; ///< index in NodeThreads
    int NumThreads;
  };

  const NodeInfo &ofNode(int Node) const {
    LOCUS_CHECK(Node >= 0 && Node < NumNodes);
    return Nodes[Node];
  }
  bool reserve(int MostThreads);
  void assignNodes(const NodeSet *Sets);
  int addNode(int OsNode);
  void listThreads();
  void listOthers(int Node);

  const Topology *Machine = nullptr;
  int NumThreads = 0;
  int NumNodes = 0;
  bool Bound = true;
  int Room = 0;
  int NodeRoom = 0;
  Array<ThreadSpot> Spots; ///< by thread
  Array<int> ThreadNodes;  ///< by thread, team nodes
  Array<NodeInfo> Nodes;
  Array<int> NodeThreads; ///< those of node 0, of node 1, ...
  Array<int> Others;      ///< NumNodes rows of NumNodes - 1 nodes
  Array<uint64_t> Keys;   ///< by node, to sort
  Hierarchy Groups;
};

//===----------------------------------------------------------------------===//
// The last few shapes of a team
//===----------------------------------------------------------------------===//

// A program may change the size of its team with each region, and mostly takes
// turns with a few sizes. Their shapes are kept, and found again by where the
// host says that the threads are.

/// Shapes that a team keeps for when it comes back to one of them; each takes
/// 1.5 KB, and some 100 bytes a thread. Programs take turns with two or three
/// sizes, and a task team of nested teams with so many for each partition of
/// the places that they lie in.
constexpr int ShapesKept = 8;

/// Up to ShapesKept shapes. A thread's *home* is a number of the host's that
/// says where it is: two teams of as many threads with the same homes have the
/// same shape. For one thread at a time.
class ShapeCache {
public:
  /// The shape of the team of \p NumThreads threads, of which thread I has the
  /// home \p HomeOf(I); null if it is not here.
  template <class Function> TeamShape *find(int NumThreads, Function HomeOf) {
    LOCUS_CHECK(NumThreads > 0);
    for (int I = 0; I < ShapesKept; ++I)
      if (Keys[I].NumHomes == NumThreads && Keys[I].hasHomes(HomeOf)) {
        Keys[I].LastUse = ++Uses;
        return &Shapes[I];
      }
    return nullptr;
  }

  /// A shape as TeamShape::build() makes it: the one that is here, if it has
  /// the same \p Homes, or else a new one in place of that which was not used
  /// for longest. Null \p Homes, where there is no number for some thread: a
  /// new one in place of the last of that kind, which find() does not find.
  /// What it returns is valid until ShapesKept others have been found or built,
  /// or, if it has no homes, until the next one without. Null if there is no
  /// memory.
  TeamShape *build(const Topology &Machine, int NumThreads,
                   const NodeSet *ThreadNodes, const int *ThreadCpus,
                   const int *Homes);

private:
  struct Key {
    Array<int> Homes;     ///< by thread
    int NumHomes = 0;     ///< 0: not to be found
    uint64_t LastUse = 0; ///< 0: never

    template <class Function> bool hasHomes(Function HomeOf) const {
      for (int T = 0; T < NumHomes; ++T)
        if (Homes[T] != HomeOf(T))
          return false;
      return true;
    }
  };

  /// By shape. On cache lines of their own: find() writes to them, and other
  /// threads read the shapes.
  alignas(CacheLine) Key Keys[ShapesKept];
  uint64_t Uses = 0;
  alignas(CacheLine) TeamShape Shapes[ShapesKept];
  TeamShape Homeless; ///< the last one without homes
};

} // namespace locus

#endif // LOCUS_MACHINE_TEAM_SHAPE_H
