//===- depend/node_pool.cpp - Memory for dependences ----------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "locus/depend/node_pool.h"
#include "locus/machine/page_node.h"
#include "locus/support/array.h"
#include "locus/support/host.h"
#include "locus/support/lock.h"
#include "locus/tuning.h"

namespace locus {

static_assert(BlockBytes % CacheLine == 0, "blocks begin at cache lines");

//===----------------------------------------------------------------------===//
// Pools come and go with threads
//===----------------------------------------------------------------------===//

static SpinLock LeftLock;
static NodePool *Left = nullptr; ///< of threads that have ended

NodePool *NodePool::adopt() {
  {
    LockGuard Guard(LeftLock);
    if (NodePool *Found = Left) {
      Left = Found->NextLeft;
      return Found;
    }
  }
  NodePool *Fresh = makeArray<NodePool>(1);
  if (!Fresh)
    outOfMemory();
  return Fresh;
}

void NodePool::abandon(NodePool *Pool) {
  if (!Pool)
    return;
  Pool->flush();
  Pool->Ahead = Window();
  // Who has a block or a count of this pool will write to it. Acquire: who told
  // of the last end is done with the pool, see sendEnds(). A fence would do, but
  // ThreadSanitizer does not know fences.
  if (Pool->numAway() == 0 && Pool->numLive(std::memory_order_acquire) == 0) {
    Pool->destroy();
    free(Pool);
    return;
  }
  LockGuard Guard(LeftLock);
  Pool->NextLeft = Left;
  Left = Pool;
}

void NodePool::destroyLeft() {
  LockGuard Guard(LeftLock);
  while (NodePool *First = Left) {
    Left = First->NextLeft;
    First->destroy();
    free(First);
  }
}

uint64_t NodePool::numBlocks() const {
  uint64_t Sum = 0;
  for (const Chunk *C = Chunks; C; C = C->Older)
    Sum += C->Blocks;
  return Sum;
}

uint64_t NodePool::numAway() {
  uint64_t Sum = numBlocks();
  for (const Block *B = Free; B; B = B->Next)
    --Sum;
  for (const Block *B = Returned.load(std::memory_order_acquire); B;
       B = B->Next)
    --Sum;
  return Sum;
}

void NodePool::destroy() {
  while (Chunk *Newest = Chunks) {
    Chunks = Newest->Older;
    freeOnNode(Newest, (Newest->Blocks + 1) * BlockBytes);
  }
  Free = nullptr;
  Returned.store(nullptr, std::memory_order_relaxed);
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

Block *NodePool::takeMore() {
  // Acquire: what others wrote to a block comes before what this thread does.
  if (Returned.load(std::memory_order_relaxed))
    Free = Returned.exchange(nullptr, std::memory_order_acquire);
  if (!Free)
    addChunk();
  Block *First = Free;
  Free = First->Next;
  return First;
}

/// Twice as many blocks as there are, within limits. The thread writes them
/// first, so they are on its node.
void NodePool::addChunk() {
  uint64_t Count = Chunks ? 2 * (Chunks->Blocks + 1) : Tuned.NodeChunkLeast;
  if (Count > Tuned.NodeChunkMost)
    Count = Tuned.NodeChunkMost;
  void *Memory = allocateOnNode(Count * BlockBytes, UnknownNode);
  if (!Memory)
    outOfMemory();
  Chunk *Fresh = static_cast<Chunk *>(Memory);
  Fresh->Older = Chunks;
  Fresh->Blocks = Count - 1;
  Chunks = Fresh;
  char *At = static_cast<char *>(Memory) + BlockBytes;
  for (uint64_t I = 1; I < Count; ++I, At += BlockBytes) {
    Block *B = reinterpret_cast<Block *>(At);
    B->Home = this;
    B->Next =
        I + 1 < Count ? reinterpret_cast<Block *>(At + BlockBytes) : nullptr;
  }
  Free = reinterpret_cast<Block *>(static_cast<char *>(Memory) + BlockBytes);
}

void NodePool::giveBack(Block *Used) {
  if (BatchTo != Used->Home)
    sendBatch();
  if (!BatchFirst)
    BatchLast = Used;
  BatchTo = Used->Home;
  Used->Next = BatchFirst;
  BatchFirst = Used;
  if (++BatchSize >= Tuned.NodeBatch)
    sendBatch();
}

void NodePool::sendBatch() {
  if (BatchFirst)
    BatchTo->receive(BatchFirst, BatchLast);
  BatchTo = nullptr;
  BatchFirst = BatchLast = nullptr;
  BatchSize = 0;
}

/// The blocks \p First .. \p Last, in a list, are free. For other threads. That
/// the list's head was another one in between does not matter: nobody but the
/// pool's thread takes from it, and that takes all.
void NodePool::receive(Block *First, Block *Last) {
  Block *Head = Returned.load(std::memory_order_relaxed);
  do
    Last->Next = Head;
  while (!Returned.compare_exchange_weak(Head, First, std::memory_order_release,
                                         std::memory_order_relaxed));
}

//===----------------------------------------------------------------------===//
// Counts
//===----------------------------------------------------------------------===//

void NodePool::tellEnd(NodePool *Creator) {
  if (EndsOf != Creator) {
    sendEnds();
    EndsOf = Creator;
  }
  if (++Ends >= Tuned.EndsBatch)
    sendEnds();
}

void NodePool::sendEnds() {
  // Release: the pool may be freed once all ends are told.
  if (Ends)
    EndsOf->EndedElsewhere.fetch_add(Ends, std::memory_order_release);
  Ends = 0;
}

void NodePool::flush() {
  sendBatch();
  sendEnds();
  EndsOf = nullptr;
}

} // namespace locus
