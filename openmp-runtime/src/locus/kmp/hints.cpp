//===- kmp/hints.cpp - Hints of libomp's tasks ----------------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "locus/kmp/hints.h"
#include "locus/inplace/inplace.h"
#include "locus/kmp/depend.h"
#include "locus/kmp/places.h"
#include "locus/kmp/settings.h"
#include "locus/support/host.h"

#include "kmp_i18n.h"

#include <pthread.h>

namespace locus {

// All of it is in what upstream's descriptor of a task has for padding, so that
// a task is no larger: between fields, behind td_icvs, and at the end. What a
// creator reads of its own task for each child is not on the line of the
// counters, which each child that ends writes: hooks/0006.
#if defined(KMP_GOMP_COMPAT) && OMPT_SUPPORT && !OMPX_TASKGRAPH
static_assert(sizeof(kmp_taskdata_t) == 320, "as large as upstream's");
static_assert(offsetof(kmp_taskdata_t, td_locus_next_or_length) == 120 &&
                  offsetof(kmp_taskdata_t, td_untied_count) == 180 &&
                  offsetof(kmp_taskdata_t, td_locus_target) == 312,
              "in its padding");
constexpr size_t LineOfCounters =
    offsetof(kmp_taskdata_t, td_allocated_child_tasks) / CacheLine;
static_assert(
    offsetof(kmp_taskdata_t, td_allocated_child_tasks) ==
            offsetof(kmp_taskdata_t, td_incomplete_child_tasks) &&
        offsetof(kmp_taskdata_t, td_locus) / CacheLine != LineOfCounters &&
        offsetof(kmp_taskdata_t, td_taskgroup) / CacheLine != LineOfCounters &&
        offsetof(kmp_taskdata_t, td_dephash) / CacheLine != LineOfCounters,
    "not on the line of the counters");
#endif
static_assert(offsetof(kmp_taskdata_t, td_locus) % sizeof(TaskHint) == 0,
              "one 32-bit store initializes it");

void consumeNextHint(kmp_taskdata_t *Task, kmp_taskdata_t *Parent) {
  if (UNLIKELY(Parent->td_locus.recordsChildren()))
    Task->td_flags.recorded = 1;
  // Tasks that the program did not write as `task` leave the hint alone.
  if (Parent->td_locus.nextKind() == Kind::None ||
      Task->td_flags.proxy == TASK_PROXY || Task->td_flags.hidden_helper)
    return;
  Parent->td_locus.moveNextTo(Task->td_locus);
  Task->td_locus_target = Parent->td_locus_next_or_length;
  Task->td_locus_next_or_length = 0;
  Parent->td_locus_next_or_length = 0; // see targetOf()
  traceHint(Task, HintSource::Api);
}

namespace {

/// A thread that creates a task, for flow/register.h.
struct RangesOwner : KmpTasks {
  kmp_info_t *Thread;

