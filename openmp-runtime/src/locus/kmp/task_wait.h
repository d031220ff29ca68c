//===- kmp/task_wait.h - What a thread waits for ----------------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_KMP_TASK_WAIT_H
#define LOCUS_KMP_TASK_WAIT_H

#include "locus/trace/format.h"

#include <atomic>

struct kmp_taskdata;

namespace locus {

/// The innermost wait of a thread, once there has been a transparent task. It
/// is not one of its current task if that is another one: then that yields, or
/// creates tasks.
struct TaskWait {
  const kmp_taskdata *Waiter;
  WaitFor Reason;
};

/// Whether there has been a transparent task. Whoever meets one sees it, or
/// what it has become, behind what has handed that over.
extern __attribute__((visibility("hidden"))) std::atomic<bool> HasTransparent;
static inline bool hasTransparent() {
  return HasTransparent.load(std::memory_order_relaxed);
}

} // namespace locus

#endif // LOCUS_KMP_TASK_WAIT_H
