//===-- random.h - Random numbers for inputs ------------------------------===//
//
// SplitMix64: Steele, Lea, Flood, "Fast splittable pseudorandom number
// generators", OOPSLA 2014. The same numbers on every machine and runtime.
//
//===----------------------------------------------------------------------===//

#ifndef BENCH_RANDOM_H
#define BENCH_RANDOM_H

#include <stdint.h>

/// A number that depends on all bits of \p Value.
static inline uint64_t randomMix(uint64_t Value) {
  Value = (Value ^ (Value >> 30)) * 0xbf58476d1ce4e5b9u;
  Value = (Value ^ (Value >> 27)) * 0x94d049bb133111ebu;
  return Value ^ (Value >> 31);
}

/// The next number; \p State may start with anything.
static inline uint64_t randomNext(uint64_t *State) {
  return randomMix(*State += 0x9e3779b97f4a7c15u);
}

/// A number from 0 to \p Below - 1; the bias is below 2^-32.
static inline uint32_t randomBelow(uint64_t *State, uint32_t Below) {
  return (uint32_t)(((randomNext(State) >> 32) * Below) >> 32);
}

/// A number from 0 to below 1.
static inline double randomUnit(uint64_t *State) {
  return (double)(randomNext(State) >> 11) * 0x1p-53;
}

#endif // BENCH_RANDOM_H
