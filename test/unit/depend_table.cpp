//===- depend_table.cpp - Tests of what a table of addresses remembers ----===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "depend_graph.h"
#include "locus/tuning.h"
#include "support.h"

#include <algorithm>
#include <deque>
#include <gtest/gtest.h>
#include <random>
#include <set>

using namespace locus;
using namespace locus::test;

namespace {

/// A domain whose tasks the test ends.
class DomainTest : public testing::Test {
protected:
  ~DomainTest() override {
    Domain::destroy(Pool, D);
    EXPECT_EQ(Pool.numAway(), 0u);
    EXPECT_EQ(Pool.numLive(), 0u);
    Pool.destroy();
    Tuned = Tuning();
  }

  /// A new task. Whether it is ready is pending() == 0.
  Node *add(const Clause &What) {
    Pool.countBegin();
    Node *N = Node::make(Pool, task(++NumTasks));
    enter(*D, Pool, *N, What);
    N->endRegistration();
    return N;
  }
  Node *add(Access How, uintptr_t Address) {
    return add(Clause{{{Address, How}}});
  }
  std::vector<Node *> add(Access How, uintptr_t Address, int Count) {
    std::vector<Node *> Nodes;
    for (int I = 0; I < Count; ++I)
      Nodes.push_back(add(How, Address));
    return Nodes;
  }
  static bool isReady(Node *N) { return N->pending() == 0; }

  /// How many tasks become ready by its end.
  int end(Node *N) {
    int Count = 0;
    N->end(Pool, [&](Task *) { ++Count; });
    return Count;
  }
  void end(const std::vector<Node *> &Nodes) {
    for (Node *N : Nodes)
      end(N);
  }
  /// One after the other.
  void addAndEnd(Access How, uintptr_t Address, int Count) {
    for (int I = 0; I < Count; ++I)
      end(add(How, Address));
  }

  /// What a domain keeps of its largest group: a list element for each task.
  static constexpr double CellBlocks =
      double(2 * sizeof(void *)) / BlockBytes * 1.1;

