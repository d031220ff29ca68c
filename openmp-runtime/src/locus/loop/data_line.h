//===- loop/data_line.h - The data of a taskloop's iterations ---*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For a trace: which memory the tasks of a taskloop use, from what its clause
// has said of some iterations.
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_LOOP_DATA_LINE_H
#define LOCUS_LOOP_DATA_LINE_H

#include "locus/machine/page_node.h"

namespace locus {

/// Iterations whose data advances by the same step from each to the next one,
/// as a[i] and a[i * n] do. Of others nothing is said.
class DataLine {
public:
  /// The \p Trips iterations from the ordinal \p Start on use \p Range, from
  /// the lowest address to the highest one. The first call has the ordinal 0,
  /// and the next one as many iterations, if it has the room.
  void add(uint64_t Start, uint64_t Trips, MemoryRange Range) {
    if (Known == 0) {
      First = Range;
      FirstTrips = Trips;
    } else if (Known == 1 && Start != 0) {
      const int64_t Way = int64_t(uint64_t(Range.Base) - First.Base);
      IsEven = Start <= uint64_t(INT64_MAX) && Way % int64_t(Start) == 0;
      Step = IsEven ? Way / int64_t(Start) : 0;
    }
    Known += Known == 0 || Start != 0;
    IsEven &= Known < 2 || Range.Base == of(Start, Trips).Base;
  }

  /// Whether of() has an answer for these iterations.
  bool knows(uint64_t Start, uint64_t Trips) const {
    return IsEven &&
           (Known > 1 || (Known == 1 && Start == 0 && Trips == FirstTrips));
  }
  /// What the \p Trips iterations, at least one, from \p Start on use.
  MemoryRange of(uint64_t Start, uint64_t Trips) const {
    if (Known < 2)
      return First;
    const uint64_t Size = Step < 0 ? 0 - uint64_t(Step) : uint64_t(Step);
    const uint64_t Rest = Size * (FirstTrips - 1); // but for one iteration
    const uint64_t One = First.Length > Rest ? First.Length - Rest : 0;
    // The lowest address is that of the first or of the last iteration.
    const uint64_t Lowest = Step < 0 ? Start + Trips - FirstTrips : Start;
    return {uintptr_t(First.Base + Lowest * uint64_t(Step)),
            size_t(Size * (Trips - 1) + One)};
  }

private:
  MemoryRange First = {0, 0};
  uint64_t FirstTrips = 1;
  int64_t Step = 0;   ///< bytes from an iteration to the next one
  uint64_t Known = 0; ///< iterations, 0 and others
  bool IsEven = true;
};

} // namespace locus

#endif // LOCUS_LOOP_DATA_LINE_H
