//===- support/node_memory.h - Memory on a NUMA node ------------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_SUPPORT_NODE_MEMORY_H
#define LOCUS_SUPPORT_NODE_MEMORY_H

#include <stddef.h>

namespace locus {

/// Zeroed memory of \p Bytes bytes that begins at a page, preferably on
/// \p OsNode; anywhere for UnknownNode and any other number that is no node's.
/// Null where the system has none. Free with freeOnNode(). Makes two system
/// calls, which may wait for other threads that map memory.
void *allocateOnNode(size_t Bytes, int OsNode);

/// Gives back \p Bytes bytes, all that \p Memory was allocated with; does
/// nothing for null. Makes a system call.
void freeOnNode(void *Memory, size_t Bytes);

} // namespace locus

#endif // LOCUS_SUPPORT_NODE_MEMORY_H
