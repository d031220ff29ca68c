//===- shape_team.h - A team for the tests of shapes ------------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_TEST_SHAPE_TEAM_H
#define LOCUS_TEST_SHAPE_TEAM_H

#include "locus/machine/team_shape.h"
#include "support.h"

#include <gtest/gtest.h>
#include <vector>

namespace locus::test {

/// A team's shape.
class ShapeTeam {
public:
  ShapeTeam(const Topology &Machine, const std::vector<NodeSet> &Threads,
            const std::vector<int> &Cpus = {}) {
    EXPECT_TRUE(Made.build(Machine, int(Threads.size()), Threads.data(),
                           Cpus.empty() ? nullptr : Cpus.data()));
  }

  TeamShape *operator->() { return &Made; }
  TeamShape &operator*() { return Made; }

  /// The team nodes of all threads, in order.
  std::vector<int> nodes() {
    std::vector<int> All;
    for (int T = 0; T < Made.numThreads(); ++T)
      All.push_back(Made.nodeOfThread(T));
    return All;
  }
  std::vector<int> osNodes() {
    std::vector<int> All;
    for (int N = 0; N < Made.numNodes(); ++N)
      All.push_back(Made.osNode(N));
    return All;
  }
  std::vector<int> members(int Node) {
    const int *First = Made.threadsOfNode(Node);
    return {First, First + Made.numThreadsOfNode(Node)};
  }
  std::vector<int> others(int Node) {
    const int *First = Made.otherNodes(Node);
    return {First, First + Made.numNodes() - 1};
  }

private:
  TeamShape Made;
};

/// \p Count threads on each of \p Nodes, one node after the other.
inline std::vector<NodeSet> blocks(int Nodes, int Count) {
  std::vector<int> All;
  for (int N = 0; N < Nodes; ++N)
    All.insert(All.end(), Count, N);
  return boundTo(All);
}

} // namespace locus::test

#endif // LOCUS_TEST_SHAPE_TEAM_H
