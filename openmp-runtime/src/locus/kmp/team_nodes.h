//===- kmp/team_nodes.h - The nodes of the caller's team --------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_KMP_TEAM_NODES_H
#define LOCUS_KMP_TEAM_NODES_H

#include "kmp.h"
#include "locus/kmp/places.h"

namespace locus {

/// The node numbers of the calling thread's team. Those of its Team where
/// it has several threads; else the OS nodes in order.
class TeamNodes {
public:
  explicit TeamNodes(kmp_info_t *Thread);

  int count() const { return Ours ? Ours->shape().numNodes() : Count; }

  /// The OS node of team node \p Node, 0 .. count() - 1.
  int osNode(int Node) const {
    return Ours ? Ours->shape().osNode(Node) : Order[Node];
  }

  /// The team node of \p OsNode; -1 if it is none.
  int find(int OsNode) const;

  /// The team node that \p Thread, the caller, counts as being on, where one
  /// cannot see where it runs.
  int assigned(kmp_info_t *Thread) const {
    return Ours ? Ours->shape().nodeOfThread(Thread->th.th_info.ds.ds_tid) : 0;
  }

  /// The team node that \p Thread, the caller, runs on.
  int current(kmp_info_t *Thread) const;

private:
  void add(const NodeSet &Set);
  void addInitial();

  const Team *Ours = nullptr;
  int Count = 0;
  int16_t Order[MaxOsNodes];
};

} // namespace locus

#endif // LOCUS_KMP_TEAM_NODES_H
