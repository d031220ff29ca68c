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
#include "locus/machine/topology.h"
#include "locus/support/array.h"
#include "locus/support/check.h"

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

} // namespace locus

#endif // LOCUS_MACHINE_TEAM_SHAPE_H
