//===- inplace/inplace.h - Tasks that run in place --------------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What compiled code and the runtime tell each other about tasks that run in
// place, that is, without any call of the runtime. inplace/README.md has the
// protocol.
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_INPLACE_INPLACE_H
#define LOCUS_INPLACE_INPLACE_H

#include <atomic>
#include <stdint.h>

namespace locus {

/// One for each thread. The layout is ABI: the compiler defines the variable as
/// well, so that it belongs to the executable.
struct InPlaceState {
  /// How deep tasks may nest in place: the next one may if Depth is less. Never
  /// null. Lives as long as the queue that it speaks for.
  const std::atomic<int32_t> *Allowed;
  /// Ends the innermost task in place, once the runtime knows of it.
  void (*Leave)();
  /// How many tasks in place the runtime does not know of. They are the
  /// innermost ones, and the current one has no children.
  int32_t Depth;
  /// Number of the thread, where Allowed has ever been true.
  int32_t Gtid;
};

extern const std::atomic<int32_t> NeverInPlace;
extern const std::atomic<int32_t> AlwaysInPlace;

} // namespace locus

extern "C" __attribute__((
    visibility("default"),
    tls_model("initial-exec"))) __thread locus::InPlaceState __kmpc_task_inline;

namespace locus {

/// Makes real tasks of those that the runtime does not know of; in the adapter.
void makeTasksKnown();

/// Called before libomp uses or changes the current task on behalf of the
/// program: from here on it is the one that the program is in.
static inline void knowCurrentTask() {
  if (__builtin_expect(__kmpc_task_inline.Depth != 0, 0))
    makeTasksKnown();
}

/// Whether the next task of this thread may run in place.
static inline bool mayRunInPlace() {
  return __kmpc_task_inline.Depth <
         __kmpc_task_inline.Allowed->load(std::memory_order_relaxed);
}

/// Whether the program is in a task that the runtime does not know of. Such a
/// task is explicit, has no children, and all else as its parent.
static inline bool isInPlace() { return __kmpc_task_inline.Depth != 0; }

/// The next task of this thread is a real one.
static inline void forbidInPlace() {
  __kmpc_task_inline.Allowed = &NeverInPlace;
}

} // namespace locus

#endif // LOCUS_INPLACE_INPLACE_H
