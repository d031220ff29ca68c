// Threads that sleep are woken for ordinary tasks, also if they are just about
// to sleep: as many tasks as threads wait for each other, so each thread has to
// run one. (OpenMP does not promise that; the runtime's users expect it.)
//
// RUN: %build
// RUN: %run-each --policies passive --env KMP_ENABLE_TASK_THROTTLING=0 %t
// RUN: %run-each --policies passive --env KMP_ENABLE_TASK_THROTTLING=0 --env KMP_TASK_QUEUES=numa %t

#include "check.h"

enum { Rounds = 500 };

int main(void) {
  for (int Round = 0; Round < Rounds; ++Round) {
    int Running = 0, Ended = 0, Threads = 0;
#pragma omp parallel
#pragma omp single nowait
    {
      Threads = omp_get_num_threads();
      // By now and then a moment more: the others are about to sleep.
      for (volatile int Pause = Round * 7 % 4000; Pause > 0; --Pause)
        ;
      for (int I = 0; I < Threads; ++I) {
#pragma omp task shared(Running, Ended, Threads)
        {
          add(&Running, 1);
          while (get(&Running) < Threads)
            sched_yield();
          add(&Ended, 1);
        }
      }
    }
    CHECK_EQUAL(Ended, Threads, "tasks");
  }
  return 0;
}
