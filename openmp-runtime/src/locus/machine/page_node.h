//===- machine/page_node.h - Which node holds some memory -------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_MACHINE_PAGE_NODE_H
#define LOCUS_MACHINE_PAGE_NODE_H

#include <stddef.h>
#include <stdint.h>

namespace locus {

/// Some memory: \p Length bytes from \p Base on, or, for 0, the one byte there.
struct MemoryRange {
  uintptr_t Base;
  size_t Length;
};

/// Says that nobody knows the node, in place of an OS node or a team node.
constexpr int UnknownNode = -1;

/// Pages that one question to the kernel names: 0.6 us each.
constexpr int MaxPagesAsked = 16;

/// The node that has most of \p Count pieces of memory, each with so many
/// \p Bytes on one of the \p Nodes; of two with as many the one that comes
/// first. A negative node is none; UnknownNode if all are.
inline int nodeOfMost(const int *Nodes, const double *Bytes, int Count) {
  int Best = UnknownNode;
  double Most = 0;
  for (int I = 0; I < Count; ++I) {
    double Sum = 0;
    for (int J = 0; J < Count; ++J)
      Sum += Nodes[J] == Nodes[I] ? Bytes[J] : 0;
    if (Nodes[I] >= 0 && Sum > Most) {
      Best = Nodes[I];
      Most = Sum;
    }
  }
  return Best;
}

/// What the kernel says of the pages that it was asked.
struct PageAnswer {
  int Node = UnknownNode; ///< as nodeOfMemory() says
  int Pages = 0;          ///< how many were asked
  int OnNode = 0;         ///< how many of them are on Node
};

/// Asks for the OS node that holds most bytes of the \p Count ranges, as the
/// kernel says now; of two with as many the one that comes first. At most
/// MaxPagesAsked pages are asked in all. Each range has a share of them by its
/// size, spread evenly over it; of more than MaxPagesAsked ranges only as many
/// are asked, again evenly. A range of Length 0 counts as one byte.
///
/// Never touches the memory: an untouched page stays untouched. Where no page
/// is populated, the memory policy of the first one answers if it names exactly
/// one node (mbind). Otherwise, and for addresses that are not mapped, the
/// result is UnknownNode. Where the kernel refuses the question (containers may
/// filter move_pages), a warning is printed once and the result is UnknownNode.
///
/// Any thread may call it at any time. It makes a system call, move_pages, that
/// takes about 0.6 us for a page; up to five more for a page that move_pages
/// knows nothing of. They may wait for other threads of the process that map
/// memory.
PageAnswer askForNode(const MemoryRange *Ranges, int Count);

/// Its Node alone.
int nodeOfMemory(const MemoryRange *Ranges, int Count);

/// The same for \p Length bytes from \p Base on.
inline int nodeOfMemory(const void *Base, size_t Length) {
  const MemoryRange Range = {reinterpret_cast<uintptr_t>(Base), Length};
  return nodeOfMemory(&Range, 1);
}

// What these ask of the kernel, and what the laboratory has in its place
// (kernel_pages.cpp).

/// Writes the OS node of each of the \p Count pages at \p Pages to \p Nodes; a
/// negative number for one that is not touched yet, or not mapped. False if the
/// kernel refuses.
bool nodesOfPages(void **Pages, int Count, int *Nodes);
/// The node that the memory policy of the page at \p Page names, if it is one;
/// else UnknownNode.
int nodeOfPolicy(void *Page);

/// Zeroed memory of \p Bytes bytes that begins at a page, preferably on
/// \p OsNode; anywhere for UnknownNode and any other number that is no node's.
/// Null where the system has none. Free with freeOnNode(). Makes two system
/// calls, which may wait for other threads that map memory.
void *allocateOnNode(size_t Bytes, int OsNode);

/// Gives back \p Bytes bytes, all that \p Memory was allocated with; does
/// nothing for null. Makes a system call.
void freeOnNode(void *Memory, size_t Bytes);

} // namespace locus

#endif // LOCUS_MACHINE_PAGE_NODE_H
