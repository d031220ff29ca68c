//===- data/partition.cpp - Which node gets which pages -------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "locus/data/partition.h"

#include <string.h>

namespace locus {

NodeSet NodeList::set() const {
  NodeSet Set;
  for (int I = 0; I < Count; ++I)
    Set.add(Nodes[I]);
  return Set;
}

void NodeList::add(int OsNode) {
  LOCUS_CHECK(OsNode >= 0 && OsNode < MaxOsNodes);
  if (!set().contains(OsNode))
    Nodes[Count++] = int16_t(OsNode);
}

void NodeList::rotate(size_t Steps) {
  if (Count == 0)
    return;
  const NodeList Before = *this;
  for (int I = 0; I < Count; ++I)
    Nodes[I] = Before.Nodes[(Steps + size_t(I)) % size_t(Count)];
}

bool NodeList::operator==(const NodeList &Other) const {
  return Count == Other.Count &&
         memcmp(Nodes, Other.Nodes, size_t(Count) * sizeof(*Nodes)) == 0;
}

int Partition::rankOfPage(size_t Page) const {
  LOCUS_CHECK(Page < Pages);
  const size_t Count = size_t(List->Count);
  if (Count == 1)
    return 0;
  if (PartPages)
    return int(Page / PartPages % Count);
  // Long parts come first, then those that are one page shorter.
  const size_t Short = Pages / Count, NumLong = Pages % Count;
  const size_t InLong = NumLong * (Short + 1);
  return int(Page < InLong ? Page / (Short + 1)
                           : NumLong + (Page - InLong) / Short);
}

/// The first page of the blocked part at \p Rank: long parts come first, then
/// those that are one page shorter.
size_t Partition::startOfBlock(size_t Rank) const {
  const size_t Count = size_t(List->Count), NumLong = Pages % Count;
  return Rank * (Pages / Count) + (Rank < NumLong ? Rank : NumLong);
}

size_t Partition::endOfPart(size_t Page) const {
  LOCUS_CHECK(Page < Pages);
  if (List->Count == 1)
    return Pages;
  if (!PartPages)
    return startOfBlock(size_t(rankOfPage(Page)) + 1);
  const size_t Rest = PartPages - Page % PartPages;
  return Rest < Pages - Page ? Page + Rest : Pages;
}

size_t Partition::pagesOn(int Rank) const { return bytesOn(Rank, 0, Pages, 1); }

/// The bytes before byte \p End that are on the node at \p Rank.
size_t Partition::bytesBefore(int Rank, size_t End, size_t PageSize) const {
  const size_t Count = size_t(List->Count), Mine = size_t(Rank);
  if (Count == 1)
    return End;
  if (!PartPages) {
    const size_t First = startOfBlock(Mine) * PageSize;
    const size_t Behind = startOfBlock(Mine + 1) * PageSize;
    return End <= First ? 0 : (End < Behind ? End : Behind) - First;
  }
  // A part longer than the block is as good as one of its length: no overflow.
  const size_t Length = (PartPages < Pages ? PartPages : Pages) * PageSize;
  const size_t Part = End / Length; // that End is in
  const size_t Whole = Part / Count * Length, Last = Part % Count;
  return Whole + (Mine < Last ? Length : Mine == Last ? End % Length : 0);
}

size_t Partition::bytesOn(int Rank, size_t Begin, size_t End,
                          size_t PageSize) const {
  LOCUS_CHECK(Rank >= 0 && Rank < List->Count && Begin <= End &&
              End <= Pages * PageSize);
  return bytesBefore(Rank, End, PageSize) - bytesBefore(Rank, Begin, PageSize);
}

int Partition::nodeOfMost(size_t Begin, size_t End, size_t PageSize) const {
  LOCUS_CHECK(Begin < End && End <= Pages * PageSize);
  const int First = rankOfPage(Begin / PageSize);
  // Most data of tasks lies in one part.
  if ((End - 1) / PageSize < endOfPart(Begin / PageSize))
    return List->Nodes[First];
  int Best = First;
  size_t Most = 0;
  for (int I = 0; I < List->Count; ++I) {
    int Rank = First + I;
    Rank -= Rank >= List->Count ? List->Count : 0;
    const size_t Bytes = bytesOn(Rank, Begin, End, PageSize);
    if (Bytes > Most) {
      Best = Rank;
      Most = Bytes;
    }
  }
  return List->Nodes[Best];
}

} // namespace locus
