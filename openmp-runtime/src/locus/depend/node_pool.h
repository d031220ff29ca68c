//===- depend/node_pool.h - Memory for dependences --------------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each thread has a pool of blocks for the dependences of the tasks that it
// creates. Other threads, which complete these tasks, send blocks back to it,
// several at once; so does the count of tasks that have ended. README.md has
// who writes what.
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_DEPEND_NODE_POOL_H
#define LOCUS_DEPEND_NODE_POOL_H

#include "locus/depend/window.h"
#include "locus/support/cpu.h"

#include <atomic>
#include <stddef.h>
#include <stdint.h>

namespace locus {

class NodePool;

/// What begins each piece of memory that a NodePool hands out. Whoever gives a
/// block back, it goes to the pool that it came from.
struct Block {
  NodePool *Home; ///< set once, when the block is made
  Block *Next;    ///< in a list of free blocks
};

/// Whole cache lines, for every use: a node with room for those that wait for
/// most tasks.
constexpr size_t BlockBytes = 128;

class NodePool {
public:
  /// The pool of a thread that begins: a new one, or one that another thread
  /// has left with blocks that are still in use. Ends the program if there is
  /// no memory.
  static NodePool *adopt();
  /// The thread of \p Left ends; null does nothing. What others still have of
  /// its blocks keeps the pool; the next adopt() gets it.
  static void abandon(NodePool *Left);

  /// Frees what threads that have ended have left. No thread has a pool any
  /// more.
  static void destroyLeft();

  //===--------------------------------------------------------------------===//
  // The pool's thread
  //===--------------------------------------------------------------------===//

  /// BlockBytes of memory, a multiple of CacheLine the address, of which Home
  /// is set. Ends the program if there is no memory.
  Block *take() {
    Block *First = Free;
    if (__builtin_expect(!First, 0))
      return takeMore();
    Free = First->Next;
    return First;
  }

  /// Gives back \p Used, which take() of any pool returned.
  void give(Block *Used) {
    if (__builtin_expect(Used->Home == this, 1)) {
      Used->Next = Free;
      Free = Used;
    } else {
      giveBack(Used);
    }
  }

  /// A task with dependences has been created.
  void countBegin() { ++Begun; }
  /// A task has ended that the thread of \p Creator created.
  void countEnd(NodePool *Creator) {
    if (__builtin_expect(Creator == this, 1))
      ++EndedHere;
    else
      tellEnd(Creator);
  }
  /// How many tasks this thread has created that have not ended, as far as it
  /// has been told: each other thread may know of Tuned.EndsBatch more. With
  /// acquire, who told of an end is done with the pool.
  uint64_t numLive(std::memory_order Order = std::memory_order_relaxed) const {
    return Begun - EndedHere - EndedElsewhere.load(Order);
  }

  /// Sends what has been kept back for a batch: the thread may be idle for
  /// long.
  void flush();

  /// How far this thread may run ahead.
  Window Ahead;

  //===--------------------------------------------------------------------===//
  // Anybody, while nobody uses the pool: for tests
  //===--------------------------------------------------------------------===//

  /// Blocks that there is memory for.
  uint64_t numBlocks() const;
  /// Of these, those that are in use, or on their way back.
  uint64_t numAway();
  /// Frees all memory. Nothing of it is in use.
  void destroy();

private:
  friend struct Layout;

  struct Chunk {
    Chunk *Older;
    uint64_t Blocks; ///< this header takes the place of one more
  };

  Block *takeMore();
  void addChunk();
  void giveBack(Block *Used);
  void tellEnd(NodePool *Creator);
  void sendBatch();
  void sendEnds();
  void receive(Block *First, Block *Last);

  // The pool's thread alone.
  alignas(CacheLine) Block *Free = nullptr;
  uint64_t Begun = 0, EndedHere = 0;
  NodePool *BatchTo = nullptr; ///< whose blocks First .. Last are
  Block *BatchFirst = nullptr, *BatchLast = nullptr;
  uint32_t BatchSize = 0;
  uint32_t Ends = 0; ///< of tasks of EndsOf
  NodePool *EndsOf = nullptr;
  Chunk *Chunks = nullptr;      ///< the newest first
  NodePool *NextLeft = nullptr; ///< of those that are abandoned

  // Others add, the thread takes.
  alignas(CacheLine) std::atomic<Block *> Returned{nullptr};
  std::atomic<uint64_t> EndedElsewhere{0};
};

} // namespace locus

#endif // LOCUS_DEPEND_NODE_POOL_H
