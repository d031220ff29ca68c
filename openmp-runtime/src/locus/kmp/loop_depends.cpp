//===- kmp/loop_depends.cpp - Taskloops whose tasks have dependences ------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One thread makes all tasks of such a loop, in the order of its iterations:
// tasks depend on what was created before. The compiled code names the
// dependences of a chunk, before its task is made.
//
//===----------------------------------------------------------------------===//

#include "locus/kmp/hooks.h"
#include "locus/kmp/replay.h"
#include "locus/support/host.h"

#if OMPT_SUPPORT
#include "ompt-specific.h"
#endif

#include <new>

using namespace locus;

namespace {

/// Items of depend clauses, each address once, in the order in which the
/// addresses came first. So what many iterations name takes no memory for each
/// of them.
class DependItems {
public:
  kmp_int32 count() const { return kmp_int32(Items.size()); }
  kmp_depend_info_t *data() { return Items.data(); }

  /// Adds \p Item. If its address is there in another way, it is inout now:
  /// that orders most. The null pointer is no storage: it is left out.
  void add(const kmp_depend_info_t &Item) {
    if (Item.base_addr == 0 && Item.flag != KMP_DEP_ALL)
      return;
    if (2 * Items.size() >= Slots.size())
      grow();
    uint32_t &Slot = slotOf(Item.base_addr);
    if (Slot == 0) {
      Items.add(Item);
      Slot = uint32_t(Items.size());
      return;
    }
    kmp_depend_info_t &Old = Items[Slot - 1];
    if (Old.flag != Item.flag)
      Old.flag = KMP_DEP_INOUT;
    if (Old.len < Item.len)
      Old.len = Item.len;
  }

  void clear() {
    if (Items.size() != 0)
      memset(Slots.data(), 0, Slots.size() * sizeof(uint32_t));
    Items.shorten(0);
  }

private:
  /// Of the address: 0, or the number of its item, counted from 1.
  uint32_t &slotOf(kmp_intptr_t Address) {
    // Fibonacci hashing; linear probing.
    size_t I = uint64_t(Address) * 0x9e3779b97f4a7c15 >> 32;
    while (true) {
      uint32_t &Slot = Slots[I++ & (Slots.size() - 1)];
      if (Slot == 0 || Items[Slot - 1].base_addr == Address)
        return Slot;
    }
  }

  void grow() {
    // A list of OpenMP's counts in 31 bits.
    if (Items.size() > INT32_MAX / 2 ||
        !Slots.renew(Slots.size() ? 2 * Slots.size() : 32))
      outOfMemory();
    for (size_t I = 0; I < Items.size(); ++I)
      slotOf(Items[I].base_addr) = uint32_t(I + 1);
  }

  Growing<kmp_depend_info_t> Items;
  Array<uint32_t> Slots; ///< a table
};

} // namespace

struct kmp_taskloop_depends_t {
  kmp_taskloop_depends_t(const KmpLoop &TheLoop, bool Undeferred, bool Group)
      : Loop(TheLoop), Range{*Loop.Lower, *Loop.Upper, Loop.Step},
        IsUndeferred(Undeferred), HasGroup(Group) {}

  void setParts(const LoopChunks &Chunks, const kmp_taskloop_places_t *Places);
  bool next(kmp_uint64 &First, kmp_uint64 &Last);
  /// Ends the construct. Nothing is left of the pattern.
  void finish() const;

  DependItems Items; ///< of the chunk that has been named last

private:
  void makeTask();

  const KmpLoop Loop;
  const LoopRange Range;
  const bool IsUndeferred;
  const bool HasGroup;

  Growing<LoopPart> Parts; ///< in the order of the iterations
  bool IsPlaced = false;   ///< the parts have places, as Hint says
  LoopHint Hint = {};
  LoopTrace Traced;

  // The next chunk.
  size_t Part = 0;
  uint64_t Chunk = 0;
  // The one that has been named last: its first ordinal, and how many
  // iterations it has; 0 if none has been.
  uint64_t Start = 0;
  uint64_t Trips = 0;
  int Place = 0;
};

void kmp_taskloop_depends_t::setParts(const LoopChunks &Chunks,
                                      const kmp_taskloop_places_t *Places) {
  const auto &Flags = KMP_TASK_TO_TASKDATA(Loop.Pattern)->td_flags;
  IsPlaced = Places && !IsUndeferred && !Flags.task_serial &&
             !Flags.tasking_ser && !Flags.team_serial;
  if (!IsPlaced)
    return Parts.add({0, Chunks, 0});
  Hint = Places->hint();
  Traced = Places->trace();
  Places->Core.forEachPart(Places->Ours.shape(),
                           [&](const LoopPart &P) { Parts.add(P); });
}

