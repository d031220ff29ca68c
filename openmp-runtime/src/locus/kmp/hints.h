//===- kmp/hints.h - Hints of libomp's tasks --------------------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The hint of a task, from its creation to its end: libomp's hooks call this.
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_KMP_HINTS_H
#define LOCUS_KMP_HINTS_H

#include "kmp.h"
#include "locus/kmp/trace.h"
#include "locus/support/stats.h"

// Libomp is built to record and replay tasks, which is off by default, where
// OMPX_TASKGRAPH says so, as LLVM 22 calls it. LLVM 23 has another name.
#ifdef OMP_TASKGRAPH_EXPERIMENTAL
#define OMPX_TASKGRAPH OMP_TASKGRAPH_EXPERIMENTAL
#endif

namespace locus {

/// The items of a depend clause, as compiled code passes them: two lists, which
/// the caller keeps.
struct DependList {
  kmp_int32 Count;
  const kmp_depend_info_t *Items;
  kmp_int32 CountNoAlias;
  const kmp_depend_info_t *ItemsNoAlias;

  /// Whether \p Is(item) for one of them.
  template <class Predicate>
  LOCUS_ALWAYS_INLINE bool anyOf(Predicate Is) const {
    auto AnyOf = [&](const kmp_depend_info_t *Some, kmp_int32 NumItems) {
      for (kmp_int32 I = 0; I < NumItems; ++I)
        if (Is(Some[I]))
          return true;
      return false;
    };
    return AnyOf(Items, Count) || AnyOf(ItemsNoAlias, CountNoAlias);
  }
};

/// What the hint of \p Task refers to.
static inline TaskTarget targetOf(const kmp_taskdata_t *Task) {
  // There is room for one of both. An untied task that has set a hint for its
  // next child no longer knows how long its own data is.
  const size_t Length =
      Task->td_locus.hasNext() ? 0 : Task->td_locus_next_or_length;
  return {Task->td_locus_target, Length};
}

/// Gives \p Task, which has not begun, a hint.
static inline void setHint(kmp_taskdata_t *Task, Kind HintKind, bool IsStrict,
                           TaskTarget Target) {
  LOCUS_CHECK(!Task->td_locus.hasNext());
  Task->td_locus.set(HintKind, IsStrict);
  Task->td_locus_target = Target.Value;
  Task->td_locus_next_or_length = Target.Length;
}

void consumeNextHint(kmp_taskdata_t *Task, kmp_taskdata_t *Parent);
/// What followsDepend() has found out; 0: nothing yet. Threads that race for it
/// find the same.
extern std::atomic<int> FollowsDepend;
bool findFollowsDepend();
/// Whether tasks follow the data of their dependences, and there is anywhere to
/// follow it to.
static inline bool followsDepend() {
  const int Known = FollowsDepend.load(std::memory_order_relaxed);
  return UNLIKELY(Known == 0) ? findFollowsDepend() : Known > 0;
}
void hintFromDepend(kmp_info_t *Thread, kmp_taskdata_t *Task,
                    const DependList &List);
void freeRanges(kmp_info_t *Thread, kmp_taskdata_t *Task);

/// \p Task, transparent, has been created. One with an event is not: what comes
/// behind it, and fulfills that, would wait for it.
void beginTransparent(kmp_taskdata_t *Task);
/// Warns once that a transparent task cannot be strict.
void warnStrictTransparent();

/// Initializes the hint of \p Task, which the current task \p Parent creates,
/// or another one \p IsForParent, which leaves the parent's next hint alone.
static inline void initHint(kmp_taskdata_t *Task, kmp_taskdata_t *Parent,
                            bool IsForParent) {
  Task->td_locus = TaskHint();
  Stats::count(Stat::Created);
  traceCreated(Task, /*IsCopy=*/false);
  if (!IsForParent && UNLIKELY(Parent->td_locus.hasNext()))
    consumeNextHint(Task, Parent);
  if (UNLIKELY(Task->td_flags.transparent))
    beginTransparent(Task);
}

/// The standard clause affinity, of task \p Ptask: its list is a wish for the
/// node that holds most bytes of it. A clause with a kind, or
/// omp_set_task_affinity, goes before it. The list is the caller's; it is
/// copied.
void setAffinityList(ident_t *Location, kmp_int32 Gtid, kmp_task_t *Ptask,
                     kmp_int32 Count, const kmp_task_affinity_info_t *List);

/// \p Task is a copy of another one. Memory that their hints share stays with
/// the other one, so this one loses such a hint.
static inline void dropSharedHint(kmp_taskdata_t *Task) {
  if (UNLIKELY(hasRanges(Task->td_locus.kind())))
    Task->td_locus.clear();
  Stats::count(Stat::Created);
  traceCreated(Task, /*IsCopy=*/true);
}

/// Frees what the hint of \p Task owns.
static inline void freeHint(kmp_info_t *Thread, kmp_taskdata_t *Task) {
  if (UNLIKELY(hasRanges(Task->td_locus.kind())))
    freeRanges(Thread, Task);
}

/// Whether a thread in a taskwait may start a strict task that is not a
/// descendant of the waiting one, after \p EmptyRounds rounds without a task.
///
/// It must in the end, or two threads that wait for tasks pinned to each other
/// wait for ever. But each such task starts on top of the waiting one, and the
/// new one may wait as well. So they start at once while the stack has room,
/// and ever more slowly beyond that.
bool mayNest(uint32_t EmptyRounds);

/// Says once that node numbers of an unbound team are only an assignment, if
/// the next hint of kind \p HintKind in a team of \p Shape asks for a node.
void warnUnbound(const TeamShape &Shape, Kind HintKind);

} // namespace locus

#endif // LOCUS_KMP_HINTS_H
