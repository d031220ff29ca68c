//===- data/reserve.h - What the kernel keeps of a node ---------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Down to a zone's low watermark, and what it protects from allocations that
// other zones could serve as well, Linux gives pages of a node to those who
// prefer it; then it turns to other nodes. When it had to mix pages that it can
// move with others, it raises (boosts) the watermarks for a while: by 1.5 times
// the high one, or a block of pages (vm.watermark_boost_factor), which twice
// the high one covers. How much all this is depends on the size of pages and on
// vm.min_free_kbytes: 0.3 % of a large node, a fifth of one of 256 MB with
// pages of 16 KB.
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_DATA_RESERVE_H
#define LOCUS_DATA_RESERVE_H

#include <stdio.h>

namespace locus {

/// Adds up by OS node what the zones in \p Text keep, which is as
/// /proc/zoneinfo. \p Pages has \p NumNodes numbers; that of a node without a
/// zone becomes -1.
void readReserves(FILE *Text, int *Pages, int NumNodes);

/// How many pages of OS node \p Node the kernel keeps, -1 if it does not say.
/// The first call reads a file of some KB for each node.
int reserveOf(int Node);

} // namespace locus

#endif // LOCUS_DATA_RESERVE_H