  NodePool Pool;
  Domain *D = Domain::create(Pool);
  int NumTasks = 0;
};

TEST_F(DomainTest, TheTableGrowsWithAddressesInUse) {
  std::vector<Node *> Nodes;
  EXPECT_EQ(D->capacity(), 0u); // until there is a task
  for (uintptr_t Address = 1; Address <= 10000; ++Address) {
    Nodes.push_back(add(Access::Out, Address * 4096));
    if (Address == 1)
      EXPECT_EQ(D->capacity(), size_t(1) << Tuned.DomainLog2);
    ASSERT_EQ(D->size(), Address);
    ASSERT_LT(D->size(), D->capacity());
  }
  EXPECT_LE(D->capacity(), 32768u);
  for (uintptr_t Address = 1; Address <= 10000; ++Address) {
    ASSERT_FALSE(D->isReady({Address * 4096, Access::In}));
    ASSERT_TRUE(D->isReady({Address * 4096 + 1, Access::In}));
  }
  end(Nodes);
  for (uintptr_t Address = 1; Address <= 10000; ++Address)
    ASSERT_TRUE(D->isReady({Address * 4096, Access::Out}));
}

TEST_F(DomainTest, FreshAddressesNeedNoMoreRoomThanTheTasksThatHaveNotEnded) {
  const size_t Capacity = size_t(1) << Tuned.DomainLog2;
  std::deque<Node *> Live;
  for (uintptr_t Address = 1; Address <= 100000; ++Address) {
    Live.push_back(add(Address % 2 ? Access::In : Access::Out, Address * 8));
    ASSERT_TRUE(isReady(Live.back()));
    if (Live.size() > 10) {
      end(Live.front());
      Live.pop_front();
    }
    ASSERT_EQ(D->capacity(), Capacity);
    ASSERT_LE(D->size(), Capacity);
  }
  EXPECT_LE(Pool.numAway(), Capacity);
  end({Live.begin(), Live.end()});
}

TEST_F(DomainTest, AMillionTasksOnFewAddressesNeedFewBlocks) {
  std::mt19937 Random(1);
  const Access Kinds[] = {Access::In, Access::In, Access::Out, Access::Mutex,
                          Access::Set};
  for (int I = 0; I < 1000000; ++I) {
    // Sometimes the same for long.
    const Access How = Kinds[I / 100000 % 2 ? I / 20000 % 5 : Random() % 5];
    Node *N = add(How, 8 * (1 + Random() % 64));
    ASSERT_TRUE(isReady(N));
    ASSERT_TRUE(N->tryToHoldMutexes());
    end(N);
  }
  EXPECT_LE(D->size(), 64u);
  // For each address: its groups until they are swept, a lock, and the cells.
  EXPECT_LE(Pool.numBlocks(), 64u * (2 * Tuned.DomainSweep + 10));
}

TEST_F(DomainTest, ReadersThatHaveEndedAreForgottenWhileOthersCome) {
  Node *Waits = add(Access::In, 8);
  addAndEnd(Access::In, 8, 10000);
  EXPECT_LE(Pool.numAway(), 2 * Tuned.DomainSweep);
  // Those that have not ended are not.
  std::vector<Node *> Many = add(Access::In, 8, 1000);
  EXPECT_GE(Pool.numAway(), 1000u);
  end(Many);
  addAndEnd(Access::In, 8, 3000);
  EXPECT_LE(Pool.numAway(), 1000 * CellBlocks + 3 * Tuned.DomainSweep);
  Node *Writer = add(Access::Out, 8);
  EXPECT_FALSE(isReady(Writer));
  EXPECT_EQ(end(Waits), 1);
  end(Writer);
}

TEST_F(DomainTest, TheGroupBeforeIsForgottenWhenItHasEnded) {
  end(add(Access::Set, 8, 5000));
  EXPECT_GE(Pool.numAway(), 5000u);
  addAndEnd(Access::In, 8, 10 * int(Tuned.DomainSweep));
  EXPECT_LE(Pool.numAway(), 5000 * CellBlocks + 3 * Tuned.DomainSweep);
}

TEST_F(DomainTest, TheGroupBeforeIsWaitedForWhileItHasNotEnded) {
  std::vector<Node *> Sets = add(Access::Set, 8, 100);
  std::vector<Node *> Readers = add(Access::In, 8, 200);
  for (int I = 0; I < 99; ++I)
    EXPECT_EQ(end(Sets[I]), 0);
  std::vector<Node *> More = add(Access::In, 8, 200);
  for (Node *N : More)
    EXPECT_EQ(N->pending(), 1);
  EXPECT_EQ(end(Sets[99]), 400);
  Node *Ready = add(Access::In, 8);
  EXPECT_TRUE(isReady(Ready));
  end(Ready);
  end(Readers);
  end(More);
}

TEST_F(DomainTest, BlocksAreHomeAfterClear) {
  std::vector<Node *> Nodes;
  for (const GraphShape &Shape : graphShapes())
    for (Clause &What : randomClauses(Shape, 7))
      if (!What.IsWait)
        Nodes.push_back(add(What));
  EXPECT_GT(Pool.numAway(), 0u);
  D->clear(Pool);
  EXPECT_EQ(D->size(), 0u);
  EXPECT_GE(Pool.numAway(), Nodes.size()); // they have not ended
  end(Nodes);                              // in an order that is right
  EXPECT_EQ(Pool.numAway(), 1u);           // the domain itself
}

TEST_F(DomainTest, WhatTasksWaitForOutlivesTheTable) {
  Node *First = add(Access::Out, 8), *Second = add(Access::Out, 8);
  D->clear(Pool);
  EXPECT_FALSE(isReady(Second));
  Node *Next = add(Access::Out, 8); // knows of neither
  EXPECT_TRUE(isReady(Next));
  EXPECT_EQ(end(First), 1);
  EXPECT_TRUE(isReady(Second));
  end(Second);
  end(Next);
}

TEST_F(DomainTest, MutexesOutliveTheTable) {
  std::vector<Node *> Nodes = add(Access::Mutex, 8, 3);
  D->clear(Pool);
  EXPECT_TRUE(Nodes[1]->tryToHoldMutexes());
  EXPECT_FALSE(Nodes[0]->tryToHoldMutexes());
  EXPECT_FALSE(Nodes[2]->tryToHoldMutexes());
  end(Nodes[1]);
  EXPECT_TRUE(Nodes[0]->tryToHoldMutexes());
  EXPECT_TRUE(Nodes[0]->tryToHoldMutexes()); // it has it
  EXPECT_FALSE(Nodes[2]->tryToHoldMutexes());
  end(Nodes[0]);
  EXPECT_TRUE(Nodes[2]->tryToHoldMutexes());
  end(Nodes[2]);
  EXPECT_EQ(Pool.numAway(), 1u); // the domain itself
}

TEST_F(DomainTest, ATaskHoldsAllItsMutexesOrNone) {
  Node *Middle = add(Access::Mutex, 16);
  Node *All =
      add({{{8, Access::Mutex}, {16, Access::Mutex}, {24, Access::Mutex}}});
  Node *Low = add(Access::Mutex, 8), *High = add(Access::Mutex, 24);
  EXPECT_TRUE(Middle->tryToHoldMutexes());
  EXPECT_FALSE(All->tryToHoldMutexes());
  EXPECT_TRUE(Low->tryToHoldMutexes());
  EXPECT_TRUE(High->tryToHoldMutexes());
  end(Middle);
  EXPECT_FALSE(All->tryToHoldMutexes());
  end({Low, High});
  EXPECT_TRUE(All->tryToHoldMutexes());
  end(All);
}

TEST_F(DomainTest, OnlyMutexTasksNeedMutexes) {
  for (Access How : {Access::In, Access::Out, Access::Set}) {
    Node *N = add(How, 8);
    EXPECT_FALSE(N->needsMutexes());
    end(N);
  }
  Node *N = add(Access::Mutex, 8);
  EXPECT_TRUE(N->needsMutexes());
  EXPECT_TRUE(N->tryToHoldMutexes());
  end(N);
  // isReady() can't hold one.
  EXPECT_FALSE(D->isReady({8, Access::Mutex}));
  EXPECT_FALSE(D->isReady({16, Access::Mutex}));
}

TEST_F(DomainTest, ATaskWithoutItemsWaitsForNobody) {
  Node *Out = add(Access::Out, 8);
  Node *None = add(Clause());
  EXPECT_TRUE(isReady(None));
  end(None);
  end(Out);
}

TEST_F(DomainTest, EndedTasksOfAllMemoryAreNotWaitedFor) {
  Clause AllMemory;
  AllMemory.IsAll = true;
  for (int I = 0; I < 3; ++I) {
    Node *All = add(AllMemory);
    EXPECT_TRUE(isReady(All));
    EXPECT_FALSE(D->isReady({8, Access::In}));
    EXPECT_EQ(D->size(), 0u);
    Node *Next = add(Access::In, 8);
    EXPECT_EQ(Next->pending(), 1);
    EXPECT_EQ(end(All), 1);
    EXPECT_TRUE(D->isReady({8, Access::In}));
    EXPECT_TRUE(D->isReady({16, Access::Out}));
    end(Next);
  }
}

//===----------------------------------------------------------------------===//
// Who waits for a task
//===----------------------------------------------------------------------===//

std::vector<Node *> followersOf(Node *N) {
  std::vector<Node *> Found;
  N->forEachFollower([&](Node &Next) { Found.push_back(&Next); });
  return Found;
}

/// A task that ends by an event, and those behind it, until that has come.
TEST_F(DomainTest, KnowsWhetherATaskMayWaitForAnEvent) {
  EXPECT_FALSE(D->mayWaitForEvent());
  Node *Before = add(Access::Out, 64);
  EXPECT_FALSE(D->mayWaitForEvent());
  Pool.countBegin();
  Node *ByEvent = Node::make(Pool, task(++NumTasks));
  ByEvent->noteEvent();
  enter(*D, Pool, *ByEvent, Clause{{{64, Access::In}}});
  ByEvent->endRegistration();
  EXPECT_TRUE(D->mayWaitForEvent());
  // It is one of a group, then behind others.
  const std::vector<Node *> Readers = add(Access::In, 64, 2);
  EXPECT_TRUE(D->mayWaitForEvent());
  Node *Writer = add(Access::Out, 64);
  EXPECT_TRUE(D->mayWaitForEvent());
  end(Before);
  end(Readers);
  EXPECT_TRUE(D->mayWaitForEvent());
  end(ByEvent);
  // The writer's flag stays, as nobody knows which events are left.
  end(Writer);
  EXPECT_FALSE(D->mayWaitForEvent());
}

TEST_F(DomainTest, FollowersAreThoseThatWait) {
  Node *First = add(Access::Out, 8);
  EXPECT_EQ(followersOf(First), std::vector<Node *>());
  std::vector<Node *> Readers = add(Access::In, 8, 3);
  Node *Writer = add(Access::Out, 8); // by the readers
  EXPECT_EQ(followersOf(First),
            (std::vector<Node *>{Readers[2], Readers[1], Readers[0]}));
  EXPECT_EQ(followersOf(Readers[1]), std::vector<Node *>{Writer});
  D->clear(Pool); // that the table does not refer to it does not show
  EXPECT_EQ(followersOf(Readers[1]), std::vector<Node *>{Writer});
  end(First);
  end(Readers);
  EXPECT_EQ(followersOf(Writer), std::vector<Node *>());
  end(Writer);
}

TEST_F(DomainTest, ATaskWaitsOnceForAnotherWithSeveralAddresses) {
  Clause Three{{{8, Access::Out}, {16, Access::In}, {24, Access::Mutex}}};
  Node *First = add(Three), *Second = add(Three);
  EXPECT_EQ(Second->pending(), 1);
  EXPECT_EQ(followersOf(First), std::vector<Node *>{Second});
  EXPECT_EQ(end(First), 1);
  end(Second);
}

struct Edge {
  Task *First, *Next;
  void *Context;
};
std::vector<Edge> Told;

/// With a tool.
class DomainToolTest : public DomainTest {
protected:
  DomainToolTest() {
    Told.clear();
    OnEdge = [](Task *First, Task *Next, void *Context) {
      Told.push_back({First, Next, Context});
    };
  }
  ~DomainToolTest() override { OnEdge = nullptr; }

