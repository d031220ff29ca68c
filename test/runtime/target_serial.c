// Teams of one thread: a task that a target task releases, on a thread of the
// hidden helper team, runs in its own team.
//
// RUN: %build
// RUN: %run-each --threads 1 --env LIBOMP_NUM_HIDDEN_HELPER_THREADS=1 %t
// RUN: %run-each --threads 1 %t

#include "check.h"

enum { Rounds = 200 };
static int X;

static void awaited(void) {
#pragma omp target nowait depend(inout : X) map(tofrom : X)
  ++X;
#pragma omp task depend(inout : X)
  add(&X, 1);
#pragma omp taskwait depend(inout : X)
  add(&X, 1);
}

static void undeferred(void) {
#pragma omp target nowait depend(inout : X) map(tofrom : X)
  ++X;
#pragma omp task depend(inout : X)
  add(&X, 1);
#pragma omp task if (0) depend(inout : X)
  add(&X, 1);
}

int main(void) {
  for (int I = 0; I < Rounds; ++I) {
    X = 0;
#pragma omp parallel
    awaited();
    CHECK_EQUAL(X, 3, "of an implicit task");
#pragma omp parallel
    {
#pragma omp task
      undeferred();
#pragma omp taskwait
    }
    CHECK_EQUAL(X, 6, "of an explicit task");
  }
  return 0;
}
