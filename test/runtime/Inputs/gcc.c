// Built by gcc against its own omp.h, which does not have the extension.

#include "check.h"

#pragma weak omp_set_task_affinity
void omp_set_task_affinity(int Kind, uintptr_t Value, int Strict);
#pragma weak omp_get_num_nodes
int omp_get_num_nodes(void);

static int Ran;

int main(void) {
  CHECK(omp_set_task_affinity && omp_get_num_nodes, "not our runtime");
  int Cell[8] = {0};
#pragma omp parallel
#pragma omp single
  for (int I = 0; I < 400; ++I) {
    omp_set_task_affinity(1, (uintptr_t)(intptr_t)(I - 7), 1);
#pragma omp task firstprivate(I)
    {
      CHECK_EQUAL(omp_get_thread_num(), modulo(I - 7, omp_get_num_threads()),
                  "a task of gcc");
      add(&Ran, 1);
    }
    omp_set_task_affinity(2, (uintptr_t)I, 1);
#pragma omp task firstprivate(I) depend(inout : Cell[I % 8]) shared(Cell)
    {
      CHECK_EQUAL(nodeHere(), I % omp_get_num_nodes(), "with a dependence");
      CHECK_EQUAL(Cell[I % 8], I / 8, "order");
      ++Cell[I % 8];
      add(&Ran, 1);
    }
    if (I % 20)
      continue;
    int Thread = omp_get_thread_num();
    omp_set_task_affinity(1, (uintptr_t)(Thread + 1), 1);
#pragma omp task if (0) firstprivate(Thread)
    CHECK_EQUAL(omp_get_thread_num(), Thread, "undeferred");
#pragma omp taskgroup
    {
      omp_set_task_affinity(1, (uintptr_t)I, 1);
#pragma omp task untied priority(2)
      add(&Ran, 1);
    }
#pragma omp taskwait
  }
  CHECK_EQUAL(Ran, 820, "tasks");
  return 0;
}
