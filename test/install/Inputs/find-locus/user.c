// A user's program for any compiler: a task on each node in turn, by a call.
// Fails unless the tasks ran, and the runtime is ours.
#include <omp.h>
#include <stdio.h>

int main(void) {
  int Tasks = 0, Wrong = 0, Nodes = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
  {
    Nodes = omp_get_num_nodes();
    for (int I = 0; I < 8; ++I) {
      omp_set_task_affinity(omp_affinity_node, I, 1);
#pragma omp task shared(Tasks, Wrong) firstprivate(I)
      {
#pragma omp atomic
        ++Tasks;
        if (omp_get_node_num() != I % Nodes) {
#pragma omp atomic
          ++Wrong;
        }
      }
    }
  }
  printf("%d tasks on %d nodes, %d of them wrong\n", Tasks, Nodes, Wrong);
  return Tasks == 8 && Nodes > 0 && Wrong == 0 ? 0 : 1;
}
