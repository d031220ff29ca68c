//===- locus_kmp.h - What libomp calls of Locus -----------------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The interface between libomp's tasking and the scheduling core. The hooks in
// openmp-runtime/patches call these functions and nothing else of ours.
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_KMP_H
#define LOCUS_KMP_H

#include "kmp.h"
#include "locus_domains.h"

namespace locus {

/// The sources of one round of the search for a task, in order.
enum class Stage {
  Own,  ///< queues of the calling thread
  Node, ///< queues of its node
  Afar  ///< public queues of other nodes
};

bool followDepend();
void hintFromDepend(kmp_info_t *Thread, kmp_taskdata_t *Task, kmp_int32 Count,
                    const kmp_depend_info_t *List, kmp_int32 CountNoAlias,
                    const kmp_depend_info_t *ListNoAlias);
void freeRanges(kmp_info_t *Thread, kmp_taskdata_t *Task);
void consumeNextHint(kmp_taskdata_t *Task, kmp_taskdata_t *Parent);
bool pushPlaced(kmp_info_t *Thread, kmp_taskdata_t *Task);
bool givePlaced(kmp_taskdata_t *Task, kmp_int32 Start);
kmp_task_t *takeFrom(Stage From, kmp_info_t *Thread, kmp_task_team_t *Team,
                     int *Finished, kmp_int32 Constrained);

/// Initializes the hint of \p Task, which the current task \p Parent creates.
static inline void initHint(kmp_taskdata_t *Task, kmp_taskdata_t *Parent) {
  Task->td_locus = TaskHint();
  if (UNLIKELY(Parent->td_locus.NextKind != Kind::None))
    consumeNextHint(Task, Parent);
}

/// Gives \p Task, which has no hint yet, the data that it writes by its
/// dependences for a hint. Called before they are processed.
static inline void initHintFromDepend(kmp_info_t *Thread, kmp_taskdata_t *Task,
                                      kmp_int32 Count,
                                      const kmp_depend_info_t *List,
                                      kmp_int32 CountNoAlias,
                                      const kmp_depend_info_t *ListNoAlias) {
  if (Task->td_locus.OwnKind == Kind::None && followDepend())
    hintFromDepend(Thread, Task, Count, List, CountNoAlias, ListNoAlias);
}

/// Frees what the hint of \p Task owns.
static inline void freeHint(kmp_info_t *Thread, kmp_taskdata_t *Task) {
  if (UNLIKELY(Task->td_locus.OwnKind == Kind::Ranges))
    freeRanges(Thread, Task);
}

/// Queues \p Task, which \p Thread makes ready, where its hint says. Returns
/// false if it has none, or one that leaves it to \p Thread's own queue.
static inline bool push(kmp_info_t *Thread, kmp_taskdata_t *Task) {
  return UNLIKELY(Task->td_locus.OwnKind != Kind::None) &&
         pushPlaced(Thread, Task);
}

/// Like push(), for a thread that need not belong to the task's team.
static inline bool give(kmp_taskdata_t *Task, kmp_int32 Start) {
  return UNLIKELY(Task->td_locus.OwnKind != Kind::None) &&
         givePlaced(Task, Start);
}

/// Takes a task that \p Thread may run from the queues of \p From; null if
/// there is none. \p Finished is libomp's mark that the thread does not count
/// as unfinished; \p Constrained asks for the task scheduling constraint.
static inline kmp_task_t *take(Stage From, kmp_info_t *Thread,
                               kmp_task_team_t *Team, int *Finished,
                               kmp_int32 Constrained) {
  Domains *Places = Team->tt.tt_locus.load(std::memory_order_acquire);
  if (UNLIKELY(Places && Places->mayHaveTasks()))
    return takeFrom(From, Thread, Team, Finished, Constrained);
  return nullptr;
}

/// Whether \p Thread has placed tasks to run. Asked after it has published
/// that it sleeps, so that a push either sees the sleeper or is seen here.
bool hasWork(kmp_info_t *Thread);

/// The task team is about to serve a new region: its threads may have moved.
static inline void resetTeam(kmp_task_team_t *Team) {
  Team->tt.tt_locus_current = FALSE;
}

/// Frees what the task team holds of ours, at the end of the program.
void freeTeam(kmp_task_team_t *Team);

/// Sets the environment variable \p Name, one of ours. A value that it can't
/// have gets a warning that names the legal ones, and the default.
void parseSetting(char const *Name, char const *Value, void *Data);
/// The value in force of the variable \p Name.
const char *settingValue(char const *Name);

} // namespace locus

#endif // LOCUS_KMP_H
