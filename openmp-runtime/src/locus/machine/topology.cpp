//===- machine/topology.cpp - The NUMA nodes of this machine --------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "locus/machine/topology.h"
#include "locus/support/host.h"
#include "locus/support/lock.h"

#include <hwloc.h>
#include <initializer_list>
#include <numa.h>
#include <stdlib.h>
#include <string.h>

namespace locus {

/// hwloc ignores a description that it can't read without a word: says so if
/// \p Machine, which hwloc made, is not the one that the environment names.
static void warnOfIgnored(const Topology &Machine) {
  const char *const Names[] = {"HWLOC_SYNTHETIC", "HWLOC_XMLFILE"};
  for (const char *Name : Names)
    if (getenv(Name) && !getenv("HWLOC_THISSYSTEM") && Machine.isThisSystem())
      warnOf("task affinity: hwloc cannot use the value of %s; using this "
             "machine's topology.",
             Name);
}

const Topology &Topology::get() {
  static SpinLock Lock;
  static Topology Machine;
  static std::atomic<bool> Loaded{false};
  // Pairs with the release below: with the flag a thread sees the object.
  if (!Loaded.load(std::memory_order_acquire)) {
    LockGuard Guard(Lock);
    if (!Loaded.load(std::memory_order_relaxed)) {
      if (!Machine.load(nullptr))
        warn("task affinity: hwloc cannot read this machine's topology; all "
             "memory counts as one NUMA node.");
      warnOfIgnored(Machine);
      Loaded.store(true, std::memory_order_release);
    }
  }
  return Machine;
}

bool Topology::mayHaveNodes() {
  // 0: not known yet. Threads that race here find the same answer.
  static std::atomic<int> Answer{0};
  int Known = Answer.load(std::memory_order_relaxed);
  if (Known == 0) {
    Known = numa_max_node() > 0 || getenv("HWLOC_SYNTHETIC") ||
                    getenv("HWLOC_XMLFILE")
                ? 1
                : -1;
    Answer.store(Known, std::memory_order_relaxed);
  }
  return Known > 0;
}

/// The type of Topology::wantObjects(), empty for none.
static char Wanted[32] = "";

/// By level.
static constexpr hwloc_obj_type_t TypeOfLevel[NumLevels] = {
    HWLOC_OBJ_PU,       HWLOC_OBJ_CORE,    HWLOC_OBJ_L3CACHE,
    HWLOC_OBJ_NUMANODE, HWLOC_OBJ_PACKAGE, HWLOC_OBJ_MACHINE};

bool Topology::parseType(const char *Name, Level &L) {
  hwloc_obj_type_t Type;
  if (strlen(Name) >= sizeof(Wanted) ||
      hwloc_type_sscanf(Name, &Type, nullptr, 0) != 0 ||
      !(hwloc_obj_type_is_normal(Type) || Type == HWLOC_OBJ_NUMANODE))
    return false;
  int I = 0;
  while (I < NumLevels && TypeOfLevel[I] != Type)
    ++I;
  L = Level(I); // FirstCut behind the last
  return true;
}

void Topology::wantObjects(const char *Name) {
  snprintf(Wanted, sizeof(Wanted), "%s", Name ? Name : "");
}

bool Topology::hasWantedObjects() const {
  return WantedType[0] != '\0' && strcmp(WantedType, Wanted) == 0;
}

void Topology::setOneNode() {
  free(Distance);
  Distance = nullptr;
  ThisSystem = true;
  NumNodes = 1;
  NumCpus = MaxCpus;
  forgetAll();
  for (int Cpu = 0; Cpu < MaxCpus; ++Cpu) {
    CpuNode[Cpu] = Objects[int(Level::Numa)][Cpu] = 0;
    CpuOrder[Cpu] = Objects[int(Level::Thread)][Cpu] =
        Objects[int(Level::Core)][Cpu] = int16_t(Cpu);
  }
  NodeRank[0] = 0;
  for (NodeSet &Space : Spaces)
    Space = NodeSet();
}

/// Copies the latency matrix between NUMA nodes, if the machine has one.
static uint32_t *readDistances(hwloc_topology_t Machine, int NumNodes) {
  struct hwloc_distances_s *Found = nullptr;
  unsigned Count = 1;
  if (hwloc_distances_get_by_type(Machine, HWLOC_OBJ_NUMANODE, &Count, &Found,
                                  HWLOC_DISTANCES_KIND_MEANS_LATENCY, 0) != 0 ||
      Count == 0)
    return nullptr;
  uint32_t *Matrix = nullptr;
  if (int(Found->nbobjs) == NumNodes)
    Matrix = static_cast<uint32_t *>(
        calloc(size_t(NumNodes) * NumNodes, sizeof(uint32_t)));
  if (Matrix)
    for (unsigned I = 0; I < Found->nbobjs; ++I)
      for (unsigned J = 0; J < Found->nbobjs; ++J)
        Matrix[size_t(Found->objs[I]->logical_index) * NumNodes +
               Found->objs[J]->logical_index] =
            uint32_t(Found->values[size_t(I) * Found->nbobjs + J]);
  hwloc_distances_release(Machine, Found);
  return Matrix;
}

/// Spares hwloc what is not read here, but for what is wanted. Its x86
/// component binds the thread to each processor in turn, and waits there for
/// what runs on it: milliseconds each where all are busy. The kernel's files
/// say the same. For each cache of each processor hwloc reads several of them.
static void leaveOut(hwloc_topology_t Machine) {
  hwloc_topology_set_components(
      Machine, HWLOC_TOPOLOGY_COMPONENTS_FLAG_BLACKLIST, "x86");
  for (hwloc_obj_type_t Type : {HWLOC_OBJ_L1CACHE, HWLOC_OBJ_L2CACHE,
                                HWLOC_OBJ_L4CACHE, HWLOC_OBJ_L5CACHE})
    hwloc_topology_set_type_filter(Machine, Type, HWLOC_TYPE_FILTER_KEEP_NONE);
  hwloc_obj_type_t Type;
  // Groups that say nothing are not kept, and can't be.
  if (hwloc_type_sscanf(Wanted, &Type, nullptr, 0) == 0 &&
      Type != HWLOC_OBJ_GROUP)
    hwloc_topology_set_type_filter(Machine, Type, HWLOC_TYPE_FILTER_KEEP_ALL);
}

#if HWLOC_API_VERSION >= 0x00020300

/// By MemorySpace.
static constexpr hwloc_memattr_id_t Attributes[NumMemorySpaces] = {
    HWLOC_MEMATTR_ID_CAPACITY, HWLOC_MEMATTR_ID_BANDWIDTH,
    HWLOC_MEMATTR_ID_LATENCY};

/// What \p Node has of \p Attribute, from the CPUs that see most of it; 0 if
/// nobody knows.
static hwloc_uint64_t valueOf(hwloc_topology *Machine,
                              hwloc_memattr_id_t Attribute, hwloc_obj_t Node,
                              bool LessIsBetter) {
  hwloc_uint64_t Value = 0;
  if (Attribute == HWLOC_MEMATTR_ID_CAPACITY)
    return Node->attr->numanode.local_memory;
  constexpr unsigned Most = 64;
  hwloc_location From[Most];
  hwloc_uint64_t Values[Most];
  unsigned Count = Most;
  if (hwloc_memattr_get_initiators(Machine, Attribute, Node, 0, &Count, From,
                                   Values) != 0)
    return 0;
  for (unsigned I = 0; I < Count && I < Most; ++I)
    if (Value == 0 || (LessIsBetter ? Values[I] < Value : Values[I] > Value))
      Value = Values[I];
  return Value;
}

/// Topology::nodesOf(), from what \p Machine says.
static NodeSet readSpace(hwloc_topology *Machine, MemorySpace Space) {
  const hwloc_memattr_id_t Attribute = Attributes[int(Space)];
  const bool LessIsBetter = Space == MemorySpace::LowLatency;
  const int Count = hwloc_get_nbobjs_by_type(Machine, HWLOC_OBJ_NUMANODE);
  auto ValueAt = [&](int I, hwloc_obj_t &Node) {
    Node = hwloc_get_obj_by_type(Machine, HWLOC_OBJ_NUMANODE, unsigned(I));
    return valueOf(Machine, Attribute, Node, LessIsBetter);
  };
  hwloc_uint64_t Best = 0;
  hwloc_obj_t Node;
  for (int I = 0; I < Count; ++I) {
    const hwloc_uint64_t Value = ValueAt(I, Node);
    if (Value && (!Best || (LessIsBetter ? Value < Best : Value > Best)))
      Best = Value;
  }
  NodeSet Good;
  for (int I = 0; I < Count; ++I) {
    const hwloc_uint64_t Value = ValueAt(I, Node);
    if (Value && (LessIsBetter ? Value <= Best + Best / 4 : Value >= Best / 2))
      Good.add(int(Node->os_index));
  }
  return Good;
}

#else
static NodeSet readSpace(hwloc_topology *, MemorySpace) { return {}; }
#endif

bool Topology::load(const char *Synthetic) {
  bool Loaded = false;
  hwloc_topology_t Machine;
  if (hwloc_topology_init(&Machine) == 0) {
    // Nodes that the process may not use still have numbers that the kernel
    // reports for pages.
    hwloc_topology_set_flags(Machine, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED);
    leaveOut(Machine);
    Loaded =
        (!Synthetic || hwloc_topology_set_synthetic(Machine, Synthetic) == 0) &&
        hwloc_topology_load(Machine) == 0 && read(Machine);
    hwloc_topology_destroy(Machine);
  }
  if (!Loaded)
    setOneNode();
  return Loaded;
}

/// Copies what \p Machine says; false, and no change, if it is too large.
bool Topology::read(hwloc_topology *Machine) {
  const int Nodes = hwloc_get_nbobjs_by_type(Machine, HWLOC_OBJ_NUMANODE);
  const int Cpus = hwloc_get_nbobjs_by_type(Machine, HWLOC_OBJ_PU);
  if (Nodes <= 0 || Nodes > MaxOsNodes || Cpus <= 0 || Cpus > MaxCpus)
    return false;
  forgetAll();
  NumNodes = Nodes;
  NumCpus = Cpus;
  ThisSystem = hwloc_topology_is_thissystem(Machine) != 0;
  readCpus(Machine);
  readWanted(Machine);
  readNodes(Machine);
  for (int Space = 0; Space < NumMemorySpaces; ++Space)
    Spaces[Space] = readSpace(Machine, MemorySpace(Space));
  free(Distance);
  Distance = readDistances(Machine, Nodes);
  return true;
}

/// No CPU and no node is known.
void Topology::forgetAll() {
  WantedType[0] = '\0';
  memset(CpuNode, 0xff, sizeof(CpuNode)); // -1
  memset(NodeRank, 0xff, sizeof(NodeRank));
  // That of Level::Machine stays 0 for all.
  memset(Objects, 0xff, int(Level::Machine) * sizeof(Objects[0]));
  memset(Objects[int(FirstCut)], 0xff, sizeof(Objects[0]));
}

/// The CPUs in hwloc's logical order, and the objects above each.
void Topology::readCpus(hwloc_topology *Machine) {
  for (int I = 0; I < NumCpus; ++I) {
    const hwloc_obj_t Cpu = hwloc_get_obj_by_type(Machine, HWLOC_OBJ_PU, I);
    const unsigned OsCpu = Cpu->os_index < MaxCpus ? Cpu->os_index : 0;
    CpuOrder[I] = int16_t(OsCpu);
    Objects[int(Level::Thread)][OsCpu] = int16_t(I);
    for (Level L : {Level::Core, Level::L3, Level::Package})
      if (hwloc_obj_t Object =
              hwloc_get_ancestor_obj_by_type(Machine, TypeOfLevel[int(L)], Cpu))
        Objects[int(L)][OsCpu] = int16_t(Object->logical_index);
  }
}

/// The objects of the wanted type above each CPU.
void Topology::readWanted(hwloc_topology *Machine) {
  hwloc_obj_type_t Type;
  int Depth;
  if (hwloc_type_sscanf(Wanted, &Type, nullptr, 0) != 0 ||
      hwloc_type_sscanf_as_depth(Wanted, nullptr, Machine, &Depth) != 0)
    return;
  for (int I = 0; I < NumCpus; ++I) {
    hwloc_obj_t Object = hwloc_get_obj_by_type(Machine, HWLOC_OBJ_PU, I);
    const unsigned OsCpu = Object->os_index;
    hwloc_obj_t Found = nullptr; // at last the outermost
    for (; Object; Object = Object->parent)
      if (Depth == HWLOC_TYPE_DEPTH_MULTIPLE ? Object->type == Type
                                             : Object->depth == Depth)
        Found = Object;
    if (!Found || OsCpu >= unsigned(MaxCpus))
      continue;
    Objects[int(FirstCut)][OsCpu] = int16_t(Found->logical_index);
    memcpy(WantedType, Wanted, sizeof(Wanted));
  }
}

/// The nodes' ranks, and which CPUs each has.
void Topology::readNodes(hwloc_topology *Machine) {
  for (int I = 0; I < NumNodes; ++I) {
    hwloc_obj_t Node = hwloc_get_obj_by_type(Machine, HWLOC_OBJ_NUMANODE, I);
    if (Node->os_index >= unsigned(MaxOsNodes))
      continue;
    NodeRank[Node->os_index] = int16_t(I);
    // Where two nodes serve the same CPUs (HBM beside DRAM), hwloc lists the
    // default one first: it keeps the CPU.
    for (int Cpu = hwloc_bitmap_first(Node->cpuset); Cpu >= 0 && Cpu < MaxCpus;
         Cpu = hwloc_bitmap_next(Node->cpuset, Cpu))
      if (CpuNode[Cpu] < 0) {
        CpuNode[Cpu] = int16_t(Node->os_index);
        Objects[int(Level::Numa)][Cpu] = int16_t(I);
      }
  }
}

NodeSet Topology::nodes() const {
  NodeSet Set;
  for (int OsNode = 0; OsNode < MaxOsNodes; ++OsNode)
    if (NodeRank[OsNode] >= 0)
      Set.add(OsNode);
  return Set;
}

NodeSet Topology::nodesWithCpus() const {
  NodeSet Set;
  for (int I = 0; I < NumCpus; ++I)
    Set.add(nodeOfCpu(CpuOrder[I]));
  return Set;
}

unsigned Topology::distance(int From, int To) const {
  if (From == To)
    return 10;
  if (!Distance || From < 0 || To < 0 || From >= MaxOsNodes ||
      To >= MaxOsNodes || NodeRank[From] < 0 || NodeRank[To] < 0)
    return 20;
  return Distance[size_t(NodeRank[From]) * NumNodes + NodeRank[To]];
}

} // namespace locus
