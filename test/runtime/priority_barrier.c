// A barrier does not open while a thread that waits in it runs a priority task.
// Upstream's libomp forgot that such a thread is busy again.
//
// RUN: %build
// RUN: env OMP_MAX_TASK_PRIORITY=10 %run-each --threads 2,8 %t

#include "check.h"

static void work(double Time) {
  double Start = seconds();
  while (seconds() - Start < Time)
    ;
}

int main(void) {
  for (int Round = 0; Round < 20; ++Round) {
    int Done = 0;
#pragma omp parallel shared(Done)
    {
#pragma omp masked
      {
        work(0.001); // lets the others arrive and find nothing to do
#pragma omp task shared(Done) priority(5)
        {
#pragma omp task shared(Done) priority(5)
          {
            work(0.003);
            set(&Done, 1);
          }
        }
#pragma omp taskwait
      }
#pragma omp barrier
      CHECK(get(&Done), "round %d: the barrier opened before the task ended",
            Round);
    }
  }
  return 0;
}