  /// Creates what \p What says, and checks what the tool is told.
  void create(const Clause &What) {
    Told.clear();
    Node *N =
        Node::make(Pool, What.IsWait ? nullptr : task(int(Nodes.size()) + 1));
    Nodes.push_back(N);
    enter(*D, Pool, *N, What, &Nodes);
    N->endRegistration();
    EXPECT_EQ(N->pending(), int(Told.size()));
    for (const Edge &Each : Told) {
      EXPECT_EQ(Each.Next, What.IsWait ? nullptr : task(int(Nodes.size())));
      EXPECT_EQ(Each.Context, &Nodes);
      const int First = numberOf(Each.First) - 1;
      ASSERT_TRUE(IsLive.count(First)) << First;
      const std::vector<Node *> Waiting = followersOf(Nodes[First]);
      EXPECT_EQ(std::count(Waiting.begin(), Waiting.end(), N), 1);
    }
    if (What.IsWait) {
      while (!isReady(N))
        endOldest();
      Node::destroy(Pool, N);
    } else {
      Pool.countBegin();
      IsLive.insert(int(Nodes.size()) - 1);
    }
  }
  /// The oldest has nobody to wait for.
  void endOldest() {
    Node *N = Nodes[*IsLive.begin()];
    EXPECT_TRUE(isReady(N));
    IsLive.erase(IsLive.begin());
    end(N);
  }

  std::vector<Node *> Nodes;
  std::set<int> IsLive;
};

TEST_F(DomainToolTest, IsToldOfEachEdgeThatIsMade) {
  size_t NumTold = 0;
  for (const GraphShape &Shape : graphShapes())
    for (const Clause &What : randomClauses(Shape, 5)) {
      create(What);
      NumTold += Told.size();
      if (IsLive.size() > 20)
        endOldest();
    }
  EXPECT_GT(NumTold, 1000u);
  while (!IsLive.empty())
    endOldest();
}

TEST_F(DomainToolTest, IsToldOnceOfTwoTasks) {
  create({{{8, Access::Out}, {16, Access::Out}}});
  create({{{8, Access::In}, {16, Access::Out}, {8, Access::Out}}});
  EXPECT_EQ(Told.size(), 1u);
  endOldest();
  create({{{8, Access::In}}}); // the second
  EXPECT_EQ(Told.size(), 1u);
  endOldest();
  create({{{16, Access::In}}}); // has ended
  EXPECT_EQ(Told.size(), 0u);
  endOldest();
  endOldest();
}

} // namespace
