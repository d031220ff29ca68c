//===- support/fence.cpp - An asymmetric fence ----------------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "locus/support/fence.h"
#include "locus/support/host.h"

#include <linux/membarrier.h>
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

bool thiefFence() {
  // A forked child has to register anew.
  if (membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED) ||
      (membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED) &&
       membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED)))
    return true;
  __atomic_store_n(&AsymmetricFences, false, __ATOMIC_RELAXED);
  return false;
}

void warnOfRefusal() {
  static std::atomic<bool> Said{false};
  if (!Said.exchange(true, std::memory_order_relaxed))
    warn("the kernel refuses the system call membarrier by now, as in a "
         "sandbox. All tasks are run; each costs some nanoseconds more.");
}

} // namespace locus
