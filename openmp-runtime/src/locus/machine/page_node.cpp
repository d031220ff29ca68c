//===- machine/page_node.cpp - Which node holds some memory ---------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "locus/machine/page_node.h"
#include "locus/machine/topology.h"
#include "locus/support/cpu.h"
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

/// The node that the memory policy of the page at \p Page names, if it is one.
/// MPOL_F_NODE must not be asked: on an untouched page it maps the zero page
/// and says node 0.
static int nodeOfPolicy(void *Page) {
  NodeSet Nodes;
  int Mode = 0;
  if (get_mempolicy(&Mode, Nodes.mask(), NodeSet::MaskBits, Page,
                    MPOL_F_ADDR) != 0)
    return UnknownNode;
  Mode &= 0xff; // the rest are flags like MPOL_F_STATIC_NODES
  const bool IsOfNodes = Mode == MPOL_BIND || Mode == MPOL_PREFERRED;
  return IsOfNodes && Nodes.size() == 1 ? Nodes.at(0) : UnknownNode;
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

/// The pages of one question to the kernel, and how much each stands for.
class PageSample {
public:
  int Count = 0;
  void *Pages[MaxPagesAsked];
  double Bytes[MaxPagesAsked];

  /// Of \p NumRanges ranges, at least one.
  PageSample(const MemoryRange *Ranges, int NumRanges);

private:
  void add(const MemoryRange &Range, int Most);
};

/// A range of Length 0 counts as one byte.
static size_t lengthOf(const MemoryRange &Range) {
  return Range.Length ? Range.Length : 1;
}

PageSample::PageSample(const MemoryRange *Ranges, int NumRanges) {
  LOCUS_CHECK(NumRanges > 0);
  const int Used = NumRanges < MaxPagesAsked ? NumRanges : MaxPagesAsked;
  auto Chosen = [&](int I) -> const MemoryRange & {
    return Ranges[int64_t(I) * NumRanges / Used];
  };
  double Total = 0;
  for (int I = 0; I < Used; ++I)
    Total += double(lengthOf(Chosen(I)));
  // Each range has one page for sure; the rest goes by size.
  for (int I = 0; I < Used; ++I)
    add(Chosen(I),
        1 + int((MaxPagesAsked - Used) * (double(Chosen(I).Length) / Total)));
}

/// Adds up to \p Most pages of \p Range, spread evenly.
void PageSample::add(const MemoryRange &Range, int Most) {
  const uintptr_t PageSize = pageSize();
  const size_t Length = lengthOf(Range);
  const uintptr_t First = Range.Base & ~(PageSize - 1);
  uintptr_t Last = Range.Base + (Length - 1);
  if (Last < Range.Base) // a length that runs over the address space
    Last = UINTPTR_MAX;
  const uintptr_t NumPages = (Last - First) / PageSize + 1;
  const uintptr_t Asked = NumPages < uintptr_t(Most) ? NumPages : Most;
  for (uintptr_t I = 0; I < Asked; ++I) {
    // Page (I + 1/2) * NumPages / Asked, without overflow.
    const uintptr_t Page = I * (NumPages / Asked) +
                           I * (NumPages % Asked) / Asked +
                           NumPages / Asked / 2;
    LOCUS_CHECK(Count < MaxPagesAsked);
    Pages[Count] = reinterpret_cast<void *>(First + Page * PageSize);
    Bytes[Count++] = double(Length) / double(Asked);
  }
}

/// Writes the OS node of each page of \p Sample to \p Nodes; a negative number
/// for one that is not touched yet, or not mapped. False if the kernel refuses.
static bool askKernel(PageSample &Sample, int *Nodes) {
  for (int I = 0; I < Sample.Count; ++I)
    Nodes[I] = -ENOENT;
  if (move_pages(0, Sample.Count, Sample.Pages, nullptr, Nodes, 0) != 0) {
    // The query of a process' own pages fails only where it is filtered.
    warnRefused();
    return false;
  }
  for (int I = 0; I < Sample.Count; ++I)
    if (Nodes[I] < 0)
      Nodes[I] = nodeOfHiddenPage(Sample.Pages[I]);
  return true;
}

/// The node that has most bytes of \p Sample, whose pages are on \p Nodes;
/// UnknownNode if none of them is on any.
static int nodeOfMost(const PageSample &Sample, const int *Nodes) {
  int Best = UnknownNode;
  double BestBytes = 0;
  for (int I = 0; I < Sample.Count; ++I) {
    if (Nodes[I] < 0)
      continue;
    double Bytes = 0;
    for (int J = 0; J < Sample.Count; ++J)
      if (Nodes[J] == Nodes[I])
        Bytes += Sample.Bytes[J];
    if (Bytes > BestBytes) {
      Best = Nodes[I];
      BestBytes = Bytes;
    }
  }
  return Best;
}

PageAnswer askForNode(const MemoryRange *Ranges, int Count) {
  PageAnswer Answer;
  if (Count <= 0)
    return Answer;
  PageSample Sample(Ranges, Count);
  int Nodes[MaxPagesAsked];
  if (!askKernel(Sample, Nodes))
    return Answer;
  Answer.Pages = Sample.Count;
  Answer.Node = nodeOfMost(Sample, Nodes);
  if (Answer.Node == UnknownNode)
    Answer.Node = nodeOfPolicy(Sample.Pages[0]);
  else
    for (int I = 0; I < Sample.Count; ++I)
      Answer.OnNode += Nodes[I] == Answer.Node;
  return Answer;
}

int nodeOfMemory(const MemoryRange *Ranges, int Count) {
  return askForNode(Ranges, Count).Node;
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
