//===- data/partition.h - Which node gets which pages -----------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Arithmetic only: nothing here knows addresses or asks the kernel.
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_DATA_PARTITION_H
#define LOCUS_DATA_PARTITION_H

#include "locus/machine/topology.h"

#include <stddef.h>

namespace locus {

/// OS nodes in an order, none of them twice.
struct NodeList {
  int Count = 0;
  int16_t Nodes[MaxOsNodes] = {}; ///< copied as a whole

  /// The nodes in no order.
  NodeSet set() const;
  /// Adds \p OsNode at the end if it is not there yet.
  void add(int OsNode);
  /// The node at position \p Steps modulo Count becomes the first one, and
  /// those before it come last.
  void rotate(size_t Steps);
  bool operator==(const NodeList &Other) const;
};

/// How the pages of a block are spread over a list of nodes. A list of one node
/// is what OpenMP calls nearest.
///
/// Blocked: one part for each node, in the order of the list. Of P pages over N
/// nodes each has P / N, and the first P % N have one more.
///
/// Interleaved: parts of PartPages pages each, but for the last; part K is on
/// node K % N of the list.
class Partition {
public:
  /// \p ThePartPages is 0 for blocked. \p TheNodes is not empty, and must live
  /// as long as the partition.
  Partition(const NodeList &TheNodes, size_t ThePages, size_t ThePartPages)
      : List(&TheNodes), Pages(ThePages), PartPages(ThePartPages) {
    LOCUS_CHECK(TheNodes.Count > 0);
  }

  size_t numPages() const { return Pages; }
  size_t partPages() const { return PartPages; }
  const NodeList &nodes() const { return *List; }

  /// The OS node of page \p Page, 0 .. numPages() - 1.
  int nodeOfPage(size_t Page) const { return List->Nodes[rankOfPage(Page)]; }

  /// The first page behind \p Page that does not belong to the same part, or
  /// numPages(). With one node there is one part.
  size_t endOfPart(size_t Page) const;

  /// How many pages the node at position \p Rank of the list has.
  size_t pagesOn(int Rank) const;

  /// How many of the bytes \p Begin .. \p End - 1 of the block are on the node
  /// at position \p Rank of the list. \p PageSize is in bytes.
  size_t bytesOn(int Rank, size_t Begin, size_t End, size_t PageSize) const;

  /// The OS node that has most of the bytes \p Begin .. \p End - 1, at least
  /// one; of several with as many the one whose bytes come first.
  int nodeOfMost(size_t Begin, size_t End, size_t PageSize) const;

private:
  int rankOfPage(size_t Page) const;
  size_t startOfBlock(size_t Rank) const;
  size_t bytesBefore(int Rank, size_t End, size_t PageSize) const;

  const NodeList *List = nullptr;
  size_t Pages = 0;
  size_t PartPages = 0; ///< 0: blocked
};

} // namespace locus

#endif // LOCUS_DATA_PARTITION_H
