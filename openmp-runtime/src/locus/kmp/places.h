//===- kmp/places.h - From libomp's places to a Team ------------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which nodes the threads of a team are on, the Team that follows from it,
// and stamps, which say whether they still fit.
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_KMP_PLACES_H
#define LOCUS_KMP_PLACES_H

#include "kmp.h"
#include "locus/team/team.h"

#if !KMP_AFFINITY_SUPPORTED
#error "Locus needs libomp's support for thread affinity"
#endif

namespace locus {

/// \p KmpTeam has other threads, or they have other places.
void stampTeam(kmp_team_t *KmpTeam);

/// \p Thread has moved on its own account, in whichever teams it is.
void stampPlaces(const kmp_info_t *Thread);
extern std::atomic<kmp_uint64> PlacesStamp;

/// To be asked before one looks at the places of \p KmpTeam: what changes
/// meanwhile is noticed the next time.
static inline TeamStamp stampOf(const kmp_team_t *KmpTeam) {
  TeamStamp Stamp = {};
  Stamp.Places = PlacesStamp.load(std::memory_order_acquire);
  Stamp.Team = KmpTeam->t.t_locus_stamp.load(std::memory_order_relaxed);
  Stamp.NumThreads = KmpTeam->t.t_nproc;
  Stamp.Bind = int(KmpTeam->t.t_proc_bind);
  Stamp.FirstPlace = KmpTeam->t.t_threads[0]->th.th_new_place;
  return Stamp;
}

/// \p TaskTeam is about to serve \p KmpTeam in a new region, or behind a
/// barrier. Nobody uses it yet, or has lain down. Its Team stays if it fits.
static inline void resetTeam(kmp_task_team_t *TaskTeam,
                             const kmp_team_t *KmpTeam) {
  const bool Fits = TaskTeam->tt.tt_locus.load(std::memory_order_relaxed) &&
                    TaskTeam->tt.tt_locus_stamp == stampOf(KmpTeam);
  TaskTeam->tt.tt_locus_current.store(Fits, std::memory_order_relaxed);
  TaskTeam->tt.tt_locus_slept.store(FALSE, std::memory_order_relaxed);
}

/// Whether the threads_data of \p TaskTeam, which is as large as \p KmpTeam at
/// least, names its threads already. If not, the caller sees to it. Called
/// under the lock.
static inline bool namesThreads(kmp_task_team_t *TaskTeam,
                                const kmp_team_t *KmpTeam) {
  const TeamStamp Stamp = stampOf(KmpTeam);
  if (!(TaskTeam->tt.tt_locus_threads == Stamp)) {
    TaskTeam->tt.tt_locus_threads = Stamp;
    return false;
  }
#ifdef LOCUS_CHECKS
  for (int Tid = 0; Tid < Stamp.NumThreads; ++Tid)
    LOCUS_CHECK(TaskTeam->tt.tt_threads_data[Tid].td.td_thr ==
                KmpTeam->t.t_threads[Tid]);
#endif
  return true;
}

/// Frees what the task team holds of ours, at the end of the program.
void freeTeam(kmp_task_team_t *TaskTeam);

/// No thread is left: frees what is known of libomp's places, before it frees
/// them, and what threads have left of the memory for dependences.
void freeAtEnd();

// For the rest of the adapter.

/// The Team of \p TaskTeam, which \p KmpTeam uses now: made, or made anew if
/// there are other threads or places than last time. Null if there is no
/// memory.
Team *makeTeam(kmp_task_team_t *TaskTeam, kmp_team_t *KmpTeam);

/// Calls \p Visit(OS CPU) for each CPU of \p Mask.
template <class Visitor>
inline void forEachCpu(const kmp_affin_mask_t *Mask, Visitor Visit) {
  int Cpu;
  KMP_CPU_SET_ITERATE(Cpu, Mask) {
    if (KMP_CPU_ISSET(Cpu, Mask))
      Visit(Cpu);
  }
}

/// The nodes and OS CPUs of each place of one of libomp's lists of places.
struct PlaceTable {
  PlaceTable *Older;
  const void *Masks; ///< identifies the list, with NumPlaces
  int NumPlaces;
  int FirstHome; ///< of the first place: TeamHomes
  int *FirstCpu; ///< in Cpus, of each place; one more for the end
  int *Cpus;
  NodeSet Process; ///< the nodes of the process' own CPUs
  NodeSet Places[1];
};

/// That of the list in force. Libomp makes one list, and one more in a forked
/// child; old tables stay, as another thread may read them.
const PlaceTable &placeNodes();

/// Where the threads of a team are. They may move while one asks: of() is what
/// changes, and what the others say follows from its answer.
class TeamHomes {
public:
  /// Homes (see ShapeCache) that are not places. What is bound to a place has
  /// its number in a count of all places of all lists; what may run on all CPUs
  /// of the process, the number behind the list's last place.
  enum : int {
    Unknown = -1,  ///< it has a mask that is no place's
    Anywhere = -2, ///< libomp does not say, or the machine is pretended
    ByMask = -3    ///< minus the number of a place: it has just the same mask
  };

