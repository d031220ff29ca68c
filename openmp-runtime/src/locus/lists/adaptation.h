//===- lists/adaptation.h - How many queues are best right now --*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The decision of the adaptive task pool of Hofmann and Runger, "Towards an
// Adaptive Task Pool Implementation" (IPDPS 2008): the number of queues follows
// the measured time that threads lose in queue access and the time that they
// wait for tasks. The paper shows that the number of queues with the least sum
// of both is the best one; this finds it step by step during the run.
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_LISTS_ADAPTATION_H
#define LOCUS_LISTS_ADAPTATION_H

#include <stdint.h>

namespace locus {

/// What a team's threads lost during some interval, in ticks.
struct Overhead {
  uint64_t Access; ///< time in queue access, of all threads
  uint64_t Idle;   ///< time without a task, of all threads
  uint64_t Total;  ///< length of the interval times the number of threads
};

/// Walks over a scale of steps: 0 has the most queues, the last step the
/// fewest. Used by one thread at a time; knows nothing of threads or queues.
class Adaptation {
public:
  static constexpr int MaxSteps = 18; ///< NumGroupings

  /// Starts at \p Step of \p NumSteps (1 .. MaxSteps).
  void init(int NumSteps, int Step);

  int step() const { return Step; }

  /// Learns what the interval at the current step has cost, and returns the
  /// step for the next one: the same or a neighbour.
  ///
  /// Below GoodEnough it stays. Else it tries the neighbour that
  /// promises to help (more queues if access costs more than waiting, else
  /// fewer), and stays there only if that was better. What was worse is not
  /// tried again for a number of intervals that doubles each time.
  int learn(const Overhead &Lost);

private:
  /// Below this loss of time nothing is tried; a trial must gain so much to be
  /// kept.
  static constexpr float GoodEnough = 0.020f, Margin = 0.010f;
  /// A trial in vain costs so many intervals first, and at most.
  static constexpr uint32_t PenaltyLeast = 4, PenaltyMost = 256;

  struct Experience {
    float Cost = -1;    ///< lost share of the time; negative: not known
    uint32_t Until = 0; ///< not to be tried before this interval
    uint32_t Penalty = PenaltyLeast; ///< intervals of the next failure
  };

  bool mayTry(int Next) const {
    return Next >= 0 && Next < NumSteps && Steps[Next].Until <= Interval;
  }

  Experience Steps[MaxSteps];
  int NumSteps = 1;
  int Step = 0;
  int Home = 0; ///< where a trial started; Step itself if there is none
  uint32_t Interval = 0;
};

} // namespace locus

#endif // LOCUS_LISTS_ADAPTATION_H
