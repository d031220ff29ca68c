//===- locus_domains.cpp - The places of a team and their queues ----------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "locus_domains.h"
#include "locus_memory.h"

#include <new>
#include <stdlib.h>

namespace locus {

/// Cache-line aligned array of \p Count value-initialized T. Free with free().
template <class T> static T *makeArray(size_t Count) {
  void *Memory = nullptr;
  if (posix_memalign(&Memory, 64, Count * sizeof(T)) != 0)
    return nullptr;
  T *Array = static_cast<T *>(Memory);
  for (size_t I = 0; I < Count; ++I)
    new (&Array[I]) T();
  return Array;
}

Domains *Domains::create(const Topology &Machine, int NumThreads,
                         const NodeSet *ThreadNodes,
                         std::atomic<int32_t> *Unfinished) {
  void *Memory = nullptr;
  if (posix_memalign(&Memory, 64, sizeof(Domains)) != 0)
    return nullptr;
  Domains *Made = new (Memory) Domains;
  Made->Counters.Unfinished = Unfinished;
  Made->NumThreads = NumThreads;
  if (!Made->build(Machine, ThreadNodes)) {
    destroy(Made);
    return nullptr;
  }
  return Made;
}

void Domains::destroy(Domains *Old) {
  if (!Old)
    return;
  for (int I = 0; Old->Threads && I < Old->NumThreads; ++I) {
    Old->Threads[I].Private.destroy();
    Old->Threads[I].Public.destroy();
    Old->Threads[I].Deque.destroy();
  }
  for (int I = 0; Old->Nodes && I < Old->NumNodes; ++I) {
    Old->Nodes[I].Private.destroy();
    Old->Nodes[I].Public.destroy();
  }
  free(Old->Threads);
  free(Old->Nodes);
  free(Old->Shape);
  free(Old->Indices);
  free(Old);
}

bool Domains::build(const Topology &TheMachine, const NodeSet *ThreadNodes) {
  Machine = &TheMachine;
  Threads = makeArray<ThreadDomain>(NumThreads);
  // No more nodes than threads: a node without a thread has no domain, or its
  // strict tasks would wait for ever.
  Nodes = makeArray<NodeDomain>(NumThreads);
  Shape = makeArray<NodeSet>(NumThreads);
  if (!Threads || !Nodes || !Shape)
    return false;

  for (int T = 0; T < NumThreads; ++T) {
    Shape[T] = ThreadNodes[T];
    NodeSet Set = ThreadNodes[T];
    if (Set.size() == 0)
      Set = TheMachine.nodesWithCpus();
    int Choices = Set.size();
    int Rank = 0;
    if (Choices > 1) {
      // The threads of one place share its nodes in blocks, in order.
      Bound = false;
      int Sharers = 0, Before = 0;
      for (int Other = 0; Other < NumThreads; ++Other)
        if (ThreadNodes[Other] == ThreadNodes[T]) {
          ++Sharers;
          Before += Other < T;
        }
      Rank = int(int64_t(Before) * Choices / Sharers);
    }
    int OsNode = Set.at(Rank);
    int Node = teamNode(OsNode);
    if (Node < 0) {
      Node = NumNodes++;
      Nodes[Node].OsNode = OsNode;
      Nodes[Node].Private.init(&Counters, OsNode);
      Nodes[Node].Public.init(&Counters, OsNode);
    }
    ++Nodes[Node].NumMembers;
    Threads[T].Node = Node;
    Threads[T].Private.init(&Counters, OsNode);
    Threads[T].Public.init(&Counters, OsNode);
    Threads[T].Deque.init(OsNode);
  }

  Indices =
      makeArray<int>(size_t(NumThreads) + size_t(NumNodes) * size_t(NumNodes));
  if (!Indices)
    return false;
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
                   TheMachine.distance(Nodes[N].OsNode, Nodes[Node].OsNode)) *
                   uint64_t(NumNodes) +
               uint64_t((Node - N + NumNodes) % NumNodes);
      };
      int *Slot = Free++;
      for (; Slot > Nodes[N].Nearest && Cost(Slot[-1]) > Cost(Other); --Slot)
        *Slot = Slot[-1];
      *Slot = Other;
    }
  }
  return true;
}

