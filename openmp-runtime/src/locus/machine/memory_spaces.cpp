//===- machine/memory_spaces.cpp - Kinds of memory ------------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "locus/machine/memory_spaces.h"

#include <hwloc.h>
#if HWLOC_API_VERSION >= 0x00020300
#include <hwloc/memattrs.h>
#endif

namespace locus {

#if HWLOC_API_VERSION >= 0x00020300

static hwloc_memattr_id_t attributeOf(MemorySpace Space) {
  switch (Space) {
  case MemorySpace::LargeCapacity:
    return HWLOC_MEMATTR_ID_CAPACITY;
  case MemorySpace::HighBandwidth:
    return HWLOC_MEMATTR_ID_BANDWIDTH;
  case MemorySpace::LowLatency:
    return HWLOC_MEMATTR_ID_LATENCY;
  }
  return HWLOC_MEMATTR_ID_CAPACITY;
}

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

NodeSet readSpace(hwloc_topology *Machine, MemorySpace Space) {
  const hwloc_memattr_id_t Attribute = attributeOf(Space);
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
NodeSet readSpace(hwloc_topology *, MemorySpace) { return {}; }
#endif

} // namespace locus
