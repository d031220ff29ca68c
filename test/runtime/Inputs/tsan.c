// Tasks that depend on each other, and with an argument two that should. Few,
// so that none gets the memory of another one, which would be reported.

#include "check.h"

int main(int argc, char **argv) {
  int Sums[2] = {0}, Racy = 0, Total = 0, Chain = 0;
  const int Race = argc > 1 && strcmp(argv[1], "race") == 0;
#pragma omp parallel
#pragma omp single
  {
    for (int I = 0; I < 5; ++I) {
#pragma omp task affinity(thread : I) depend(inout : Sums[I % 2])
      Sums[I % 2] += I;
#pragma omp task affinity(thread : I, strict)
#pragma omp atomic
      ++Total;
    }
    for (int I = 0; I < 2; ++I)
#pragma omp task affinity(thread : I, strict) if (Race)
      ++Racy;
#pragma omp taskloop nogroup grainsize(1) shared(Chain)
    for (int I = 0; I < 4; ++I) {
#pragma omp task_iteration depend(inout : Chain)
      Chain = 3 * Chain + I;
    }
#pragma omp taskwait
    CHECK_EQUAL(Chain, 3 * (3 * 1 + 2) + 3, "a chain of iterations");
    CHECK_EQUAL(Sums[0] + Sums[1], 10, "the sums");
  }
  CHECK_EQUAL(Total, 5, "tasks");
  return 0;
}
