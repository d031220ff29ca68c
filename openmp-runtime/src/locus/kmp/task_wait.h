//===- kmp/task_wait.h - What a thread waits for ----------------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_KMP_TASK_WAIT_H
#define LOCUS_KMP_TASK_WAIT_H

#include "locus/trace/format.h"

struct kmp_taskdata;

namespace locus {

/// The innermost wait of a thread. It is not one of its current task if that is
/// another one: then that yields, or creates tasks.
struct TaskWait {
  const kmp_taskdata *Waiter;
  WaitFor Reason;
};

} // namespace locus

#endif // LOCUS_KMP_TASK_WAIT_H
