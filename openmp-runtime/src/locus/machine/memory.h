//===- machine/memory.h - Which node holds some memory ----------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_MACHINE_MEMORY_H
#define LOCUS_MACHINE_MEMORY_H

#include "locus/task/hint.h"

#include <stddef.h>
#include <stdint.h>

namespace locus {

/// How many pages of one range the kernel is asked about at most. The cost of
/// a lookup is bounded by it: one system call, about 1 us for 16 pages.
constexpr int MaxPagesAsked = 16;

/// Says that the kernel has no answer, in place of an OS node.
constexpr int UnknownNode = -1;

/// The OS node that holds most bytes of the \p Count ranges, as the kernel says
/// now. At most MaxPagesAsked pages are asked in all, each range getting a
/// share by its size, spread evenly over it; of more than MaxPagesAsked ranges
/// only as many, again evenly. A range of Length 0 counts as one byte.
///
/// Never touches the memory: an untouched page stays untouched. Where no page
/// of the range is populated, the memory policy of the range answers if it
/// names exactly one node (mbind). Otherwise, and for addresses that are not
/// mapped, the result is UnknownNode. Where the kernel refuses the question
/// (containers may filter move_pages), a warning is printed once and the
/// result is UnknownNode.
///
/// Any thread may call it at any time; it does not block.
int nodeOfMemory(const MemoryRange *Ranges, int Count);

/// The same for one range.
inline int nodeOfMemory(const void *Base, size_t Length) {
  const MemoryRange Range = {reinterpret_cast<uintptr_t>(Base), Length};
  return nodeOfMemory(&Range, 1);
}

/// Page-aligned zeroed memory of \p Bytes, preferably on \p OsNode (anywhere
/// for UnknownNode). Null where the system has none. Free with freeOnNode.
void *allocateOnNode(size_t Bytes, int OsNode);
void freeOnNode(void *Memory, size_t Bytes);

} // namespace locus

#endif // LOCUS_MACHINE_MEMORY_H
