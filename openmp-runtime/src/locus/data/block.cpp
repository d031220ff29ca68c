//===- data/block.cpp - Memory on the nodes that it is for ----------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "locus/data/block.h"
#include "locus/data/reserve.h"
#include "locus/machine/page_node.h"
#include "locus/support/cpu.h"

#include <atomic>
#include <errno.h>
#include <numa.h>
#include <numaif.h>
#include <sched.h>
#include <string.h>
#include <sys/mman.h>

namespace locus {

/// A page that is in use, by a system call for instance, is moved at the next
/// try, behind a yield. What cannot be moved then stays where it is, and the
/// program hears of it.
static constexpr int MoveTries = 20;
/// Pages that one order to the kernel moves: 4 KB of our stack.
static constexpr int MaxPagesMoved = 256;

/// mbind() for the \p Bytes bytes at \p Data. False, with errno, if refused.
static bool bind(void *Data, size_t Bytes, int Policy, NodeSet Nodes) {
  return mbind(Data, Bytes, Policy, Nodes.mask(), NodeSet::MaskBits, 0) == 0;
}

/// Which of \p Count nodes the kernel gives page number \p Page to.
static size_t rankOfPage(uintptr_t Page, int Count, bool IsCut) {
  return (IsCut ? uint32_t(Page) : Page) % size_t(Count);
}

/// What is known of the kernel: nothing, that it does not cut the numbers of
/// pages, or that it does.
enum : int { UnknownCut, NotCut, Cut };
static std::atomic<int> KnownCut{UnknownCut};

void setCutsPageNumbers(bool IsCut) {
  KnownCut.store(IsCut ? Cut : NotCut, std::memory_order_relaxed);
}

/// Whether the kernel cuts the numbers of pages to 32 bits before it divides
/// them by the number of nodes, as Linux 6.1 does and later ones do not: looks
/// where a page of ours comes to lie.
static bool cutsPageNumbers(const NodeList &Nodes) {
  if (const int Known = KnownCut.load(std::memory_order_relaxed))
    return Known == Cut;
  void *Page = mmap(nullptr, pageSize(), PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (Page == MAP_FAILED)
    return false;
  int Node = -1;
  if (bind(Page, pageSize(), MPOL_INTERLEAVE, Nodes.set())) {
    *static_cast<volatile char *>(Page) = 1;
    if (move_pages(0, 1, &Page, nullptr, &Node, 0) != 0)
      Node = -1;
  }
  const uintptr_t Number = reinterpret_cast<uintptr_t>(Page) / pageSize();
  const int IfCut = Nodes.Nodes[rankOfPage(Number, Nodes.Count, true)];
  const int IfNot = Nodes.Nodes[rankOfPage(Number, Nodes.Count, false)];
  munmap(Page, pageSize());
  // Threads that race here find the same answer.
  if (IfCut != IfNot && (Node == IfCut || Node == IfNot))
    setCutsPageNumbers(Node == IfCut);
  return Node == IfCut && IfCut != IfNot;
}

size_t rankOfInterleaved(uintptr_t Address, const NodeList &Nodes) {
  const uintptr_t Page = Address / pageSize();
  const size_t Rank = rankOfPage(Page, Nodes.Count, false);
  const size_t RankIfCut = rankOfPage(Page, Nodes.Count, true);
  return Rank != RankIfCut && cutsPageNumbers(Nodes) ? RankIfCut : Rank;
}

DataBlock mapBlock(size_t Bytes, size_t Alignment, const NodeList *First) {
  const size_t Page = pageSize();
  const size_t Step = Alignment > Page ? Alignment : Page;
  const size_t Steps = First ? size_t(First->Count) : 1;
  size_t Size, Slack, Whole; // in bytes
  if (__builtin_mul_overflow(pagesOf(Bytes) + 1, Page, &Size) ||
      __builtin_mul_overflow(Step, Steps, &Slack) ||
      __builtin_add_overflow(Size, Slack - Page, &Whole) ||
      Whole > size_t(PTRDIFF_MAX))
    return {};
  void *const Mapped = mmap(nullptr, Whole, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (Mapped == MAP_FAILED)
    return {};
  const uintptr_t Start = reinterpret_cast<uintptr_t>(Mapped);
  uintptr_t Data = (Start + Page + (Step - 1)) & ~(Step - 1);
  const uintptr_t Last = Start + Whole - (Size - Page); // for Data
  while (First && rankOfInterleaved(Data, *First) != 0 && Last - Data >= Step)
    Data += Step;
  const uintptr_t Base = Data - Page, End = Base + Size;
  if (Base > Start)
    munmap(Mapped, Base - Start);
  if (Start + Whole > End)
    munmap(reinterpret_cast<void *>(End), Start + Whole - End);
  return {reinterpret_cast<void *>(Base), reinterpret_cast<void *>(Data), Size};
}

void unmapBlock(const DataBlock &Of) { munmap(Of.Base, Of.Bytes); }

/// The policy of all pages, for those that are not there yet. 0, or an error
/// number.
static int setPolicy(char *Data, const Partition &Parts) {
  const size_t Page = pageSize();
  // The kernel can spread these pages by one policy.
  if (Parts.partPages() == 1 && Parts.nodes().Count > 1) {
    const size_t Length = Parts.numPages() * Page;
    // A huge page would be on one node. Refused only where there are none.
    (void)madvise(Data, Length, MADV_NOHUGEPAGE);
    return bind(Data, Length, MPOL_INTERLEAVE, Parts.nodes().set()) ? 0 : errno;
  }
  for (size_t First = 0, End; First < Parts.numPages(); First = End) {
    End = Parts.endOfPart(First);
    NodeSet Node;
    Node.add(Parts.nodeOfPage(First));
    if (!bind(Data + First * Page, (End - First) * Page, MPOL_PREFERRED, Node))
      return errno;
  }
  return 0;
}

/// Lists those of \p Count pages from page \p First on that are there, and the
/// nodes that they are for. How many.
static int listPages(char *Data, const Partition &Parts, size_t First,
                     int Count, void **Pages, int *Nodes) {
  char *const Begin = Data + First * pageSize();
  unsigned char Resident[MaxPagesMoved];
  if (mincore(Begin, size_t(Count) * pageSize(), Resident) != 0)
    memset(Resident, 1, sizeof(Resident));
  int Listed = 0;
  for (int I = 0; I < Count; ++I)
    if (Resident[I] & 1) {
      Pages[Listed] = Begin + size_t(I) * pageSize();
      Nodes[Listed++] = Parts.nodeOfPage(First + size_t(I));
    }
  return Listed;
}

/// Moves those of \p Count pages from page \p First on that are there. 0, or an
/// error number.
static int moveSome(char *Data, const Partition &Parts, size_t First,
                    int Count) {
  void *Pages[MaxPagesMoved];
  int Nodes[MaxPagesMoved], Status[MaxPagesMoved];
  bool IsBusy = false;
  Count = listPages(Data, Parts, First, Count, Pages, Nodes);
  for (int Try = 0; Try < MoveTries && Count > 0; ++Try) {
    if (IsBusy)
      sched_yield(); // whoever uses the page may need this processor
    for (int I = 0; I < Count; ++I)
      Status[I] = -EBUSY;
    if (move_pages(0, size_t(Count), Pages, Nodes, Status, MPOL_MF_MOVE) < 0 &&
        errno != ENOENT) // as old kernels say if no page is there
      return errno;
    int Left = 0;
    IsBusy = false;
    for (int I = 0; I < Count; ++I) {
      if (Status[I] == -ENOMEM || Status[I] == -EACCES)
        return -Status[I];
      const bool IsUsed = Status[I] == -EBUSY || Status[I] == -EAGAIN;
      int Node; // to ask for it shows a page that the kernel hides
      if (!IsUsed &&
          (Status[I] != -ENOENT || !nodesOfPages(&Pages[I], 1, &Node)))
        continue; // it is there now
      IsBusy |= IsUsed;
      Pages[Left] = Pages[I];
      Nodes[Left++] = Nodes[I];
    }
    Count = Left;
  }
  return IsBusy ? EBUSY : 0;
}

int sendPages(void *Memory, const Partition &Parts, bool Moves) {
  char *const Data = static_cast<char *>(Memory);
  int Error = setPolicy(Data, Parts);
  if (Error || !Moves)
    return Error;
  for (size_t First = 0; First < Parts.numPages(); First += MaxPagesMoved) {
    const size_t Left = Parts.numPages() - First;
    const int Failed =
        moveSome(Data, Parts, First,
                 int(Left < MaxPagesMoved ? Left : size_t(MaxPagesMoved)));
    if (Failed == EBUSY)
      Error = Failed; // the others may move
    else if (Failed)
      return Failed;
  }
  return Error;
}

bool hasRoom(const Partition &Parts, const NodeSet &Allowed) {
  if ((Parts.nodes().set() & Allowed) == Allowed)
    return true;
  for (int Rank = 0; Rank < Parts.nodes().Count; ++Rank) {
    long long Free = 0;
    const long long Size = numa_node_size64(Parts.nodes().Nodes[Rank], &Free);
    if (Size < 0)
      continue; // nobody knows
    // Up to a hundredth more is for interrupts that want several pages at once.
    const int Kept = reserveOf(Parts.nodes().Nodes[Rank]);
    const long long Usable =
        Free -
        (Kept < 0 ? Size / 32 : (long long)pageSize() * Kept + Size / 100);
    if (Usable < 0 || size_t(Usable) / pageSize() < Parts.pagesOn(Rank))
      return false;
  }
  return true;
}

NodeSet allowedNodes() {
  NodeSet Allowed;
  return get_mempolicy(nullptr, Allowed.mask(), NodeSet::MaskBits, nullptr,
                       MPOL_F_MEMS_ALLOWED) == 0
             ? Allowed
             : Topology::get().nodesWithCpus();
}

} // namespace locus
