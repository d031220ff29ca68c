//===-- reference.cpp - The same result, point by point -------------------===//

#include "reference.h"
#include "poisson.h"

#include <algorithm>
#include <cmath>
#include <cstring>

using namespace kastors;

Reference::Reference(size_t Order, size_t Steps) : Order(Order) {
  const size_t W = Order + 2;
  std::vector<double> Next(W * W, 0.0);
  Field.assign(W * W, 0.0);
  for (size_t Step = 0; Step < Steps; ++Step) {
    for (size_t Row = 1; Row + 1 < W; ++Row) {
      const double *Above = &Field[(Row - 1) * W];
      const double *At = Above + W, *Below = At + W;
      for (size_t Column = 1; Column + 1 < W; ++Column)
        Next[Row * W + Column] =
            relax(Above[Column], At[Column - 1], At[Column + 1], Below[Column],
                  rightSide(Row - 1, Column - 1, Order));
    }
    Field.swap(Next);
  }
}

double Reference::maxError() const {
  const size_t W = Order + 2;
  double Most = 0;
  for (size_t Row = 1; Row + 1 < W; ++Row)
    for (size_t Column = 1; Column + 1 < W; ++Column)
      Most =
          std::max(Most, std::abs(Field[Row * W + Column] -
                                  exactSolution(Row - 1, Column - 1, Order)));
  return Most;
}

std::string Reference::difference(const Jacobi &Problem) const {
  const size_t Block = Problem.blockOrder(),
               First = Problem.strip().First * Block;
  for (size_t Row = 0; Row < Problem.rows() * Block; ++Row)
    for (size_t Column = 0; Column < Order; ++Column) {
      const double Got = Problem.result(Row, Column);
      const double Want = Field[(First + Row + 1) * (Order + 2) + Column + 1];
      if (std::memcmp(&Got, &Want, sizeof(double)) == 0)
        continue;
      return format("point (%zu, %zu) of block (%zu, %zu) is %.17g instead of "
                    "%.17g",
                    First + Row, Column, (First + Row) / Block, Column / Block,
                    Got, Want);
    }
  return "";
}
