//===- team/find_placed.cpp - The steps of the search for placed tasks ---===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "locus/team/find_task.h"
#include "locus/trace/recorder.h"

namespace locus {

/// A strict task of \p Queue, which only the thread of \p W or its node may
/// run: so it is exempt from the task scheduling constraint, as far as the
/// stack has room for it.
Task *Team::takeStrict(Worker &W, const Seeker &S, TaskQueue &Queue, End From) {
  if (Queue.size() == 0)
    return nullptr;
  Taker Exempt = taker(W, S);
  Exempt.IsExempt = S.IsWaiting && S.Host->MayNest(W.Delay.emptyRounds());
  // What only this thread or its node can run is not left alone.
  return Exempt.IsExempt ? Queue.take(From, Exempt).Found
                         : W.takeFrom(Queue, From, Exempt);
}

/// The thread of \p W has a task from a queue of \p Victim, or of its node
/// \p Node if that is not -1.
void Team::noteSteal(const Worker &W, int Victim, int Node) const {
  const Level Closeness = groups().closeness(W.Number, Victim);
  Stats::countSteal(Closeness);
  Trace::noteSteal(int(Closeness), Node >= 0 ? Node : Victim, Node >= 0);
}

/// The node's queues, the oldest task first (the newest in a taskwait, which
/// keeps its stack short); then the public queues of the node's other threads.
Task *Team::takeFromNode(Worker &W, const Seeker &S) {
  const Taker Any = taker(W, S);
  const int Node = nodeOf(W);
  const End First = S.IsWaiting ? End::Newest : End::Oldest;
  Task *Found = takeStrict(W, S, Nodes[Node].Private, First);
  if (!Found)
    Found = W.takeFrom(Nodes[Node].Public, First, Any);
  if (Found) {
    Stats::count(Stat::TakenNode);
    return Found;
  }
  // Start behind the thread itself, so that neighbours do not all rob the same
  // queue.
  const int *Members = Shape->threadsOfNode(Node);
  const int Count = Shape->numThreadsOfNode(Node);
  int Self = 0;
  while (Members[Self] != W.Number)
    ++Self;
  for (int I = 1; I < Count; ++I) {
    const int Victim = Members[(Self + I) % Count];
    if (Task *Robbed =
            W.takeFrom(Workers[Victim].Placed.Public, End::Oldest, Any)) {
      noteSteal(W, Victim, /*Node=*/-1);
      return Robbed;
    }
  }
  return nullptr;
}

/// Inferred tasks of other nodes that are crowded, nearest first.
Task *Team::takeFromCrowdedNodes(Worker &W, const Seeker &S) {
  Taker Remote = taker(W, S);
  Remote.Admit = admitRemote;
  const int *Others = Shape->otherNodes(nodeOf(W));
  for (int I = 0; I < Shape->numNodes() - 1; ++I) {
    TaskQueue &Queue = Nodes[Others[I]].Public;
    if (Queue.size() == 0 || !isCrowded(Others[I]))
      continue;
    // A refusal here may be a matter of locality, and none of its own queues'.
    if (Task *Found = Queue.take(End::Oldest, Remote).Found) {
      noteSteal(W, *Shape->threadsOfNode(Others[I]), Others[I]);
      return Found;
    }
  }
  return nullptr;
}

/// Public tasks of other nodes and of their threads, nearest first, as far as
/// its remote delay allows.
Task *Team::takeFromOtherNodes(Worker &W, const Seeker &S) {
  const Taker Any = taker(W, S);
  const Reach Far = reachOf(W, S);
  auto Rob = [&](TaskQueue &Queue, int Owners) -> Task * {
    const uint32_t Size = Queue.size();
    if (Size == 0)
      return nullptr;
    W.Delay.noteFar();
    return reaches(Far, Size, Owners) ? W.takeFrom(Queue, End::Oldest, Any)
                                      : nullptr;
  };
  const int *Others = Shape->otherNodes(nodeOf(W));
  for (int I = 0; I < Shape->numNodes() - 1; ++I) {
    const int *Members = Shape->threadsOfNode(Others[I]);
    const int Count = Shape->numThreadsOfNode(Others[I]);
    if (Task *Found = Rob(Nodes[Others[I]].Public, Count)) {
      noteSteal(W, Members[0], Others[I]);
      return Found;
    }
    for (int M = 0; M < Count; ++M) {
      const int Victim = Members[(M + W.Number) % Count];
      if (Task *Found = Rob(Workers[Victim].Placed.Public, 1)) {
        noteSteal(W, Victim, /*Node=*/-1);
        return Found;
      }
    }
  }
  return nullptr;
}

} // namespace locus
