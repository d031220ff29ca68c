//===- team/domains.cpp - The places of a team and their queues -----------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "locus/team/domains.h"
#include "locus/machine/memory.h"
#include "locus/support/array.h"
#include "locus/support/clock.h"
#include "locus/support/stats.h"

namespace locus {

Domains *Domains::create(const Topology &Machine, int NumThreads,
                         const NodeSet *ThreadNodes,
                         std::atomic<int32_t> *Unfinished,
                         const int *ThreadCpus, const PoolOptions &Options) {
  void *Memory = nullptr;
  if (posix_memalign(&Memory, 64, sizeof(Domains)) != 0)
    return nullptr;
  Domains *Made = new (Memory) Domains;
  Made->Counters.Unfinished = Unfinished;
  if (!Made->rebuild(Machine, NumThreads, ThreadNodes, ThreadCpus, Options)) {
    destroy(Made);
    return nullptr;
  }
  return Made;
}

void Domains::destroy(Domains *Old) {
  if (!Old)
    return;
  Old->freeQueues();
  Old->~Domains();
  free(Old);
}

void Domains::freeQueues() {
  for (int I = 0; I < Room; ++I) {
    Threads[I].Private.destroy();
    Threads[I].Public.destroy();
  }
  for (int I = 0; I < NodeRoom; ++I) {
    Nodes[I].Private.destroy();
    Nodes[I].Public.destroy();
  }
  free(Threads);
  free(Nodes);
  free(Shape);
  free(ShapeCpus);
  free(Indices);
  Room = NodeRoom = 0;
}

bool Domains::rebuild(const Topology &TheMachine, int TheNumThreads,
                      const NodeSet *ThreadNodes, const int *ThreadCpus,
                      const PoolOptions &Options) {
  Machine = &TheMachine;
  NumThreads = TheNumThreads;
  NumNodes = 0;
  Bound = true;
  How = Options.How;
  if (!reserve(NumThreads))
    return false;
  assignNodes(ThreadNodes, ThreadCpus);
  sortNodes();
  if (!buildPool(Options) || !Down.build(NumThreads))
    return false;
  Inferred.clear(NumNodes);
  for (int T = 0; T < NumThreads; ++T)
    Inferred.addThread(Threads[T].Node);
  return true;
}

/// Memory for \p MostThreads threads, and some more if there were fewer before:
/// a team may grow by one thread in each of many regions.
bool Domains::reserve(int MostThreads) {
  if (MostThreads <= Room)
    return true;
  const int More = Room + Room / 4;
  freeQueues();
  const int Wanted = MostThreads > More ? MostThreads : More;
  // No more nodes than threads: a node without a thread has no domain, or its
  // strict tasks would wait for ever.
  const int WantedNodes =
      Machine->numNodes() < Wanted ? Machine->numNodes() : Wanted;
  Threads = makeArray<ThreadDomain>(size_t(Wanted));
  Nodes = makeArray<NodeDomain>(size_t(WantedNodes));
  Shape = makeArray<NodeSet>(size_t(Wanted));
  ShapeCpus = makeArray<int>(size_t(Wanted));
  Indices = makeArray<int>(size_t(Wanted) +
                           size_t(WantedNodes) * size_t(WantedNodes));
  Room = Threads ? Wanted : 0;
  NodeRoom = Nodes ? WantedNodes : 0;
  return Threads && Nodes && Shape && ShapeCpus && Indices &&
         Inferred.reserve(WantedNodes);
}

void Domains::assignNodes(const NodeSet *ThreadNodes, const int *ThreadCpus) {
  int Sharers = 0, Before = 0; // of the place of thread T
  for (int T = 0; T < NumThreads; ++T) {
    Shape[T] = ThreadNodes[T];
    ShapeCpus[T] = ThreadCpus ? ThreadCpus[T] : -1;
    NodeSet Set = ThreadNodes[T];
    if (Set.size() == 0)
      Set = Machine->nodesWithCpus();
    int Choices = Set.size();
    int Rank = 0;
    if (Choices > 1) {
      // The threads of one place share its nodes in blocks, in order.
      Bound = false;
      if (T > 0 && ThreadNodes[T - 1] == ThreadNodes[T]) {
        ++Before; // mostly it is one place for all
      } else {
        Sharers = Before = 0;
        for (int Other = 0; Other < NumThreads; ++Other)
          if (ThreadNodes[Other] == ThreadNodes[T]) {
            ++Sharers;
            Before += Other < T;
          }
      }
      Rank = int(int64_t(Before) * Choices / Sharers);
    }
    int OsNode = Set.at(Rank);
    int Node = teamNode(OsNode);
    if (Node < 0) {
      Node = NumNodes++;
      Nodes[Node].OsNode = OsNode;
      Nodes[Node].NumMembers = 0;
      Nodes[Node].Private.init(&Counters, OsNode);
      Nodes[Node].Public.init(&Counters, OsNode);
    }
    ++Nodes[Node].NumMembers;
    ThreadDomain &Domain = Threads[T];
    Domain.Node = Node;
    Domain.Private.init(&Counters, OsNode);
    Domain.Public.init(&Counters, OsNode);
    Domain.Slot.reset();
    Domain.Wait = RemoteDelay();
    Domain.Ask = Asker();
    Domain.LayDown.store(false, std::memory_order_relaxed);
  }
}

/// Who belongs to each node, and which other ones are near to it.
void Domains::sortNodes() {
  int *Free = Indices;
  for (int N = 0; N < NumNodes; ++N) {
    Nodes[N].Members = Free;
    for (int T = 0; T < NumThreads; ++T)
      if (Threads[T].Node == N)
        *Free++ = T;
    Nodes[N].Nearest = Free;
    for (int Other = 0; Other < NumNodes; ++Other) {
      if (Other == N)
        continue;
      // Insertion by distance; equal distances keep their order, rotated to
      // start behind N so that the nodes do not all fall upon node 0.
      auto Cost = [&](int Node) {
        return uint64_t(
                   Machine->distance(Nodes[N].OsNode, Nodes[Node].OsNode)) *
                   uint64_t(NumNodes) +
               uint64_t((Node - N + NumNodes) % NumNodes);
      };
      int *Slot = Free++;
      for (; Slot > Nodes[N].Nearest && Cost(Slot[-1]) > Cost(Other); --Slot)
        *Slot = Slot[-1];
      *Slot = Other;
    }
  }
}

bool Domains::buildPool(const PoolOptions &Options) {
  ThreadSpot *Spots = makeArray<ThreadSpot>(size_t(NumThreads));
  if (!Spots)
    return false;
  for (int T = 0; T < NumThreads; ++T)
    Spots[T] = {ShapeCpus[T], Nodes[Threads[T].Node].OsNode};
  const bool Built = Team.build(*Machine, NumThreads, Spots) &&
                     Pool.build(Team, Spots, Options, Counters.Unfinished);
  free(Spots);
  return Built;
}

bool Domains::hasShape(int OtherThreads, const NodeSet *ThreadNodes,
                       const int *ThreadCpus) const {
  if (OtherThreads != NumThreads)
    return false;
  for (int T = 0; T < NumThreads; ++T)
    if (!(Shape[T] == ThreadNodes[T]) ||
        ShapeCpus[T] != (ThreadCpus ? ThreadCpus[T] : -1))
      return false;
  return true;
}

int Domains::teamNode(int OsNode) const {
  for (int N = 0; N < NumNodes; ++N)
    if (Nodes[N].OsNode == OsNode)
      return N;
  return -1;
}

int Domains::nearestNode(int OsNode) const {
  int Best = teamNode(OsNode);
  if (Best >= 0)
    return Best;
  Best = 0;
  unsigned BestDistance = UINT32_MAX;
  for (int N = 0; N < NumNodes; ++N) {
    unsigned Distance = Machine->distance(Nodes[N].OsNode, OsNode);
    if (Distance < BestDistance) {
      Best = N;
      BestDistance = Distance;
    }
  }
  return Best;
}

/// \p Value as a two's complement number, modulo \p Count, in 0 .. Count - 1.
static int reduce(uintptr_t Value, int Count) {
  intptr_t Rest = intptr_t(Value) % Count;
  return int(Rest < 0 ? Rest + Count : Rest);
}

/// The team node that has most of what a task of kind \p What names, or
/// UnknownNode.
int Domains::nodeOfData(Kind What, const TaskTarget &Target) const {
  const MemoryRange One = {Target.Value, Target.Length};
  const RangeList *List = reinterpret_cast<const RangeList *>(Target.Value);
  const uint64_t Since = Stats::enabled() ? ticks() : 0;
  const int OsNode = hasRanges(What) ? nodeOfMemory(List->Ranges, List->Count)
                                     : nodeOfMemory(&One, 1);
  if (Stats::enabled()) {
    Stats::count(Stat::Lookups);
    Stats::count(Stat::LookupTime, ticks() - Since);
  }
  return OsNode != UnknownNode ? nearestNode(OsNode) : UnknownNode;
}

int Domains::infer(Kind What, const TaskTarget &Target, int Pusher) {
  // Where threads may run on any node, it is no use to know one.
  if (NumNodes == 1 || !Bound)
    return UnknownNode;
  Asker &Ask = Threads[Pusher].Ask;
  int Node = Ask.guess();
  if (Ask.asks()) {
    Node = nodeOfData(What, Target);
    Ask.learn(Node, Inferred.hasShortTasks()                 ? Worth::Nothing
                    : Node == UnknownNode || isCrowded(Node) ? Worth::Little
                                                             : Worth::Much);
  }
  if (Node != UnknownNode)
    Inferred.count(Node);
  return Node;
}

Placement Domains::resolve(Kind What, bool Strict, const TaskTarget &Target,
                           int Pusher, UnknownPolicy Unknown) const {
  const Placement Free = {Placement::Anywhere, false, 0};
  const int Local = nodeOfThread(Pusher);
  int Node = Local;
  switch (What) {
  case Kind::None:
  case Kind::Draft:
  case Kind::Depend: // infer() comes before
  case Kind::DependRanges:
    return Free;
  case Kind::Thread: {
    int Thread = reduce(Target.Value, NumThreads);
    if (Thread == Pusher && !Strict)
      return Free;
    return {Placement::OnThread, Strict, Thread};
  }
  case Kind::Node:
  case Kind::Inferred:
    Node = reduce(Target.Value, NumNodes);
    break;
  case Kind::Data:
  case Kind::Ranges:
    Node = NumNodes == 1 ? 0 : nodeOfData(What, Target); // need not ask
    if (Node == UnknownNode)
      Node = Unknown == UnknownPolicy::First ? 0 : Local;
    break;
  }
  if (Node == Local && !Strict)
    return Free;
  return {Placement::OnNode, Strict, Node};
}

bool Domains::push(const Placement &Where, void *Task) {
  const bool OnThread = Where.Place == Placement::OnThread;
  const int Node = OnThread ? nodeOfThread(Where.Index) : Where.Index;
  TaskQueue *Queue;
  if (OnThread) {
    ThreadDomain &Domain = Threads[Where.Index];
    Queue = Where.Strict ? &Domain.Private : &Domain.Public;
  } else {
    NodeDomain &Domain = Nodes[Where.Index];
    Queue = Where.Strict ? &Domain.Private : &Domain.Public;
  }
  // The limit is a thread's; a node has one for each of its threads.
  const uint32_t Limit =
      OnThread ? PublicLimit : PublicLimit * uint32_t(Nodes[Node].NumMembers);
  if ((!Where.Strict && Queue->size() >= Limit) || !Queue->push(Task))
    return false;
  Stats::count(Where.Strict ? Stat::PushedStrict
               : OnThread   ? Stat::PushedThread
                            : Stat::PushedNode);
  Stats::countPlaced(osNode(Node), Where.Strict);
  return true;
}

Outcome Domains::takeOwn(int Thread, const Taker &Strict, const Taker &Public,
                         void *&Task) {
  ThreadDomain &Own = Threads[Thread];
  Outcome Got = Own.Private.take(End::Newest, Strict, Task);
  if (Got != Outcome::Taken)
    Got = Own.Public.take(End::Newest, Public, Task);
  if (Got == Outcome::Taken)
    Stats::count(Stat::TakenOwn);
  return Got;
}

Outcome Domains::takeFromNode(int Thread, const Taker &Strict,
                              const Taker &Public, bool Waiting, void *&Task) {
  NodeDomain &Node = Nodes[Threads[Thread].Node];
  const End First = Waiting ? End::Newest : End::Oldest;
  if (Node.Private.take(First, Strict, Task) == Outcome::Taken ||
      Node.Public.take(First, Public, Task) == Outcome::Taken) {
    Stats::count(Stat::TakenNode);
    return Outcome::Taken;
  }
  // Start behind the thread itself, so that neighbours do not all rob the same
  // queue.
  int Self = 0;
  while (Node.Members[Self] != Thread)
    ++Self;
  for (int I = 1; I < Node.NumMembers; ++I) {
    int Victim = Node.Members[(Self + I) % Node.NumMembers];
    if (Threads[Victim].Public.take(End::Oldest, Public, Task) ==
        Outcome::Taken) {
      Stats::countSteal(Team.closeness(Thread, Victim));
      return Outcome::Taken;
    }
  }
  return Outcome::Empty;
}

Outcome Domains::takeFromCrowd(int Thread, const Taker &Afar, void *&Task) {
  const NodeDomain &Home = Nodes[Threads[Thread].Node];
  for (int I = 0; I < NumNodes - 1; ++I) {
    NodeDomain &Node = Nodes[Home.Nearest[I]];
    if (Node.Public.size() != 0 && isCrowded(Home.Nearest[I]) &&
        Node.Public.take(End::Oldest, Afar, Task) == Outcome::Taken) {
      Stats::countSteal(Team.closeness(Thread, Node.Members[0]));
      return Outcome::Taken;
    }
  }
  return Outcome::Empty;
}

Outcome Domains::takeFromAfar(int Thread, const Taker &Public, Reach Far,
                              void *&Task) {
  const NodeDomain &Home = Nodes[Threads[Thread].Node];
  auto Rob = [&](TaskQueue &Queue, int Owners) {
    return TaskPool::mayRobAfar(Far, Queue.size(), Owners) &&
           Queue.take(End::Oldest, Public, Task) == Outcome::Taken;
  };
  for (int I = 0; I < NumNodes - 1; ++I) {
    NodeDomain &Node = Nodes[Home.Nearest[I]];
    bool Found = Rob(Node.Public, Node.NumMembers);
    for (int M = 0; M < Node.NumMembers && !Found; ++M)
      Found = Rob(Threads[Node.Members[(M + Thread) % Node.NumMembers]].Public,
                  /*Owners=*/1);
    if (Found) {
      Stats::countSteal(Team.closeness(Thread, Node.Members[0]));
      return Outcome::Taken;
    }
  }
  return Outcome::Empty;
}

bool Domains::hasWorkFor(int Thread) const {
  const ThreadDomain &Own = Threads[Thread];
  const NodeDomain &Node = Nodes[Own.Node];
  for (int N = 0; N < NumNodes; ++N)
    if (Nodes[N].Public.size() && isCrowded(N))
      return true;
  return Own.Private.size() || Own.Public.size() || Node.Private.size() ||
         Node.Public.size() || Pool.awaitsAnswer(Thread) ||
         Pool.hasShared(Thread);
}

} // namespace locus
