//===- kmp/places.cpp - Places, nodes and the user's questions ------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Part of the adapter to libomp: from its threads and places to the domains of
// a team, and the API that tells users about them.
//
//===----------------------------------------------------------------------===//

#include "locus/inplace/inplace.h"
#include "locus/kmp/internal.h"

#if KMP_AFFINITY_SUPPORTED
#include "kmp_affinity.h"
#endif
#include "kmp_i18n.h"
#include "kmp_wait_release.h"
#include "locus/kmp/hooks.h"
#include "locus/machine/memory.h"
#include "locus/support/fence.h"

#include <dlfcn.h>

namespace locus {

//===----------------------------------------------------------------------===//
// From places to nodes
//===----------------------------------------------------------------------===//

#if KMP_AFFINITY_SUPPORTED
static NodeSet nodesOfMask(const kmp_affin_mask_t *Mask) {
  const Topology &Machine = Topology::get();
  NodeSet Set;
  int Cpu;
  KMP_CPU_SET_ITERATE(Cpu, Mask) {
    if (KMP_CPU_ISSET(Cpu, Mask))
      Set.add(Machine.nodeOfCpu(Cpu));
  }
  return Set;
}

/// What placeNodes() has found out about one list of places.
struct PlaceTable {
  PlaceTable *Older;
  const void *Masks; ///< identifies the list, with NumPlaces
  int NumPlaces;
  NodeSet Process; ///< the nodes of the process' own CPUs
  NodeSet Places[1];
};

/// The nodes of each place of libomp's list, which it makes once (and once more
/// in a forked child). Old tables stay, as another thread may read them.
static std::atomic<PlaceTable *> Newest{nullptr};

static const PlaceTable &placeNodes() {
  static SpinLock Lock;
  const int NumPlaces = int(__kmp_affinity.num_masks);
  auto Fits = [&](const PlaceTable *T) {
    return T && T->Masks == __kmp_affinity.masks && T->NumPlaces == NumPlaces;
  };
  PlaceTable *Table = Newest.load(std::memory_order_acquire);
  if (Fits(Table))
    return *Table;
  LockGuard Guard(Lock);
  Table = Newest.load(std::memory_order_relaxed);
  if (Fits(Table))
    return *Table;
  PlaceTable *Older = Table;
  Table = static_cast<PlaceTable *>(
      __kmp_allocate(sizeof(PlaceTable) + size_t(NumPlaces) * sizeof(NodeSet)));
  Table->Older = Older;
  Table->Masks = __kmp_affinity.masks;
  Table->NumPlaces = NumPlaces;
  Table->Process = nodesOfMask(__kmp_affin_fullMask);
  for (int I = 0; I < NumPlaces; ++I)
    Table->Places[I] = nodesOfMask(KMP_CPU_INDEX(__kmp_affinity.masks, I));
  Newest.store(Table, std::memory_order_release);
  return *Table;
}

void freePlaces() {
  PlaceTable *Table = Newest.exchange(nullptr, std::memory_order_relaxed);
  while (Table) {
    PlaceTable *Older = Table->Older;
    __kmp_free(Table);
    Table = Older;
  }
}
#endif

#if KMP_AFFINITY_SUPPORTED
/// The place that thread \p Tid of \p Team is bound to; -1 if none is known.
static int placeOfThread(kmp_team_t *Team, int Tid) {
  // With proc_bind the primary thread has chosen the place before the workers
  // start; they bind themselves, and set their masks, only later.
  const int Place = Team->t.t_threads[Tid]->th.th_new_place;
  const kmp_proc_bind_t Bind = Team->t.t_proc_bind;
  return Bind != proc_bind_false && Bind != proc_bind_intel && Place >= 0 &&
                 Place < int(__kmp_affinity.num_masks)
             ? Place
             : -1;
}
#endif

/// A CPU that thread \p Tid of \p Team runs on: one of its place, where each
/// of the threads that share the place has another one, as far as they go
/// round; -1 if it is not bound.
static int cpuOfThread(kmp_team_t *Team, int Tid) {
  const Topology &Machine = Topology::get();
  if (!Machine.isThisSystem())
    return Machine.cpuAt(Tid % Machine.numCpus());
#if KMP_AFFINITY_SUPPORTED
  if (KMP_AFFINITY_CAPABLE()) {
    const int Place = placeOfThread(Team, Tid);
    if (Place < 0)
      return -1;
    int Before = 0, NumCpus = 0, Cpu;
    for (int Other = 0; Other < Tid; ++Other)
      Before += placeOfThread(Team, Other) == Place;
    kmp_affin_mask_t *Mask = KMP_CPU_INDEX(__kmp_affinity.masks, Place);
    KMP_CPU_SET_ITERATE(Cpu, Mask) { NumCpus += KMP_CPU_ISSET(Cpu, Mask); }
    int Turn = NumCpus ? Before % NumCpus : 0;
    KMP_CPU_SET_ITERATE(Cpu, Mask) {
      if (KMP_CPU_ISSET(Cpu, Mask) && Turn-- == 0)
        return Cpu;
    }
  }
#endif
  return -1;
}

/// Says once that the machine has no groups of the kind that the user wants.
static void warnMissing(const Domains &Places, Level Wanted) {
  static std::atomic<bool> Said{false};
  if (Places.team().hasLevel(Wanted) ||
      Said.exchange(true, std::memory_order_relaxed))
    return;
  warn("KMP_TASK_QUEUES: this machine has no objects of that kind; using the "
       "next larger ones.");
}

void warnOfLibgomp() {
  const char *Bind = getenv("OMP_PROC_BIND");
  if (__kmp_avail_proc == __kmp_xproc ||
      (Bind && strcasecmp(Bind, "false") == 0) ||
      !(Bind || getenv("OMP_PLACES") || getenv("GOMP_CPU_AFFINITY")))
    return;
  void *Library = dlopen("libgomp.so.1", RTLD_LAZY | RTLD_NOLOAD);
  if (!Library)
    return;
  Dl_info Theirs, Ours;
  void *Symbol = dlsym(Library, "GOMP_parallel");
  // It may be this runtime under that name.
  if (Symbol && dladdr(Symbol, &Theirs) &&
      dladdr(reinterpret_cast<void *>(warnOfLibgomp), &Ours) &&
      Theirs.dli_fbase != Ours.dli_fbase)
    warn("libgomp is loaded as well, and has bound all threads to one "
         "place, as the environment asks for binding. Instead of preloading "
         "this runtime set LD_LIBRARY_PATH to the folder compat beside it, "
         "where it has the name libgomp.so.1; or bind by KMP_AFFINITY alone.");
  dlclose(Library);
}

/// The nodes of the CPUs that thread \p Tid of \p Team may run on.
static NodeSet nodesOfThread(kmp_team_t *Team, int Tid) {
  const Topology &Machine = Topology::get();
  NodeSet Set;
  if (!Machine.isThisSystem()) {
    // A what-if topology: the threads take its CPUs in order.
    Set.add(Machine.nodeOfCpu(Machine.cpuAt(Tid % Machine.numCpus())));
    return Set;
  }
#if KMP_AFFINITY_SUPPORTED
  if (KMP_AFFINITY_CAPABLE()) {
    kmp_info_t *Thread = Team->t.t_threads[Tid];
    const PlaceTable &Table = placeNodes();
    if (int Place = placeOfThread(Team, Tid); Place >= 0)
      return Table.Places[Place];
    const kmp_affin_mask_t *Mask = Thread->th.th_affin_mask;
    const int Place = Thread->th.th_current_place;
    if (Place == KMP_PLACE_ALL || !Mask ||
        KMP_CPU_EQUAL(Mask, __kmp_affin_fullMask))
      return Table.Process;
    // Who has bound itself may have left the place.
    if (Place >= 0 && Place < Table.NumPlaces &&
        KMP_CPU_EQUAL(Mask, KMP_CPU_INDEX(__kmp_affinity.masks, Place)))
      return Table.Places[Place];
    return nodesOfMask(Mask);
  }
#endif
  return Topology::get().nodesWithCpus();
}

std::atomic<kmp_uint64> PlacesStamp{0};

void stampTeam(kmp_team_t *Team) {
  // No two teams have the same: a task team goes from one to the other.
  static std::atomic<kmp_uint64> Last{0};
  Team->t.t_locus_stamp.store(Last.fetch_add(1, std::memory_order_relaxed) + 1,
                              std::memory_order_relaxed);
}

/// Whether \p Thread sleeps. It holds the lock from before it has th_sleep_loc
/// until it sleeps, its last look for tasks in between, and looks at its task
/// team first when it wakes.
static bool sleeps(kmp_info_t *Thread) {
#if KMP_HAVE_MWAIT || KMP_HAVE_UMWAIT
  if (__kmp_mwait_enabled || __kmp_umwait_enabled)
    return false; // it looks without the lock
#endif
  if (TCR_PTR(CCAST(void *, Thread->th.th_sleep_loc)) == NULL)
    return false;
  __kmp_lock_suspend_mx(Thread);
  const bool Sleeps = TCR_PTR(CCAST(void *, Thread->th.th_sleep_loc)) != NULL;
  __kmp_unlock_suspend_mx(Thread);
  return Sleeps;
}

void dismissThreads(kmp_team_t *Team, int From) {
  if (__kmp_tasking_mode == tskm_immediate_exec)
    return;
  bool HadTasks = false;
  for (const kmp_task_team_t *TaskTeam : Team->t.t_task_team)
    HadTasks |= TaskTeam && TaskTeam->tt.tt_threads_data;
  for (int Tid = From; Tid < Team->t.t_nproc; ++Tid) {
    kmp_info_t *Thread = Team->t.t_threads[Tid];
    Thread->th.th_task_team = NULL;
    // Acquire: pairs with letGo().
    while (HadTasks &&
           __atomic_load_n(&Thread->th.th_reap_state, __ATOMIC_ACQUIRE) !=
               KMP_SAFE_TO_REAP &&
           !sleeps(Thread)) {
      if (TCR_PTR(CCAST(void *, Thread->th.th_sleep_loc)) != NULL)
        __kmp_null_resume_wrapper(Thread);
      // It may need this processor, whatever KMP_USE_YIELD says.
      __kmp_yield();
    }
  }
}

/// Makes the domains of \p TaskTeam fit \p Team, which it serves, whose threads
/// are where they were when it had \p Stamp. Called under the lock, while
/// nobody uses the former ones. Null if there is no memory.
static Domains *makeDomains(kmp_task_team_t *TaskTeam, kmp_team_t *Team,
                            const TeamStamp &Stamp) {
  Domains *Fitting = TaskTeam->tt.tt_locus.load(std::memory_order_relaxed);
  if (Fitting && Fitting->Stamp == Stamp)
    return Fitting;
  const int NumThreads = Stamp.NumThreads;
  NodeSet *Shape = static_cast<NodeSet *>(
      __kmp_allocate(size_t(NumThreads) * (sizeof(NodeSet) + sizeof(int))));
  int *Cpus = reinterpret_cast<int *>(Shape + NumThreads);
  for (int Tid = 0; Tid < NumThreads; ++Tid) {
    Shape[Tid] = nodesOfThread(Team, Tid);
    Cpus[Tid] = cpuOfThread(Team, Tid);
  }
  if (!Fitting || !Fitting->hasShape(NumThreads, Shape, Cpus)) {
    LOCUS_CHECK(!Fitting ||
                !(Fitting->mayHaveTasks() || Fitting->pool().hasTasks()));
    const PoolOptions Options = poolOptions();
    if (!Fitting) {
      prepareFences();
      Fitting =
          Domains::create(Topology::get(), NumThreads, Shape,
                          &TaskTeam->tt.tt_unfinished_threads, Cpus, Options);
    } else if (!Fitting->rebuild(Topology::get(), NumThreads, Shape, Cpus,
                                 Options)) {
      Domains::destroy(Fitting);
      Fitting = nullptr;
    }
    if (Fitting)
      warnMissing(*Fitting, Options.Queues);
  }
  __kmp_free(Shape);
  if (Fitting)
    Fitting->Stamp = Stamp;
  return Fitting;
}

Domains *domainsOf(kmp_task_team_t *TaskTeam, kmp_team_t *Team) {
  if (Domains *Current = domains(TaskTeam))
    return Current;

  bool IsNew = false;
  __kmp_acquire_bootstrap_lock(&TaskTeam->tt.tt_threads_lock);
  Domains *Places = domains(TaskTeam);
  if (!Places) {
    // No task is queued: it would have kept the last barrier closed. Nobody
    // looks for one in there: team/domains.md, "Shapes".
    Places = makeDomains(TaskTeam, Team, stampOf(Team));
    TaskTeam->tt.tt_locus.store(Places, std::memory_order_relaxed);
    if (Places) {
      TaskTeam->tt.tt_locus_current.store(TRUE, std::memory_order_release);
      IsNew = true;
    }
  }
  __kmp_release_bootstrap_lock(&TaskTeam->tt.tt_threads_lock);
  if (IsNew)
    wakeAll(Team, TaskTeam);
  return Places;
}

void freeTeam(kmp_task_team_t *Team) {
  Domains::destroy(Team->tt.tt_locus.load(std::memory_order_relaxed));
  Team->tt.tt_locus.store(nullptr, std::memory_order_relaxed);
}

//===----------------------------------------------------------------------===//
// Entry points
//===----------------------------------------------------------------------===//

kmp_info_t *callingThread() {
  if (!TCR_4(__kmp_init_parallel))
    __kmp_parallel_initialize();
  return __kmp_threads[__kmp_entry_gtid()];
}

/// The node numbers of the calling thread's team. With its own domains where
/// it has several threads; else the OS nodes in order.
class TeamNodes {
public:
  explicit TeamNodes(kmp_info_t *Thread) {
    kmp_team_t *Team = Thread->th.th_team;
    kmp_task_team_t *TaskTeam = Thread->th.th_task_team;
    if (!Team->t.t_serialized && Team->t.t_nproc > 1 && TaskTeam)
      Places = domainsOf(TaskTeam, Team);
    if (Places)
      return;
    // The initial team speaks for all places that it could use; a serialized
    // region within a parallel one for its only thread.
    if (Team->t.t_level == 0)
      addInitial();
    else
      add(nodesOfThread(Team, Thread->th.th_info.ds.ds_tid));
    if (Count == 0) // CPUs that hwloc does not show
      add(Topology::get().nodesWithCpus());
  }