/// Makes the task of the chunk that has been named last.
void kmp_taskloop_depends_t::makeTask() {
  if (IsPlaced)
    Hint.give(Loop.Pattern, Place);
  kmp_task_t *Task = makeLoopTask(Loop, Range, Start, Trips,
                                  Start + Trips == Range.trips(), Traced);
  if (ompt_enabled.enabled)
    __kmp_threads[Loop.Gtid]->th.ompt_thread_info.return_address = Loop.Caller;
  if (IsUndeferred) {
    __kmpc_omp_wait_deps(Loop.Location, Loop.Gtid, Items.count(), Items.data(),
                         0, nullptr);
    __kmp_omp_taskloop_task(nullptr, Loop.Gtid, Task, Loop.Caller);
  } else {
    __kmpc_omp_task_with_deps(Loop.Location, Loop.Gtid, Task, Items.count(),
                              Items.data(), 0, nullptr);
  }
  Items.clear();
}

bool kmp_taskloop_depends_t::next(kmp_uint64 &First, kmp_uint64 &Last) {
  if (Trips != 0)
    makeTask();
  while (Part < Parts.size() && Chunk == Parts[Part].Chunks.Tasks) {
    ++Part;
    Chunk = 0;
  }
  if (Part == Parts.size())
    return false;
  const LoopPart &P = Parts[Part];
  Start = P.Start + P.Chunks.start(Chunk);
  Trips = P.Start + P.Chunks.start(Chunk + 1) - Start;
  Place = P.Place;
  ++Chunk;
  First = Range.at(Start);
  Last = Range.at(Start + Trips - 1);
  return true;
}

void kmp_taskloop_depends_t::finish() const {
  traceDrop(KMP_TASK_TO_TASKDATA(Loop.Pattern));
  __kmp_taskloop_drop(Loop.Gtid, Loop.Pattern);
#if OMPT_SUPPORT && OMPT_OPTIONAL
  if (ompt_enabled.ompt_callback_work)
    ompt_callbacks.ompt_callback(ompt_callback_work)(
        ompt_work_taskloop, ompt_scope_end,
        &__ompt_get_teaminfo(0, nullptr)->parallel_data,
        &__ompt_get_task_info_object(0)->task_data, Range.trips(), Loop.Caller);
#endif
  if (HasGroup)
    __kmpc_end_taskgroup(Loop.Location, Loop.Gtid);
}

kmp_taskloop_depends_t *locus::openDependent(const KmpLoop &Loop,
                                             const LoopChunks &Chunks,
                                             kmp_taskloop_places_t *Places,
                                             bool Undeferred, bool Group) {
  noteOther(Loop.Gtid, "a taskloop with dependences");
  if (Undeferred) {
    auto &Flags = KMP_TASK_TO_TASKDATA(Loop.Pattern)->td_flags;
    Flags.task_serial = 1;
    Flags.tiedness = TASK_TIED; // as libomp's undeferred taskloops
  }
  void *Memory = malloc(sizeof(kmp_taskloop_depends_t));
  if (!Memory)
    outOfMemory();
  auto *Depends = new (Memory) kmp_taskloop_depends_t(Loop, Undeferred, Group);
  Depends->setParts(Chunks, Places);
  return Depends;
}

/// Of a taskloop whose tasks have dependences: makes the task of the iterations
/// that it has named before, and names the next ones: 1, and their values from
/// \p first to \p last in steps of the loop. 0 if there are none any more: the
/// loop is closed then. May run other tasks, as when tasks with dependences are
/// created otherwise.
extern "C" kmp_int32 __kmpc_taskloop_depend_next(kmp_taskloop_depends_t *loop,
                                                 kmp_uint64 *first,
                                                 kmp_uint64 *last) {
  if (!loop)
    return 0;
  if (loop->next(*first, *last))
    return 1;
  loop->finish();
  loop->~kmp_taskloop_depends_t();
  free(loop);
  return 0;
}

/// The task of the iterations that have been named last has these dependences,
/// too: \p ndeps items of \p deps, which the caller keeps. An address that
/// comes more than once counts once, as inout if not always in the same way.
extern "C" void __kmpc_taskloop_depend_add(kmp_taskloop_depends_t *loop,
                                           kmp_int32 ndeps,
                                           const kmp_depend_info_t *deps) {
  for (kmp_int32 I = 0; I < ndeps; ++I)
    loop->Items.add(deps[I]);
}
