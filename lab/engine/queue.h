//===- engine/queue.h - Whose turn it is ------------------------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_LAB_ENGINE_QUEUE_H
#define LOCUS_LAB_ENGINE_QUEUE_H

#include <algorithm>
#include <stdint.h>
#include <vector>

namespace locus::lab {

/// Virtual time in picoseconds.
using Time = uint64_t;
constexpr Time NoTime = UINT64_MAX >> 9;

inline Time toPs(double Ns) { return Time(Ns * 1000 + 0.5); }

/// The least of a fixed number of times; of equal ones that with the smallest
/// place. A tree of winners: a change costs as many comparisons as it is high.
class TimeQueue {
public:
  explicit TimeQueue(size_t Places) {
    while (Leaves < Places)
      Leaves *= 2;
    Keys.assign(2 * Leaves, UINT64_MAX);
  }

  /// NoTime: not in the queue.
  void set(size_t Place, Time At) {
    size_t I = Leaves + Place;
    Keys[I] = At == NoTime ? UINT64_MAX : At << PlaceBits | Place;
    while (I > 1) {
      I /= 2;
      const uint64_t Least = std::min(Keys[2 * I], Keys[2 * I + 1]);
      if (Keys[I] == Least)
        break;
      Keys[I] = Least;
    }
  }

  bool isEmpty() const { return Keys[1] == UINT64_MAX; }
  Time least() const { return Keys[1] >> PlaceBits; }
  size_t place() const { return Keys[1] & ((1u << PlaceBits) - 1); }

private:
  static constexpr int PlaceBits = 9;
  size_t Leaves = 1;
  std::vector<uint64_t> Keys;
};

} // namespace locus::lab

#endif // LOCUS_LAB_ENGINE_QUEUE_H
