//===- domains_team.h - A team for the tests of locus_domains ---*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_TEST_DOMAINS_TEAM_H
#define LOCUS_TEST_DOMAINS_TEAM_H

#include "support.h"

#include <gtest/gtest.h>

namespace locus::test {

/// A team's domains, and a name for each of their queues: the number of the
/// one task that fill() puts there.
class DomainsTeam {
public:
  DomainsTeam(const Topology &Machine, const std::vector<NodeSet> &Threads)
      : Unfinished(int(Threads.size())),
        Made(Domains::create(Machine, int(Threads.size()), Threads.data(),
                             &Unfinished)) {}
  ~DomainsTeam() { Domains::destroy(Made); }
  DomainsTeam(const DomainsTeam &) = delete;
  DomainsTeam &operator=(const DomainsTeam &) = delete;

  Domains *operator->() { return Made; }
  Domains &operator*() { return *Made; }

  enum Queue { ThreadPrivate = 1, ThreadPublic, NodePrivate, NodePublic };
  static int name(Queue Kind, int Index) { return Kind * 10000 + Index; }
  static Queue kind(int Name) { return Queue(Name / 10000); }
  static int index(int Name) { return Name % 10000; }

  bool push(Queue Kind, int Index, int Number) {
    bool Strict = Kind == ThreadPrivate || Kind == NodePrivate;
    auto Where = Kind <= ThreadPublic ? Placement::OnThread : Placement::OnNode;
    return Made->push({Where, Strict, Index}, task(Number));
  }

  /// One task in each queue, named after it.
  void fill() {
    for (int T = 0; T < Made->numThreads(); ++T)
      for (Queue Kind : {ThreadPrivate, ThreadPublic})
        ASSERT_TRUE(push(Kind, T, name(Kind, T)));
    for (int N = 0; N < Made->numNodes(); ++N)
      for (Queue Kind : {NodePrivate, NodePublic})
        ASSERT_TRUE(push(Kind, N, name(Kind, N)));
  }

  /// The team nodes of all threads, in order.
  std::vector<int> nodes() {
    std::vector<int> All;
    for (int T = 0; T < Made->numThreads(); ++T)
      All.push_back(Made->nodeOfThread(T));
    return All;
  }
  std::vector<int> osNodes() {
    std::vector<int> All;
    for (int N = 0; N < Made->numNodes(); ++N)
      All.push_back(Made->osNode(N));
    return All;
  }
  std::vector<int> members(int Node) {
    const int *First = Made->threadsOfNode(Node);
    return {First, First + Made->numThreadsOfNode(Node)};
  }

  /// So many rounds in which thread \p T finds nothing. By default until it
  /// takes anything from other nodes.
  void wait(int T, uint32_t Rounds = RemoteDelay::RoundsBeforeAnything) {
    for (uint32_t I = 0; I < Rounds; ++I)
      Made->endRound(T, Round::Empty, noClock);
  }

  /// Nobody looks at the time, as the tasks do not count as placed.
  /// patience.cpp tests it.
  static uint64_t noClock() { abort(); }

  /// One round of thread \p T. The task taken, or 0.
  int round(int T, Worker &Who) {
    void *Task = nullptr;
    Taker Taker = Who.taker();
    bool Found =
        Made->takeOwn(T, Taker, Taker, Task) == Outcome::Taken ||
        Made->takeFromNode(T, Taker, Taker, false, Task) == Outcome::Taken ||
        Made->takeFromAfar(T, Taker, Made->reach(T), Task) == Outcome::Taken;
    Made->endRound(T, Found ? Round::Task : Round::Empty, noClock);
    return Found ? numberOf(Task) : 0;
  }

  /// All that thread \p T takes if it is patient.
  std::vector<int> drain(int T, Worker &Who) {
    std::vector<int> All;
    for (;;) {
      int Name = round(T, Who);
      if (Name == 0) {
        wait(T);
        Name = round(T, Who);
      }
      if (Name == 0)
        return All;
      All.push_back(Name);
    }
  }

private:
  std::atomic<int32_t> Unfinished;
  Domains *Made;
};

/// \p Count threads on each of \p Nodes, one node after the other.
inline std::vector<NodeSet> blocks(int Nodes, int Count) {
  std::vector<int> All;
  for (int N = 0; N < Nodes; ++N)
    All.insert(All.end(), Count, N);
  return boundTo(All);
}

} // namespace locus::test

#endif // LOCUS_TEST_DOMAINS_TEAM_H
