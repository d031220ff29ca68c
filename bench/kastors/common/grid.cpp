//===-- grid.cpp - Which thread owns which block --------------------------===//

#include "grid.h"
#include "program.h"

#include <algorithm>
#include <cmath>

using namespace kastors;

/// The divisor of \p Threads nearest to its root; where that makes long stripes
/// (a prime has only 1), the root itself.
static unsigned bandsFor(unsigned Threads) {
  const double Root = std::sqrt(Threads);
  for (unsigned Rows = static_cast<unsigned>(Root); Rows >= Root / 2; --Rows)
    if (Threads % Rows == 0)
      return Rows;
  return static_cast<unsigned>(std::lround(Root));
}

ThreadGrid::ThreadGrid(unsigned Threads, size_t Rows, size_t Columns)
    : Threads(Threads), Rows(Rows), Columns(Columns),
      Bands(static_cast<unsigned>(std::min<size_t>(bandsFor(Threads), Rows))) {
  if (Rows * Columns < Threads)
    benchFail(
        "%u threads but only %zu x %zu blocks: every thread needs a block; "
        "take smaller blocks (-b), a larger matrix (-n) or fewer threads "
        "(OMP_NUM_THREADS)",
        Threads, Rows, Columns);
}

unsigned ThreadGrid::owner(size_t Row, size_t Column) const {
  size_t Band = Row * Bands / Rows;
  if (Row >= bandBegin(Band + 1))
    ++Band;
  const size_t Begin = bandBegin(Band);
  const size_t Height = bandBegin(Band + 1) - Begin;
  const size_t Across = Band % 2 ? Columns - 1 - Column : Column;
  const size_t Number = Begin * Columns + Across * Height + (Row - Begin);
  return static_cast<unsigned>(Number * Threads / (Rows * Columns));
}