  explicit RangesOwner(kmp_info_t *TheThread) : Thread(TheThread) {}
  RangeList *newRanges() const {
    return static_cast<RangeList *>(
        __kmp_fast_allocate(Thread, sizeof(RangeList)));
  }
};

} // namespace

void freeRanges(kmp_info_t *Thread, kmp_taskdata_t *Task) {
  __kmp_fast_free(Thread, reinterpret_cast<void *>(Task->td_locus_target));
  Task->td_locus.clear();
}

std::atomic<int> FollowsDepend{0};

bool findFollowsDepend() {
  const bool Does =
      !isStock() && Chosen.hasDependAffinity() && Topology::mayHaveNodes();
  FollowsDepend.store(Does ? 1 : -1, std::memory_order_relaxed);
  return Does;
}

void hintFromDepend(kmp_info_t *Thread, kmp_taskdata_t *Task,
                    const DependList &List) {
  RangesOwner Mine(Thread);
  flow::hintFromDepend(Mine, Task, List);
  traceHint(Task, HintSource::Depend);
}

void setAffinityList(ident_t *Location, kmp_int32 Gtid, kmp_task_t *Ptask,
                     kmp_int32 Count, const kmp_task_affinity_info_t *List) {
  __kmp_assert_valid_gtid(Gtid);
  finishDraft(Location, Gtid, Ptask);
  kmp_taskdata_t *Task = KMP_TASK_TO_TASKDATA(Ptask);
  if (Task->td_locus.hasHint() || !Topology::mayHaveNodes())
    return;
  RangesOwner Mine(__kmp_threads[Gtid]);
  flow::setRanges(Mine, Task, Kind::Data, Kind::Ranges, Count, [=](int I) {
    return MemoryRange{uintptr_t(List[I].base_addr), List[I].len};
  });
  traceHint(Task, HintSource::List);
}

/// Whether this is the first call with \p Said.
static bool saysFirst(std::atomic<bool> &Said) {
  return !Said.load(std::memory_order_relaxed) &&
         !Said.exchange(true, std::memory_order_relaxed);
}

std::atomic<bool> HasTransparent{false};

void beginTransparent(kmp_taskdata_t *Task) {
  static std::atomic<bool> Said{false};
  if (Task->td_flags.detachable != TASK_DETACHABLE)
    return HasTransparent.store(true, std::memory_order_relaxed);
  Task->td_flags.transparent = 0;
  if (saysFirst(Said))
    warn("task transparent: a task with an event (detach) is not. Dependences "
         "of its children have no effect outside of it.");
}

void warnStrictTransparent() {
  static std::atomic<bool> Said{false};
  if (saysFirst(Said))
    warn("task transparent: its strict affinity is a preference. Its children "
         "may be strict.");
}

void warnUnbound(const TeamShape &Shape, Kind HintKind) {
  static std::atomic<bool> Said{false};
  if (HintKind == Kind::Thread || Shape.isBound() || Shape.numNodes() == 1 ||
      !saysFirst(Said))
    return;
  warn("task affinity: threads are not bound to one NUMA node each, so the "
       "operating system may run a task on another node than its affinity "
       "says. Set OMP_PROC_BIND=close and OMP_PLACES=cores to bind them.");
}

//===----------------------------------------------------------------------===//
// Strict tasks on top of a waiting one
//===----------------------------------------------------------------------===//

/// A thread's stack: from Lowest on, Size bytes.
struct Stack {
  char *Lowest;
  size_t Size;
};

/// That of the calling thread, of which \p Here is an address. Libomp knows
/// those of its own threads only.
static Stack findStack(char *Here) {
  pthread_attr_t Attributes;
  void *Lowest = nullptr;
  size_t Size = 0;
  if (pthread_getattr_np(pthread_self(), &Attributes) == 0) {
    if (pthread_attr_getstack(&Attributes, &Lowest, &Size) != 0)
      Size = 0;
    pthread_attr_destroy(&Attributes);
  }
  // No stack is as small. Where the system does not say, a small one begins at
  // the caller: a guess.
  constexpr size_t LeastKnown = 1024, Unknown = 256 << 10;
  if (Size < LeastKnown)
    return {Here - Unknown, Unknown};
  return {static_cast<char *>(Lowest), Size};
}

bool mayNest(uint32_t EmptyRounds) {
  char *Here = static_cast<char *>(__builtin_frame_address(0));
  static thread_local const Stack Mine = findStack(Here);
  if (Here < Mine.Lowest || Here > Mine.Lowest + Mine.Size)
    return true; // a stack of the program's own
  return hasRoomToNest(size_t(Mine.Lowest + Mine.Size - Here), Mine.Size,
                       EmptyRounds);
}

} // namespace locus

using namespace locus;

/// Contract: see docs/clause.md, "What the compiler calls".
extern "C" void __kmpc_omp_task_affinity(ident_t *loc_ref, kmp_int32 gtid,
                                         kmp_task_t *task, kmp_int32 kind,
                                         kmp_uintptr_t value, kmp_size_t len,
                                         kmp_int32 strict) {
  __kmp_assert_valid_gtid(gtid);
  finishDraft(loc_ref, gtid, task);
  kmp_taskdata_t *Task = KMP_TASK_TO_TASKDATA(task);
  if (kind < 0 || kind > kmp_int32(Kind::Data)) { // a compiler newer than us
    KMP_DEBUG_ASSERT(0);
    kind = kmp_int32(Kind::None);
  }
  freeHint(__kmp_threads[gtid], Task);
  setHint(Task, Kind(kind), strict != 0, {value, len});
  traceHint(Task, HintSource::Clause);
}

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
  Current->td_locus.setNext(Kind(kind), strict != 0);
  Current->td_locus_next_or_length = Kind(kind) != Kind::None ? value : 0;
}

extern "C" void omp_get_task_affinity(int *kind, kmp_uintptr_t *value,
                                      int *strict) {
  knowCurrentTask();
  const kmp_taskdata_t *Current = callingThread()->th.th_current_task;
  const TaskHint Hint = Current->td_locus;
  *kind = int(Hint.nextKind());
  const bool HasNext = Hint.nextKind() != Kind::None;
  *value = HasNext ? Current->td_locus_next_or_length : 0;
  *strict = HasNext && Hint.isNextStrict();
}
