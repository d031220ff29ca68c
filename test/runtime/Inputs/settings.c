// Prints which thread runs a strict task for thread 1. Where the hint is
// ignored the creator does, as thread 1 is kept out until it could have.

#include "check.h"

int main(void) {
  int Busy = 0, Ran = 0, Go = 0, Thread = -1;
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 1) {
      set(&Busy, 1);
      WAIT_FOR(&Go, 1);
    } else {
      WAIT_FOR(&Busy, 1);
      omp_set_task_affinity(omp_affinity_thread, 1, 1);
#pragma omp task
      {
        Thread = omp_get_thread_num();
        set(&Ran, 1);
      }
      for (int I = 0; I < 1000 && !get(&Ran); ++I) {
#pragma omp taskyield
      }
      set(&Go, 1);
#pragma omp taskwait
    }
  }
  printf("strict task: thread %d\n", Thread);
  return 0;
}
