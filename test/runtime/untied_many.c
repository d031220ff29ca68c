// An untied task creates as many tasks as it likes, also where they cannot be
// deferred. Upstream's libomp stacked the parts of the untied task upon each
// other (issue 127395).
//
// RUN: %build
// RUN: %run-each %t
// RUN: env OMP_NUM_THREADS=1 %run %t

#include "check.h"

enum { Count = 200000 };

static int Ran;

/// The children get an event or a dependence now and then: so they are tasks
/// that compiled code does not run without the runtime.
static void many(int Kind, int *Cell) {
#pragma omp task untied if (Kind != 3)
  for (int I = 0; I < Count; ++I) {
    if (Kind == 0) {
#pragma omp task
      add(&Ran, 1);
    } else if (Kind == 1) {
#pragma omp task depend(out : Cell[I % 2])
      add(&Ran, 1);
    } else {
#pragma omp task priority(1)
      add(&Ran, 1);
#pragma omp taskyield
    }
  }
}

int main(void) {
  for (int Kind = 0; Kind < 4; ++Kind) {
    int Cell[2];
    Ran = 0;
#pragma omp parallel
#pragma omp single
    many(Kind, Cell);
    CHECK_EQUAL(Ran, Count, Kind == 0 ? "tasks" : "tasks of another kind");
  }
  return 0;
}
