//===- programs/build.h - What generators of programs share -----*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_LAB_PROGRAMS_BUILD_H
#define LOCUS_LAB_PROGRAMS_BUILD_H

#include "lab/machine.h"
#include "lab/program.h"

#include <cmath>
#include <memory>
#include <utility>

namespace locus::lab {

/// How fast a core of the simulated machine computes.
struct CoreSpeed {
  double Ghz = 1;    ///< cycles in a nanosecond
  double Gflops = 1; ///< of a product of matrices that are in the cache
  /// Nanoseconds for \p Cycles.
  double cycles(double Cycles) const { return Cycles / Ghz; }
};

/// What a program does in all, for any scheduler. Tests compare what a
/// generator creates with what its algorithm says.
struct WorkCounts {
  uint64_t Tasks = 0;
  uint64_t Depends = 0; ///< items of depend clauses
  uint64_t Read = 0;    ///< bytes that are read only
  uint64_t Written = 0; ///< bytes that are written, or read and written
  uint64_t Waits = 0;   ///< taskwaits
  double ComputeNs = 0;
};

/// Hands out simulated addresses, each thing on pages of its own.
class AddressSpace {
public:
  static constexpr uint64_t PageBytes = UsualPageBytes;
  /// The first byte of \p Bytes that nobody else has.
  uint64_t allocate(uint64_t Bytes) {
    const uint64_t Begin = Next;
    Next += (Bytes + PageBytes - 1) / PageBytes * PageBytes;
    return Begin;
  }

private:
  uint64_t Next = uint64_t(1) << 40;
};

/// Threads as a rectangle, as square as their number allows, over a grid: so
/// that what a thread owns is one rectangle of the grid.
class ThreadRectangle {
public:
  ThreadRectangle(int Threads, uint64_t Side) : Side(Side) {
    for (int R = 1; R * R <= Threads; ++R)
      if (Threads % R == 0)
        Rows = R;
    Columns = Threads / Rows;
  }
  /// The thread that owns cell (\p Row, \p Column) of Side x Side.
  int owner(uint64_t Row, uint64_t Column) const {
    return int(Row * uint64_t(Rows) / Side * uint64_t(Columns) +
               Column * uint64_t(Columns) / Side);
  }
  int rows() const { return Rows; }
  int columns() const { return Columns; }

private:
  uint64_t Side;
  int Rows = 1, Columns = 1;
};

/// Reproducible random numbers: Steele, Lea, Flood, "Fast splittable
/// pseudorandom number generators", OOPSLA 2014.
class Random {
public:
  explicit Random(uint64_t Seed) : State(Seed) {}
  uint64_t next() { return mix(State += 0x9e3779b97f4a7c15u); }
  /// A number in 0 .. \p Below - 1.
  uint64_t below(uint64_t Below) {
    return uint64_t((unsigned __int128)next() * Below >> 64);
  }
  static uint64_t mix(uint64_t X) {
    X = (X ^ (X >> 30)) * 0xbf58476d1ce4e5b9u;
    X = (X ^ (X >> 27)) * 0x94d049bb133111ebu;
    return X ^ (X >> 31);
  }

private:
  uint64_t State;
};

/// A program that is timed from some point on, as the papers do.
struct TimedProgram : Program {
  /// Context::now() when its data is there and it begins to compute.
  std::shared_ptr<double> SolveFrom = std::make_shared<double>(0);
};

/// How often a program creates the same tasks. It waits for all of them then.
struct Repeat {
  uint64_t Rounds = 1;
  bool IsGraph = false; ///< each round is a taskgraph construct
};
/// Creates what \p Create(Context &) does, as \p How says. Several rounds are
/// timed from the second one on, by \p SolveFrom: a graph is recorded then.
template <typename F>
void repeat(Context &C, const Repeat &How, double &SolveFrom, F Create) {
  for (uint64_t Round = 0; Round < How.Rounds; ++Round) {
    if (Round == 1)
      SolveFrom = C.now();
    if (How.IsGraph) {
      C.taskgraph(0, Create);
      continue;
    }
    Create(C);
    if (How.Rounds > 1)
      C.taskwait();
  }
}

/// Creates a task with \p Body and without a clause: compiled code may run it
/// in place.
template <typename F> void spawn(Context &C, uint32_t Construct, F &&Body) {
  TaskSpec Spec;
  Spec.Body = std::forward<F>(Body);
  Spec.Construct = Construct;
  Spec.MayRunInPlace = true;
  C.create(Spec);
}

} // namespace locus::lab

#endif // LOCUS_LAB_PROGRAMS_BUILD_H
