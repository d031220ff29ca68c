// The clause's expressions come before the task counts as a child: one that
// waits for children, or is left by an exception, must not meet it.
//
// REQUIRES: clause
// RUN: %clangxx %s -fexceptions -o %t
// RUN: %run-each %t

#include "check.h"

static int compute(int N) {
  int Result = 0;
#pragma omp task shared(Result)
  Result = N;
#pragma omp taskwait
  return Result;
}

static int throws(int N) {
  if (N > 0)
    throw N;
  return N;
}

int main() {
  int Ran = 0, Caught = 0;
  static int Data[4];
#pragma omp parallel
#pragma omp single
  {
#pragma omp task affinity(node : compute(1)) shared(Ran)
    add(&Ran, 1);
#pragma omp task affinity(thread : compute(2), compute(1)) shared(Ran)
    add(&Ran, 1);
#pragma omp task if (0) affinity(data : Data[compute(3)]) shared(Ran)
    add(&Ran, 1);
    try {
#pragma omp task affinity(node : throws(1)) shared(Ran)
      add(&Ran, 1);
    } catch (int) {
      ++Caught;
    }
#pragma omp taskwait
  }
  CHECK_EQUAL(Ran, 3, "tasks run");
  CHECK_EQUAL(Caught, 1, "exceptions caught");
  return 0;
}
