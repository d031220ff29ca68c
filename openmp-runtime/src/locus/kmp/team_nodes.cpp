//===- kmp/team_nodes.cpp - The nodes of the caller's team ----------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "locus/kmp/team_nodes.h"

#include "kmp_affinity.h"

namespace locus {

TeamNodes::TeamNodes(kmp_info_t *Thread) {
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
    add(TeamHomes(KmpTeam).nodesOf(Thread->th.th_info.ds.ds_tid));
  if (Count == 0) // CPUs that hwloc does not show
    add(Topology::get().nodesWithCpus());
}

int TeamNodes::find(int OsNode) const {
  if (Ours)
    return Ours->shape().teamNode(OsNode);
  for (int I = 0; I < Count; ++I)
    if (Order[I] == OsNode)
      return I;
  return -1;
}

int TeamNodes::current(kmp_info_t *Thread) const {
  const Topology &Machine = Topology::get();
  const int Node =
      Machine.isThisSystem() ? find(Machine.nodeOfCpu(sched_getcpu())) : -1;
  // An unbound thread can be on a node where its team has no domain.
  return Node >= 0 ? Node : assigned(Thread);
}

void TeamNodes::add(const NodeSet &Set) {
  for (int I = 0; I < Set.size(); ++I)
    if (find(Set.at(I)) < 0)
      Order[Count++] = int16_t(Set.at(I));
}

void TeamNodes::addInitial() {
  if (Topology::get().isThisSystem() && KMP_AFFINITY_CAPABLE()) {
    const PlaceTable &Table = placeNodes();
    if (__kmp_nested_proc_bind.bind_types[0] != proc_bind_false)
      for (int I = 0; I < Table.NumPlaces; ++I)
        add(Table.Places[I]);
    else
      add(Table.Process);
  }
}

} // namespace locus
