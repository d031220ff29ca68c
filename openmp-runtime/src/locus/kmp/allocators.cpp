//===- kmp/allocators.cpp - Allocators that place -------------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "locus/kmp/allocators.h"
#include "locus/data/directory.h"
#include "locus/support/host.h"

#include "kmp_io.h"

#include <errno.h>
#include <limits.h>
#include <sys/mman.h>

namespace locus {

//===----------------------------------------------------------------------===//
// Traits
//===----------------------------------------------------------------------===//

static bool refuse(const char *Why, unsigned long long Value) {
  char Text[160];
  snprintf(Text, sizeof(Text), Why, Value);
  warnOf("omp_init_allocator: %s; there is no allocator.", Text);
  return false;
}

static bool isTarget(omp_memspace_handle_t Space) {
  return (Space > kmp_max_mem_space && !asSubspace(Space)) ||
         Space == llvm_omp_target_host_mem_space ||
         Space == llvm_omp_target_shared_mem_space ||
         Space == llvm_omp_target_device_mem_space;
}

static bool isDevice(omp_uintptr_t Number) {
  return Number <= omp_uintptr_t(INT_MAX) ||
         refuse("there is no device %llu", Number);
}

static bool isLegal(omp_memspace_handle_t Space,
                    const omp_alloctrait_t &Trait) {
  const omp_uintptr_t Value = Trait.value;
  if (Trait.key < omp_atk_sync_hint || Trait.key > omp_atk_part_size)
    return refuse("there is no trait with the key %llu",
                  (unsigned long long)Trait.key);
  if (Value == omp_atv_default)
    return true;
  switch (Trait.key) {
  case omp_atk_preferred_device:
    return isDevice(Value);
  case omp_atk_alignment:
    return (Value > 0 && (Value & (Value - 1)) == 0) ||
           refuse("the alignment %llu is not a power of two", Value);
  case omp_atk_fallback:
    return (Value >= omp_atv_default_mem_fb && Value <= omp_atv_allocator_fb) ||
           refuse("%llu is no value of omp_atk_fallback", Value);
  case omp_atk_pinned:
    return Value == omp_atv_true || Value == omp_atv_false ||
           refuse("%llu is no value of omp_atk_pinned", Value);
  case omp_atk_partition:
    return (Value >= omp_atv_environment && Value <= omp_atv_interleaved) ||
           refuse("%llu is no value of omp_atk_partition", Value);
  case omp_atk_pin_device:
    return isTarget(Space)
               ? isDevice(Value)
               : refuse("memory of the host cannot be pinned to device %llu",
                        Value);
  default:
    return true;
  }
}

bool areLegal(omp_memspace_handle_t Space, int Count,
              const omp_alloctrait_t *Traits) {
  if (isStock())
    return true;
  // Without a space it is the default one.
  if (Space != omp_null_mem_space && !isHostSpace(Space) && !isTarget(Space))
    return refuse("there is no memory space with the handle %llu",
                  (unsigned long long)(uintptr_t)Space);
  bool WantsOther = false, HasOther = false;
  for (int I = 0; I < Count; ++I) {
    if (!isLegal(Space, Traits[I]))
      return false;
    if (isIdle(Traits[I]))
      continue;
    if (Traits[I].key == omp_atk_fallback)
      WantsOther = Traits[I].value == omp_atv_allocator_fb;
    if (Traits[I].key == omp_atk_fb_data)
      HasOther = Traits[I].value != 0;
  }
  return !WantsOther || HasOther ||
         refuse("omp_atv_allocator_fb (%llu) needs omp_atk_fb_data",
                (unsigned long long)omp_atv_allocator_fb);
}

/// How the memory of \p Al is spread. False if the environment decides.
static bool spreadOf(const kmp_allocator_t *Al, Spread &How) {
  if (Al->membind < omp_atv_nearest || Al->membind > omp_atv_interleaved)
    return false;
  static_assert(omp_atv_blocked - omp_atv_nearest == 1 &&
                    omp_atv_interleaved - omp_atv_nearest == 2,
                "in the order of Spread");
  How = Spread(int(Spread::Nearest) + (Al->membind - omp_atv_nearest));
  return true;
}

/// The nodes that the memory of \p Al is on; none if it is like any other, or
/// nobody knows.
static NodeSet nodesOfSpace(const kmp_allocator_t *Al) {
  return Al->locus_part ? Al->locus_part->Nodes : nodesOfKind(Al->memspace);
}

void enterSpace(kmp_allocator_t *Al) {
  Al->locus_part = asSubspace(Al->memspace);
  if (Al->locus_part)
    Al->memspace =
        reinterpret_cast<omp_memspace_handle_t>(Al->locus_part->Parent);
}

bool takesOver(kmp_allocator_t *Al, bool PinsForDevices) {
  if (isTarget(Al->memspace) || (isStock() && !Al->locus_part))
    return false;
  Spread How;
  const bool IsSpread = spreadOf(Al, How);
  const bool IsSpecial = Al->memspace == omp_large_cap_mem_space ||
                         Al->memspace == omp_high_bw_mem_space;
  const bool IsKnown = nodesOfSpace(Al).size() > 0;
  // Of a space that nobody knows there is no memory: libomp's to say.
  Al->locus_places =
      IsKnown || (!IsSpecial && (IsSpread || (Al->pinned && !PinsForDevices)));
  return Al->locus_places;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// Takes \p Size bytes from the pool, if it has a limit. False if there are
/// not as many.
static bool takeFromPool(kmp_allocator_t *Al, size_t Size) {
  if (Al->pool_size == 0)
    return true;
  kmp_uint64 Used = __atomic_load_n(&Al->pool_used, __ATOMIC_RELAXED);
  do {
    if (Size > Al->pool_size || Used > Al->pool_size - Size)
      return false;
  } while (!__atomic_compare_exchange_n(&Al->pool_used, &Used, Used + Size,
                                        /*weak=*/true, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED));
  return true;
}

static void returnToPool(kmp_allocator_t *Al, size_t Size) {
  if (Al->pool_size != 0)
    __atomic_fetch_sub(&Al->pool_used, Size, __ATOMIC_RELAXED);
}

static bool pin(const DataBlock &Of, size_t Size) {
  if (mlock(Of.Data, Size) == 0)
    return true;
  static std::atomic<bool> Said{false};
  if (!Said.exchange(true, std::memory_order_relaxed))
    warnOf(
        "memory of an allocator with omp_atk_pinned cannot be pinned (mlock: "
        "%s; see ulimit -l); its omp_atk_fallback decides.",
        strerror(errno));
  return false;
}

/// Sends the pages of a new block to their nodes. False if the allocator's
/// memory must be there and cannot.
static bool send(const kmp_allocator_t *Al, const DataBlock &Of,
                 const Partition &Parts) {
  if (Topology::get().numNodes() == 1)
    return true; // it is there
  // Without the kernel's help memory is elsewhere, which is what
  // omp_atv_default_mem_fb means.
  const bool MayBeElsewhere = Al->fb == omp_atv_default_mem_fb;
  if (Topology::get().isThisSystem()) {
    if (!MayBeElsewhere && !hasRoom(Parts, allowedNodes()))
      return false;
    if (int Error = sendPages(Of.Data, Parts, /*Moves=*/false)) {
      warnUnplaced(Error, MayBeElsewhere);
      return MayBeElsewhere;
    }
  }
  // If it finds no memory, the kernel is asked where the data is.
  Directory::get().insert(reinterpret_cast<uintptr_t>(Of.Data), Parts);
  return true;
}

/// A block that is spread over nodes.
static DataBlock spreadBlock(const kmp_allocator_t *Al, Spread How,
                             size_t Alignment, size_t Size) {
  NodeList Nodes;
  chooseNodes(How, nodesOfSpace(Al), Al->locus_part != nullptr, Nodes);
  if (Nodes.Count == 0)
    return {};
  const size_t PartPages = pagesOfPart(Al->part_size);
  const bool IsByPage = How == Spread::Interleaved && PartPages == 1;
  const DataBlock Made = mapBlock(Size, Alignment, IsByPage ? &Nodes : nullptr);
  if (IsByPage && Made.Base) // by nothing, but next to the end of its numbers
    Nodes.rotate(
        rankOfInterleaved(reinterpret_cast<uintptr_t>(Made.Data), Nodes));
  if (Made.Base &&
      !send(Al, Made, makePartition(How, Nodes, pagesOf(Size), PartPages))) {
    unmapBlock(Made);
    return {};
  }
  return Made;
}

static void unmapKnown(const DataBlock &Of) {
  // First: the next block may be at the same address.
  Directory::get().forget(
      {reinterpret_cast<uintptr_t>(Of.Data), Of.Bytes - pageSize()});
  unmapBlock(Of);
}

DataBlock placeBlock(kmp_allocator_t *Al, size_t Alignment, size_t Size) {
  if (!takeFromPool(Al, Size))
    return {};
  Spread How = Spread::Nearest; // in a memory space
  DataBlock Made;
  if (spreadOf(Al, How) || nodesOfSpace(Al).size() > 0)
    Made = spreadBlock(Al, How, Alignment, Size);
  else
    Made = mapBlock(Size, Alignment, nullptr);
  if (Made.Base && Al->pinned && !pin(Made, Size)) {
    unmapKnown(Made);
    Made = {};
  }
  if (!Made.Base)
    returnToPool(Al, Size);
  return Made;
}

void *fallBack(int Gtid, kmp_allocator_t *Al, size_t Alignment, size_t Size) {
  if (Al->fb == omp_atv_abort_fb) {
    __kmp_printf("OMP: Error: an allocator has no %llu bytes, and its "
                 "omp_atk_fallback is omp_atv_abort_fb.\n",
                 (unsigned long long)Size);
    __kmp_abort_process();
  }
  if (Al->fb == omp_atv_null_fb)
    return nullptr;
  if (Al->fb == omp_atv_allocator_fb)
    return Al->fb_data == Al ? nullptr
                             : __kmp_alloc(Gtid, Alignment, Size, Al->fb_data);
  return __kmp_alloc(Gtid, Alignment, Size, omp_default_mem_alloc);
}

void freeBlock(kmp_allocator_t *Al, const DataBlock &Of, size_t Size) {
  unmapKnown(Of);
  returnToPool(Al, Size);
}

} // namespace locus
