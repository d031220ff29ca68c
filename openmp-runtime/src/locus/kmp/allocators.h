//===- kmp/allocators.h - Allocators that place -----------------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// OpenMP's allocators whose memory has to be somewhere: kmp_alloc.cpp calls
// this. docs/data.md says what they do for a program.
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_KMP_ALLOCATORS_H
#define LOCUS_KMP_ALLOCATORS_H

#include "kmp.h"
#include "locus/data/block.h"
#include "locus/data/subspace.h"
#include "locus/kmp/settings.h"
#include "locus/support/cpu.h"

#if !KMP_HWLOC_ENABLED
#error "Locus needs libomp with hwloc"
#endif

namespace locus {

/// Whether an allocator in the memory space \p Space, a handle, can have these
/// \p Count traits. If not, a warning says why. With KMP_TASK_SCHEDULER=stock
/// libomp judges them: true.
bool areLegal(omp_memspace_handle_t Space, int Count,
              const omp_alloctrait_t *Traits);

/// The memory space of \p Al, a new allocator, may be a part of one: then the
/// part is noted, and libomp sees the predefined space.
void enterSpace(kmp_allocator_t *Al);

/// Whether \p Trait, a legal one, changes nothing. Libomp, which is left alone
/// with KMP_TASK_SCHEDULER=stock, takes each omp_atk_pinned for true, and does
/// not know all keys.
static inline bool isIdle(const omp_alloctrait_t &Trait) {
  return !isStock() &&
         (Trait.value == omp_atv_default ||
          Trait.key == omp_atk_device_access ||
          (Trait.key == omp_atk_pinned && Trait.value == omp_atv_false));
}

/// Whether \p Al, a new allocator with its traits, is one that places memory.
/// \p PinsForDevices if libomp can pin memory by itself. With
/// KMP_TASK_SCHEDULER=stock only one in a part of a memory space is, which the
/// program got before that was chosen. Each stays what it is: a block is given
/// back to who made it.
bool takesOver(kmp_allocator_t *Al, bool PinsForDevices);

/// Whether \p Allocator places memory.
static inline bool isPlacing(omp_allocator_handle_t Allocator) {
  return Allocator > kmp_max_mem_alloc &&
         static_cast<kmp_allocator_t *>(Allocator)->locus_places;
}

/// \p Size zeroed bytes, at least one, of an allocator that places, aligned to
/// \p Alignment, a power of two. No block if the allocator has none: then
/// fallBack() has to be asked. Makes system calls.
DataBlock placeBlock(kmp_allocator_t *Al, size_t Alignment, size_t Size);

/// What the trait omp_atk_fallback of \p Al says, instead of such a block:
/// other memory, null, or the end of the program.
void *fallBack(int Gtid, kmp_allocator_t *Al, size_t Alignment, size_t Size);

/// Gives back \p Of, which had \p Size bytes.
void freeBlock(kmp_allocator_t *Al, const DataBlock &Of, size_t Size);

//===----------------------------------------------------------------------===//
// Memory spaces of the host, whose storage resources are NUMA nodes (OpenMP
// 6.0, sections 27.1 to 27.4): memspaces.cpp. Those of other devices are
// libomp's.
//===----------------------------------------------------------------------===//

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

//===----------------------------------------------------------------------===//
// Which nodes data goes to: memspaces.cpp
//===----------------------------------------------------------------------===//

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

#endif // LOCUS_KMP_ALLOCATORS_H
