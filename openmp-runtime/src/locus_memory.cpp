//===- locus_memory.cpp - Which node holds some memory --------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "locus_memory.h"
#include "locus_topology.h"

#include <atomic>
#include <errno.h>
#include <numaif.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

namespace locus {

static void warnRefused() {
  static std::atomic<bool> Said{false};
  if (!Said.exchange(true, std::memory_order_relaxed))
    warn("task affinity: the kernel refuses to say where memory is "
         "(move_pages); tasks placed by data go to the default node.");
}

/// The node that the memory policy of the page at \p Page names, if it is one.
/// MPOL_F_NODE must not be asked: on an untouched page it maps the zero page
/// and says node 0.
static int nodeOfPolicy(void *Page) {
  constexpr int WordBits = 8 * sizeof(unsigned long);
  unsigned long Mask[MaxOsNodes / WordBits] = {};
  int Mode = 0;
  // The kernel takes one from the number of bits.
  if (get_mempolicy(&Mode, Mask, MaxOsNodes + 1, Page, MPOL_F_ADDR) != 0)
    return UnknownNode;
  if (Mode != MPOL_BIND && Mode != MPOL_PREFERRED)
    return UnknownNode;
  int Found = UnknownNode;
  for (int Node = 0; Node < MaxOsNodes; ++Node) {
    if (!(Mask[Node / WordBits] >> (Node % WordBits) & 1))
      continue;
    if (Found != UnknownNode)
      return UnknownNode;
    Found = Node;
  }
  return Found;
}

int nodeOfMemory(const void *Base, size_t Length) {
  const uintptr_t PageSize = uintptr_t(getpagesize());
  const uintptr_t First = uintptr_t(Base) & ~(PageSize - 1);
  uintptr_t Last = uintptr_t(Base) + (Length ? Length - 1 : 0);
  if (Last < uintptr_t(Base)) // a length that runs over the address space
    Last = UINTPTR_MAX;
  const uintptr_t NumPages = (Last - First) / PageSize + 1;
  const int Asked =
      NumPages < MaxPagesAsked ? int(NumPages) : int(MaxPagesAsked);

  void *Pages[MaxPagesAsked];
  int Status[MaxPagesAsked];
  for (int I = 0; I < Asked; ++I) {
    // Page number (I + 1/2) * NumPages / Asked, without overflow.
    uintptr_t Step = NumPages / Asked, Rest = NumPages % Asked;
    uintptr_t Page = I * Step + (I * Rest) / Asked + Step / 2;
    Pages[I] = reinterpret_cast<void *>(First + Page * PageSize);
    Status[I] = -ENOENT;
  }
  if (move_pages(0, Asked, Pages, nullptr, Status, 0) != 0) {
    // The query of a process' own pages fails only where it is filtered.
    warnRefused();
    return UnknownNode;
  }

  int Best = UnknownNode, BestCount = 0;
  for (int I = 0; I < Asked; ++I) {
    if (Status[I] < 0) // -ENOENT: not touched yet; -EFAULT: not mapped
      continue;
    int Count = 0;
    for (int J = 0; J < Asked; ++J)
      Count += Status[J] == Status[I];
    if (Count > BestCount) {
      Best = Status[I];
      BestCount = Count;
    }
  }
  return Best != UnknownNode ? Best : nodeOfPolicy(Pages[0]);
}

void *allocateOnNode(size_t Bytes, int OsNode) {
  void *Memory = mmap(nullptr, Bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (Memory == MAP_FAILED)
    return nullptr;
  if (OsNode >= 0 && OsNode < MaxOsNodes) {
    constexpr int WordBits = 8 * sizeof(unsigned long);
    unsigned long Mask[MaxOsNodes / WordBits] = {};
    Mask[OsNode / WordBits] = 1ul << (OsNode % WordBits);
    // A preference only: if the kernel refuses or the node is full, the queue
    // works from elsewhere, only slower.
    (void)mbind(Memory, Bytes, MPOL_PREFERRED, Mask, MaxOsNodes + 1, 0);
  }
  return Memory;
}

void freeOnNode(void *Memory, size_t Bytes) {
  if (Memory)
    munmap(Memory, Bytes);
}

} // namespace locus
