//===- placement.cpp - Tests of task/placement ----------------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "locus/task/placement.h"
#include "directory_writer.h"
#include "locus/data/directory.h"
#include "shape_team.h"

#include <algorithm>
#include <cerrno>
#include <gtest/gtest.h>

using namespace locus;
using namespace locus::test;

//===----------------------------------------------------------------------===//
// Resolving hints
//===----------------------------------------------------------------------===//

static void expectPlace(const Placement &Got, Placement::Where Place,
                        bool Strict = false, int Index = 0) {
  EXPECT_EQ(Got.Place, Place);
  if (Place == Placement::Anywhere)
    return;
  EXPECT_EQ(Got.Strict, Strict);
  EXPECT_EQ(Got.Index, Index);
}

/// Values that a program may pass, two's complement.
static const uintptr_t Values[] = {0,
                                   1,
                                   2,
                                   3,
                                   7,
                                   8,
                                   191,
                                   192,
                                   1000003,
                                   INT32_MAX,
                                   uintptr_t(INT32_MAX) + 1,
                                   UINT32_MAX,
                                   uintptr_t(INTPTR_MAX),
                                   uintptr_t(INTPTR_MIN),
                                   uintptr_t(INTPTR_MIN) + 1,
                                   UINTPTR_MAX,
                                   UINTPTR_MAX - 1,
                                   uintptr_t(-7),
                                   uintptr_t(-8),
                                   uintptr_t(-1000003)};

/// The remainder as mathematicians have it.
static int modulo(uintptr_t Value, int Count) {
  return int((__int128(intptr_t(Value)) % Count + Count) % Count);
}

TEST(ResolveTest, none) {
  ShapeTeam T(topology("node:2 pu:2"), blocks(2, 2));
  for (bool Strict : {false, true})
    expectPlace(
        resolve(*T, Kind::None, Strict, {42, 8}, 1, UnknownPolicy::First),
        Placement::Anywhere);
}

TEST(ResolveTest, threadsModuloTheTeam) {
  for (int Threads : {1, 2, 3, 7, 8, 192}) {
    ShapeTeam T(paperMachine(),
                std::vector<NodeSet>(Threads, nodeSet({0, 5, 9})));
    for (uintptr_t Value : Values) {
      const int Wanted = modulo(Value, Threads);
      for (int Pusher : {0, Threads / 2, Threads - 1}) {
        SCOPED_TRACE(testing::Message() << Value << " of " << Threads);
        expectPlace(resolve(*T, Kind::Thread, true, {Value, 0}, Pusher,
                            UnknownPolicy::First),
                    Placement::OnThread, true, Wanted);
        expectPlace(resolve(*T, Kind::Thread, false, {Value, 0}, Pusher,
                            UnknownPolicy::First),
                    Wanted == Pusher ? Placement::Anywhere
                                     : Placement::OnThread,
                    false, Wanted);
      }
    }
  }
}

TEST(ResolveTest, nodesModuloTheTeamsNodes) {
  for (int Nodes : {1, 2, 3, 24}) {
    ShapeTeam T(paperMachine(), blocks(Nodes, 2));
    for (uintptr_t Value : Values) {
      const int Wanted = modulo(Value, Nodes);
      for (int Pusher : {0, Nodes - 1, 2 * Nodes - 1}) {
        SCOPED_TRACE(testing::Message() << Value << " of " << Nodes);
        expectPlace(resolve(*T, Kind::Node, true, {Value, 0}, Pusher,
                            UnknownPolicy::First),
                    Placement::OnNode, true, Wanted);
        expectPlace(resolve(*T, Kind::Node, false, {Value, 0}, Pusher,
                            UnknownPolicy::First),
                    Wanted == Pusher / 2 ? Placement::Anywhere
                                         : Placement::OnNode,
                    false, Wanted);
      }
    }
  }
}

