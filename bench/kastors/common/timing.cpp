//===-- timing.cpp - Figures of the timed repetitions ---------------------===//

#include "timing.h"
#include "program.h"

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace kastors;

double Timing::mean() const {
  return std::accumulate(Seconds.begin(), Seconds.end(), 0.0) /
         static_cast<double>(Seconds.size());
}

double Timing::deviation() const {
  if (Seconds.size() < 2)
    return 0;
  const double Mean = mean();
  double Squares = 0;
  for (double Second : Seconds)
    Squares += (Second - Mean) * (Second - Mean);
  return std::sqrt(Squares / static_cast<double>(Seconds.size() - 1));
}

double Timing::min() const {
  return *std::min_element(Seconds.begin(), Seconds.end());
}

double Timing::median() const {
  std::vector<double> Sorted = Seconds;
  return benchMedian(Sorted.data(), static_cast<int>(Sorted.size()));
}

double Timing::max() const {
  return *std::max_element(Seconds.begin(), Seconds.end());
}
