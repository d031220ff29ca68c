//===- programs/tiles.h - A matrix in tiles ---------------------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What factorizations by tiles share: where the tiles lie, who touches them
// first, who owns them, and a task that reads some and writes others.
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_LAB_PROGRAMS_TILES_H
#define LOCUS_LAB_PROGRAMS_TILES_H

#include "lab/programs/programs.h"

namespace locus::lab {

/// Of a square matrix of tiles; IsFactor: the smaller block that belongs to it.
struct Tile {
  uint64_t Row, Column;
  bool IsFactor = false;
};

class TileMatrix {
public:
  /// \p Side tiles in a row, each of \p Bytes, and of \p FactorBytes beside
  /// it; as many rows, unless \p Rows says how many.
  TileMatrix(uint64_t Side, uint64_t Bytes, uint64_t FactorBytes, Placing,
             FirstTouch, int Threads, uint64_t Rows = 0);

  uint64_t side() const { return Side; }
  /// Gives the tiles of \p Full to one of \p Threads after the other, instead
  /// of as ScaLAPACK would: where many are empty, that would not be even.
  void dealOut(const std::vector<bool> &Full, int Threads);
  Range range(const Tile &T, bool Writes) const {
    return {(T.IsFactor ? Factors : Tiles)[T.Row * Side + T.Column],
            T.IsFactor ? FactorBytes : Bytes, Writes};
  }
  /// A task that reads \p In and writes \p Out, of which the first says where
  /// it belongs. \p OutKinds are their dependences: InOut if there are none.
  /// \p Moves, if any: what it moves instead of all that it names.
  void createTask(Context &C, uint32_t Construct, double Ns,
                  const std::vector<Tile> &In, const std::vector<Tile> &Out,
                  const std::vector<DepKind> &OutKinds = {},
                  const std::vector<Range> &Moves = {}) const;
  /// Touches all tiles, or those up to the diagonal, and waits. Factors are
  /// left to who writes them, unless all memory is placed.
  void initialize(Context &C, uint32_t Touch, bool UpToDiagonal) const;

private:
  uint64_t Side, Rows, Bytes, FactorBytes;
  Placing Where;
  FirstTouch Init;
  ThreadRectangle Owners;
  std::vector<uint64_t> Tiles, Factors;
  std::vector<uint64_t> Dealt; ///< owners, if they were dealt out

  uint64_t owner(const Tile &T) const;
  void place(Context &C, const Range &R, uint64_t Number) const;
  void touch(Context &C, uint32_t Touch, const Tile &T) const;
};

/// Nanoseconds of a kernel of \p FlopsPerCube B^3 operations on tiles of order
/// \p B, most of them products with \p Inner columns at once.
double tileKernelNs(double FlopsPerCube, uint64_t B, uint64_t Inner, CoreSpeed);

} // namespace locus::lab

#endif // LOCUS_LAB_PROGRAMS_TILES_H
