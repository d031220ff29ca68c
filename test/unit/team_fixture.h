//===- team_fixture.h - A team for tests ------------------------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_TEST_TEAM_FIXTURE_H
#define LOCUS_TEST_TEAM_FIXTURE_H

#include "locus/steal/steal_search.h"
#include "locus/team/find_task.h"
#include "shape_team.h"
#include "support.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace locus::test {

/// For what must hold for all of them.
inline constexpr Level Levels[] = {Level::Thread,  Level::Core,
                                   Level::L3,      Level::Numa,
                                   Level::Package, Level::Machine};
#define LOCUS_POLICY(Name, ...) StealPolicy::Name,
inline constexpr StealPolicy Policies[] = {LOCUS_STEAL_POLICIES(LOCUS_POLICY)};
#undef LOCUS_POLICY

inline TeamOptions with(Level Lists,
                        StealPolicy Steal = StealPolicy::Hierarchical,
                        uint32_t Limit = 0) {
  TeamOptions Options;
  Options.Lists = Lists;
  Options.Steal = Steal;
  Options.Limit = Limit;
  return Options;
}

/// A Team, and its threads by their numbers. Tasks are numbers from 1 on; 0
/// means none.
class TestTeam {
public:
  TestTeam(const Topology &Machine, const std::vector<NodeSet> &Threads,
           const TeamOptions &Options = TeamOptions(),
           const std::vector<int> &Cpus = {})
      : Unfinished(int(Threads.size())), Made(Team::create(&Unfinished)) {
    EXPECT_TRUE(Made &&
                Made->rebuild(Machine, int(Threads.size()), Threads.data(),
                              Cpus.empty() ? nullptr : Cpus.data(), Options));
    // As each thread does before its first push.
    for (int T = 0; Made && T < Made->numThreads(); ++T)
      Made->startOver(worker(T));
  }
  /// Threads on these spots, or one on each CPU.
  TestTeam(const Topology &Machine, const TeamOptions &Options,
           const std::vector<ThreadSpot> &Spots)
      : TestTeam(Machine, nodesOf(Spots), Options, cpusOf(Spots)) {}
  TestTeam(const Topology &Machine, const TeamOptions &Options)
      : TestTeam(Machine, Options, onEachCpu(Machine)) {}
  ~TestTeam() { Team::destroy(Made); }
  TestTeam(const TestTeam &) = delete;
  TestTeam &operator=(const TestTeam &) = delete;

  Team *operator->() { return Made; }
  Team &operator*() { return *Made; }
  Worker &worker(int Thread) { return Made->worker(Thread); }
  const TeamShape &shape() { return Made->shape(); }

  //===--------------------------------------------------------------------===//
  // The whole search, as the host runs it
  //===--------------------------------------------------------------------===//

  /// What \p Thread finds in one round, which ends with that.
  int round(int Thread, Picker &Who) {
    int Found = findPlacedHere(Thread, Who);
    if (!Found)
      Found = findAny(Thread, Who);
    Made->endRound(worker(Thread), Found ? Round::Task : Round::Empty,
                   Who.seeker(Made));
    return Found;
  }
  int findPlacedHere(int Thread, Picker &Who) {
    return numberOf(Made->findPlacedHere(worker(Thread), Who.seeker(Made)));
  }
  int findAny(int Thread, Picker &Who) {
    return numberOf(Made->findAny(worker(Thread), Who.seeker(Made)));
  }
  void endRound(int Thread, Round What) {
    Picker Nobody;
    Made->endRound(worker(Thread), What, Nobody.seeker(Made));
  }
  void endRound(int Thread, bool Found) {
    endRound(Thread, Found ? Round::Task : Round::Empty);
  }
  /// So many rounds in which thread \p T finds nothing. By default until it
  /// takes anything from other nodes.
  void wait(int T, uint32_t Rounds = Tuned.RemoteRoundsAny) {
    for (uint32_t I = 0; I < Rounds; ++I)
      endRound(T, false);
  }
  uint32_t emptyRounds(int Thread) {
    return worker(Thread).Delay.emptyRounds();
  }

  /// All that thread \p T takes if it is patient.
  std::vector<int> drain(int T, Picker &Who) {
    std::vector<int> All;
    for (;;) {
      int Name = round(T, Who);
      if (Name == 0) {
        wait(T);
        // Queues that have refused it are not looked into in each round.
        for (uint32_t I = 0; Name == 0 && I < RemoteDelay::RefusedRoundsMost;
             ++I)
          Name = round(T, Who);
      }
      if (Name == 0)
        return All;
      All.push_back(Name);
    }
  }

