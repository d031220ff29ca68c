// 100 tasks for any thread, 50 undeferred ones, and on each node 30 strict and
// 20 other tasks, with one lookup for each of 10 tasks with data.

#include "check.h"

static char Data[10][1 << 16];

int main(void) {
  int Ran = 0, Nodes = 0;
#pragma omp parallel
#pragma omp single
  {
    Nodes = omp_get_num_nodes();
    for (int I = 0; I < 100; ++I)
#pragma omp task shared(Ran)
      add(&Ran, 1);
    for (int I = 0; I < 50; ++I)
#pragma omp task shared(Ran) if (0)
      add(&Ran, 1);
    for (int I = 0; I < 50 * Nodes; ++I) {
      omp_set_task_affinity(omp_affinity_node, (uintptr_t)(I % Nodes),
                            I < 30 * Nodes);
#pragma omp task shared(Ran)
      add(&Ran, 1);
    }
    for (int I = 0; I < 10; ++I) {
      omp_set_task_affinity(omp_affinity_data, (uintptr_t)Data[I], 0);
#pragma omp task shared(Ran)
      add(&Ran, 1);
    }
  }
  CHECK_EQUAL(Ran, 160 + 50 * Nodes, "tasks");
  return 0;
}
