//===- support/fence.h - An asymmetric fence --------------------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two threads each store to one variable and then load the other's; at least
// one must see the other's store. That takes a full fence on both sides. Where
// one side is frequent and the other rare, Linux' membarrier system call lets
// the rare one pay for both: it makes every running thread of the process
// execute a fence.
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_SUPPORT_FENCE_H
#define LOCUS_SUPPORT_FENCE_H

#include <atomic>

namespace locus {

/// Whether the kernel serves thiefFence(), as far as one knows: from
/// prepareFences() on, until it refuses for the first time, as in a sandbox
/// that a program enters later.
extern bool AsymmetricFences; // a plain one for the model check
inline bool hasAsymmetricFences() {
  return __atomic_load_n(&AsymmetricFences, __ATOMIC_RELAXED);
}

/// Finds out what the kernel has. Before the first use of either fence; further
/// calls do nothing.
void prepareFences();

/// Between the store and the load of the frequent side. \p Full is for a rare
/// side that executes a full fence itself; without, it uses thiefFence().
inline void ownerFence(bool Full) {
  std::atomic_signal_fence(std::memory_order_seq_cst);
  if (__builtin_expect(Full, 0))
    std::atomic_thread_fence(std::memory_order_seq_cst);
}

/// Between the store and the load of the rare side. About a microsecond, and
/// interrupts the process' running threads. False if the kernel refuses: then
/// nothing is ordered.
bool thiefFence();

/// Says so, once. Not in thiefFence(), whose caller holds a lock.
void warnOfRefusal();

} // namespace locus

#endif // LOCUS_SUPPORT_FENCE_H