  int count() const { return Places ? Places->numNodes() : Count; }

  int find(int OsNode) const {
    if (Places)
      return Places->teamNode(OsNode);
    for (int I = 0; I < Count; ++I)
      if (Order[I] == OsNode)
        return I;
    return -1;
  }

  int assigned(kmp_info_t *Thread) const {
    return Places ? Places->nodeOfThread(Thread->th.th_info.ds.ds_tid) : 0;
  }

private:
  void add(const NodeSet &Set) {
    for (int I = 0; I < Set.size(); ++I)
      if (find(Set.at(I)) < 0)
        Order[Count++] = int16_t(Set.at(I));
  }

  void addInitial() {
#if KMP_AFFINITY_SUPPORTED
    if (Topology::get().isThisSystem() && KMP_AFFINITY_CAPABLE()) {
      const PlaceTable &Table = placeNodes();
      if (__kmp_nested_proc_bind.bind_types[0] != proc_bind_false)
        for (int I = 0; I < Table.NumPlaces; ++I)
          add(Table.Places[I]);
      else
        add(Table.Process);
    }
#endif
  }

  const Domains *Places = nullptr;
  int Count = 0;
  int16_t Order[MaxOsNodes];
};

} // namespace locus

using namespace locus;

extern "C" void omp_set_task_affinity(int kind, kmp_uintptr_t value,
                                      int strict) {
  kmp_info_t *Thread = callingThread();
  knowCurrentTask();
  forbidInline();
  kmp_taskdata_t *Current = Thread->th.th_current_task;
  if (kind < 0 || kind > int(Kind::Data)) {
    warn("omp_set_task_affinity: unknown kind; the next task has no affinity.");
    kind = int(Kind::None);
  }
  Current->td_locus.NextKind = Kind(kind);
  Current->td_locus.NextStrict = strict != 0;
  Current->td_locus_next = value;
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
