//===- kmp/data_nodes.h - Which nodes data goes to --------------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_KMP_DATA_NODES_H
#define LOCUS_KMP_DATA_NODES_H

#include "locus/data/pages.h"
#include "locus/data/partition.h"

#include <stddef.h>
#include <stdint.h>

namespace locus {

/// How data is spread. The values are ABI: omp.h's omp_data_policy_t has them.
enum class Spread : uint8_t { Nearest = 1, Blocked = 2, Interleaved = 3 };

/// The OS nodes for data that the calling thread wants to have spread like
/// \p How over memory of the nodes \p Space, or, if that is empty, over the
/// memory of nodes with CPUs. Nearest: the node that is near to the thread.
/// Else for each node of its team, in order, the one that is near to it; with
/// \p TakesAll the same but all nodes of Space: those of the team, in order,
/// before the others. For Interleaved in ascending order. Only nodes that the
/// process may use, and none twice. \p Nodes is empty afterwards if there are
/// none.
void chooseNodes(Spread How, const NodeSet &Space, bool TakesAll,
                 NodeList &Nodes);

/// The pages of an interleaved part of \p Bytes bytes; of 0, one page.
inline size_t pagesOfPart(size_t Bytes) { return Bytes ? pagesOf(Bytes) : 1; }

/// \p Pages pages over \p Nodes, in parts of \p PartPages if they are to be
/// interleaved. Of very many parts fewer and larger ones are made: a warning
/// says so once.
Partition makePartition(Spread How, const NodeList &Nodes, size_t Pages,
                        size_t PartPages);

/// Says once that the kernel does not place memory, with its \p Error, and
/// whether such memory \p IsKept, or the allocator's fallback decides.
void warnUnplaced(int Error, bool IsKept);

} // namespace locus

#endif // LOCUS_KMP_DATA_NODES_H
