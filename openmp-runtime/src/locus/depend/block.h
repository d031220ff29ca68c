//===- depend/block.h - Memory that comes back to its thread ----*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_DEPEND_BLOCK_H
#define LOCUS_DEPEND_BLOCK_H

#include <stddef.h>

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

} // namespace locus

#endif // LOCUS_DEPEND_BLOCK_H