TEST(ResolveTest, numbersAreTheTeamsNotTheSystems) {
  ShapeTeam T(topology("node:4 pu:2"), boundTo({3, 1}));
  expectPlace(resolve(*T, Kind::Node, true, {1, 0}, 0, UnknownPolicy::First),
              Placement::OnNode, true, 1);
  EXPECT_EQ(T->osNode(1), 1);
  EXPECT_EQ(T->osNode(0), 3);
}

namespace {
/// A kernel that says \p Node for every page.
MovePages allOn(int Node) {
  return [Node](unsigned long Count, void **, int *Status) {
    std::fill(Status, Status + Count, Node);
    return 0;
  };
}
} // namespace

TEST(ResolveTest, dataFollowsTheMemory) {
  ShapeTeam T(topology("node:4 pu:2"), boundTo({3, 3, 1, 1}));
  const TaskTarget Somewhere = {uintptr_t(1) << 40, 8};
  for (Kind What : {Kind::Data, Kind::Ranges}) {
    RangeList List = {2, {{uintptr_t(1) << 40, 8}, {uintptr_t(1) << 41, 8}}};
    TaskTarget Target = What == Kind::Data
                            ? Somewhere
                            : TaskTarget{reinterpret_cast<uintptr_t>(&List), 0};
    FakeKernel Fake(allOn(1));
    const int Before = MovePagesCalls;
    // OS node 1 is team node 1, with threads 2 and 3.
    expectPlace(resolve(*T, What, true, Target, 0, UnknownPolicy::First),
                Placement::OnNode, true, 1);
    expectPlace(resolve(*T, What, true, Target, 2, UnknownPolicy::First),
                Placement::OnNode, true, 1);
    expectPlace(resolve(*T, What, false, Target, 0, UnknownPolicy::First),
                Placement::OnNode, false, 1);
    expectPlace(resolve(*T, What, false, Target, 3, UnknownPolicy::First),
                Placement::Anywhere);
    EXPECT_EQ(MovePagesCalls, Before + 4); // asked each time: no stale answer
  }
}

TEST(ResolveTest, placedData) {
  ShapeTeam T(topology("node:4 pu:2"), boundTo({3, 3, 1, 1}));
  NodeList Three;
  Three.add(3);
  const uintptr_t Base = uintptr_t(1) << 40;
  ASSERT_TRUE(Directory::get().insert(Base, Partition(Three, 2, 0)));
  const TaskTarget Target = {Base, 8};
  {
    FakeKernel Fake(allOn(1)); // where somebody has moved it
    int Before = MovePagesCalls;
    expectPlace(resolve(*T, Kind::Data, false, Target, 2, UnknownPolicy::First),
                Placement::OnNode, false, 0);
    EXPECT_EQ(MovePagesCalls, Before); // a wish takes the directory's word
    expectPlace(resolve(*T, Kind::Data, true, Target, 0, UnknownPolicy::First),
                Placement::OnNode, true, 1);
    EXPECT_EQ(MovePagesCalls, Before + 1); // a strict task does not
  }
  {
    FakeKernel Fake(allOn(-ENOENT)); // not touched yet
    expectPlace(resolve(*T, Kind::Data, true, Target, 2, UnknownPolicy::Local),
                Placement::OnNode, true, 0);
    // Also while a writer is in the way.
    DirectoryWriter::begin(Directory::get());
    expectPlace(resolve(*T, Kind::Data, true, Target, 2, UnknownPolicy::Local),
                Placement::OnNode, true, 0);
    expectPlace(resolve(*T, Kind::Data, false, Target, 2, UnknownPolicy::Local),
                Placement::OnNode, false, 0);
    DirectoryWriter::end(Directory::get());
  }
  Directory::get().forget({Base, 1});
  FakeKernel Fake(allOn(1));
  expectPlace(resolve(*T, Kind::Data, false, Target, 0, UnknownPolicy::First),
              Placement::OnNode, false, 1);
  DirectoryWriter::release(Directory::get());
}

