//===- task/hint.h - What a task carries about its placement ----*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The fields that libomp's task descriptor holds for us. They fill padding
// that kmp_taskdata has anyway, so a task is no larger than upstream's. kmp.h
// includes this header; it must stay plain C++ without any include of libomp.
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_TASK_HINT_H
#define LOCUS_TASK_HINT_H

#include "locus/machine/page_node.h"
#include "locus/support/check.h"

#include <stddef.h>
#include <stdint.h>

namespace locus {

class Team;

/// What an affinity hint refers to. The values of the first four are ABI: the
/// compiler passes them to __kmpc_omp_task_affinity and omp.h's
/// omp_affinitykind_t has them.
enum class Kind : uint8_t {
  None = 0,   ///< no hint
  Thread = 1, ///< a thread number of the current team
  Node = 2,   ///< a team node number, see TeamShape
  Data = 3,   ///< an address; the node that holds the memory
  // Only inside of the runtime:
  Inferred,     ///< a team node: where the data of the next two kinds is
  Depend,       ///< no hint, but `depend` says that the task writes this
  DependRanges, ///< the same, as a RangeList
  Ranges        ///< a RangeList
};

/// Whether a task of kind \p HintKind has no hint, but dependences.
constexpr bool isFromDepend(Kind HintKind) {
  return HintKind == Kind::Depend || HintKind == Kind::DependRanges;
}
/// Whether the target of kind \p HintKind is a RangeList.
constexpr bool hasRanges(Kind HintKind) {
  return HintKind >= Kind::DependRanges;
}

/// What four bytes of a task's descriptor say. Either it is a task of libomp's:
/// then the hint that it has, and the one that it leaves for the next task that
/// it creates. Or it is a draft (inplace/README.md), of which nothing else is
/// initialized: then what it takes to run it or to make a task of it.
///
/// All bytes zero: a task without any hint. One 32-bit store says so.
class TaskHint {
public:
  // A task.

  /// Whether the task has a hint, or at least dependences that may become one.
  bool hasHint() const { return Tag != uint8_t(Kind::None); }
  Kind kind() const {
    LOCUS_CHECK(!isDraft());
    return Kind(Tag);
  }
  /// Whether nobody but the threads of its place may run the task.
  bool isStrict() const { return task().IsStrict; }
  void set(Kind HintKind, bool IsStrict) {
    LOCUS_CHECK(!isDraft());
    Tag = uint8_t(HintKind);
    Task.IsStrict = IsStrict && HintKind != Kind::None;
  }
  void clear() { set(Kind::None, false); }

  /// Whether something waits for the next task that this one creates: a hint
  /// that it has left, or that its children are recorded.
  bool hasNext() const {
    LOCUS_CHECK(!isDraft());
    return Task.Next != 0;
  }
  /// That hint, if there is one.
  Kind nextKind() const { return Kind(Task.Next & ~RecordsBit); }
  bool isNextStrict() const { return Task.IsNextStrict; }
  void setNext(Kind HintKind, bool IsStrict) {
    LOCUS_CHECK(!isDraft());
    Task.Next = uint8_t((Task.Next & RecordsBit) | uint8_t(HintKind));
    Task.IsNextStrict = IsStrict;
  }
  /// \p Created is that next one.
  void moveNextTo(TaskHint &Created) {
    Created.set(nextKind(), Task.IsNextStrict);
    setNext(Kind::None, false);
  }

  /// Whether the task is in a region that is recorded (replay/).
  bool recordsChildren() const {
    LOCUS_CHECK(!isDraft());
    return (Task.Next & RecordsBit) != 0;
  }
  void setRecordsChildren(bool Does) {
    LOCUS_CHECK(!isDraft());
    Task.Next = uint8_t(uint8_t(nextKind()) | (Does ? RecordsBit : 0));
  }

  // A draft.

  /// How far a draft has run.
  enum class Progress : uint8_t {
    Ready,      ///< not begun
    InPart,     ///< one of its parts runs: a tied task is a single one
    HasNextPart ///< that part has asked for the next one
  };

  /// These four bytes of a new block of memory, of which nothing is known yet.
  void makeDraft(bool HasDestructors, bool IsUntied) {
    Tag = DraftTag;
    Draft.HasDestructors = HasDestructors;
    Draft.IsUntied = IsUntied;
    Draft.Done = Progress::Ready;
  }
  bool isDraft() const { return Tag == DraftTag; }
  /// Whether its data has destructors, in kmp_task_t::data1.
  bool hasDestructors() const { return draft().HasDestructors; }
  bool isUntied() const { return draft().IsUntied; }
  Progress progress() const { return draft().Done; }
  void setProgress(Progress Done) {
    LOCUS_CHECK(isDraft());
    Draft.Done = Done;
  }

private:
  /// No Kind, so that a draft has no kind, and no draft passes for a task.
  static constexpr uint8_t DraftTag = 0xff;
  /// In Next.
  static constexpr uint8_t RecordsBit = 0x80;

  struct TaskFields {
    bool IsStrict;
    uint8_t Next; ///< the Kind of the next hint, and RecordsBit
    bool IsNextStrict;
  };
  struct DraftFields {
    bool HasDestructors;
    bool IsUntied;
    Progress Done;
  };

  const TaskFields &task() const {
    LOCUS_CHECK(!isDraft());
    return Task;
  }
  const DraftFields &draft() const {
    LOCUS_CHECK(isDraft());
    return Draft;
  }

  uint8_t Tag; ///< the Kind of the task's own hint; DraftTag for a draft
  union {
    TaskFields Task; // the first one, which TaskHint() sets to zero
    DraftFields Draft;
  };
};
static_assert(sizeof(TaskHint) == 4, "fills a four byte hole of kmp_taskdata");

/// What the hint points at. Only meaningful where there is one.
struct TaskTarget {
  uintptr_t Value; ///< number (two's complement intptr_t) or address
  size_t Length;   ///< bytes of data at Value; 0 where not known
};

/// Locators of a task beyond this many are sampled evenly.
constexpr int MaxRanges = 16;

/// What a task of such a kind points at, in memory that the task owns.
struct RangeList {
  int Count;
  MemoryRange Ranges[MaxRanges];
};

} // namespace locus

#endif // LOCUS_TASK_HINT_H
