//===- kmp/taskgraph.cpp - The taskgraph construct ------------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The entries: for compiled code, and omp_taskgraph of omp.h. A region runs its
// body, or records what it does, or runs a graph instead.
//
//===----------------------------------------------------------------------===//

#include "locus/kmp/hooks.h"
#include "locus/kmp/replay.h"
#include "locus/support/host.h"
#include "locus/trace/recorder.h"

#include <new>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#if OMPT_SUPPORT
#include "ompt-specific.h"
#endif

namespace locus {

/// What it holds is freed by freeReplays().
static GraphStore Store;

static void freeList(StoredGraph *List) {
  while (StoredGraph *G = List) {
    List = G->Next;
    freeReplay(static_cast<Replay *>(G));
  }
}

void freeReplays() {
  freeList(Store.resetAll());
  freeRetired();
}

/// A taskgraph construct that a thread has come to.
struct Region {
  ident_t *Location;
  kmp_int32 Gtid;
  GraphKey Key;
  void (*Body)(void *);
  void *Captures;
  /// Of Captures, what has to be as it was; 0: their address has to.
  size_t CaptureBytes;
  bool IsReset;
  bool HasGroup;
  bool RecordsNamed; ///< only tasks that come by __kmpc_taskgraph_task
  bool IsOff;        ///< if(false)
};

/// Whether \p R has been recorded for what \p Now captures.
static bool fits(const Replay &R, const Region &Now) {
  if (Now.RecordsNamed)
    return true;
  if (Now.CaptureBytes == 0)
    return R.Captures == Now.Captures;
  return R.CaptureBytes == Now.CaptureBytes &&
         memcmp(R.Recorded, Now.Captures, Now.CaptureBytes) == 0;
}

static Replay *makeReplay(const Region &Now, uint64_t Generation) {
  void *Memory = malloc(sizeof(Replay));
  if (!Memory)
    outOfMemory();
  Replay *R = new (Memory) Replay();
  R->Generation = Generation;
  R->Captures = Now.Captures;
  R->CaptureBytes = Now.CaptureBytes;
  if (Now.CaptureBytes != 0) {
    R->Recorded = malloc(Now.CaptureBytes);
    if (!R->Recorded)
      outOfMemory();
    memcpy(R->Recorded, Now.Captures, Now.CaptureBytes);
  }
  return R;
}

/// Where a tool or a trace wants to see each task, none is in a graph; nor with
/// libomp's own deques (KMP_TASK_SCHEDULER=stock), where a task that may not
/// run lies in front of others. An
/// untied task may go on on another thread, and a final one has no deferred
/// tasks to record.
static bool mayUseGraph(const kmp_taskdata_t *Current) {
#if OMPT_SUPPORT
  if (ompt_enabled.enabled)
    return false;
#endif
  return !Trace::enabled() && !isStock() &&
         Current->td_flags.tiedness == TASK_TIED && !Current->td_flags.final;
}

static bool isCancelled(const kmp_info_t *Thread) {
  const kmp_taskgroup_t *Group = Thread->th.th_current_task->td_taskgroup;
  return (Group && Group->cancel_request) ||
         Thread->th.th_team->t.t_cancel_request == cancel_parallel;
}

/// Says once why a region is not recorded.
static void tellSpoiled(const char *Why) {
  static std::atomic<bool> HasTold{false};
  if (HasTold.exchange(true, std::memory_order_relaxed))
    return;
  char Text[200];
  snprintf(Text, sizeof(Text),
           "taskgraph: %s cannot be recorded; the region runs its body each "
           "time.",
           Why);
  warn(Text);
}

/// Runs the body of \p Now, and records it.
static void record(kmp_info_t *Thread, const Region &Now, uint64_t Generation) {
  Replay *Made = makeReplay(Now, Generation);
  const char *Spoiled;
  bool IsWhole;
  {
    Recording Record(Thread, Made, Now.RecordsNamed);
    forbidInPlace();
    Recorded = &Record;
    Now.Body(Now.Captures);
    LOCUS_CHECK(Recorded == &Record);
    Recorded = Record.Outer;
    Spoiled = Record.Spoiled;
    // The body may have left out what is behind a cancellation point.
    IsWhole = !Spoiled && !isCancelled(Thread);
    if (IsWhole)
      Made->Tasks = Record.Tasks.finish();
  }
  if (IsWhole) {
    Made = static_cast<Replay *>(Store.give(Now.Key, Made));
  } else if (Spoiled) {
    tellSpoiled(Spoiled);
    Store.refuse(Now.Key);
  }
  if (Made)
    freeReplay(Made);
}

/// The tasks that the current one has created come before those of a graph, as
/// far as dependences could say so.
static void waitForDependent(kmp_info_t *Thread) {
  kmp_taskdata_t *Current = Thread->th.th_current_task;
  if (!Current->td_dephash)
    return;
  kmp_depend_info_t All = {};
  All.base_addr = kmp_intptr_t(KMP_SIZE_T_MAX);
  All.flag = KMP_DEP_ALL;
  waitForDepend(Thread, {1, &All, 0, nullptr});
}

static void runRegion(kmp_info_t *Thread, const Region &Now) {
  if (Now.IsOff || !mayUseGraph(Thread->th.th_current_task)) {
    Now.Body(Now.Captures);
    return;
  }
  const GraphStore::Found Known =
      Store.take(Now.Key, [&](const StoredGraph &G) {
        return fits(static_cast<const Replay &>(G), Now);
      });
  if (Known.Graph) {
    Replay *R = static_cast<Replay *>(Known.Graph);
    R->Captures = Now.Captures;
    waitForDependent(Thread);
    replay(Thread, *R);
    if (StoredGraph *Old = Store.give(Now.Key, R))
      freeReplay(static_cast<Replay *>(Old));
  } else if (Known.IsRefused) {
    Now.Body(Now.Captures);
  } else {
    record(Thread, Now, Known.Generation);
  }
}

static void runTaskgraph(const Region &Now) {
  knowCurrentTask();
  kmp_info_t *Thread = __kmp_threads[Now.Gtid];
  noteOther(Now.Gtid, "a taskgraph in another one");
  if (Now.IsReset)
    freeList(Store.reset(Now.Key));
  // An explicit task may be freed while a task of a graph, which it does not
  // count, still has children: it waits for them.
  const bool HasGroup =
      Now.HasGroup ||
      Thread->th.th_current_task->td_flags.tasktype == TASK_EXPLICIT;
  if (HasGroup)
    __kmpc_taskgroup(Now.Location, Now.Gtid);
  runRegion(Thread, Now);
  if (HasGroup)
    __kmpc_end_taskgroup(Now.Location, Now.Gtid);
}

} // namespace locus