TEST(ResolveTest, rangesByMostBytes) {
  ShapeTeam T(topology("node:2 pu:2"), blocks(2, 2));
  RangeList List = {3, {{0x10000, 8}, {0x20000, 8}, {0x30000, 100}}};
  FakeKernel Fake([](unsigned long Count, void **Pages, int *Status) {
    for (unsigned long I = 0; I < Count; ++I)
      Status[I] = uintptr_t(Pages[I]) >= 0x30000 ? 1 : 0;
    return 0;
  });
  TaskTarget Target = {reinterpret_cast<uintptr_t>(&List), 0};
  expectPlace(resolve(*T, Kind::Ranges, true, Target, 0, UnknownPolicy::First),
              Placement::OnNode, true, 1);
  List.Count = 2;
  expectPlace(resolve(*T, Kind::Ranges, true, Target, 3, UnknownPolicy::First),
              Placement::OnNode, true, 0);
}

TEST(ResolveTest, dataOutsideOfTheTeamGoesToTheNearestNode) {
  ShapeTeam T(paperMachine(), boundTo({0, 9, 17}));
  const std::pair<int, int> Cases[] = {{1, 0}, {8, 1}, {12, 1}, {22, 2}};
  for (auto [OsNode, Wanted] : Cases) {
    FakeKernel Fake(allOn(OsNode));
    expectPlace(
        resolve(*T, Kind::Data, true, {4096, 8}, 0, UnknownPolicy::First),
        Placement::OnNode, true, Wanted);
  }
}

TEST(ResolveTest, dataOnANodeWithoutCpus) {
  // Node 1, whose neighbour is node 0.
  ShapeTeam Without(machine("nodeWithoutCpus"), boundTo({2, 0}));
  FakeKernel Fake(allOn(1));
  expectPlace(
      resolve(*Without, Kind::Data, true, {4096, 8}, 0, UnknownPolicy::Local),
      Placement::OnNode, true, 1);
}

TEST(ResolveTest, dataOnAMemoryOnlyNode) {
  // Node 2 serves all CPUs, none nearer than the others.
  ShapeTeam T(machine("memoryOnly"), boundTo({1, 0}));
  FakeKernel Fake(allOn(2));
  for (int Pusher : {0, 1})
    expectPlace(
        resolve(*T, Kind::Data, true, {4096, 8}, Pusher, UnknownPolicy::Local),
        Placement::OnNode, true, 0);
}

TEST(ResolveTest, unknownData) {
  ShapeTeam T(topology("node:2 pu:2"), blocks(2, 2));
  FakeKernel Fake(allOn(-ENOENT));
  // No page, so neither has a policy.
  for (uintptr_t Value : {uintptr_t(0), UINTPTR_MAX, uintptr_t(1) << 62}) {
    const TaskTarget Target = {Value, 0};
    expectPlace(resolve(*T, Kind::Data, true, Target, 3, UnknownPolicy::First),
                Placement::OnNode, true, 0);
    expectPlace(resolve(*T, Kind::Data, true, Target, 3, UnknownPolicy::Local),
                Placement::OnNode, true, 1);
    expectPlace(resolve(*T, Kind::Data, false, Target, 3, UnknownPolicy::First),
                Placement::OnNode, false, 0);
    expectPlace(resolve(*T, Kind::Data, false, Target, 0, UnknownPolicy::First),
                Placement::Anywhere);
    expectPlace(resolve(*T, Kind::Data, false, Target, 3, UnknownPolicy::Local),
                Placement::Anywhere);
  }
}

TEST(ResolveTest, oneNodeNeedsNoKernel) {
  ShapeTeam T(topology("node:4 pu:2"), boundTo({2, 2}));
  const int Before = MovePagesCalls;
  expectPlace(resolve(*T, Kind::Data, true, {4096, 8}, 1, UnknownPolicy::First),
              Placement::OnNode, true, 0);
  expectPlace(
      resolve(*T, Kind::Data, false, {4096, 8}, 1, UnknownPolicy::First),
      Placement::Anywhere);
  EXPECT_EQ(MovePagesCalls, Before);
}
