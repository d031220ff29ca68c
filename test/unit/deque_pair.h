//===- deque_pair.h - A deque for tests -------------------------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_TEST_DEQUE_PAIR_H
#define LOCUS_TEST_DEQUE_PAIR_H

#include "locus/queue/work_deque.h"

#include <gtest/gtest.h>
#include <vector>

namespace locus::test {

inline void *task(intptr_t Number) { return reinterpret_cast<void *>(Number); }
inline intptr_t number(void *Task) { return reinterpret_cast<intptr_t>(Task); }
inline bool always(void *, void *) { return true; }

/// A deque with its owner and one thief, in one thread.
struct Pair {
  explicit Pair(uint32_t Capacity = 4) { Deque.init(-1, Capacity); }
  ~Pair() { Deque.destroy(); }

  void push(intptr_t First, intptr_t Last) {
    for (intptr_t I = First; I <= Last; ++I)
      ASSERT_TRUE(Deque.push(task(I)));
    EXPECT_TRUE(Deque.isValid());
  }
  /// The task popped; 0 for none, -1 for a refusal.
  intptr_t pop(bool (*Allowed)(void *, void *) = always) {
    void *Task;
    Outcome Got = Deque.pop(Allowed, nullptr, Task);
    EXPECT_TRUE(Deque.isValid());
    return Got == Outcome::Taken     ? number(Task)
           : Got == Outcome::Refused ? -1
                                     : 0;
  }
  intptr_t steal(bool (*Allowed)(void *, void *) = always,
                 bool ScanAll = false) {
    void *Task;
    Outcome Got =
        Deque.steal({&Finished, Allowed, nullptr}, ScanAll, Unfinished, Task);
    EXPECT_TRUE(Deque.isValid());
    return Got == Outcome::Taken     ? number(Task)
           : Got == Outcome::Refused ? -1
                                     : 0;
  }

  /// All that one trip takes, the task to run first.
  std::vector<intptr_t> stealSome(bool (*Allowed)(void *, void *) = always) {
    void *Task;
    WorkDeque::Batch More;
    std::vector<intptr_t> Taken;
    if (Deque.steal({&Finished, Allowed, nullptr}, true, Unfinished, Task,
                    &More) == Outcome::Taken)
      Taken.push_back(number(Task));
    for (int I = 0; I < More.Count; ++I)
      Taken.push_back(number(More.Tasks[I]));
    EXPECT_TRUE(Deque.isValid());
    return Taken;
  }

  WorkDeque Deque;
  std::atomic<int32_t> Unfinished{1};
  int Finished = 0;
};

} // namespace locus::test

#endif // LOCUS_TEST_DEQUE_PAIR_H
