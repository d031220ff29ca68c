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
  Placed.init(&Counters, OsNode);
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
  Placed.resetLines();
  Slot.reset();
}

void Worker::forgetNumbers() {
  locus::renew(Ask);
  for (VictimOrder &Order : Victims)
    Order.IsKnown = false;
}

//===----------------------------------------------------------------------===//
// The team
//===----------------------------------------------------------------------===//

Team *Team::create(std::atomic<int32_t> *Unfinished) {
  Team *Made = makeArray<Team>(1);
  if (Made)
    Made->Counters.Unfinished = Unfinished;
  return Made;
}

void Team::destroy(Team *Old) {
  if (!Old)
    return;
  Old->~Team();
  free(Old);
}

/// Workers and queues for \p Wanted, and for any shape before it: that may be
/// recalled.
bool Team::reserve(const TeamShape &Wanted) {
  const size_t Threads = size_t(Wanted.numThreads());
  const size_t MostNodes = size_t(Wanted.nodeRoom());
  const size_t Room = Workers.size(), NodeRoom = Nodes.size();
  if (Threads <= Room && MostNodes <= NodeRoom)
    return true;
  if (!Workers.renew(Threads <= Room ? Room : grownRoom(Room, Threads)) ||
      !Nodes.renew(MostNodes > NodeRoom ? MostNodes : NodeRoom))
    return false;
  for (size_t T = 0; T < Workers.size(); ++T)
    Workers[T].renew(int(T), UnknownNode, Counters);
  for (size_t N = 0; N < Nodes.size(); ++N)
    Nodes[N].init(&Counters, UnknownNode);
  return true;
}

bool Team::rebuild(const Topology &Machine, int NewThreads,
                   const NodeSet *ThreadNodes, const int *ThreadCpus,
                   const TeamOptions &Options, const int *Homes) {
  TeamShape *New =
      Shapes.build(Machine, NewThreads, ThreadNodes, ThreadCpus, Homes);
  if (!New || !reserve(*New))
    return false;
  for (int N = 0; N < New->numNodes(); ++N)
    Nodes[N].init(&Counters, New->osNode(N));
  for (int T = 0; T < NewThreads; ++T)
    Workers[T].renew(T, New->osNode(New->nodeOfThread(T)), Counters);
  // The nodes of the lists' lines go with the lists, wherever they are.
  if (Lists.areUsed())
    resetLines();
  Told = Options;
  return Lists.build(*New, Workers.data(), Options, Counters.Unfinished) &&
         adopt(*New);
}

/// What depends on the shape, except what the threads themselves see to.
bool Team::adopt(const TeamShape &New) {
  Shape = &New;
  NumThreads = New.numThreads();
  ++ShapeNumber;
  Limit = Told.Limit != 0 ? Told.Limit : UINT32_MAX; // never full
  if (Limit == Tuned.ListLimit && uint32_t(NumThreads) > Limit)
    Limit = uint32_t(NumThreads);
  InPlace =
      Told.InPlace && Told.Limit != 0 && (Told.Adaptive || !Lists.areUsed());
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
  for (size_t T = 0; T < Workers.size(); ++T)
    Workers[T].resetLines();
  for (size_t N = 0; N < Nodes.size(); ++N)
    Nodes[N].resetLines();
}

} // namespace locus
