//===- kmp/memspaces.cpp - Memory spaces and their resources --------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "locus/data/directory.h"
#include "locus/kmp/allocators.h"
#include "locus/kmp/places.h"
#include "locus/support/host.h"

#include <errno.h>

extern "C" int omp_get_num_devices(void);

namespace locus {

static bool isPredefined(omp_memspace_handle_t Space) {
  return Space == omp_default_mem_space || Space == omp_large_cap_mem_space ||
         Space == omp_const_mem_space || Space == omp_high_bw_mem_space ||
         Space == omp_low_lat_mem_space || Space == omp_cgroup_mem_space;
}

bool isHostSpace(omp_memspace_handle_t Space) {
  return (isPredefined(Space) && !isStock()) || asSubspace(Space);
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
  warnOf("omp_get_submemspace: resource %d %s, of %d; there is no such memory "
         "space.",
         Resource, Why, Count);
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
  if (isStock())
    return false;
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

//===----------------------------------------------------------------------===//
// Which nodes data goes to
//===----------------------------------------------------------------------===//

/// Parts of one block that the kernel is told one by one. It keeps a record of
/// each, and a process may have 65530 by default.
static constexpr int MaxParts = 4096;

/// The node of \p Candidates, not empty, that is nearest to \p OsNode; of
/// equally near ones the smallest.
static int nearestOf(const NodeSet &Candidates, int OsNode) {
  if (Candidates.contains(OsNode))
    return OsNode;
  const Topology &Machine = Topology::get();
  int Best = Candidates.at(0);
  for (int I = 1, Count = Candidates.size(); I < Count; ++I)
    if (Machine.distance(OsNode, Candidates.at(I)) <
        Machine.distance(OsNode, Best))
      Best = Candidates.at(I);
  return Best;
}

void chooseNodes(Spread How, const NodeSet &Space, bool TakesAll,
                 NodeList &Nodes) {
  const Topology &Machine = Topology::get();
  Nodes.Count = 0;
  kmp_info_t *Thread = callingThread();
  const bool IsOpen = Space.size() == 0; // any memory but that without CPUs
  NodeSet Candidates = IsOpen ? Machine.nodesWithCpus() : Space;
  // On a pretended machine the kernel's word means nothing.
  if (Machine.isThisSystem()) {
    const NodeSet Allowed = allowedNodes();
    Candidates = Candidates & Allowed;
    if (IsOpen && Candidates.size() == 0)
      Candidates = Allowed; // only memory without CPUs
  }
  if (Candidates.size() == 0)
    return;
  int Here = -1; // the OS node of the thread, if the kernel can tell
  if (How == Spread::Nearest && Machine.isThisSystem())
    Here = Machine.nodeOfCpu(sched_getcpu());
  if (Here >= 0) {
    Nodes.add(nearestOf(Candidates, Here));
    return;
  }
  const TeamNodes Team(Thread);
  if (How == Spread::Nearest) {
    Nodes.add(nearestOf(Candidates, Team.osNode(Team.assigned(Thread))));
    return;
  }
  for (int I = 0; I < Team.count(); ++I)
    if (!TakesAll || Candidates.contains(Team.osNode(I)))
      Nodes.add(nearestOf(Candidates, Team.osNode(I)));
  for (int I = 0, Count = Candidates.size(); TakesAll && I < Count; ++I)
    Nodes.add(Candidates.at(I));
  if (How != Spread::Interleaved)
    return;
  const NodeSet Sorted = Nodes.set();
  for (int I = 0; I < Nodes.Count; ++I)
    Nodes.Nodes[I] = int16_t(Sorted.at(I));
}

Partition makePartition(Spread How, const NodeList &Nodes, size_t Pages,
                        size_t PartPages) {
  if (How != Spread::Interleaved)
    return Partition(Nodes, Pages, 0);
  // The kernel can do parts of one page by itself.
  if (PartPages == 1 || Nodes.Count == 1 ||
      Pages / PartPages < size_t(MaxParts))
    return Partition(Nodes, Pages, PartPages);
  static std::atomic<bool> Said{false};
  if (!Said.exchange(true, std::memory_order_relaxed))
    warn(
        "interleaved memory has too many parts for the kernel; they are made "
        "larger than omp_atk_part_size says. Parts of one page have no limit.");
  return Partition(Nodes, Pages, Pages / size_t(MaxParts) + 1);
}

void warnUnplaced(int Error, bool IsKept) {
  static std::atomic<bool> Said{false};
  if (Said.exchange(true, std::memory_order_relaxed))
    return;
  // Each range with a policy of its own is a mapping to the kernel.
  const char *Why =
      Error == ENOMEM
          ? "too many blocks with a node of their own: vm.max_map_count"
          : strerror(Error);
  warnOf("the kernel does not place memory on NUMA nodes (mbind: %s); %s.", Why,
         IsKept ? "it lies where it is touched first"
                : "an allocator's omp_atk_fallback decides");
}

} // namespace locus

using namespace locus;

extern "C" int omp_set_data_nodes(void *address, size_t bytes, int policy,
                                  size_t part_size, int move) {
  const uintptr_t Begin = reinterpret_cast<uintptr_t>(address);
  const uintptr_t Page = pageSize();
  if (!address || Begin + bytes < Begin || policy < int(Spread::Nearest) ||
      policy > int(Spread::Interleaved))
    return EINVAL;
  const uintptr_t First = (Begin + (Page - 1)) & ~(Page - 1);
  const uintptr_t End = (Begin + bytes) & ~(Page - 1);
  if (First < Begin || First >= End)
    return ERANGE;
  callingThread(); // the topology is what libomp takes it for
  if (!Topology::get().isThisSystem())
    return ENOTSUP;
  const Spread How = Spread(policy);
  NodeList Nodes;
  chooseNodes(How, NodeSet(), /*TakesAll=*/false, Nodes);
  if (Nodes.Count == 0)
    return ENODEV;
  const size_t PartPages = pagesOfPart(part_size);
  if (How == Spread::Interleaved && PartPages == 1)
    Nodes.rotate(rankOfInterleaved(First, Nodes));
  // What the directory knows of this memory is no longer so.
  Directory::get().forget({First, End - First});
  return sendPages(reinterpret_cast<char *>(First),
                   makePartition(How, Nodes, (End - First) / Page, PartPages),
                   move != 0);
}
