// Strict tasks are exempt from the task scheduling constraint; others are not:
// a thread in a taskwait of a tied task starts no tied task with a hint for it
// that does not descend from the waiting one.
//
// RUN: %build
// RUN: %run-each %t

#include "check.h"

static _Thread_local int Waits;

int main(void) {
#pragma omp parallel
#pragma omp masked
  for (int Round = 0; Round < 5; ++Round) {
    int Waiting = 0, Go = 0, Ran = 0;
    omp_set_task_affinity(omp_affinity_thread, 1, 1);
#pragma omp task shared(Waiting, Go)
    {
      omp_set_task_affinity(omp_affinity_thread, 0, 1);
#pragma omp task shared(Go)
      set(&Go, 1);
      set(&Waiting, 1);
      ++Waits;
#pragma omp taskwait
      --Waits;
    }
    WAIT_FOR(&Waiting, 1);
    for (int I = 0; I < 100; ++I) {
      omp_set_task_affinity(I % 2 ? omp_affinity_thread : omp_affinity_node,
                            I % 2 ? 1 : (uintptr_t)omp_get_num_nodes() - 1, 0);
#pragma omp task shared(Ran)
      {
        CHECK(!Waits || omp_get_thread_num() != 1,
              "thread 1 started an unrelated tied task in its taskwait");
        add(&Ran, 1);
      }
    }
#pragma omp taskwait
    CHECK_EQUAL(Ran, 100, "tasks");
    CHECK_EQUAL(Go, 1, "the child");
  }
  return 0;
}
