//===- machine/kernel_pages.cpp - What the kernel says of pages -----------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "locus/machine/page_node.h"
#include "locus/machine/topology.h"
#include "locus/support/host.h"

#include <atomic>
#include <errno.h>
#include <numaif.h>
#include <sys/mman.h>

// LeakSanitizer's, where the program has it. It does not look into memory of
// mmap, and takes what only that points to for leaked.
extern "C" {
__attribute__((weak)) void __lsan_register_root_region(const void *, size_t);
__attribute__((weak)) void __lsan_unregister_root_region(const void *, size_t);
}

namespace locus {

static void warnRefused() {
  static std::atomic<bool> Said{false};
  if (!Said.exchange(true, std::memory_order_relaxed))
    warn("task affinity: the kernel refuses to say where memory is "
         "(move_pages); tasks placed by data go to the default node.");
}

/// The node of a page that move_pages has no answer for although it is there:
/// with automatic NUMA balancing Linux 6.1 says -ENOENT for pages that it has
/// taken out of the page table to see who uses them. An untouched page is not
/// resident, so get_mempolicy, which would map the zero page, is not asked.
static int nodeOfHiddenPage(void *Page) {
  unsigned char Resident = 0;
  if (mincore(Page, 1, &Resident) != 0 || !(Resident & 1))
    return UnknownNode;
  // The question counts as a use of the page, and the kernel would move it to
  // the node of this thread; not while the thread has a policy of its own.
  int Mode = MPOL_DEFAULT, Node = UnknownNode;
  bool Shield = get_mempolicy(&Mode, nullptr, 0, nullptr, 0) == 0 &&
                Mode == MPOL_DEFAULT &&
                set_mempolicy(MPOL_LOCAL, nullptr, 0) == 0;
  if (get_mempolicy(&Node, nullptr, 0, Page, MPOL_F_NODE | MPOL_F_ADDR) != 0)
    Node = UnknownNode;
  if (Shield)
    set_mempolicy(MPOL_DEFAULT, nullptr, 0);
  return Node;
}

bool nodesOfPages(void **Pages, int Count, int *Nodes) {
  for (int I = 0; I < Count; ++I)
    Nodes[I] = -ENOENT;
  if (move_pages(0, Count, Pages, nullptr, Nodes, 0) != 0) {
    // The query of a process' own pages fails only where it is filtered.
    warnRefused();
    return false;
  }
  for (int I = 0; I < Count; ++I)
    if (Nodes[I] < 0)
      Nodes[I] = nodeOfHiddenPage(Pages[I]);
  return true;
}

// MPOL_F_NODE must not be asked: on an untouched page it maps the zero page and
// says node 0.
int nodeOfPolicy(void *Page) {
  NodeSet Nodes;
  int Mode = 0;
  if (get_mempolicy(&Mode, Nodes.mask(), NodeSet::MaskBits, Page,
                    MPOL_F_ADDR) != 0)
    return UnknownNode;
  Mode &= 0xff; // the rest are flags like MPOL_F_STATIC_NODES
  const bool IsOfNodes = Mode == MPOL_BIND || Mode == MPOL_PREFERRED;
  return IsOfNodes && Nodes.size() == 1 ? Nodes.at(0) : UnknownNode;
}

//===----------------------------------------------------------------------===//
// Memory on a node
//===----------------------------------------------------------------------===//

void *allocateOnNode(size_t Bytes, int OsNode) {
  void *Memory = mmap(nullptr, Bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (Memory == MAP_FAILED)
    return nullptr;
  if (__lsan_register_root_region)
    __lsan_register_root_region(Memory, Bytes);
  NodeSet Node;
  Node.add(OsNode);
  // A preference only: if the kernel refuses or the node is full, the memory is
  // elsewhere, and only slower.
  if (Node.size() != 0)
    (void)mbind(Memory, Bytes, MPOL_PREFERRED, Node.mask(), NodeSet::MaskBits,
                0);
  return Memory;
}

void freeOnNode(void *Memory, size_t Bytes) {
  if (!Memory)
    return;
  if (__lsan_unregister_root_region)
    __lsan_unregister_root_region(Memory, Bytes);
  munmap(Memory, Bytes);
}

} // namespace locus