  explicit TeamHomes(const kmp_team_t *KmpTeam);

  /// That of thread \p Tid.
  int of(int Tid) const {
    const kmp_info_t *Thread = Threads[Tid];
    // With proc_bind the primary thread has chosen the place before the workers
    // start; they bind themselves, and set their masks, only later.
    const int Place = Thread->th.th_new_place;
    return Place >= 0 && Place < NumBinding ? FirstHome + Place
                                            : homeByMask(Thread);
  }

  /// The nodes of the CPUs that thread \p Tid, of this \p Home, may run on.
  NodeSet nodesOf(int Tid, int Home) const;
  NodeSet nodesOf(int Tid) const { return nodesOf(Tid, of(Tid)); }

  /// A CPU that thread \p Tid, of this \p Home, runs on: one of its place,
  /// where each of the threads that share the place has another one, as far as
  /// they go round; -1 if it is not bound. \p Before says of each place how
  /// many threads have asked before, in the order of their numbers.
  int cpuOf(int Tid, int Home, int *Before) const;

private:
  int homeByMask(const kmp_info_t *Thread) const;

  kmp_info_t *const *Threads;
  const PlaceTable *Table = nullptr; ///< null: libomp knows no places
  int FirstHome = 0;                 ///< of Table
  int NumBinding = 0; ///< places that threads are bound to as the team says
  bool IsThisSystem;
};

/// The node numbers of the calling thread's team. Those of its Team where
/// it has several threads; else the OS nodes in order.
class TeamNodes {
public:
  explicit TeamNodes(kmp_info_t *Thread);

  int count() const { return Ours ? Ours->shape().numNodes() : Count; }

  /// The OS node of team node \p Node, 0 .. count() - 1.
  int osNode(int Node) const {
    return Ours ? Ours->shape().osNode(Node) : Order[Node];
  }

  /// The team node of \p OsNode; -1 if it is none.
  int find(int OsNode) const;

  /// The team node that \p Thread, the caller, counts as being on, where one
  /// cannot see where it runs.
  int assigned(kmp_info_t *Thread) const {
    const int Tid = Thread->th.th_info.ds.ds_tid; // beyond: of a free agent
    return Ours && Tid < Ours->numThreads() ? Ours->shape().nodeOfThread(Tid)
                                            : 0;
  }

  /// The team node that \p Thread, the caller, runs on.
  int current(kmp_info_t *Thread) const;

private:
  void add(const NodeSet &Set);

  const Team *Ours = nullptr;
  int Count = 0;
  int16_t Order[MaxOsNodes];
};

/// The calling thread, registered with libomp if it was not.
kmp_info_t *callingThread();

} // namespace locus

#endif // LOCUS_KMP_PLACES_H
