//===- kmp/drafts.h - Tasks of other compilers, in place --------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A draft is the memory of a task that the compiler fills in, and that then
// runs in place: nothing of it is initialized but what compiled code reads, and
// td_locus, which says that it is one. Libomp does not know of it.
// inplace/README.md has the protocol.
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_KMP_DRAFTS_H
#define LOCUS_KMP_DRAFTS_H

#include "locus/kmp/inplace.h"

namespace locus {

/// __kmpc_omp_task_alloc's flag for a task with kmp_task_t::data1.destructors.
constexpr kmp_int32 DestructorsFlag = 8;

/// The list of free blocks that __kmp_fast_allocate has for \p Size bytes, if
/// that is what drafts mostly have, else null. There 3 and 4 lines of 128 bytes
/// are list 1. Draft after draft is taken from it and put back here, without a
/// call: that saves 53 of 280 instructions a task (fib(22) compiled by clang
/// 22, one thread, callgrind).
static inline void **freeDrafts(kmp_info_t *Thread, size_t Size) {
#if USE_FAST_MEMORY
  if (Size > 2 * 128 && Size <= 4 * 128)
    return &Thread->th.th_free_lists[1].th_free_list_self;
#endif
  return nullptr;
}

/// Whether libomp itself puts a block of \p Size bytes into the list \p Free.
static inline bool isListOf(kmp_info_t *Thread, size_t Size, void **Free) {
  void *Block = __kmp_fast_allocate(Thread, Size);
  __kmp_fast_free(Thread, Block);
  return *Free == Block;
}

static inline void *allocateDraft(kmp_info_t *Thread, size_t Size) {
  void **Free = freeDrafts(Thread, Size);
  if (!Free || !*Free) {
    LOCUS_CHECK(!Free || isListOf(Thread, Size, Free));
    return __kmp_fast_allocate(Thread, Size);
  }
  void *Block = *Free;
  *Free = *static_cast<void **>(Block);
  return Block;
}

static inline void freeDraft(kmp_info_t *Thread, kmp_taskdata_t *Draft) {
  if (void **Free = freeDrafts(Thread, Draft->td_size_alloc)) {
    *reinterpret_cast<void **>(Draft) = *Free;
    *Free = Draft;
  } else {
    __kmp_fast_free(Thread, Draft);
  }
}

/// A draft, or null where tasks don't run in place, or not with these
/// \p Flags; the sizes and \p Entry are those of __kmpc_omp_task_alloc.
static inline kmp_task_t *draftTask(kmp_int32 Gtid, kmp_int32 Flags,
                                    size_t TaskSize, size_t SharedsSize,
                                    kmp_routine_entry_t Entry) {
  if (!mayRunInPlace() || (Flags & ~(DestructorsFlag | TASK_TIED)) != 0)
    return nullptr;
  constexpr size_t Word = sizeof(kmp_uint64);
  const size_t SharedsAt =
      (sizeof(kmp_taskdata_t) + TaskSize + Word - 1) & ~(Word - 1);
  const size_t Size = SharedsAt + ((SharedsSize + Word - 1) & ~(Word - 1));
  kmp_taskdata_t *Draft =
      static_cast<kmp_taskdata_t *>(allocateDraft(__kmp_threads[Gtid], Size));
  Draft->td_locus.makeDraft((Flags & DestructorsFlag) != 0,
                            (Flags & TASK_TIED) != TASK_TIED);
  Draft->td_size_alloc = Size;
  kmp_task_t *Task = KMP_TASKDATA_TO_TASK(Draft);
  Task->shareds =
      SharedsSize ? reinterpret_cast<char *>(Draft) + SharedsAt : nullptr;
  Task->routine = Entry;
  Task->part_id = 0;
  return Task;
}

/// Makes a real task of \p Draft, in the same memory.
void makeReal(ident_t *Location, kmp_int32 Gtid, kmp_task_t *Draft);

/// \p Task is about to be used otherwise than by __kmpc_omp_task: a draft
/// becomes a real task now.
static inline void finishDraft(ident_t *Location, kmp_int32 Gtid,
                               kmp_task_t *Task) {
  if (UNLIKELY(KMP_TASK_TO_TASKDATA(Task)->td_locus.isDraft()))
    makeReal(Location, Gtid, Task);
}

/// Calls \p Task, a draft, until it asks for no next part, and destroys its
/// data. Each part of an untied task ends by handing the task over again.
static inline void runParts(kmp_int32 Gtid, kmp_task_t *Task, TaskHint &Draft) {
  using Progress = TaskHint::Progress;
  LOCUS_CHECK(Draft.progress() == Progress::Ready);
  do {
    Draft.setProgress(Progress::InPart);
    Task->routine(Gtid, Task);
  } while (UNLIKELY(Draft.progress() == Progress::HasNextPart));
  if (UNLIKELY(Draft.hasDestructors()))
    Task->data1.destructors(Gtid, Task);
}

/// __kmpc_omp_task: runs \p Task in place and frees it, if it is a draft and
/// still may. If not, it is a real task now.
static inline bool runDraft(ident_t *Location, kmp_int32 Gtid,
                            kmp_task_t *Task) {
  kmp_taskdata_t *Data = KMP_TASK_TO_TASKDATA(Task);
  TaskHint &Draft = Data->td_locus;
  if (!Draft.isDraft())
    return false;
  if (Draft.progress() == TaskHint::Progress::InPart) {
    Draft.setProgress(TaskHint::Progress::HasNextPart); // for runParts()
    return true;
  }
  if (!mayRunInPlace()) {
    makeReal(Location, Gtid, Task);
    return false;
  }
  callInPlace([=, &Draft] { runParts(Gtid, Task, Draft); });
  freeDraft(__kmp_threads[Gtid], Data);
  return true;
}

} // namespace locus

#endif // LOCUS_KMP_DRAFTS_H
