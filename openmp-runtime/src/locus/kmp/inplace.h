//===- kmp/inplace.h - Tasks in place, in libomp ----------------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What libomp's hooks and the adapter call for tasks that run in place.
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_KMP_INPLACE_H
#define LOCUS_KMP_INPLACE_H

#include "kmp.h"
#include "locus/inplace/inplace.h"

namespace locus {

/// Whether tasks may run in place in this process: tools see all tasks, counts
/// are of all tasks, and cancellation discards those that have not begun.
bool mayInline();

/// \p Allowed says from now on whether tasks of the calling thread, \p Gtid,
/// run in place. Null: they do not.
void offerInline(kmp_int32 Gtid, const std::atomic<int32_t> *Allowed);

/// \p Task will run at once on the calling thread, \p Gtid. If all tasks of the
/// team do, the next ones need not be real.
static inline void inlineSerial(kmp_int32 Gtid, const kmp_taskdata_t *Task) {
  if (Task->td_flags.team_serial)
    offerInline(Gtid, &AlwaysInline);
}

/// __kmpc_omp_task_alloc's flag for a task with kmp_task_t::data1.destructors.
constexpr kmp_int32 DestructorsFlag = 8;

/// __kmp_fast_allocate's list of free blocks of \p Size bytes, if that is what
/// drafts mostly have, else null. See there: 3 and 4 lines of 128 bytes are
/// list 1.
static inline void **freeDrafts(kmp_info_t *Thread, size_t Size) {
#if USE_FAST_MEMORY
  if (Size > 2 * 128 && Size <= 4 * 128)
    return &Thread->th.th_free_lists[1].th_free_list_self;
#endif
  return nullptr;
}

/// Memory for a task that the compiler fills in, and that then runs in place:
/// a draft, of which libomp does not know. Null where tasks don't, or not with
/// these \p Flags; the sizes and \p Entry are those of __kmpc_omp_task_alloc.
static inline kmp_task_t *draftTask(kmp_int32 Gtid, kmp_int32 Flags,
                                    size_t TaskSize, size_t SharedsSize,
                                    kmp_routine_entry_t Entry) {
  if (!mayRunInline() || (Flags & ~(DestructorsFlag | TASK_TIED)) != 0)
    return nullptr;
  constexpr size_t Word = sizeof(kmp_uint64);
  const size_t SharedsAt =
      (sizeof(kmp_taskdata_t) + TaskSize + Word - 1) & ~(Word - 1);
  const size_t Size = SharedsAt + ((SharedsSize + Word - 1) & ~(Word - 1));
  kmp_info_t *Thread = __kmp_threads[Gtid];
  void **Free = freeDrafts(Thread, Size);
  void *Block;
  if (Free && *Free) {
    Block = *Free;
    *Free = *static_cast<void **>(Block);
  } else {
    Block = __kmp_fast_allocate(Thread, Size);
  }
  kmp_taskdata_t *Draft = static_cast<kmp_taskdata_t *>(Block);
  Draft->td_locus.OwnKind = Kind::Draft;
  Draft->td_locus.OwnStrict = (Flags & DestructorsFlag) != 0;
  Draft->td_locus.NextKind = Kind::None;
  Draft->td_locus.NextStrict = (Flags & TASK_TIED) != TASK_TIED;
  Draft->td_size_alloc = Size;
  kmp_task_t *Task = KMP_TASKDATA_TO_TASK(Draft);
  Task->shareds =
      SharedsSize ? reinterpret_cast<char *>(Draft) + SharedsAt : nullptr;
  Task->routine = Entry;
  Task->part_id = 0;
  return Task;
}

void makeReal(ident_t *Location, kmp_int32 Gtid, kmp_task_t *Draft);

/// \p Task is about to be used otherwise than by __kmpc_omp_task: a draft
/// becomes a real task now.
static inline void finishDraft(ident_t *Location, kmp_int32 Gtid,
                               kmp_task_t *Task) {
  if (UNLIKELY(KMP_TASK_TO_TASKDATA(Task)->td_locus.OwnKind == Kind::Draft))
    makeReal(Location, Gtid, Task);
}

/// What the patched clang compiles a task to: `call(Gtid)` in place.
template <class Body> static inline void inPlace(Body Call) {
  InlineState &State = __kmpc_task_inline;
  const int32_t Depth = State.Depth;
  State.Depth = Depth + 1;
  Call();
  if (State.Depth != 0)
    State.Depth = Depth; // libomp still does not know of it
  else
    State.Leave();
}

/// Runs \p Task in place and frees it, if it is a draft and still may. If not,
/// it is a real task now. An untied one has itself run anew by this function at
/// the end of each part.
static inline bool runDraft(ident_t *Location, kmp_int32 Gtid,
                            kmp_task_t *Task) {
  kmp_taskdata_t *Draft = KMP_TASK_TO_TASKDATA(Task);
  if (Draft->td_locus.OwnKind != Kind::Draft)
    return false;
  if (Draft->td_locus.NextKind == Kind::Draft) {
    Draft->td_locus.NextKind = Kind::None;
    return true;
  }
  if (!mayRunInline()) {
    makeReal(Location, Gtid, Task);
    return false;
  }
  inPlace([=] {
    do {
      Draft->td_locus.NextKind = Kind::Draft;
      Task->routine(Gtid, Task);
    } while (UNLIKELY(Draft->td_locus.NextKind != Kind::Draft));
    if (UNLIKELY(Draft->td_locus.OwnStrict))
      Task->data1.destructors(Gtid, Task);
  });
  kmp_info_t *Thread = __kmp_threads[Gtid];
  if (void **Free = freeDrafts(Thread, Draft->td_size_alloc)) {
    *reinterpret_cast<void **>(Draft) = *Free;
    *Free = Draft;
  } else {
    __kmp_fast_free(Thread, Draft);
  }
  return true;
}

/// Runs a task of gcc's in place, if that may be: \p Function on \p Data, or on
/// what \p Copy makes of it in \p Size bytes aligned to \p Align.
bool runInPlace(void (*Function)(void *), void *Data,
                void (*Copy)(void *To, void *From), long Size, long Align);

/// Whether the calling thread runs a task with a hint, as far as it has not
/// taken another one since.
extern __attribute__((tls_model("initial-exec"))) __thread bool RunsPlaced;
/// That task has ended.
void endPlaced();

/// The thread returns from another task to \p Task, whose next child is a real
/// one if it is implicit: there may have been plenty for the children of
/// others.
static inline void resumeCreator(const kmp_taskdata_t *Task) {
  if (Task->td_flags.tasktype == TASK_IMPLICIT && !Task->td_flags.team_serial)
    forbidInline();
}

/// The thread returns to \p Task, which may have set a hint for its next child.
static inline void resumeTask(const kmp_taskdata_t *Task) {
  resumeCreator(Task);
  if (UNLIKELY(Task->td_locus.NextKind != Kind::None))
    forbidInline();
  if (UNLIKELY(RunsPlaced))
    endPlaced();
}

} // namespace locus

#endif // LOCUS_KMP_INPLACE_H
