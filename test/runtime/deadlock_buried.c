// A thread in a taskwait runs a strict task that does not descend from the
// waiting one. What this leaves behind, tasks without a hint, must not hide the
// awaited child that lies below them in the thread's own queue: nobody else may
// run it while all others wait, too.
//
// RUN: %build
// RUN: %run-each %t

#include "check.h"

int main(void) {
#pragma omp parallel
  {
    const int Threads = omp_get_num_threads();
    for (int Round = 0; Round < 10; ++Round) {
      static int Waiting, Left, Ran;
#pragma omp barrier
#pragma omp masked
      Waiting = Left = Ran = 0;
#pragma omp barrier
      // Each thread waits in a task of its own.
      omp_set_task_affinity(omp_affinity_thread,
                            (uintptr_t)omp_get_thread_num(), 1);
#pragma omp task
      {
        const int Me = omp_get_thread_num();
        // The newest of the private queue comes first: it is taken in the wait.
        omp_set_task_affinity(omp_affinity_thread, (uintptr_t)(Me + 1), 1);
#pragma omp task
        {
          for (int I = 0; I < 3; ++I)
#pragma omp task
            add(&Left, 1);
        }
        add(&Waiting, 1);
        WAIT_FOR(&Waiting, Threads);
#pragma omp task
        {
          add(&Ran, 1);
          for (int I = 0; I < 3; ++I)
#pragma omp task
            add(&Left, 1);
        }
#pragma omp taskwait
      }
#pragma omp barrier
#pragma omp masked
      {
        CHECK_EQUAL(Ran, Threads, "awaited children");
        CHECK_EQUAL(Left, 6 * Threads, "tasks that are left behind");
      }
    }
  }
  return 0;
}
