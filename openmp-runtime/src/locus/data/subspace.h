//===- data/subspace.h - Parts of memory spaces -----------------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a handle of omp_get_submemspace (OpenMP 6.0, section 27.4) points to.
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_DATA_SUBSPACE_H
#define LOCUS_DATA_SUBSPACE_H

#include "locus/machine/topology.h"

#include <atomic>
#include <stdint.h>

namespace locus {

/// Some nodes of a memory space. Never changes, never freed: OpenMP has no call
/// that ends a memory space.
struct Subspace {
  uintptr_t Parent; ///< handle of the predefined space that it is a part of
  NodeSet Nodes;    ///< OS nodes, at least one
  const Subspace *Next;
};

/// The subspaces of the process, one for each different set of nodes and
/// parent. Any thread may call any member at any time, and nothing waits, so
/// that a fork leaves no lock behind.
class Subspaces {
public:
  static Subspaces &get();

  /// The subspace of \p Parent with these nodes, always the same one; null if
  /// there is no memory for it.
  const Subspace *intern(uintptr_t Parent, const NodeSet &Nodes);

  /// \p Handle as a subspace; null if it is none. Does not read what \p Handle
  /// points to. Takes time for each subspace that there is.
  const Subspace *find(const void *Handle) const;

private:
  /// A list that only grows, at its front. intern() writes it by a
  /// compare-and-swap with release; what it publishes is complete, and does not
  /// change afterwards. Everybody reads it by an acquire of the front; each
  /// Next was written before the front that leads to it.
  std::atomic<const Subspace *> First{nullptr};
};

} // namespace locus

#endif // LOCUS_DATA_SUBSPACE_H
