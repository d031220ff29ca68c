// Something of everything: placed and dependent tasks, taskgroups, tasks in
// place, nested teams, and a thread of the program's own that ends before it.

#include "check.h"
#include <pthread.h>

static int Ran;

static void tree(int Depth) {
  if (Depth == 0)
    return;
  for (int I = 0; I < 2; ++I)
#pragma omp task firstprivate(Depth)
    tree(Depth - 1);
#pragma omp taskwait
  add(&Ran, 1);
}

static void *region(void *Unused) {
  int Cell[4] = {0};
#pragma omp parallel
#pragma omp single
  {
    tree(6);
#pragma omp taskgroup
    for (int I = 0; I < 40; ++I) {
#pragma omp task affinity(thread : I, strict)
      add(&Ran, 1);
#pragma omp task affinity(data : Cell) depend(inout : Cell[I % 4])
      add(&Ran, 1);
    }
#pragma omp parallel num_threads(2)
#pragma omp single
    tree(3);
  }
  return Unused;
}

int main(void) {
  pthread_t Other;
  omp_set_max_active_levels(2);
  for (int Round = 0; Round < 2; ++Round) {
    region(NULL);
    CHECK(pthread_create(&Other, NULL, region, NULL) == 0, "pthread_create");
    pthread_join(Other, NULL);
  }
  CHECK_EQUAL(Ran, 4 * (63 + 80 + 7), "tasks");
  return 0;
}
