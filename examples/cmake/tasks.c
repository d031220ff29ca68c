// Any compiler: omp_set_task_affinity places the next task, as the clause does. CMakeLists.txt has
// the commands.
#include <omp.h>
#include <stdio.h>

int main(void) {
  int right = 0, tasks = 0;
#pragma omp parallel
#pragma omp single
  {
    tasks = 4 * omp_get_num_threads();
    for (int i = 0; i < tasks; ++i) {
      omp_set_task_affinity(omp_affinity_thread, (uintptr_t)i, 1);
#pragma omp task firstprivate(i)
#pragma omp atomic
      right += omp_get_thread_num() == i % omp_get_num_threads();
    }
  }
  printf("%d of %d tasks ran on the thread that was named\n", right, tasks);
  return right != tasks;
}
