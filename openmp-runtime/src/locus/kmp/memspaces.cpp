//===- kmp/memspaces.cpp - Memory spaces and their resources --------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "locus/kmp/memspaces.h"
#include "locus/data/block.h"
#include "locus/support/host.h"

extern "C" int omp_get_num_devices(void);

namespace locus {

static bool isPredefined(omp_memspace_handle_t Space) {
  return Space == omp_default_mem_space || Space == omp_large_cap_mem_space ||
         Space == omp_const_mem_space || Space == omp_high_bw_mem_space ||
         Space == omp_low_lat_mem_space || Space == omp_cgroup_mem_space;
}

bool isHostSpace(omp_memspace_handle_t Space) {
  return isPredefined(Space) || asSubspace(Space);
}

NodeSet nodesOfKind(omp_memspace_handle_t Space) {
  // Other programs do not wait for the topology.
  if (Space == omp_large_cap_mem_space)
    return Topology::get().nodesOf(MemorySpace::LargeCapacity);
  if (Space == omp_high_bw_mem_space)
    return Topology::get().nodesOf(MemorySpace::HighBandwidth);
  if (Space == omp_low_lat_mem_space)
    return Topology::get().nodesOf(MemorySpace::LowLatency);
  return NodeSet();
}

NodeSet resourcesOf(omp_memspace_handle_t Space) {
  if (const Subspace *Part = asSubspace(Space))
    return Part->Nodes;
  const Topology &Machine = Topology::get();
  // On a pretended machine the kernel's word means nothing.
  const NodeSet Usable = Machine.isThisSystem()
                             ? Machine.nodes() & allowedNodes()
                             : Machine.nodes();
  const NodeSet Kind = nodesOfKind(Space);
  // Of fast or large memory that nobody knows there is none, as for an
  // allocator.
  const bool MayBeAny =
      Space != omp_large_cap_mem_space && Space != omp_high_bw_mem_space;
  return MayBeAny && Kind.size() == 0 ? Usable : Usable & Kind;
}

static omp_memspace_handle_t refuse(const char *Why, int Resource, int Count) {
  char Text[160];
  snprintf(Text, sizeof(Text),
           "omp_get_submemspace: resource %d %s, of %d; there is no such "
           "memory space.",
           Resource, Why, Count);
  warn(Text);
  return omp_null_mem_space;
}

omp_memspace_handle_t subspaceOf(omp_memspace_handle_t Space, int Count,
                                 const int *Resources) {
  if (Count <= 0 || !Resources)
    return omp_null_mem_space;
  const NodeSet All = resourcesOf(Space);
  NodeSet Some;
  for (int I = 0; I < Count; ++I) {
    const int Number = Resources[I];
    if (Number < 0 || Number >= All.size())
      return refuse("is none", Number, All.size());
    const int OsNode = All.at(Number);
    if (Some.contains(OsNode))
      return refuse("is named twice", Number, All.size());
    Some.add(OsNode);
  }
  const Subspace *Part = asSubspace(Space);
  const uintptr_t Parent =
      Part ? Part->Parent : reinterpret_cast<uintptr_t>(Space);
  const Subspace *Made = Subspaces::get().intern(Parent, Some);
  return Made ? const_cast<Subspace *>(Made) : omp_null_mem_space;
}

bool isHostOnly(int Count, const int *Devices, bool AndHost) {
  const int Host = omp_get_num_devices(); // its number follows the devices'
  if (Count == 0)
    return AndHost && Host == 0;
  for (int I = 0; I < Count; ++I)
    if (Devices[I] != Host && Devices[I] != -1) // omp_initial_device
      return false;
  return Count > 0;
}

omp_memspace_handle_t hostSpace(omp_memspace_handle_t Space) {
  return isPredefined(Space) && resourcesOf(Space).size() > 0
             ? Space
             : omp_null_mem_space;
}

} // namespace locus
