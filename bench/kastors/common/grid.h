//===-- grid.h - Which thread owns which block ----------------------------===//

#ifndef KASTORS_GRID_H
#define KASTORS_GRID_H

#include <cstddef>

namespace kastors {

/// Maps Side x Side blocks to a grid of Rows x Columns threads. A thread owns a
/// rectangle of neighbouring blocks; the sides of two rectangles differ by one
/// block at most.
struct ThreadGrid {
  unsigned Rows = 1;
  unsigned Columns = 1;
  size_t Side = 1;

  /// \returns the thread, from 0 to Rows * Columns - 1, that owns a block.
  unsigned owner(size_t Row, size_t Column) const {
    return static_cast<unsigned>(Row * Rows / Side * Columns +
                                 Column * Columns / Side);
  }

  /// Blocks of the thread that owns the most, and the least.
  size_t mostBlocks() const;
  size_t leastBlocks() const;

  /// Chooses the grid for any number of threads: the factors that balance best,
  /// and among those the ones nearest to a square (a prime gives 1 x Threads).
  /// Fails when every choice leaves a thread without a block.
  static ThreadGrid choose(unsigned Threads, size_t Side);
};

} // namespace kastors

#endif // KASTORS_GRID_H
