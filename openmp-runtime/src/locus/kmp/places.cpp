//===- kmp/places.cpp - From libomp's places to a Team --------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "locus/kmp/places.h"
#include "locus/data/directory.h"
#include "locus/kmp/hooks.h"
#include "locus/kmp/replay.h"
#include "locus/kmp/wake.h"
#include "locus/support/host.h"

#include "kmp_affinity.h"
#include "kmp_i18n.h"
#include "kmp_wait_release.h"

namespace locus {

//===----------------------------------------------------------------------===//
// From places to nodes
//===----------------------------------------------------------------------===//

static NodeSet nodesOfMask(const kmp_affin_mask_t *Mask) {
  const Topology &Machine = Topology::get();
  NodeSet Set;
  forEachCpu(Mask, [&](int Cpu) { Set.add(Machine.nodeOfCpu(Cpu)); });
  return Set;
}

/// A table of libomp's places as they are now, \p NumPlaces of them.
static PlaceTable *makePlaceTable(int NumPlaces) {
  int NumCpus = 0;
  for (int P = 0; P < NumPlaces; ++P)
    forEachCpu(KMP_CPU_INDEX(__kmp_affinity.masks, P), [&](int) { ++NumCpus; });
  PlaceTable *Table = static_cast<PlaceTable *>(
      __kmp_allocate(sizeof(PlaceTable) + size_t(NumPlaces) * sizeof(NodeSet) +
                     size_t(NumPlaces + 1 + NumCpus) * sizeof(int)));
  Table->Masks = __kmp_affinity.masks;
  Table->NumPlaces = NumPlaces;
  Table->FirstCpu = reinterpret_cast<int *>(Table->Places + NumPlaces + 1);
  Table->Cpus = Table->FirstCpu + NumPlaces + 1;
  Table->Process = nodesOfMask(__kmp_affin_fullMask);
  int Next = 0;
  for (int P = 0; P < NumPlaces; ++P) {
    const kmp_affin_mask_t *Mask = KMP_CPU_INDEX(__kmp_affinity.masks, P);
    Table->Places[P] = nodesOfMask(Mask);
    Table->FirstCpu[P] = Next;
    forEachCpu(Mask, [&](int Cpu) { Table->Cpus[Next++] = Cpu; });
  }
  Table->FirstCpu[NumPlaces] = Next;
  return Table;
}

static std::atomic<PlaceTable *> NewestTable{nullptr};

const PlaceTable &placeNodes() {
  static SpinLock Lock;
  const int NumPlaces = int(__kmp_affinity.num_masks);
  auto Fits = [&](const PlaceTable *T) {
    return T && T->Masks == __kmp_affinity.masks && T->NumPlaces == NumPlaces;
  };
  PlaceTable *Table = NewestTable.load(std::memory_order_acquire);
  if (Fits(Table))
    return *Table;
  LockGuard Guard(Lock);
  Table = NewestTable.load(std::memory_order_relaxed);
  if (Fits(Table))
    return *Table;
  PlaceTable *Older = Table;
  Table = makePlaceTable(NumPlaces);
  Table->Older = Older;
  Table->FirstHome = Older ? Older->FirstHome + Older->NumPlaces + 1 : 0;
  NewestTable.store(Table, std::memory_order_release);
  return *Table;
}

void freeAtEnd() {
  freeReplays();
  PlaceTable *Table = NewestTable.exchange(nullptr, std::memory_order_relaxed);
  while (Table) {
    PlaceTable *Older = Table->Older;
    __kmp_free(Table);
    Table = Older;
  }
  NodePool::destroyLeft();
}

//===----------------------------------------------------------------------===//
// Where the threads of a team are
//===----------------------------------------------------------------------===//

std::atomic<kmp_uint64> PlacesStamp{0};

/// Some thread has, or had, a mask of its own: that of a place, or one that the
/// program gave it.
static std::atomic<bool> SomeHaveMasks{false};

void stampPlaces(const kmp_info_t *Thread) {
  if (!SomeHaveMasks.load(std::memory_order_relaxed) &&
      !KMP_CPU_EQUAL(Thread->th.th_affin_mask, __kmp_affin_fullMask))
    SomeHaveMasks.store(true, std::memory_order_relaxed);
  // Release: a reader of this one sees where the thread is now.
  PlacesStamp.fetch_add(1, std::memory_order_release);
}

TeamHomes::TeamHomes(const kmp_team_t *KmpTeam)
    : Threads(KmpTeam->t.t_threads),
      IsThisSystem(Topology::get().isThisSystem()) {
  if (!IsThisSystem || !KMP_AFFINITY_CAPABLE())
    return;
  Table = &placeNodes();
  FirstHome = Table->FirstHome;
  if (KmpTeam->t.t_proc_bind != proc_bind_false &&
      KmpTeam->t.t_proc_bind != proc_bind_intel)
    NumBinding = Table->NumPlaces;
}

int TeamHomes::homeByMask(const kmp_info_t *Thread) const {
  if (!Table)
    return Anywhere;
  const int Whole = FirstHome + Table->NumPlaces;
  if (!SomeHaveMasks.load(std::memory_order_relaxed))
    return Whole;
  const kmp_affin_mask_t *Mask = Thread->th.th_affin_mask;
  const int Place = Thread->th.th_current_place;
  if (Place == KMP_PLACE_ALL || !Mask ||
      KMP_CPU_EQUAL(Mask, __kmp_affin_fullMask))
    return Whole;
  // A thread that has bound itself may have left the place.
  return Place >= 0 && Place < Table->NumPlaces &&
                 KMP_CPU_EQUAL(Mask, KMP_CPU_INDEX(__kmp_affinity.masks, Place))
             ? ByMask - (FirstHome + Place)
             : Unknown;
}

NodeSet TeamHomes::nodesOf(int Tid, int Home) const {
  const Topology &Machine = Topology::get();
  if (!IsThisSystem) {
    // A what-if topology: the threads take its CPUs in order.
    NodeSet Set;
    Set.add(Machine.nodeOfCpu(Machine.cpuAt(Tid % Machine.numCpus())));
    return Set;
  }
  if (!Table)
    return Machine.nodesWithCpus();
  if (Home == Unknown)
    return nodesOfMask(Threads[Tid]->th.th_affin_mask);
  const int Place = (Home <= ByMask ? ByMask - Home : Home) - FirstHome;
  return Place == Table->NumPlaces ? Table->Process : Table->Places[Place];
}

int TeamHomes::cpuOf(int Tid, int Home, int *Before) const {
  const Topology &Machine = Topology::get();
  if (!IsThisSystem)
    return Machine.cpuAt(Tid % Machine.numCpus());
  const int Place = Table ? Home - FirstHome : -1;
  if (Place < 0 || Place >= Table->NumPlaces)
    return -1;
  const int First = Table->FirstCpu[Place];
  const int NumCpus = Table->FirstCpu[Place + 1] - First;
  const int Rank = Before[Place]++;
  return NumCpus ? Table->Cpus[First + Rank % NumCpus] : -1; // in turns
}

//===----------------------------------------------------------------------===//
// The nodes of the caller's team
//===----------------------------------------------------------------------===//

TeamNodes::TeamNodes(kmp_info_t *Thread) {
  kmp_team_t *KmpTeam = Thread->th.th_team;
  kmp_task_team_t *TaskTeam = Thread->th.th_task_team;
  if (!KmpTeam->t.t_serialized && KmpTeam->t.t_nproc > 1 && TaskTeam)
    Ours = makeTeam(TaskTeam, KmpTeam);
  if (Ours)
    return;
  // The initial team speaks for all places that it could use; a serialized
  // region within a parallel one for its only thread.
  if (KmpTeam->t.t_level != 0) {
    add(TeamHomes(KmpTeam).nodesOf(Thread->th.th_info.ds.ds_tid));
  } else if (Topology::get().isThisSystem() && KMP_AFFINITY_CAPABLE()) {
    const PlaceTable &Table = placeNodes();
    if (__kmp_nested_proc_bind.bind_types[0] == proc_bind_false)
      add(Table.Process);
    else
      for (int I = 0; I < Table.NumPlaces; ++I)
        add(Table.Places[I]);
  }
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

//===----------------------------------------------------------------------===//
// Teams that change
//===----------------------------------------------------------------------===//

void stampTeam(kmp_team_t *KmpTeam) {
  // No two teams have the same: a task team goes from one to the other.
  static std::atomic<kmp_uint64> Last{0};
  KmpTeam->t.t_locus_stamp.store(Last.fetch_add(1, std::memory_order_relaxed) +
                                     1,
                                 std::memory_order_relaxed);
}

/// Says once that the machine has no groups of the kind that the user wants.
static void warnMissing(const Team &Ours, const ListsOptions &Wanted) {
  static std::atomic<bool> Said{false};
  const bool IsLevel = Wanted.Lists != FirstCut;
  if ((IsLevel ? Ours.groups().hasLevel(Wanted.Lists)
               : Wanted.NumLists != 0 || Ours.groups().canCutByObjects()) ||
      Said.exchange(true, std::memory_order_relaxed))
    return;
  warnOf("KMP_TASK_QUEUES: this machine has no objects of that kind; using %s.",
         IsLevel ? "the next larger ones" : "thread");
}

/// Builds the Team of \p TaskTeam for the \p NumThreads threads of a team with
/// these \p Homes: \p Old, or a new one if that is null. Null if there is no
/// memory.
static Team *buildTeam(Team *Old, kmp_task_team_t *TaskTeam,
                       const TeamHomes &Homes, int NumThreads,
                       const TeamOptions &Options) {
  const size_t Threads = size_t(NumThreads), Places = __kmp_affinity.num_masks;
  NodeSet *Sets = static_cast<NodeSet *>(__kmp_allocate(
      Threads * sizeof(NodeSet) + (2 * Threads + Places) * sizeof(int)));
  int *Cpus = reinterpret_cast<int *>(Sets + NumThreads);
  int *Numbers = Cpus + NumThreads;
  int *Before = Numbers + NumThreads; // zero, as all that __kmp_allocate gives
  bool AreKnown = true;
  for (int Tid = 0; Tid < NumThreads; ++Tid) {
    const int Home = Numbers[Tid] = Homes.of(Tid);
    AreKnown = AreKnown && Home != TeamHomes::Unknown;
    Sets[Tid] = Homes.nodesOf(Tid, Home);
    Cpus[Tid] = Homes.cpuOf(Tid, Home, Before);
  }
  Team *Made = Old ? Old : Team::create(&TaskTeam->tt.tt_unfinished_threads);
  if (Made && !Made->rebuild(Topology::get(), NumThreads, Sets, Cpus, Options,
                             AreKnown ? Numbers : nullptr)) {
    Team::destroy(Made);
    Made = nullptr;
  }
  __kmp_free(Sets);
  if (Made)
    warnMissing(*Made, Options);
  return Made;
}

/// Makes the Team of \p TaskTeam fit \p KmpTeam, which it serves, whose threads
/// are where they were when it had \p Stamp. Called under the lock, while
/// nobody uses the former one. Null if there is no memory.
static Team *fitTeam(kmp_task_team_t *TaskTeam, kmp_team_t *KmpTeam,
                     const TeamStamp &Stamp) {
  Team *Fitting = TaskTeam->tt.tt_locus.load(std::memory_order_relaxed);
  if (Fitting && TaskTeam->tt.tt_locus_stamp == Stamp)
    return Fitting;
  LOCUS_CHECK(!Fitting || Fitting->isEmpty());
  TeamOptions Options = teamOptions();
  Options.InPlace = allowsInPlace();
  const TeamHomes Homes(KmpTeam);
  auto HomeOf = [&](int Tid) { return Homes.of(Tid); };
  if (Fitting && Fitting->recall(Stamp.NumThreads, HomeOf, Options))
    return Fitting;
  return buildTeam(Fitting, TaskTeam, Homes, Stamp.NumThreads, Options);
}

Team *makeTeam(kmp_task_team_t *TaskTeam, kmp_team_t *KmpTeam) {
  if (Team *Current = teamOf(TaskTeam))
    return Current;

  bool IsNew = false;
  __kmp_acquire_bootstrap_lock(&TaskTeam->tt.tt_threads_lock);
  Team *Ours = teamOf(TaskTeam);
  if (!Ours) {
    // No task is queued: it would have kept the last barrier closed. Nobody
    // looks for one in there: team/PROOF.md.
    const TeamStamp Stamp = stampOf(KmpTeam);
    Ours = fitTeam(TaskTeam, KmpTeam, Stamp);
    // All at the end: idle threads poll these lines.
    if (Ours != TaskTeam->tt.tt_locus.load(std::memory_order_relaxed))
      TaskTeam->tt.tt_locus.store(Ours, std::memory_order_relaxed);
    if (Ours) {
      TaskTeam->tt.tt_locus_stamp = Stamp;
      TaskTeam->tt.tt_locus_current.store(TRUE, std::memory_order_release);
      IsNew = true;
    }
  }
  __kmp_release_bootstrap_lock(&TaskTeam->tt.tt_threads_lock);
  if (IsNew)
    wakeAll(KmpTeam, TaskTeam);
  return Ours;
}

void freeTeam(kmp_task_team_t *TaskTeam) {
  Team::destroy(TaskTeam->tt.tt_locus.load(std::memory_order_relaxed));
  TaskTeam->tt.tt_locus.store(nullptr, std::memory_order_relaxed);
}

kmp_info_t *callingThread() {
  if (!TCR_4(__kmp_init_parallel))
    __kmp_parallel_initialize();
  return __kmp_threads[__kmp_entry_gtid()];
}

} // namespace locus

using namespace locus;

extern "C" int omp_get_num_nodes(void) {
  return TeamNodes(callingThread()).count();
}

extern "C" int omp_get_node_num(void) {
  kmp_info_t *Thread = callingThread();
  return TeamNodes(Thread).current(Thread);
}

extern "C" int omp_get_node_from_data(const void *address) {
  const MemoryRange Byte = {reinterpret_cast<uintptr_t>(address), 1};
  int OsNode = nodeOfMemory(&Byte, 1);
  if (OsNode == UnknownNode) // a page of parts of one page, not touched yet
    OsNode = Directory::get().nodeOf(&Byte, 1, /*MayWait=*/true);
  return OsNode == UnknownNode ? -1 : TeamNodes(callingThread()).find(OsNode);
}
