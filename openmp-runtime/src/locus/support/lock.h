//===- support/lock.h - The lock of a task queue ----------------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A test-and-test-and-set lock for critical sections of a few dozen
// instructions. A thread that waits gives its processor away after a bounded
// spin, so that an oversubscribed team does not burn a time slice on a holder
// that has lost its own.
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_SUPPORT_LOCK_H
#define LOCUS_SUPPORT_LOCK_H

#include "locus/support/cpu.h"

#include <atomic>
#include <sched.h>
#include <stdint.h>

namespace locus {

/// What a thread does each time that it looks in vain for what it waits for.
class SpinWait {
public:
  void once() {
    if (++Spins >= SpinsBeforeYield) {
      sched_yield();
      Spins = 0;
    } else {
      relax();
    }
  }

private:
  /// About a microsecond on x86, where a pause takes 10 to 40 ns; a yield costs
  /// about as much.
  static constexpr uint32_t SpinsBeforeYield = 64;

  uint32_t Spins = 0;
};

class SpinLock {
public:
  void lock() {
    // The acquire pairs with the release in unlock(): what the last holder
    // wrote is visible to this one.
    while (Held.exchange(true, std::memory_order_acquire)) {
      SpinWait Wait;
      while (Held.load(std::memory_order_relaxed))
        Wait.once();
    }
  }

  /// True if the lock was free and is the caller's now.
  bool try_lock() {
    return !Held.load(std::memory_order_relaxed) &&
           !Held.exchange(/*desired=*/true, std::memory_order_acquire);
  }

  void unlock() { Held.store(false, std::memory_order_release); }

private:
  std::atomic<bool> Held{false};
};

/// Holds a SpinLock for a scope.
class LockGuard {
public:
  explicit LockGuard(SpinLock &L) : Lock(L) { Lock.lock(); }
  ~LockGuard() { Lock.unlock(); }
  LockGuard(const LockGuard &) = delete;

private:
  SpinLock &Lock;
};

} // namespace locus

#endif // LOCUS_SUPPORT_LOCK_H
