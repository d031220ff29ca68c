//===- depend/mutex.h - Tasks that exclude each other -----------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_DEPEND_MUTEX_H
#define LOCUS_DEPEND_MUTEX_H

#include "locus/depend/node_pool.h"

#include <atomic>
#include <new>
#include <stdint.h>

namespace locus {

/// The lock of an address in mutexinoutset dependences. Nobody waits for it: a
/// thread that finds it held looks for another task. The table of addresses
/// uses it, and each task that needs it, which may outlive the table.
class Mutex : private Block {
public:
  /// With the caller as the one user.
  static Mutex *make(NodePool &Mine) {
    Block *Memory = Mine.take();
    return new (Memory) Mutex(Memory->Home);
  }

  void use() { Users.fetch_add(1, std::memory_order_relaxed); }
  /// One user less; the last one frees it.
  void drop(NodePool &Mine) {
    // Acquire and release: what the others did comes before its end.
    if (Users.fetch_sub(1, std::memory_order_acq_rel) == 1)
      Mine.give(this);
  }

  /// Takes the mutex if it is free. Acquire: what the last task wrote that held
  /// it is visible.
  bool tryToHold() {
    return !Held.load(std::memory_order_relaxed) &&
           !Held.exchange(true, std::memory_order_acquire);
  }
  void release() { Held.store(false, std::memory_order_release); }

private:
  explicit Mutex(NodePool *Home) : Block{Home, nullptr} {}

  std::atomic<int32_t> Users{1};
  std::atomic<bool> Held{false};
};

} // namespace locus

#endif // LOCUS_DEPEND_MUTEX_H