  //===--------------------------------------------------------------------===//
  // Tasks with a place
  //===--------------------------------------------------------------------===//

  /// A name for each queue: the number of the one task that fill() puts there.
  enum Queue { ThreadPrivate = 1, ThreadPublic, NodePrivate, NodePublic };
  static int name(Queue Kind, int Index) { return Kind * 10000 + Index; }
  static Queue kind(int Name) { return Queue(Name / 10000); }
  static int index(int Name) { return Name % 10000; }

  bool place(Queue Kind, int Index, int Number) {
    const bool Strict = Kind == ThreadPrivate || Kind == NodePrivate;
    auto Where = Kind <= ThreadPublic ? Placement::OnThread : Placement::OnNode;
    return Made->push({Where, Strict, Index}, task(Number));
  }
  /// One task in each queue, named after it.
  void fillPlaces() {
    for (int T = 0; T < Made->numThreads(); ++T)
      for (Queue Kind : {ThreadPrivate, ThreadPublic})
        ASSERT_TRUE(place(Kind, T, name(Kind, T)));
    for (int N = 0; N < shape().numNodes(); ++N)
      for (Queue Kind : {NodePrivate, NodePublic})
        ASSERT_TRUE(place(Kind, N, name(Kind, N)));
  }
  /// The threads of a team node.
  std::vector<int> members(int Node) {
    const int *First = shape().threadsOfNode(Node);
    return {First, First + shape().numThreadsOfNode(Node)};
  }

  //===--------------------------------------------------------------------===//
  // Tasks that may run anywhere
  //===--------------------------------------------------------------------===//

  bool push(int Thread, int Number, int32_t Siblings = 0) {
    return Made->push(worker(Thread), task(Number), Siblings);
  }
  void pushAll(int Thread, int First, int Last) {
    for (int I = First; I <= Last; ++I)
      ASSERT_TRUE(push(Thread, I));
  }

  // Single steps of the search, for tests of one of them.
  int popOwn(int Thread, Picker &Who) {
    return numberOf(worker(Thread).Deque.pop(Who.taker()).Found);
  }
  int popShared(int Thread, Picker &Who) {
    return numberOf(Made->lists().take(worker(Thread), Who.taker()));
  }
  int steal(int Thread, Picker &Who, bool ScanAll = true) {
    Who.ScanAll = ScanAll;
    return numberOf(StealSearch(*Made, worker(Thread), Who.seeker(Made)).run());
  }
  /// What \p Thread finds of its own, or of others.
  int take(int Thread, Picker &Who) {
    int Found = popOwn(Thread, Who);
    if (!Found)
      Found = popShared(Thread, Who);
    return Found ? Found : steal(Thread, Who);
  }

  /// Adds so many tasks to each list, each task with the list's number plus 1.
  void fill(Level L, const std::vector<int> &Sizes) {
    for (int Group = 0; Group < int(Sizes.size()); ++Group) {
      const int Owner = Made->groups().firstMember(L, Group);
      for (int I = 0; I < Sizes[Group]; ++I)
        ASSERT_TRUE(push(Owner, Group + 1));
    }
  }
  void fill(Level L) {
    fill(L, std::vector<int>(Made->groups().numGroups(L), 1));
  }

  /// The lists that \p Thread looks into in one search that takes nothing.
  std::vector<int> visits(int Thread) {
    Picker Nobody([](int) { return false; });
    EXPECT_EQ(steal(Thread, Nobody), 0);
    for (int &Number : Nobody.Offered)
      --Number;
    // A list is offered task by task.
    std::vector<int> &All = Nobody.Offered;
    All.erase(std::unique(All.begin(), All.end()), All.end());
    return All;
  }

  bool updateThrottled(int Thread) {
    return Made->updateThrottled(worker(Thread));
  }
  bool holdsTasks(int Thread) { return Made->holdsTasks(worker(Thread)); }
  const std::atomic<int32_t> *inPlaceDepth(int Thread) {
    return Made->inPlaceDepth(worker(Thread));
  }

  std::atomic<int32_t> Unfinished;

private:
  static std::vector<NodeSet> nodesOf(const std::vector<ThreadSpot> &Spots) {
    std::vector<int> Nodes;
    for (const ThreadSpot &Spot : Spots)
      Nodes.push_back(Spot.OsNode);
    return boundTo(Nodes);
  }
  static std::vector<int> cpusOf(const std::vector<ThreadSpot> &Spots) {
    std::vector<int> Cpus;
    for (const ThreadSpot &Spot : Spots)
      Cpus.push_back(Spot.OsCpu);
    return Cpus;
  }

  Team *Made;
};

} // namespace locus::test

#endif // LOCUS_TEST_TEAM_FIXTURE_H
