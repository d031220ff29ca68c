//===- deque_pair.h - A deque for tests -------------------------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_TEST_DEQUE_PAIR_H
#define LOCUS_TEST_DEQUE_PAIR_H

#include "locus/queue/work_deque.h"
#include "support.h"

#include <gtest/gtest.h>
#include <vector>

namespace locus::test {

using Admits = bool (*)(const Taker &, Task *);
inline bool always(const Taker &, Task *) { return true; }

/// A first allocation of so many tasks, for a scope.
class FirstCapacity {
public:
  explicit FirstCapacity(uint32_t Tasks) { Tuned.FirstCapacity = Tasks; }
  ~FirstCapacity() { Tuned.FirstCapacity = Before; }

private:
  const uint32_t Before = Tuned.FirstCapacity;
};

/// A deque with its owner and one thief, in one thread.
struct Pair {
  explicit Pair(uint32_t Capacity = 4) : Capacity(Capacity) { Deque.init(-1); }

  void push(int First, int Last) {
    for (int I = First; I <= Last; ++I)
      ASSERT_TRUE(Deque.push(task(I)));
    EXPECT_TRUE(Deque.isValid());
  }
  /// The task popped; 0 for none, -1 for a refusal.
  int pop(Admits Admit = always) { return number(Deque.pop({Admit})); }
  int popBehind(Admits Admit = always) {
    return number(Deque.popBehind({Admit}));
  }
  int steal(Admits Admit = always, bool ScanAll = false) {
    return number(
        Deque.steal({Admit, nullptr, &Finished}, ScanAll, Unfinished));
  }

  /// All that one trip takes, the task to run first.
  std::vector<int> stealSome(Admits Admit = always) {
    WorkDeque::Batch More;
    std::vector<int> Taken;
    const Take Got =
        Deque.steal({Admit, nullptr, &Finished}, true, Unfinished, &More);
    if (Got.hasTask())
      Taken.push_back(numberOf(Got.Found));
    for (int I = 0; I < More.Count; ++I)
      Taken.push_back(numberOf(More.Tasks[I]));
    EXPECT_TRUE(Deque.isValid());
    return Taken;
  }

  FirstCapacity Capacity;
  WorkDeque Deque;
  std::atomic<int32_t> Unfinished{1};
  int Finished = 0;

private:
  int number(const Take &Got) {
    EXPECT_TRUE(Deque.isValid());
    EXPECT_EQ(Got.Found != nullptr, Got.hasTask());
    return Got.hasTask()                    ? numberOf(Got.Found)
           : Got.Result == Outcome::Refused ? -1
                                            : 0;
  }
};

} // namespace locus::test

#endif // LOCUS_TEST_DEQUE_PAIR_H
