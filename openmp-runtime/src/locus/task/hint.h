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

#include <stddef.h>
#include <stdint.h>

namespace locus {

class Domains;

/// What an affinity hint refers to. The values are ABI: the compiler passes
/// them to __kmpc_omp_task_affinity and omp.h's omp_affinitykind_t has them.
enum class Kind : uint8_t {
  None = 0,   ///< no hint
  Thread = 1, ///< a thread number of the current team
  Node = 2,   ///< a team node number, see Domains
  Data = 3,   ///< an address; the node that holds the memory
  // Only inside of the runtime:
  Draft = 4, ///< of a task of which nothing is initialized but its hint; then
             ///< OwnStrict says whether its data has destructors, NextStrict
             ///< whether it is untied, and NextKind is Draft while it runs
  Inferred = 5,     ///< a team node: where the data of the next two kinds is
  Depend = 6,       ///< no hint, but `depend` says that the task writes this
  DependRanges = 7, ///< the same, as a RangeList
  Ranges = 8        ///< a RangeList
};

/// Whether a task of kind \p What has no hint, but dependences.
constexpr bool isFromDepend(Kind What) {
  return What == Kind::Depend || What == Kind::DependRanges;
}
/// Whether the target of kind \p What is a RangeList.
constexpr bool hasRanges(Kind What) { return What >= Kind::DependRanges; }

/// The hint of a task and the one that it left for the next task it creates.
/// All-zero means no hint at all, so one 32-bit store initializes it.
struct TaskHint {
  Kind OwnKind;
  uint8_t OwnStrict;
  Kind NextKind; ///< set by omp_set_task_affinity, consumed by task creation
  uint8_t NextStrict;
};
static_assert(sizeof(TaskHint) == 4, "fills a four byte hole of kmp_taskdata");

/// What the hint points at. Only meaningful where OwnKind is not None.
struct TaskTarget {
  uintptr_t Value; ///< number (two's complement intptr_t) or address
  size_t Length;   ///< bytes of data at Value; 0 where not known
};

/// Some memory: \p Length bytes from \p Base on, or, for 0, the one byte there.
struct MemoryRange {
  uintptr_t Base;
  size_t Length;
};

/// What a task of such a kind points at, in memory that the task owns.
struct RangeList {
  /// Locators beyond this many are sampled evenly.
  static constexpr int MaxRanges = 16;
  int Count;
  MemoryRange Ranges[MaxRanges];
};

} // namespace locus

#endif // LOCUS_TASK_HINT_H
