//===-- blocks.h - A square matrix in blocks of whole pages ---------------===//
//
// Every block starts on a page of its own and shares none with another block: a
// row-major matrix would have each page cross a whole row of blocks.
//
//===----------------------------------------------------------------------===//

#ifndef KASTORS_BLOCKS_H
#define KASTORS_BLOCKS_H

#include "pages.h"

namespace kastors {

/// Layers matrices of Side x Side blocks, each of Order x Order doubles. The
/// blocks of one row and column lie together in all layers.
class BlockMatrix {
public:
  BlockMatrix(size_t Side, size_t Order, size_t Layers = 1)
      : Side(Side), Layers(Layers), Stride(strideFor(Order)),
        Memory(bytesFor(Side, Order, Layers)) {}

  /// \returns the first element of the block in row \p Row, column \p Column of
  /// the grid of blocks; all counted from 0.
  double *block(size_t Row, size_t Column, size_t Layer = 0) const {
    return reinterpret_cast<double *>(
        Memory.begin() + ((Row * Side + Column) * Layers + Layer) * Stride);
  }

  /// Bytes from a block in layer 0 to the end of the last layer.
  size_t bytes() const { return Layers * Stride; }

  void dropPages() { Memory.drop(); }

  /// Bytes of address space that such matrices take, padding included.
  static uint64_t bytesFor(uint64_t Side, uint64_t Order, uint64_t Layers) {
    return Side * Side * Layers * strideFor(Order);
  }

private:
  static uint64_t strideFor(uint64_t Order) {
    return wholePages(Order * Order * sizeof(double));
  }

  size_t Side;
  size_t Layers;
  size_t Stride; ///< Bytes from block to block.
  Pages Memory;
};

} // namespace kastors

#endif // KASTORS_BLOCKS_H
