//===- model.h - The core on simulated atomics ------------------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Relacy (D. Vyukov) runs a few simulated threads through every interleaving of
// their atomic operations, and through every value that the memory model of C++
// lets a load return. What it runs is the core's own source, with Relacy's
// atomics in place of std::atomic.
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_TEST_MODEL_H
#define LOCUS_TEST_MODEL_H

// Whatever the core includes, before `std` becomes something else.
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <gtest/gtest.h>
#include <new>
#include <sched.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <relacy/relacy.hpp>
// Relacy replaces these words for programs that it runs as a whole.
#undef memory_order_relaxed
#undef memory_order_consume
#undef memory_order_acquire
#undef memory_order_release
#undef memory_order_acq_rel
#undef memory_order_seq_cst
#undef new
#undef delete
#undef malloc
#undef calloc
#undef realloc
#undef free
#undef assert
#undef errno
#undef sched_yield

#include "model_memory.h"
#include "model_orders.h"

namespace simulated {

using memory_order = rl::memory_order;
inline constexpr rl::memory_order memory_order_relaxed = rl::mo_relaxed;
inline constexpr rl::memory_order memory_order_acquire = rl::mo_acquire;
inline constexpr rl::memory_order memory_order_release = rl::mo_release;
inline constexpr rl::memory_order memory_order_acq_rel = rl::mo_acq_rel;
inline constexpr rl::memory_order memory_order_seq_cst = rl::mo_seq_cst;

inline void atomic_thread_fence(rl::memory_order Order) {
  if (Order != rl::mo_relaxed) // that is none
    rl::atomic_thread_fence(Order, $);
}

/// The order in which threads lined up at a combiner. For the checker.
class Arrivals {
public:
  int Count = 0;
  int Of[8] = {}; ///< of as many threads
  /// Holds one of them, for a thread that shall know of it.
  rl::atomic<int> *Known = nullptr;

  void note() {
    const int Number = ++Count;
    Of[rl::thread_index()] = Number;
    if (Known)
      Known->store(Number, rl::mo_release, $);
  }
};
inline Arrivals Line;

/// As much of std::atomic as the core uses. Each operation is a use of its
/// memory, its end a write to that.
template <class T> class atomic {
  // Relacy writes pointers to its log as void *.
  using Known = std::conditional_t<
      std::is_pointer_v<T>,
      std::add_pointer_t<std::remove_const_t<std::remove_pointer_t<T>>>, T>;

public:
  // Nobody knows of it yet, so that a switch here would be of no use.
  atomic(T Value = T()) {
    Watched.write(this);
    rl::ctx().disable_preemption();
    Cell.store(Known(Value), rl::mo_relaxed, $);
    rl::ctx().enable_preemption();
  }
  ~atomic() { Watched.write(this); }

  T load(rl::memory_order Order = rl::mo_seq_cst) const {
    begin();
    return Cell.load(Order, $);
  }
  void store(T Value, rl::memory_order Order = rl::mo_seq_cst) {
    begin();
    Cell.store(Known(Value), Order, $);
  }
  T exchange(T Value, rl::memory_order Order = rl::mo_seq_cst) {
    begin();
    T Before = Cell.exchange(Value, Order, $);
    if constexpr (std::is_pointer_v<T>)
      if (Value)
        Line.note();
    return Before;
  }
  bool compare_exchange_weak(T &Expected, T Value, rl::memory_order Order,
                             rl::memory_order IfNot) {
    begin();
    Known Seen = Known(Expected);
    return isSwapped(Cell.compare_exchange_weak(Seen, Known(Value), Order, $,
                                                rl::mo_relaxed, $),
                     Expected, Seen, IfNot);
  }
  bool compare_exchange_weak(T &Expected, T Value) {
    return compare_exchange_weak(Expected, Value, rl::mo_seq_cst,
                                 rl::mo_acquire);
  }
  bool compare_exchange_strong(T &Expected, T Value, rl::memory_order Order,
                               rl::memory_order IfNot) {
    begin();
    Known Seen = Known(Expected);
    return isSwapped(Cell.compare_exchange_strong(Seen, Known(Value), Order, $,
                                                  rl::mo_relaxed, $),
                     Expected, Seen, IfNot);
  }
  T fetch_add(T Value, rl::memory_order Order = rl::mo_seq_cst) {
    begin();
    return Cell.fetch_add(Value, Order, $);
  }
  T fetch_sub(T Value, rl::memory_order Order = rl::mo_seq_cst) {
    begin();
    return Cell.fetch_sub(Value, Order, $);
  }
  T fetch_or(T Value, rl::memory_order Order = rl::mo_seq_cst) {
    begin();
    return Cell.fetch_or(Value, Order, $);
  }
  T fetch_and(T Value, rl::memory_order Order = rl::mo_seq_cst) {
    begin();
    return Cell.fetch_and(Value, Order, $);
  }

private:
  void begin() const { Watched.read(this); }
  /// Relacy knows no failure that is stronger than the success.
  static bool isSwapped(bool Is, T &Expected, Known Seen,
                        rl::memory_order IfNot) {
    if (!Is)
      Expected = Seen;
    if (!Is && IfNot == rl::mo_acquire)
      atomic_thread_fence(rl::mo_acquire);
    return Is;
  }

  rl::atomic<Known> Cell;
};

inline void pause() { rl::yield(1, $); }

} // namespace simulated

