// The tasks of a taskloop belong to the taskgroup around the construct, also
// those that are made later, by auxiliary tasks, when their parent is in
// another taskgroup: its cancellation does not concern them. Stock libomp drops
// them.
//
// RUN: %build && %run-each --env OMP_CANCELLATION=true %t

#include "check.h"

enum { Iterations = 5000 };

static int Ran[Iterations], Cancelled;

int main(void) {
  for (int Round = 0; Round < 20; ++Round) {
    for (int I = 0; I < Iterations; ++I)
      Ran[I] = 0;
    Cancelled = 0;
#pragma omp parallel
#pragma omp single
    {
      // More tasks than are made at once.
#pragma omp taskloop nogroup grainsize(1)
      for (int I = 0; I < Iterations; ++I)
        add(&Ran[I], 1);
#pragma omp taskgroup
      {
#pragma omp task
        {
          add(&Cancelled, 1);
#pragma omp cancel taskgroup
        }
        // For the tasks of the loop as well.
#pragma omp taskwait
      }
    }
    CHECK_EQUAL(Cancelled, 1, "the task that cancels");
    for (int I = 0; I < Iterations; ++I)
      CHECK_EQUAL(Ran[I], 1, "iteration");
  }
  return 0;
}