using namespace locus;

//===----------------------------------------------------------------------===//
// Compiled code
//===----------------------------------------------------------------------===//

/// Clang's code from LLVM 24 on, as its patches are now: \p Handle belongs to
/// the construct. Tasks of the region come by __kmpc_taskgraph_task.
extern "C" void __kmpc_taskgraph(ident_t *Location, kmp_int32 Gtid,
                                 void *Handle, kmp_uintptr_t GraphId,
                                 kmp_int32 IsReset, kmp_int32 IsNogroup,
                                 void (*Body)(void *), void *Captures) {
  runTaskgraph({Location,
                Gtid,
                {Handle, GraphId},
                Body,
                Captures,
                0,
                IsReset != 0,
                IsNogroup == 0,
                true,
                false});
}

/// The same for code that has no such entry for tasks: all that the region
/// creates are recorded, and run again only where \p CaptureBytes of
/// \p Captures are the same. \p Flags as omp_taskgraph.
extern "C" void __kmpc_taskgraph_region(ident_t *Location, kmp_int32 Gtid,
                                        void *Handle, kmp_uintptr_t GraphId,
                                        kmp_int32 Flags, void (*Body)(void *),
                                        void *Captures, size_t CaptureBytes) {
  runTaskgraph({Location,
                Gtid,
                {Handle, GraphId},
                Body,
                Captures,
                CaptureBytes,
                (Flags & 1) != 0,
                (Flags & 2) == 0,
                false,
                (Flags & 4) != 0});
}

/// A task of such a region; elsewhere, a task. \p Relocate and \p Clone as
/// ReplayHelpers has them.
extern "C" kmp_int32
__kmpc_taskgraph_task(ident_t *Location, kmp_int32 Gtid, kmp_task_t *Task,
                      kmp_int32, size_t, size_t, kmp_int32 NumDepends,
                      kmp_depend_info_t *Depends,
                      void (*Relocate)(kmp_task_t *, void *),
                      void (*Clone)(kmp_task_t *, kmp_task_t *, kmp_int32)) {
  ReplayHelpers Helpers;
  Helpers.Relocate = Relocate;
  Helpers.Clone = Clone;
  NextHelpers = isRecording() ? &Helpers : nullptr;
  const kmp_int32 Result =
      NumDepends == 0
          ? __kmpc_omp_task(Location, Gtid, Task)
          : __kmpc_omp_task_with_deps(Location, Gtid, Task, NumDepends, Depends,
                                      0, nullptr);
  NextHelpers = nullptr;
  return Result;
}

/// A taskwait of such a region.
extern "C" void __kmpc_taskgraph_taskwait(ident_t *Location, kmp_int32 Gtid,
                                          kmp_int32 NumDepends,
                                          kmp_depend_info_t *Depends) {
  if (NumDepends == 0)
    __kmpc_omp_taskwait(Location, Gtid);
  else
    __kmpc_omp_wait_deps(Location, Gtid, NumDepends, Depends, 0, nullptr);
}

//===----------------------------------------------------------------------===//
// omp.h
//===----------------------------------------------------------------------===//

extern "C" void omp_taskgraph(kmp_uintptr_t graph_id, int flags,
                              void (*body)(void *), void *argument) {
  static ident_t Location = {0, KMP_IDENT_KMPC, 0, 0, ";unknown;;0;0;;"};
  if (!body) {
    warn("omp_taskgraph: there is no body.");
    return;
  }
  if (flags & ~7)
    warn("omp_taskgraph: unknown flags are ignored.");
  const kmp_int32 Gtid = callingThread()->th.th_info.ds.ds_gtid;
  const void *Construct = reinterpret_cast<const void *>(body);
  runTaskgraph({&Location,
                Gtid,
                {Construct, graph_id},
                body,
                argument,
                0,
                (flags & 1) != 0,
                (flags & 2) == 0,
                false,
                (flags & 4) != 0});
}