#define LOCUS_SIMULATED_CPU
namespace locus {
inline void relax() { simulated::pause(); }
} // namespace locus

#ifdef LOCUS_MUTANTS
/// The fault that is on in the copies that `mutate` made of the sources.
inline int Mutant = 0;
inline bool isOn(int Number) { return Mutant == Number; }
#include "mutants.h"
#endif

#define std simulated
#define sched_yield simulated::pause
// Each that `mutate` changes before those that include it.
#include "locus/support/lock.h"

#include "locus/queue/combining.h"

#include "locus/queue/task_queue.h"
#include "locus/sleep/protocol.h"

#include "locus/queue/work_deque.h"

#include "locus/depend/domain.h"
#ifdef LOCUS_MODEL_SOURCES
#include "locus/queue/task_queue.cpp"
#include "locus/queue/work_deque.cpp"

#include "locus/depend/domain.cpp"
#include "locus/depend/node.cpp"
#include "locus/depend/node_pool.cpp"
#include "locus/depend/turn.cpp"
#endif
#undef std
#undef sched_yield

namespace locus::test {

/// Runs the interleavings of \p Test with at most \p Preemptions switches away
/// from a thread that could go on (switches at yields and waits are free).
/// Returns what Relacy found first, and notes how many it tried.
template <class Test>
rl::test_result_e explore(unsigned Preemptions, std::string &Log) {
  constexpr unsigned Most = 20000000;
  std::ostringstream Stream;
  rl::test_params Params;
  Params.output_stream = &Stream;
  std::ostringstream Progress; // of no use
  Params.progress_stream = &Progress;
  Params.iteration_count = Most;
  Params.execution_depth_limit = 4000;
  Params.search_type = rl::sched_bound;
  Params.context_bound = Preemptions;
  if (simulated::Weak.Random != 0) {
    Params.search_type = rl::sched_random;
    Params.iteration_count = simulated::Weak.Random;
  }
  simulated::Watched.reset(); // the test before may have failed
  rl::simulate<Test>(Params);
  Log = Stream.str().substr(0, 6000);
  // Not all of them would be no answer.
  EXPECT_LT(Params.stop_iteration, Most);
  if (Params.test_result != rl::test_result_success)
    printf("found: %s\n", rl::test_result_str(Params.test_result));
  testing::Test::RecordProperty("interleavings", int(Params.stop_iteration));
  printf("%u interleavings, %u preemptions\n", unsigned(Params.stop_iteration),
         Preemptions);
  return Params.test_result;
}

/// Expects every interleaving of \p Test to end well.
template <class Test> void checkAll(unsigned Preemptions) {
  std::string Log;
  EXPECT_EQ(explore<Test>(Preemptions, Log), rl::test_result_success) << Log;
}

/// Expects one of \p Test not to.
template <class Test> void checkFails(unsigned Preemptions) {
  std::string Log;
  EXPECT_NE(explore<Test>(Preemptions, Log), rl::test_result_success);
  printf("%s\n", Log.substr(0, Log.find("\n\n")).c_str());
}

/// A test of the source with one fault, which must fail.
#define LOCUS_MUTANT(NAME, PREEMPTIONS, ...)                                   \
  TEST(ModelMutantTest, NAME) {                                                \
    Mutant = NAME;                                                             \
    locus::test::checkFails<__VA_ARGS__>(PREEMPTIONS);                         \
    Mutant = 0;                                                                \
  }

/// A thief or owner that takes whatever there is.
inline bool always(const Taker &, Task *) { return true; }

/// A task: what its creator wrote, and what its execution wrote. Relacy reports
/// it when an access to them is not ordered after the one before.
struct Work {
  rl::var<int> Input, Output;
  int Children = 0;

  Task *task() { return reinterpret_cast<Task *>(this); }
  static Work &of(Task *From) { return *reinterpret_cast<Work *>(From); }
};

} // namespace locus::test

#endif // LOCUS_TEST_MODEL_H
