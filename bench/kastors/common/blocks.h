//===-- blocks.h - A square matrix in blocks of whole pages ---------------===//
//
// Placement is a property of pages. So that it is exact, every block starts on
// a page of its own and shares none with another block: a row-major matrix
// would have each page cross a whole row of blocks. For the same reason huge
// pages are refused, and the kernel is told not to move pages later.
//
//===----------------------------------------------------------------------===//

#ifndef KASTORS_BLOCKS_H
#define KASTORS_BLOCKS_H

#include <cstddef>
#include <cstdint>

namespace kastors {

/// A matrix of Side x Side blocks, each of Order x Order doubles, row-major
/// inside. No page exists until it is first written.
class BlockMatrix {
public:
  BlockMatrix(size_t Side, size_t Order);
  ~BlockMatrix();
  BlockMatrix(const BlockMatrix &) = delete;
  BlockMatrix &operator=(const BlockMatrix &) = delete;

  /// \returns the first element of the block in row \p Row, column \p Column of
  /// the grid of blocks, both counted from 0.
  double *block(size_t Row, size_t Column) const {
    return reinterpret_cast<double *>(Base + (Row * Side + Column) * Stride);
  }

  /// Bytes that a block holds, without its padding.
  size_t blockBytes() const { return Order * Order * sizeof(double); }

  /// Gives all pages back: the next write to each is a first touch again. No
  /// thread may use the matrix meanwhile.
  void dropPages();

  /// Bytes of address space that such a matrix takes, padding included.
  static uint64_t bytesFor(uint64_t Side, uint64_t Order);

private:
  size_t Side;
  size_t Order;
  size_t Stride; ///< Bytes from block to block: whole pages.
  size_t Bytes;
  char *Base;
};

} // namespace kastors

#endif // KASTORS_BLOCKS_H
