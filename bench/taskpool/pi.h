//===-- pi.h - The unit of work of the task pool study --------------------===//
//
// Hofmann and Runger ("Towards an adaptive task pool implementation", section
// 5) make their tasks of computations of Pi up to a fixed precision, repeated.
// Here: Machin's formula to the precision of a double, some tens of ns.
//
//===----------------------------------------------------------------------===//

#ifndef BENCH_PI_H
#define BENCH_PI_H

#include <math.h>

/// The arc tangent of 1 / \p Inverse by its series.
static inline double arcTangent(double Inverse) {
  double Power = 1 / Inverse, Sum = 0;
  for (int Odd = 1; Power > 1e-17; Odd += 2) {
    Sum += (Odd % 4 == 1 ? Power : -Power) / Odd;
    Power /= Inverse * Inverse;
  }
  return Sum;
}

/// Computes Pi \p Times times. \returns how often the result was right.
__attribute__((noinline)) static long computePi(long Times) {
  long Right = 0;
  for (long I = 0; I < Times; ++I) {
    // Unknown to the compiler, which could do it once and for all.
    double Five = 5;
    __asm__ volatile("" : "+x"(Five));
    double Pi = 16 * arcTangent(Five) - 4 * arcTangent(239);
    Right += fabs(Pi - M_PI) < 1e-12;
  }
  return Right;
}

#endif // BENCH_PI_H
