// The initial thread of a league creates tasks between its parallel regions,
// which end with a barrier of their own: fix 0066. With both schedulers.
//
// RUN: %build
// RUN: %run-each --threads 2,4 --policies active --env KMP_TASK_SCHEDULER=stock %t
// RUN: %run-each --threads 2,4 --policies active %t

#include "check.h"

enum { Regions = 20 };
static int Ran;

static void createTasks(void) {
#pragma omp parallel num_threads(4)
  {
#pragma omp single
#pragma omp task
    add(&Ran, 1);
  }
#pragma omp task
  add(&Ran, 1);
#pragma omp task untied
  add(&Ran, 1);
#pragma omp taskwait
}

int main(void) {
#pragma omp teams num_teams(1) thread_limit(4)
  for (int I = 0; I < Regions; ++I)
    createTasks();
  CHECK_EQUAL(get(&Ran), 3 * Regions, "tasks");
  return 0;
}
