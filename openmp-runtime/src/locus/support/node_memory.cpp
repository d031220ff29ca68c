//===- support/node_memory.cpp - Memory on a NUMA node --------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "locus/support/node_memory.h"
#include "locus/machine/topology.h"

#include <numaif.h>
#include <sys/mman.h>

// LeakSanitizer's, where the program has it. It does not look into memory of
// mmap, and takes what only that points to for leaked.
extern "C" {
__attribute__((weak)) void __lsan_register_root_region(const void *, size_t);
__attribute__((weak)) void __lsan_unregister_root_region(const void *, size_t);
}

namespace locus {

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
