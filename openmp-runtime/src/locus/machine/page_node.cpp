//===- machine/page_node.cpp - Which node holds some memory ---------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "locus/machine/page_node.h"
#include "locus/support/check.h"
#include "locus/support/cpu.h"

namespace locus {

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

PageAnswer askForNode(const MemoryRange *Ranges, int Count) {
  PageAnswer Answer;
  if (Count <= 0)
    return Answer;
  PageSample Sample(Ranges, Count);
  int Nodes[MaxPagesAsked];
  if (!nodesOfPages(Sample.Pages, Sample.Count, Nodes))
    return Answer;
  Answer.Pages = Sample.Count;
  Answer.Node = nodeOfMost(Nodes, Sample.Bytes, Sample.Count);
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

} // namespace locus
