//===- locus_fence.cpp - An asymmetric fence ------------------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "locus_fence.h"

#include <linux/membarrier.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace locus {

bool AsymmetricFences = false;

static bool membarrier(int Command) {
  return syscall(__NR_membarrier, Command, 0, 0) == 0;
}

void prepareFences() {
  static std::atomic<bool> Done{false};
  if (Done.load(std::memory_order_acquire))
    return;
  // Several threads may register; all get the same answer.
  if (membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED))
    AsymmetricFences = true;
  Done.store(true, std::memory_order_release);
}

/// To register takes microseconds while the process has one thread, and
/// milliseconds later.
__attribute__((constructor)) static void prepareFencesEarly() {
  prepareFences();
}

void thiefFence() {
  if (!AsymmetricFences) {
    std::atomic_thread_fence(std::memory_order_seq_cst);
    return;
  }
  // A forked child has to register anew. If the kernel refuses by now, there is
  // no way to go on safely: owners count on it.
  while (!membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED))
    if (!membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED))
      abort();
}

} // namespace locus
