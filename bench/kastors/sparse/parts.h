//===-- parts.h - A matrix and vectors in parts, each in its own pages ----===//
//
// Rows are permuted so that those of a part follow each other, columns alike.
// Each part of the matrix and each part of a vector begins on a page, so the
// permuted numbers have gaps: a row's number says at once where its element of
// any vector lies.
//
//===----------------------------------------------------------------------===//

#ifndef KASTORS_PARTS_H
#define KASTORS_PARTS_H

#include "../common/pages.h"
#include "matrix.h"

#include <functional>
#include <memory>

namespace kastors {

/// Numbers of rows, permuted and with gaps.
class PartLayout {
public:
  PartLayout(const SparseMatrix &M, size_t Parts);

  size_t parts() const { return Begin.size() - 1; }

  /// The first permuted number of a part, and its rows.
  size_t begin(size_t Part) const { return Begin[Part]; }
  size_t rows(size_t Part) const { return Rows[Part].size(); }

  /// The original number of row \p Index of a part.
  int32_t original(size_t Part, size_t Index) const {
    return Rows[Part][Index];
  }

  /// The permuted number of an original one.
  int32_t permuted(int32_t Row) const {
    return Permuted[static_cast<size_t>(Row)];
  }

  /// Elements that a vector takes, gaps included.
  size_t elements() const { return Begin.back(); }

private:
  std::vector<std::vector<int32_t>> Rows;
  std::vector<size_t> Begin;
  std::vector<int32_t> Permuted;
};

/// A vector whose parts lie in pages of their own.
class PartVector {
public:
  explicit PartVector(const PartLayout &Layout)
      : Layout(Layout), Memory(Layout.elements() * sizeof(double)) {}

  /// The element with permuted number 0.
  double *all() const { return reinterpret_cast<double *>(Memory.begin()); }
  double *part(size_t Part) const { return all() + Layout.begin(Part); }

  /// The values in the original order.
  std::vector<double> gather() const;

  void dropPages() { Memory.drop(); }

private:
  const PartLayout &Layout;
  Pages Memory;
};

/// The matrix in parts. No part exists before fill.
class PartMatrix {
public:
  PartMatrix(const SparseMatrix &M, const PartLayout &Layout);
  ~PartMatrix();

  /// Memory for all parts: their pages go to who touches them first.
  void map();

  /// Memory by omp_alloc: the thread \p Owner(part) of a parallel region
  /// allocates each part near to itself.
  void allocate(const std::function<unsigned(size_t Part)> &Owner);

  /// Copies a part: the first touch of its pages.
  void fill(size_t Part) const;

  /// Y = matrix times X in the rows of one part.
  void multiply(size_t Part, const PartVector &X, const PartVector &Y) const;

  /// The pages of a part.
  const Pages &pages(size_t Part) const { return *Memory[Part]; }
  void dropPages();

private:
  /// Where the arrays of a part lie in its pages.
  struct Arrays {
    double *Value;
    uint32_t *Begin; ///< One more than rows.
    int32_t *Column;
  };
  Arrays arrays(size_t Part) const;
  size_t bytes(size_t Part) const;

  const SparseMatrix &Source;
  const PartLayout &Layout;
  std::vector<size_t> Entries; ///< Of each part.
  std::vector<std::unique_ptr<Pages>> Memory;
  omp_allocator_handle_t Near = omp_allocator_handle_t();
};

} // namespace kastors

#endif // KASTORS_PARTS_H
