// A program of C and C++ for other compilers and our omp.h: tasks run where
// omp_set_task_affinity says, and libgomp is not there.

#include "check.h"

static int Ran;

int main(void) {
  char Line[512];
  FILE *Maps = fopen("/proc/self/maps", "r");
  CHECK(Maps, "/proc/self/maps");
  while (fgets(Line, sizeof(Line), Maps))
    CHECK(!strstr(Line, "libgomp"), "%s", Line);
  fclose(Maps);
#pragma omp parallel num_threads(4)
#pragma omp single
  for (int I = 0; I < 40; ++I) {
    omp_set_task_affinity(omp_affinity_thread, (uintptr_t)I, 1);
#pragma omp task firstprivate(I)
    {
      CHECK_EQUAL(omp_get_thread_num(), I % 4, "a task for a thread");
      add(&Ran, 1);
    }
  }
  CHECK_EQUAL(get(&Ran), 40, "tasks");
  CHECK(omp_get_num_nodes() > 0, "nodes");
  puts("right");
  return 0;
}
