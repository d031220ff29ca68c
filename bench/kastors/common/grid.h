//===-- grid.h - Which thread owns which block ----------------------------===//

#ifndef KASTORS_GRID_H
#define KASTORS_GRID_H

#include <cstddef>

namespace kastors {

/// Maps Rows x Columns blocks to any number of threads. The blocks are numbered
/// band by band, in a band of rows column by column, every second band from the
/// right; each thread owns a run of these numbers. So two threads differ by one
/// block at most, and a thread's blocks are neighbours: exact rectangles where
/// the grid of threads divides the grid of blocks.
class ThreadGrid {
public:
  /// Fails when there are fewer blocks than threads.
  ThreadGrid(unsigned Threads, size_t Rows, size_t Columns);

  /// \returns the thread, from 0 to Threads - 1, that owns a block.
  unsigned owner(size_t Row, size_t Column) const;

  unsigned bands() const { return Bands; }

private:
  size_t bandBegin(size_t Band) const { return Band * Rows / Bands; }

  unsigned Threads;
  size_t Rows;
  size_t Columns;
  unsigned Bands;
};

} // namespace kastors

#endif // KASTORS_GRID_H
