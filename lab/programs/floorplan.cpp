//===- programs/floorplan.cpp - The smallest plan of cells ---------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// bench/apps/floorplan, after BOTS: cells of several shapes are put beside or
// below earlier ones, and whoever finds a smaller rectangle lets all prune
// more. So how many tasks there are depends on the order in which they run.
//
//===----------------------------------------------------------------------===//

#include "lab/programs/programs.h"

#include <algorithm>
#include <array>
#include <memory>

namespace locus::lab {

namespace {

constexpr uint64_t BoardSize = 64;
/// To look whether a place is free, a row; to copy a plan for a new task.
constexpr double RowCycles = 2, CopyCycles = 120;

struct Shape {
  uint64_t Width, Height;
};
struct Place {
  uint64_t X, Y;
  Shape Of;
  uint64_t right() const { return X + Of.Width; }
  uint64_t bottom() const { return Y + Of.Height; }
};

/// The cells placed so far.
struct Plan {
  std::array<uint64_t, BoardSize> Rows{}; ///< a bit for each square taken
  std::vector<Place> Places;
  uint64_t Width = 0, Height = 0; ///< of the rectangle around them

  static uint64_t mask(const Place &P) {
    return ~uint64_t(0) >> (BoardSize - P.Of.Width) << P.X;
  }
  bool fits(const Place &P) const {
    if (P.right() > BoardSize || P.bottom() > BoardSize)
      return false;
    return std::all_of(&Rows[P.Y], &Rows[P.Y] + P.Of.Height,
                       [&](uint64_t Row) { return !(Row & mask(P)); });
  }
  uint64_t areaWith(const Place &P) const {
    return std::max(Width, P.right()) * std::max(Height, P.bottom());
  }
  Plan with(const Place &P) const {
    Plan More = *this;
    for (uint64_t Y = P.Y; Y < P.bottom(); ++Y)
      More.Rows[Y] |= mask(P);
    More.Places.push_back(P);
    More.Width = std::max(Width, P.right());
    More.Height = std::max(Height, P.bottom());
    return More;
  }
  /// Where a cell of shape \p S may go.
  std::vector<Place> places(const Shape &S) const {
    if (Places.empty())
      return {{0, 0, S}};
    std::vector<Place> All;
    for (const Place &P : Places) {
      All.push_back({P.right(), P.Y, S});
      All.push_back({P.X, P.bottom(), S});
    }
    return All;
  }
};

struct Search {
  std::vector<std::vector<Shape>> Cells; ///< the shapes of each
  CoreSpeed Speed;
  uint64_t Best = BoardSize * BoardSize + 1;
};

void search(Context &C, const std::shared_ptr<Search> &S, const Plan &At) {
  if (At.Places.size() == S->Cells.size()) {
    S->Best = std::min(S->Best, At.Width * At.Height);
    return;
  }
  for (const Shape &Next : S->Cells[At.Places.size()])
    for (const Place &P : At.places(Next)) {
      C.compute(S->Speed.cycles(RowCycles * double(Next.Height)));
      if (!At.fits(P) || At.areaWith(P) >= S->Best)
        continue;
      // What a task has is copied only when it runs.
      spawn(C, 0, [S, &At, P](Context &T) {
        if (At.areaWith(P) >= S->Best)
          return;
        T.compute(S->Speed.cycles(CopyCycles));
        search(T, S, At.with(P));
      });
    }
  C.taskwait();
}

} // namespace

TimedProgram floorplan(int Cells, uint64_t Seed, CoreSpeed Speed) {
  TimedProgram P;
  P.Name = "floorplan";
  P.Constructs = {"cell"};
  Random Draw(Seed);
  std::vector<std::vector<Shape>> All;
  for (int I = 0; I < Cells; ++I) {
    const uint64_t Width = 1 + Draw.below(5), Height = 2 + Draw.below(6);
    All.push_back({{Width, Height}});
    if (Width != Height)
      All.back().push_back({Height, Width});
  }
  P.ImplicitTask = [All, Speed](Context &C) {
    if (C.thread() == 0)
      search(C, std::make_shared<Search>(Search{All, Speed}), Plan());
  };
  return P;
}

} // namespace locus::lab
