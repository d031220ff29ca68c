//===- team/team.cpp - The threads of a team and their tasks --------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How a Team is made, and made anew.
//
//===----------------------------------------------------------------------===//

#include "locus/team/team.h"
#include "locus/support/array.h"

namespace locus {

Team *Team::create(const Topology &Machine, int NumThreads,
                   const NodeSet *ThreadNodes, std::atomic<int32_t> *Unfinished,
                   const int *ThreadCpus, const TeamOptions &Options) {
  void *Memory = nullptr;
  if (posix_memalign(&Memory, alignof(Team), sizeof(Team)) != 0)
    return nullptr;
  Team *Made = new (Memory) Team;
  Made->Counters.Unfinished = Unfinished;
  if (!Made->rebuild(Machine, NumThreads, ThreadNodes, ThreadCpus, Options)) {
    destroy(Made);
    return nullptr;
  }
  return Made;
}

void Team::destroy(Team *Old) {
  if (!Old)
    return;
  Old->freeQueues();
  Old->~Team();
  free(Old);
}

void Team::freeQueues() {
  for (int T = 0; T < Room; ++T)
    Workers[T].destroy();
  for (int N = 0; N < NodeRoom; ++N) {
    Nodes[N].Private.destroy();
    Nodes[N].Public.destroy();
  }
  free(Workers);
  free(Nodes);
  Workers = nullptr;
  Nodes = nullptr;
  Room = NodeRoom = 0;
}

/// Workers and queues for as many threads and nodes as the shape has room for.
bool Team::reserve() {
  if (Shape.room() <= Room && Shape.nodeRoom() <= NodeRoom)
    return true;
  freeQueues();
  Workers = makeArray<Worker>(size_t(Shape.room()));
  Nodes = makeArray<NodeQueues>(size_t(Shape.nodeRoom()));
  Room = Workers ? Shape.room() : 0;
  NodeRoom = Nodes ? Shape.nodeRoom() : 0;
  return Workers && Nodes;
}

bool Team::rebuild(const Topology &Machine, int NumThreads,
                   const NodeSet *ThreadNodes, const int *ThreadCpus,
                   const TeamOptions &Options) {
  if (!Shape.build(Machine, NumThreads, ThreadNodes, ThreadCpus) || !reserve())
    return false;
  for (int N = 0; N < Shape.numNodes(); ++N) {
    Nodes[N].Private.init(&Counters, Shape.osNode(N));
    Nodes[N].Public.init(&Counters, Shape.osNode(N));
  }
  Limit = Options.Limit;
  if (Limit == Tuned.ListLimit && uint32_t(NumThreads) > Limit)
    Limit = uint32_t(NumThreads);
  Policy = Options.Steal;
  TakeBy = Options.TakeBy;
  InPlace = Options.InPlace && Limit != 0 &&
            (Options.Adaptive || Options.Lists == Level::Thread);
  for (int T = 0; T < NumThreads; ++T) {
    const int Node = Shape.nodeOfThread(T);
    Workers[T].renew(T, Node, Shape.osNode(Node), Counters);
    Workers[T].Deque.limitPlenty(InPlace ? Limit : 0,
                                 Tuned.PlentyOpen * uint32_t(NumThreads));
  }
  return Inferred.reset(Shape) && Asleep.build(NumThreads) &&
         Lists.build(Shape, Workers, Options, Counters.Unfinished);
}

} // namespace locus
