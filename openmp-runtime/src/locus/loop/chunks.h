//===- loop/chunks.h - The tasks of a taskloop ------------------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How the iterations of a taskloop are divided into chunks, one a task. An
// iteration has an ordinal, 0 .. trips - 1, and a value, which the compiler
// knows: LoopRange leads from one to the other.
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_LOOP_CHUNKS_H
#define LOCUS_LOOP_CHUNKS_H

#include "locus/support/check.h"

#include <stdint.h>

namespace locus {

/// The values of a loop: First, First + Step, ... up to Last, inclusive. They
/// may be negative numbers in two's complement; Step may be negative, not 0.
struct LoopRange {
  uint64_t First;
  uint64_t Last;
  int64_t Step;

  /// The number of iterations; 0 if there are none, and also, as in libomp, if
  /// there are 2 to the 64.
  uint64_t trips() const {
    if (Step == 1)
      return Last - First + 1;
    return Step < 0 ? (First - Last) / (0 - uint64_t(Step)) + 1
                    : (Last - First) / uint64_t(Step) + 1;
  }
  /// The value of the iteration \p Ordinal.
  uint64_t at(uint64_t Ordinal) const {
    return First + Ordinal * uint64_t(Step);
  }
};

/// What a taskloop says of its tasks. The values are ABI.
enum class LoopSchedule : int { Free = 0, Grainsize = 1, NumTasks = 2 };

/// Some consecutive iterations, which are divided into chunks: the first Extras
/// have one iteration more than Grain, the others Grain, but the last one is
/// Short shorter.
struct LoopChunks {
  uint64_t Trips = 0;  ///< of all chunks together
  uint64_t Tasks = 0;  ///< chunks
  uint64_t Grain = 0;  ///< iterations, at least 1
  uint64_t Extras = 0; ///< less than Tasks; 0 if Short is not
  uint64_t Short = 0;  ///< less than Grain

  /// The ordinal with which chunk \p Task, 0 .. Tasks, begins: the end, for the
  /// last one.
  uint64_t start(uint64_t Task) const {
    LOCUS_CHECK(Task <= Tasks);
    return Task == Tasks ? Trips
                         : Task * Grain + (Task < Extras ? Task : Extras);
  }
  /// The border between chunks, 0 .. Tasks, that is nearest to \p Ordinal,
  /// which is at most Trips; of two the first.
  uint64_t borderNear(uint64_t Ordinal) const;
  /// The chunks \p From .. \p To - 1, at least one.
  LoopChunks part(uint64_t From, uint64_t To) const;
  /// Whether the fields fit each other.
  bool isValid() const;
};

/// The chunks of \p Trips iterations, at least one, in a team of \p NumThreads
/// threads: as libomp has them. \p Amount is the argument of grainsize or
/// num_tasks, at least 1; \p Strict is the modifier of that name.
LoopChunks chunksOf(uint64_t Trips, LoopSchedule Schedule, uint64_t Amount,
                    bool Strict, int NumThreads);

/// \p Trips iterations as \p Tasks chunks, as even as can be.
LoopChunks evenChunks(uint64_t Trips, uint64_t Tasks);

/// \p Count * \p Part / \p Whole, rounded down, where Part <= Whole.
uint64_t shareOf(uint64_t Count, uint64_t Part, uint64_t Whole);

/// The first of \p Trips iterations that schedule(static) gives to thread
/// \p Thread, 0 .. \p NumThreads, or to a later one: the first threads have one
/// more than the others. Of fewer iterations than threads each part of the team
/// gets its share instead: a few large ones belong on different nodes.
uint64_t staticStart(uint64_t Trips, uint64_t Thread, uint64_t NumThreads);

} // namespace locus

#endif // LOCUS_LOOP_CHUNKS_H
