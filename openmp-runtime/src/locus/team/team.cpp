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

namespace locus {

//===----------------------------------------------------------------------===//
// A thread
//===----------------------------------------------------------------------===//

/// Puts a new T where \p Old is.
template <class T> static void renew(T &Old) {
  Old.~T();
  new (&Old) T;
}

void Worker::renew(int TheNumber, int OsNode, TeamCounters &Counters) {
  Deque.init(OsNode);
  Private.init(&Counters, OsNode);
  Public.init(&Counters, OsNode);
  Number = TheNumber;
  locus::renew(Delay);
  locus::renew(Backoff);
  Random = uint32_t(Number + 1) * 2654435761u; // Knuth's; never 0
  Hasty = 0;
  Throttled = LayDown = false;
  forgetNumbers();
  locus::renew(Times);
}

void Worker::resetLines() {
  Deque.resetLine();
  Private.resetLine();
  Public.resetLine();
  Slot.reset();
}

void Worker::forgetNumbers() {
  locus::renew(Ask);
  for (VictimOrder &Order : Victims)
    Order.IsKnown = false;
}

void Worker::destroy() {
  Deque.destroy();
  Private.destroy();
  Public.destroy();
  for (VictimOrder &Order : Victims)
    free(Order.Groups);
}

//===----------------------------------------------------------------------===//
// The team
//===----------------------------------------------------------------------===//

Team *Team::create(std::atomic<int32_t> *Unfinished) {
  void *Memory = nullptr;
  if (posix_memalign(&Memory, alignof(Team), sizeof(Team)) != 0)
    return nullptr;
  Team *Made = new (Memory) Team;
  Made->Counters.Unfinished = Unfinished;
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

/// Workers and queues for \p Wanted, and for any shape before it: that may be
/// recalled.
bool Team::reserve(const TeamShape &Wanted) {
  const int MoreThreads = Wanted.numThreads(), MoreNodes = Wanted.nodeRoom();
  if (MoreThreads <= Room && MoreNodes <= NodeRoom)
    return true;
  const int NewRoom = MoreThreads <= Room
                          ? Room
                          : int(grownRoom(size_t(Room), size_t(MoreThreads)));
  const int NewNodeRoom = MoreNodes > NodeRoom ? MoreNodes : NodeRoom;
  freeQueues();
  Workers = makeArray<Worker>(size_t(NewRoom));
  Nodes = makeArray<NodeQueues>(size_t(NewNodeRoom));
  if (!Workers || !Nodes)
    return false;
  Room = NewRoom;
  NodeRoom = NewNodeRoom;
  for (int T = 0; T < Room; ++T)
    Workers[T].renew(T, UnknownNode, Counters);
  for (int N = 0; N < NodeRoom; ++N) {
    Nodes[N].Private.init(&Counters, UnknownNode);
    Nodes[N].Public.init(&Counters, UnknownNode);
  }
  return true;
}

bool Team::rebuild(const Topology &Machine, int NewThreads,
                   const NodeSet *ThreadNodes, const int *ThreadCpus,
                   const TeamOptions &Options, const int *Homes) {
  TeamShape *New =
      Shapes.build(Machine, NewThreads, ThreadNodes, ThreadCpus, Homes);
  if (!New || !reserve(*New))
    return false;
  for (int N = 0; N < New->numNodes(); ++N) {
    Nodes[N].Private.init(&Counters, New->osNode(N));
    Nodes[N].Public.init(&Counters, New->osNode(N));
  }
  for (int T = 0; T < NewThreads; ++T)
    Workers[T].renew(T, New->osNode(New->nodeOfThread(T)), Counters);
  // The nodes of the lists' lines go with the lists, wherever they are.
  if (Lists.areUsed())
    resetLines();
  Told = Options;
  Policy = Options.Steal;
  TakeBy = Options.TakeBy;
  return Lists.build(*New, Workers, Options, Counters.Unfinished) &&
         adopt(*New);
}

/// What depends on the shape, except what the threads themselves see to.
bool Team::adopt(const TeamShape &New) {
  Shape = &New;
  NumThreads = New.numThreads();
  ++ShapeNumber;
  Limit = Told.Limit;
  if (Limit == Tuned.ListLimit && uint32_t(NumThreads) > Limit)
    Limit = uint32_t(NumThreads);
  InPlace = Told.InPlace && Limit != 0 && (Told.Adaptive || !Lists.areUsed());
  return Inferred.reset(New) && Asleep.build(NumThreads);
}

/// Makes the calling thread's \p W fit the shape.
void Team::fitWorker(Worker &W) const {
  W.ShapeSeen = ShapeNumber;
  W.forgetNumbers();
  W.Deque.limitPlenty(InPlace ? Limit : 0,
                      Tuned.PlentyDependent * uint32_t(NumThreads));
}

void Team::resetLines() {
  for (int T = 0; T < Room; ++T)
    Workers[T].resetLines();
  for (int N = 0; N < NodeRoom; ++N) {
    Nodes[N].Private.resetLine();
    Nodes[N].Public.resetLine();
  }
}

} // namespace locus
