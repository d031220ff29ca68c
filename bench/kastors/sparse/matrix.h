//===-- matrix.h - A sparse matrix, and where it comes from ---------------===//

#ifndef KASTORS_MATRIX_H
#define KASTORS_MATRIX_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace kastors {

/// A square matrix by compressed rows: the entries of row R are those from
/// Begin[R] to Begin[R + 1] - 1.
struct SparseMatrix {
  std::vector<size_t> Begin;
  std::vector<int32_t> Column;
  std::vector<double> Value;

  size_t rows() const { return Begin.size() - 1; }
  size_t entries() const { return Column.size(); }
};

/// The finite-volume discretization of -laplace(u) on the unit square, cut in
/// \p Side x \p Side cells, with u = 0 on the border: the flow through each of
/// the four sides of a cell. Half a cell lies between a centre and the border,
/// so that flow counts twice.
SparseMatrix laplaceMatrix(size_t Side);

/// Reads a square matrix in MatrixMarket's coordinate format (real, integer or
/// pattern; general, symmetric or skew-symmetric). Fails with FILE:LINE and
/// what is wrong there.
SparseMatrix readMatrixMarket(const std::string &Name);

/// \returns matrix times \p X, row by row.
std::vector<double> multiply(const SparseMatrix &,
                             const std::vector<double> &X);

} // namespace kastors

#endif // KASTORS_MATRIX_H
