// A team grows beyond the memory that it has for its threads' implicit tasks,
// while its threads still look for tasks behind the last region. A thread that
// looks asks its own implicit task: for its block time, and what may run on it.
//
// RUN: %build -pthread
// RUN: %run-each --threads 8 --env KMP_BLOCKTIME=0 %t
// RUN: %run-each --threads 8 --policies active %t

#include "check.h"
#include <pthread.h>

static void region(int Team) {
  int Ran = 0;
#pragma omp parallel num_threads(Team)
#pragma omp task
  add(&Ran, 1);
  CHECK_EQUAL(get(&Ran), Team, "tasks");
}

/// A new root has a team of its own, which begins small.
static void *root(void *Data) {
  const int Most = *(int *)Data;
  for (int Team = 2; Team <= Most; Team += 1 + Team / 4)
    region(Team);
  return NULL;
}

int main(void) {
  int Most = 3 * omp_get_max_threads();
  omp_set_dynamic(0);
  for (int I = 0; I < 20; ++I) {
    pthread_t Root;
    CHECK_EQUAL(pthread_create(&Root, NULL, root, &Most), 0, "a thread");
    pthread_join(Root, NULL);
  }
  return 0;
}
