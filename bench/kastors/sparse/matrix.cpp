//===-- matrix.cpp - A sparse matrix of the Laplace problem ---------------===//

#include "matrix.h"

using namespace kastors;

SparseMatrix kastors::laplaceMatrix(size_t Side) {
  SparseMatrix M;
  M.Begin.reserve(Side * Side + 1);
  M.Column.reserve(5 * Side * Side);
  M.Value.reserve(5 * Side * Side);
  auto Add = [&](size_t Row, size_t Column, double Value) {
    M.Column.push_back(static_cast<int32_t>(Row * Side + Column));
    M.Value.push_back(Value);
  };
  for (size_t Row = 0; Row < Side; ++Row)
    for (size_t Column = 0; Column < Side; ++Column) {
      M.Begin.push_back(M.Column.size());
      const bool North = Row > 0, South = Row + 1 < Side;
      const bool West = Column > 0, East = Column + 1 < Side;
      if (North)
        Add(Row - 1, Column, -1);
      if (West)
        Add(Row, Column - 1, -1);
      Add(Row, Column, 4.0 + !North + !South + !West + !East);
      if (East)
        Add(Row, Column + 1, -1);
      if (South)
        Add(Row + 1, Column, -1);
    }
  M.Begin.push_back(M.Column.size());
  return M;
}

std::vector<double> kastors::multiply(const SparseMatrix &M,
                                      const std::vector<double> &X) {
  std::vector<double> Y(M.rows());
  for (size_t Row = 0; Row < M.rows(); ++Row) {
    double Sum = 0;
    for (size_t At = M.Begin[Row]; At < M.Begin[Row + 1]; ++At)
      Sum += M.Value[At] * X[static_cast<size_t>(M.Column[At])];
    Y[Row] = Sum;
  }
  return Y;
}
