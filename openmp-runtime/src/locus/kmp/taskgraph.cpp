//===- kmp/taskgraph.cpp - The taskgraph construct ------------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// omp_taskgraph of omp.h: a region runs its body, or records what it does, or
// runs a graph instead. An exception that leaves the body ends the program:
// this file has no tables for unwinding.
//
//===----------------------------------------------------------------------===//

#include "locus/kmp/free_agents.h"
#include "locus/kmp/hooks.h"
#include "locus/kmp/replay.h"
#include "locus/support/host.h"
#include "locus/trace/recorder.h"

#include <new>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#if OMPT_SUPPORT
#include "ompt-specific.h"
#endif

namespace locus {

/// What it holds is freed by freeReplays().
static GraphStore Store;

/// So many idle graphs of a body and an id are kept: all threads may come to it
/// at once, each with a graph, and it may have several arguments.
static uint32_t mostKept() {
  constexpr int MostKept = 64;
  return uint32_t(KMP_MAX(TCR_4(__kmp_all_nth), MostKept));
}

__attribute__((constructor)) static void watchForks() {
  pthread_atfork(nullptr, nullptr, [] { Store.recoverFromFork(); });
}

static void freeList(StoredGraph *List, bool IsEnd = false) {
  while (StoredGraph *G = List) {
    List = G->Next;
    freeReplay(static_cast<Replay *>(G), IsEnd);
  }
}

void freeReplays() { freeList(Store.resetAll(), /*IsEnd=*/true); }

/// A taskgraph construct that a thread has come to.
struct Region {
  GraphKey Key;
  void (*Body)(void *);
  void *Argument;
  size_t ArgumentBytes; ///< of what is there, that has to be as it was
};
static ident_t Location = {0, KMP_IDENT_KMPC, 0, 0, ";unknown;;0;0;;"};

/// Whether \p R has been recorded for what \p Now is called with.
static bool fits(const Replay &R, const Region &Now) {
  return R.Argument == Now.Argument && R.ArgumentBytes == Now.ArgumentBytes &&
         (R.ArgumentBytes == 0 ||
          memcmp(R.copied(), Now.Argument, R.ArgumentBytes) == 0);
}

static Replay *makeReplay(const Region &Now, uint64_t Generation) {
  void *Memory = malloc(sizeof(Replay) + Now.ArgumentBytes);
  if (!Memory)
    outOfMemory();
  Replay *R = new (Memory) Replay();
  R->Generation = Generation;
  R->Argument = Now.Argument;
  R->ArgumentBytes = Now.ArgumentBytes;
  if (Now.ArgumentBytes != 0)
    memcpy(R->copied(), Now.Argument, Now.ArgumentBytes);
  return R;
}

/// Where a tool or a trace wants to see each task, none is in a graph. An
/// untied task may go on on another thread, and a final one has no deferred
/// tasks to record.
static bool mayUseGraph(const kmp_taskdata_t *Current) {
  // Libomp's own graphs know other dependences than ours.
  if (OMPX_TASKGRAPH)
    return false;
#if OMPT_SUPPORT
  if (ompt_enabled.enabled)
    return false;
#endif
  return !Trace::enabled() && Current->td_flags.tiedness == TASK_TIED &&
         !Current->td_flags.final;
}

/// Says once why a region is not recorded.
static void tellSpoiled(const char *Why) {
  static std::atomic<bool> HasTold{false};
  if (!HasTold.exchange(true, std::memory_order_relaxed))
    warnOf("taskgraph: %s cannot be recorded; the region runs its body each "
           "time.",
           Why);
}

/// Runs the body of \p Now, and records it. Null if there is nothing to keep.
static Replay *record(kmp_info_t *Thread, const Region &Now,
                      uint64_t Generation) {
  Replay *Made = makeReplay(Now, Generation);
  const char *Spoiled;
  {
    Recording Record(Thread, Made);
    Record.BodyStack = static_cast<const char *>(__builtin_frame_address(0));
    TaskHint &Hint = Record.Task->td_locus;
    forbidInPlace();
    Hint.setRecordsChildren(true);
    Recorded = &Record;
    Now.Body(Now.Argument);
    LOCUS_CHECK(Recorded == &Record);
    Recorded = Record.Outer;
    Hint.setRecordsChildren(false);
    Spoiled = Record.Spoiled;
    // The body may have left out what is behind a cancellation point.
    if (!Spoiled && !isCancelled(Thread, Record.Task)) {
      Record.endPart();
      return Made;
    }
  }
  if (Spoiled) {
    tellSpoiled(Spoiled);
    Store.refuse(Now.Key);
  }
  freeReplay(Made);
  return nullptr;
}

/// The tasks that the current one has created come before those of a graph, as
/// far as dependences could say so. False, without a wait, if a task of the
/// graph may have to fulfill the event that one of them waits for, or others
/// would be waited for.
static bool waitForDependent(kmp_info_t *Thread) {
  kmp_taskdata_t *Current = Thread->th.th_current_task;
  if (!Current->td_dephash)
    return true;
  // The table of a transparent task has others', with a lock perhaps that this
  // one holds.
  if (Current->td_flags.transparent || mayWaitForEvent(Current))
    return false;
  kmp_depend_info_t All = {};
  All.base_addr = kmp_intptr_t(KMP_SIZE_T_MAX);
  All.flag = KMP_DEP_ALL;
  waitForDepend(Thread, {1, &All, 0, nullptr});
  // All have ended: the next run has nothing to look at.
  forgetEnded(Thread, Current);
  return true;
}

/// Runs \p Now, with a graph if there may be one. Returns that, for the caller
/// to give to the store when all that belongs to this run has ended, or null.
static Replay *runRegion(kmp_info_t *Thread, const Region &Now) {
  const GraphStore::Found Known =
      Store.take(Now.Key, [&](const StoredGraph &G) {
        return fits(static_cast<const Replay &>(G), Now);
      });
  if (!Known.Graph && !Known.IsRefused)
    return record(Thread, Now, Known.Generation);
  Replay *R = static_cast<Replay *>(Known.Graph);
  if (R && waitForDependent(Thread))
    replay(Thread, *R, &Location);
  else
    Now.Body(Now.Argument);
  return R;
}

static void runTaskgraph(const Region &Now, bool IsReset, bool IsOff) {
  kmp_info_t *Thread = callingThread();
  const kmp_int32 Gtid = Thread->th.th_info.ds.ds_gtid;
  knowCurrentTask();
  noteOther(Gtid, "a taskgraph in another one");
  if (IsReset)
    freeList(Store.reset(Now.Key));
  // Whoever runs a graph next must not meet children that its tasks have left
  // behind: they count on the same descriptors.
  __kmpc_taskgroup(&Location, Gtid);
  Replay *R = nullptr;
  if (IsOff || isFreeAgent(Thread) || !mayUseGraph(Thread->th.th_current_task))
    Now.Body(Now.Argument);
  else
    R = runRegion(Thread, Now);
  __kmpc_end_taskgroup(&Location, Gtid);
  if (!R)
    return;
  freeList(Store.give(Now.Key, R, mostKept()));
}

} // namespace locus

using namespace locus;

//===----------------------------------------------------------------------===//
// omp.h
//===----------------------------------------------------------------------===//

extern "C" void omp_taskgraph(kmp_uintptr_t graph_id, int flags,
                              void (*body)(void *), void *argument,
                              size_t argument_size) {
  if (!body) {
    warn("omp_taskgraph: there is no body.");
    return;
  }
  if (flags & ~3)
    warn("omp_taskgraph: unknown flags are ignored.");
  if (!argument && argument_size != 0) {
    warn("omp_taskgraph: there is no argument, but it has a size.");
    argument_size = 0;
  }
  runTaskgraph({{reinterpret_cast<const void *>(body), graph_id},
                body,
                argument,
                argument_size},
               (flags & 1) != 0, (flags & 2) != 0);
}
