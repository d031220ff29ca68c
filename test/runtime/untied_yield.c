// A thread in a taskyield may not go on with the next part of the current task's
// parent: that one waits for the task below it on the same stack.
//
// RUN: %build
// RUN: %run-each --threads 2 --env OMP_MAX_TASK_PRIORITY=1 %t

#include "check.h"

int main(void) {
  int Over = 0, Yielded = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task untied shared(Over, Yielded)
    {
      // The priority lets it go before the next part of its parent, which is
      // queued when it yields.
#pragma omp task untied shared(Yielded) priority(1)
      {
#pragma omp taskyield
        set(&Yielded, 1);
      }
#pragma omp taskwait
      CHECK_EQUAL(get(&Yielded), 1, "the child has ended");
      set(&Over, 1);
    }
    WAIT_FOR(&Over, 1); // so one thread has all of it
  }
  return 0;
}
