//===-- timing.h - Figures of the timed repetitions -----------------------===//

#ifndef KASTORS_TIMING_H
#define KASTORS_TIMING_H

#include <string>
#include <vector>

namespace kastors {

/// Seconds of the timed repetitions; there is at least one.
struct Timing {
  std::vector<double> Seconds; ///< In the order that they were run.

  double mean() const;
  double deviation() const; ///< Of a sample: 0 for a single repetition.
  double min() const;
  double median() const;
  double max() const;
};

} // namespace kastors

#endif // KASTORS_TIMING_H
