//===-- reference.h - The same result, point by point ---------------------===//

#ifndef KASTORS_REFERENCE_H
#define KASTORS_REFERENCE_H

#include "jacobi.h"

#include <string>
#include <vector>

namespace kastors {

/// Jacobi's method on one row-major array, on one thread.
class Reference {
public:
  /// Nothing is known yet.
  Reference() = default;
  /// Computes \p Steps steps of \p Order x \p Order points.
  Reference(size_t Order, size_t Steps);

  bool isKnown() const { return !Field.empty(); }

  /// The largest distance from the exact solution.
  double maxError() const;

  /// \returns the first point of \p Problem that differs in a bit, in words, or
  /// an empty string.
  std::string difference(const Jacobi &Problem) const;

  /// Bytes that it takes for \p Order x \p Order points.
  static uint64_t bytesFor(uint64_t Order) {
    return 2 * sizeof(double) * (Order + 2) * (Order + 2);
  }

private:
  size_t Order = 0;
  std::vector<double> Field; ///< Row-major, with the border.
};

} // namespace kastors

#endif // KASTORS_REFERENCE_H
