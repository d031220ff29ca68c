#include <omp.h>

int count(void) {
  int Tasks = 0;
#pragma omp parallel num_threads(3)
#pragma omp single
  for (int I = 0; I < 10; ++I)
#pragma omp task affinity(node : I) shared(Tasks)
#pragma omp atomic
    ++Tasks;
  return omp_get_num_nodes() > 0 ? Tasks : -1;
}
