// A taskwait with dependences in an untied task that does not descend from the
// thread's own implicit task: what it waits for may run there.
//
// RUN: %build
// RUN: %run-each --threads 2,3 %t
// RUN: %run-each --threads 2 --policies noblock --env KMP_TASK_SCHEDULER=stock %t

#include "check.h"

enum { Rounds = 50 };

/// The creator does not help.
static void wait(void) {
  int X = 0, Over = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task untied shared(X, Over)
    {
#pragma omp task depend(out : X) shared(X)
      add(&X, 1);
#pragma omp taskwait depend(in : X)
      CHECK_EQUAL(get(&X), 1, "behind the taskwait");
#pragma omp task depend(inout : X) shared(X)
      add(&X, 1);
#pragma omp task if (0) depend(inout : X) shared(X)
      CHECK_EQUAL(add(&X, 1), 3, "undeferred");
      set(&Over, 1);
    }
    WAIT_FOR(&Over, 1);
  }
}

int main(void) {
  for (int I = 0; I < Rounds; ++I)
    wait();
  return 0;
}
