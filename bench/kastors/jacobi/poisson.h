//===-- poisson.h - The problem, point by point ---------------------------===//
//
// The blocked solver and the row-major reference share these two functions and
// nothing else. The same operations in the same order: their results agree in
// every bit.
//
//===----------------------------------------------------------------------===//

#ifndef KASTORS_POISSON_H
#define KASTORS_POISSON_H

#include <cstddef>

namespace kastors {

/// The exact solution u = x (1 - x^2) y (1 - y^3) at point (\p Row, \p Column)
/// of n x n, counted from 0: x grows with the column, y with the row. It has no
/// symmetry that could hide blocks taken for each other.
inline double exactSolution(size_t Row, size_t Column, size_t N) {
  double H = 1.0 / static_cast<double>(N + 1);
  double X = H * static_cast<double>(Column + 1);
  double Y = H * static_cast<double>(Row + 1);
  return X * (1 - X * X) * Y * (1 - Y * Y * Y);
}

/// h^2 f at a point, f = -laplace(u).
inline double rightSide(size_t Row, size_t Column, size_t N) {
  double H = 1.0 / static_cast<double>(N + 1);
  double X = H * static_cast<double>(Column + 1);
  double Y = H * static_cast<double>(Row + 1);
  return H * H * (6 * X * Y * (1 - Y * Y * Y) + 12 * Y * Y * X * (1 - X * X));
}

/// One Jacobi step of one point.
inline double relax(double North, double West, double East, double South,
                    double Rhs) {
  return 0.25 * (North + West + East + South + Rhs);
}

} // namespace kastors

#endif // KASTORS_POISSON_H
