//===- data_subspace.cpp - Tests of data/subspace -------------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "locus/data/subspace.h"

#include <gtest/gtest.h>
#include <initializer_list>
#include <set>
#include <stdlib.h>
#include <thread>
#include <vector>

using namespace locus;

static NodeSet setOf(std::initializer_list<int> OsNodes) {
  NodeSet Set;
  for (int Node : OsNodes)
    Set.add(Node);
  return Set;
}

TEST(NodeSetTest, common) {
  EXPECT_EQ(setOf({0, 63, 64, 900}) & setOf({1, 64, 900, 1023}),
            setOf({64, 900}));
  EXPECT_EQ((setOf({0}) & setOf({})).size(), 0);
}

/// A process keeps them for ever; the tests make many lists.
static void giveBack(const std::set<const Subspace *> &All) {
  for (const Subspace *Each : All)
    free(const_cast<Subspace *>(Each));
}

TEST(SubspaceTest, oneForEachSet) {
  Subspaces All;
  const Subspace *A = All.intern(99, setOf({1, 3}));
  const Subspace *B = All.intern(99, setOf({3}));
  const Subspace *C = All.intern(1, setOf({3}));
  ASSERT_TRUE(A && B && C);
  EXPECT_EQ(std::set<const Subspace *>({A, B, C}).size(), 3u);
  EXPECT_EQ(All.intern(99, setOf({3, 1})), A);
  EXPECT_EQ(All.intern(99, setOf({3})), B);
  EXPECT_EQ(All.intern(1, setOf({3})), C);
  EXPECT_EQ(A->Parent, 99u);
  EXPECT_EQ(A->Nodes, setOf({1, 3}));
  EXPECT_EQ(All.find(A), A);
  EXPECT_EQ(All.find(C), C);
  EXPECT_EQ(All.find(nullptr), nullptr);
  EXPECT_EQ(All.find(reinterpret_cast<void *>(99)), nullptr);
  EXPECT_EQ(All.find(&A), nullptr);
  giveBack({A, B, C});
}

/// All threads want the same ones, each in another order.
TEST(SubspaceTest, threadsAgree) {
  constexpr int Threads = 4, Sets = 64;
  for (int Round = 0; Round < 20; ++Round) {
    Subspaces All;
    std::vector<std::vector<const Subspace *>> Got(
        Threads, std::vector<const Subspace *>(Sets));
    std::vector<std::thread> Running;
    for (int T = 0; T < Threads; ++T)
      Running.emplace_back([&, T] {
        for (int I = 0; I < Sets; ++I) {
          const int Node = (I * (2 * T + 1)) % Sets;
          Got[T][Node] = All.intern(99, setOf({Node, 100}));
          EXPECT_EQ(All.find(Got[T][Node]), Got[T][Node]);
        }
      });
    for (std::thread &Thread : Running)
      Thread.join();
    for (int T = 1; T < Threads; ++T)
      EXPECT_EQ(Got[T], Got[0]);
    const std::set<const Subspace *> Different(Got[0].begin(), Got[0].end());
    EXPECT_EQ(Different.size(), size_t(Sets));
    giveBack(Different);
  }
}
