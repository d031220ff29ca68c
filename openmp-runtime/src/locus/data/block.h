//===- data/block.h - Memory on the nodes that it is for --------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Blocks of whole pages from the kernel, and where their pages go. README.md
// says which memory policy, and why.
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_DATA_BLOCK_H
#define LOCUS_DATA_BLOCK_H

#include "locus/data/partition.h"

namespace locus {

/// Memory of its own: a page for its owner's notes, and the data behind it.
struct DataBlock {
  void *Base = nullptr; ///< where the first page begins; null for no block
  void *Data = nullptr; ///< Base and one page
  size_t Bytes = 0;     ///< of all pages, from Base on
};

/// Zeroed memory for \p Bytes bytes, at least one, of which no page is
/// populated yet. Data is a multiple of \p Alignment bytes, a power of two. If
/// \p First is not null, it is such that the kernel gives the first page of
/// Data to the first of these nodes, which are ascending, if it interleaves
/// them. No block if the system has no memory. Up to three system calls, and a
/// few more once; they may wait for other threads that map memory.
DataBlock mapBlock(size_t Bytes, size_t Alignment, const NodeList *First);

/// Gives back all of \p Of. One system call.
void unmapBlock(const DataBlock &Of);

/// Sends the pages at \p Data, the address of one, to their nodes: those that
/// are populated from now on, and with \p Moves those that are there, too. One
/// system call for each part, but only one in all for parts of one page: then
/// the page at \p Data must be for the node that rankOfInterleaved() says.
/// Moving takes two more for each 256 pages, and some for each page in use.
///
/// 0, or an error number of mbind or move_pages; EBUSY if some pages have
/// stayed where they were although the kernel was asked several times.
int sendPages(void *Data, const Partition &Parts, bool Moves);

/// Which of \p Nodes, in ascending order, the kernel gives the page at
/// \p Address to, if they are interleaved by pages; as it does for memory
/// without a file that has never been moved to another address.
size_t rankOfInterleaved(uintptr_t Address, const NodeList &Nodes);

/// For tests with nodes that the machine does not have: from now on the kernel
/// is taken for one that cuts the numbers of pages to 32 bits before it
/// interleaves, or not, and is not asked.
void setCutsPageNumbers(bool IsCut);

/// Whether each node has as much free memory as \p Parts wants of it, as the
/// kernel counts it now, beside what it keeps for itself (3 % if it does not
/// say how much).
/// Also if \p Parts has all nodes that are \p Allowed: then pages can go to no
/// others, and before memory ends the kernel takes back that of its caches,
/// which does not count as free. Reads a file for each node.
bool hasRoom(const Partition &Parts, const NodeSet &Allowed);

/// The nodes that the process may have memory of: those of its cpuset. All
/// nodes with CPUs where the kernel does not say. One system call.
NodeSet allowedNodes();

} // namespace locus

#endif // LOCUS_DATA_BLOCK_H
