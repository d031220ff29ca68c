//===- kmp/api.cpp - The user's questions and wishes ----------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The functions omp_* of omp.h that Locus adds. docs/scheduler.md describes
// them.
//
//===----------------------------------------------------------------------===//

#include "locus/inplace/inplace.h"
#include "locus/kmp/hints.h"
#include "locus/kmp/places.h"
#include "locus/machine/page_node.h"
#include "locus/support/host.h"

#include "kmp_affinity.h"

namespace locus {

/// The node numbers of the calling thread's team. Those of its Team where
/// it has several threads; else the OS nodes in order.
class TeamNodes {
public:
  explicit TeamNodes(kmp_info_t *Thread) {
    kmp_team_t *KmpTeam = Thread->th.th_team;
    kmp_task_team_t *TaskTeam = Thread->th.th_task_team;
    if (!KmpTeam->t.t_serialized && KmpTeam->t.t_nproc > 1 && TaskTeam)
      Ours = makeTeam(TaskTeam, KmpTeam);
    if (Ours)
      return;
    // The initial team speaks for all places that it could use; a serialized
    // region within a parallel one for its only thread.
    if (KmpTeam->t.t_level == 0)
      addInitial();
    else
      add(nodesOfThread(KmpTeam, Thread->th.th_info.ds.ds_tid));
    if (Count == 0) // CPUs that hwloc does not show
      add(Topology::get().nodesWithCpus());
  }

  int count() const { return Ours ? Ours->shape().numNodes() : Count; }

  int find(int OsNode) const {
    if (Ours)
      return Ours->shape().teamNode(OsNode);
    for (int I = 0; I < Count; ++I)
      if (Order[I] == OsNode)
        return I;
    return -1;
  }

  int assigned(kmp_info_t *Thread) const {
    return Ours ? Ours->shape().nodeOfThread(Thread->th.th_info.ds.ds_tid) : 0;
  }

private:
  void add(const NodeSet &Set) {
    for (int I = 0; I < Set.size(); ++I)
      if (find(Set.at(I)) < 0)
        Order[Count++] = int16_t(Set.at(I));
  }

  void addInitial() {
    if (Topology::get().isThisSystem() && KMP_AFFINITY_CAPABLE()) {
      const PlaceTable &Table = placeNodes();
      if (__kmp_nested_proc_bind.bind_types[0] != proc_bind_false)
        for (int I = 0; I < Table.NumPlaces; ++I)
          add(Table.Places[I]);
      else
        add(Table.Process);
    }
  }

  const Team *Ours = nullptr;
  int Count = 0;
  int16_t Order[MaxOsNodes];
};

} // namespace locus

using namespace locus;

extern "C" void omp_set_task_affinity(int kind, kmp_uintptr_t value,
                                      int strict) {
  kmp_info_t *Thread = callingThread();
  knowCurrentTask();
  forbidInPlace();
  kmp_taskdata_t *Current = Thread->th.th_current_task;
  if (kind < 0 || kind > int(Kind::Data)) {
    warn("omp_set_task_affinity: unknown kind; the next task has no affinity.");
    kind = int(Kind::None);
  }
  setNextHint(Current, Kind(kind), strict != 0, value);
}

extern "C" int omp_get_num_nodes(void) {
  return TeamNodes(callingThread()).count();
}

extern "C" int omp_get_node_num(void) {
  kmp_info_t *Thread = callingThread();
  TeamNodes Nodes(Thread);
  const Topology &Machine = Topology::get();
  int Node = -1;
  if (Machine.isThisSystem())
    Node = Nodes.find(Machine.nodeOfCpu(sched_getcpu()));
  // An unbound thread can be on a node where its team has no domain.
  return Node >= 0 ? Node : Nodes.assigned(Thread);
}

extern "C" int omp_get_node_from_data(const void *address) {
  int OsNode = nodeOfMemory(address, 0);
  return OsNode == UnknownNode ? -1 : TeamNodes(callingThread()).find(OsNode);
}
