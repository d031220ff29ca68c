//===- kmp/memspaces.h - Memory spaces and their resources ------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The memory spaces of the host, whose storage resources are NUMA nodes: what
// kmp_alloc.cpp calls for the routines of OpenMP 6.0, sections 27.1 to 27.4.
// Spaces of other devices are libomp's. docs/data.md says what a program sees.
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_KMP_MEMSPACES_H
#define LOCUS_KMP_MEMSPACES_H

#include "kmp.h"
#include "locus/data/subspace.h"

namespace locus {

/// Whether \p Space, a handle, is one of the host's: predefined, or made by
/// subspaceOf(). omp_null_mem_space is not, nor, with KMP_TASK_SCHEDULER=stock,
/// is any predefined one.
bool isHostSpace(omp_memspace_handle_t Space);

/// \p Space as a part of a predefined one; null if it is none.
static inline const Subspace *asSubspace(omp_memspace_handle_t Space) {
  return Space > kmp_max_mem_space ? Subspaces::get().find(Space) : nullptr;
}

/// The OS nodes that have the memory of \p Space, a predefined space, by its
/// kind; none if it is like any other memory, or nobody knows.
NodeSet nodesOfKind(omp_memspace_handle_t Space);

/// The resources of \p Space, one of the host's: OS nodes. Resource R is the
/// one with R smaller ones. Of a predefined space those that this process may
/// have memory of now, without CPUs or with. One system call.
NodeSet resourcesOf(omp_memspace_handle_t Space);

/// omp_get_submemspace() for \p Space, one of the host's: the part of its
/// \p Count resources with the numbers \p Resources. omp_null_mem_space if
/// Count is 0, or, with a warning, if a number is none or comes twice.
omp_memspace_handle_t subspaceOf(omp_memspace_handle_t Space, int Count,
                                 const int *Resources);

/// Whether the \p Count devices \p Devices, and the host if \p AndHost, are all
/// the host. A Count of 0 with \p AndHost means all devices. Never so with
/// KMP_TASK_SCHEDULER=stock.
bool isHostOnly(int Count, const int *Devices, bool AndHost);

/// \p Space as a space of the host: itself if it is a predefined one with a
/// resource, else omp_null_mem_space.
omp_memspace_handle_t hostSpace(omp_memspace_handle_t Space);

} // namespace locus

#endif // LOCUS_KMP_MEMSPACES_H
