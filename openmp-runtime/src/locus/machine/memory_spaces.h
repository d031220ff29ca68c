//===- machine/memory_spaces.h - Kinds of memory ----------------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_MACHINE_MEMORY_SPACES_H
#define LOCUS_MACHINE_MEMORY_SPACES_H

#include "locus/machine/topology.h"

namespace locus {

/// Topology::nodesOf(), from what \p Machine says.
NodeSet readSpace(hwloc_topology *Machine, MemorySpace Space);

} // namespace locus

#endif // LOCUS_MACHINE_MEMORY_SPACES_H
