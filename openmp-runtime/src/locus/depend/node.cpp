//===- depend/node.cpp - A task in a graph of dependences -----------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "locus/depend/node.h"

namespace locus {

void (*OnEdge)(Task *First, Task *Next, void *Context) = nullptr;

/// Where follower \p Index of the further ones goes. Who ends the task looks
/// into a block, and from one to the next, only as far as State counts.
Node::Slot *Node::farSlot(NodePool &Mine, uint32_t Index) {
  static_assert(sizeof(Followers) <= BlockBytes, "a block of followers");
  const uint32_t At = Index % Followers::Count;
  const uint32_t Blocks = Index / Followers::Count;
  if (At == 0 && Blocks == NumFar) {
    Followers *Fresh = static_cast<Followers *>(Mine.take());
    Fresh->Next = nullptr;
    Fresh->Older = Newest;
    (Newest ? Newest->Next : Next) = Fresh;
    Newest = Fresh;
    ++NumFar;
  }
  return &Newest->Room[At];
}

/// The block of a further follower that State counts.
const Node::Followers *Node::blockOf(uint32_t Index) const {
  // What links the last block to another one is the creator's to write, even
  // now.
  const Block *B = Next;
  for (uint32_t Left = Index / Followers::Count; Left != 0; --Left)
    B = B->Next;
  return static_cast<const Followers *>(B);
}

void Node::need(NodePool &Mine, Mutex &M) {
  // All tasks try their mutexes in the same order, so that of several that want
  // the same ones, one gets them.
  Need **At = &Needs;
  while (*At && (*At)->Needed > &M)
    At = &(*At)->Rest;
  if (*At && (*At)->Needed == &M)
    return;
  M.use();
  Need *Fresh = static_cast<Need *>(Mine.take());
  Fresh->Needed = &M;
  Fresh->Rest = *At;
  *At = Fresh;
}

/// Each look takes one from \p Looks.
bool Node::mayLeadToWait(uint32_t &Looks) const {
  if (!Owner)
    return true;
  const uint32_t Count = State.load(std::memory_order_relaxed) / One;
  if (Count > Looks)
    return true;
  Looks -= Count;
  // The newest first: a wait comes behind tasks.
  return anyFollower([&](const Node &N) { return N.mayLeadToWait(Looks); });
}

bool Node::tryToHoldMutexes() {
  if (HoldsMutexes)
    return true;
  for (Need *N = Needs; N; N = N->Rest) {
    if (N->Needed->tryToHold())
      continue;
    for (Need *Before = Needs; Before != N; Before = Before->Rest)
      Before->Needed->release();
    return false;
  }
  HoldsMutexes = true;
  return true;
}

void Node::releaseMutexes() {
  for (Need *N = Needs; N; N = N->Rest)
    N->Needed->release();
  HoldsMutexes = false;
}

void Node::free(NodePool &Mine) {
  while (Need *First = Needs) {
    Needs = First->Rest;
    First->Needed->drop(Mine);
    Mine.give(First);
  }
  while (Block *First = Next) {
    Next = First->Next;
    Mine.give(First);
  }
  NodePool *const From = Home;
  this->~Node();
  Mine.give(new (this) Block{From, nullptr});
}

} // namespace locus