bool Domains::hasShape(int OtherThreads, const NodeSet *ThreadNodes) const {
  if (OtherThreads != NumThreads)
    return false;
  for (int T = 0; T < NumThreads; ++T)
    if (!(Shape[T] == ThreadNodes[T]))
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

Placement Domains::resolve(Kind What, bool Strict, const TaskTarget &Target,
                           int Pusher, UnknownPolicy Unknown) const {
  const Placement Free = {Placement::Anywhere, false, 0};
  const int Local = nodeOfThread(Pusher);
  int Node = Local;
  switch (What) {
  case Kind::None:
    return Free;
  case Kind::Thread: {
    int Thread = reduce(Target.Value, NumThreads);
    if (Thread == Pusher && !Strict)
      return Free;
    return {Placement::OnThread, Strict, Thread};
  }
  case Kind::Node:
    Node = reduce(Target.Value, NumNodes);
    break;
  case Kind::Data:
  case Kind::Ranges: {
    if (NumNodes == 1) { // no need to ask
      Node = 0;
      break;
    }
    MemoryRange One = {Target.Value, Target.Length};
    const RangeList *List = reinterpret_cast<const RangeList *>(Target.Value);
    int OsNode = What == Kind::Data ? nodeOfMemory(&One, 1)
                                    : nodeOfMemory(List->Ranges, List->Count);
    if (OsNode != UnknownNode)
      Node = nearestNode(OsNode);
    else
      Node = Unknown == UnknownPolicy::First ? 0 : Local;
    break;
  }
  }
  if (Node == Local && !Strict)
    return Free;
  return {Placement::OnNode, Strict, Node};
}

bool Domains::push(const Placement &Where, void *Task) {
  if (Where.Place == Placement::OnThread) {
    ThreadDomain &Domain = Threads[Where.Index];
    if (Where.Strict)
      return Domain.Private.push(Task);
    return Domain.Public.size() < PublicLimit && Domain.Public.push(Task);
  }
  NodeDomain &Domain = Nodes[Where.Index];
  if (Where.Strict)
    return Domain.Private.push(Task);
  // The limit is a thread's; a node has one for each of its threads.
  return Domain.Public.size() < PublicLimit * uint32_t(Domain.NumMembers) &&
         Domain.Public.push(Task);
}

Outcome Domains::takeOwn(int Thread, const Taker &Strict, const Taker &Public,
                         void *&Task) {
  ThreadDomain &Own = Threads[Thread];
  if (Own.Private.take(End::Newest, Strict, Task) == Outcome::Taken)
    return Outcome::Taken;
  return Own.Public.take(End::Newest, Public, Task);
}

Outcome Domains::takeFromNode(int Thread, const Taker &Strict,
                              const Taker &Public, bool Waiting, void *&Task) {
  NodeDomain &Node = Nodes[Threads[Thread].Node];
  const End First = Waiting ? End::Newest : End::Oldest;
  if (Node.Private.take(First, Strict, Task) == Outcome::Taken ||
      Node.Public.take(First, Public, Task) == Outcome::Taken)
    return Outcome::Taken;
  // Start behind the thread itself, so that neighbours do not all rob the same
  // queue.
  int Self = 0;
  while (Node.Members[Self] != Thread)
    ++Self;
  for (int I = 1; I < Node.NumMembers; ++I) {
    int Victim = Node.Members[(Self + I) % Node.NumMembers];
    if (Threads[Victim].Public.take(End::Oldest, Public, Task) ==
        Outcome::Taken)
      return Outcome::Taken;
  }
  return Outcome::Empty;
}

Outcome Domains::takeFromAfar(int Thread, const Taker &Public, void *&Task) {
  if (emptyRounds(Thread) < RoundsBeforeAfar)
    return Outcome::Empty;
  const NodeDomain &Home = Nodes[Threads[Thread].Node];
  for (int I = 0; I < NumNodes - 1; ++I) {
    NodeDomain &Node = Nodes[Home.Nearest[I]];
    bool Found = Node.Public.take(End::Oldest, Public, Task) == Outcome::Taken;
    for (int M = 0; M < Node.NumMembers && !Found; ++M) {
      int Victim = Node.Members[(M + Thread) % Node.NumMembers];
      Found = Threads[Victim].Public.take(End::Oldest, Public, Task) ==
              Outcome::Taken;
    }
    if (Found)
      return Outcome::Taken;
  }
  return Outcome::Empty;
}

Outcome Domains::stealOwn(int Thread, const Taker &Who, bool ScanAll,
                          void *&Task) {
  ThreadDomain &Self = Threads[Thread];
  const NodeDomain &Home = Nodes[Self.Node];
  const uint32_t Round = Self.EmptyRounds;
  TaskDeque *Silent = nullptr;
  bool Asked = false;
  auto Try = [&](TaskDeque &Victim) {
    Outcome Got = Victim.steal(Who, ScanAll, *Counters.Unfinished, Task);
    // What is published and refused may hide what is not published.
    if ((Got == Outcome::Empty || (Got == Outcome::Refused && ScanAll)) &&
        Victim.hasUnpublished()) {
      Asked = true;
      if (Victim.request())
        Silent = &Victim;
    }
    return Got == Outcome::Taken;
  };
  auto TryNode = [&](const NodeDomain &Node) {
    const bool Many = Node.NumMembers > VictimsPerNode;
    const int Looks = Many ? VictimsPerNode : Node.NumMembers;
    const int From =
        int((uint32_t(Thread) + (Many ? Round * VictimsPerNode : 0)) %
            uint32_t(Node.NumMembers));
    for (int I = 0; I < Looks; ++I) {
      int Victim = Node.Members[(From + I) % Node.NumMembers];
      if (Victim != Thread && Try(Threads[Victim].Deque))
        return true;
    }
    return false;
  };
  bool Found = TryNode(Home) ||
               (NumNodes > 1 &&
                TryNode(Nodes[Home.Nearest[Round % uint32_t(NumNodes - 1)]]));
  Self.UnansweredRounds = Asked && !Found ? Self.UnansweredRounds + 1 : 0;
  if (!Found && Silent && Self.UnansweredRounds >= RoundsBeforeForce) {
    Silent->forcePublish();
    Self.UnansweredRounds = 0;
    Found = Silent->steal(Who, ScanAll, *Counters.Unfinished, Task) ==
            Outcome::Taken;
  }
  return Found ? Outcome::Taken : Outcome::Empty;
}

bool Domains::hasWorkFor(int Thread) const {
  const ThreadDomain &Own = Threads[Thread];
  const NodeDomain &Node = Nodes[Own.Node];
  return Own.Private.size() || Own.Public.size() || Node.Private.size() ||
         Node.Public.size() || Own.UnansweredRounds != 0;
}

} // namespace locus
