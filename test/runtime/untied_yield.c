// A thread in a taskyield of an untied task may not go on with the next part of
// that task's parent, which waits for the task below it on the same stack. It
// may run siblings.
//
// RUN: %build
// RUN: %run-each --threads 2 --env OMP_MAX_TASK_PRIORITY=1 %t

#include "check.h"

/// All threads are in a taskyield before what they wait for is queued.
static void siblings(void) {
  int Set = 0, Seen = 0;
#pragma omp parallel
#pragma omp single
  {
    const int Threads = omp_get_num_threads();
    for (int I = 0; I < 3 * Threads; ++I) {
      if (I == 2 * Threads)
        for (int J = 0; J < Threads; ++J)
#pragma omp task untied shared(Set)
          add(&Set, 1);
#pragma omp task untied shared(Set, Seen)
      {
        while (get(&Set) < Threads) {
#pragma omp taskyield
        }
        add(&Seen, 1);
      }
    }
#pragma omp taskwait
    CHECK_EQUAL(Seen, 3 * Threads, "tasks that saw their siblings");
  }
}

static void parent(void) {
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
}

int main(void) {
  parent();
  siblings();
  return 0;
}
