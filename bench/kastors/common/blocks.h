//===-- blocks.h - Matrices in blocks of whole pages --------------------===//
//
// Every block starts on a page of its own and shares none with another block: a
// row-major matrix would have each page cross a whole row of blocks.
//
//===----------------------------------------------------------------------===//

#ifndef KASTORS_BLOCKS_H
#define KASTORS_BLOCKS_H

#include "pages.h"

namespace kastors {

/// Layers matrices of Rows x Columns blocks, each of Order x Order doubles. The
/// blocks of one row and column lie together in all layers.
class BlockMatrix {
public:
  BlockMatrix(size_t Rows, size_t Columns, size_t Order, size_t Layers = 1)
      : Columns(Columns), Layers(Layers), Stride(strideFor(Order)),
        Memory(bytesFor(Rows, Columns, Order, Layers)) {}

  /// \returns the first element of the block in row \p Row, column \p Column of
  /// the grid of blocks; all counted from 0.
  double *block(size_t Row, size_t Column, size_t Layer = 0) const {
    return reinterpret_cast<double *>(
        Memory.begin() + ((Row * Columns + Column) * Layers + Layer) * Stride);
  }

  /// Bytes from a block to the same in the next layer, and from a block in
  /// layer 0 to the end of the last layer.
  size_t layerBytes() const { return Stride; }
  size_t bytes() const { return Layers * Stride; }

  void dropPages() { Memory.drop(); }

  /// Bytes of address space that such matrices take, padding included.
  static uint64_t bytesFor(uint64_t Rows, uint64_t Columns, uint64_t Order,
                           uint64_t Layers) {
    return Rows * Columns * Layers * strideFor(Order);
  }

private:
  static uint64_t strideFor(uint64_t Order) {
    return wholePages(Order * Order * sizeof(double));
  }

  size_t Columns;
  size_t Layers;
  size_t Stride; ///< Bytes from block to block.
  Pages Memory;
};

} // namespace kastors

#endif // KASTORS_BLOCKS_H
