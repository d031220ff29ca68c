// A loop whose clause calls a function with such a loop, inlined: both are
// asked for in the same frame, and without -g at the same location.
//
// REQUIRES: clause
// RUN: %build -g0
// RUN: %run-each --threads 1,4 %t

#include "check.h"

enum { Outer = 2000, Inner = 20, Rounds = 20 };

static int Total, Ran[Outer];

static inline __attribute__((always_inline)) int where(int I) {
#pragma omp taskloop affinity(node : J % 2)
  for (int J = 0; J < Inner; ++J)
    add(&Total, 1);
  return I % 2;
}

int main(void) {
#pragma omp parallel
#pragma omp single
  for (int Round = 0; Round < Rounds; ++Round) {
#pragma omp taskloop affinity(node : where(I)) num_tasks(100)
    for (int I = 0; I < Outer; ++I)
      add(&Ran[I], 1);
  }
  for (int I = 0; I < Outer; ++I)
    CHECK_EQUAL(Ran[I], Rounds, "iterations of the outer loop");
  CHECK_EQUAL(Total % Inner, 0, "rest of whole inner loops");
  return 0;
}
