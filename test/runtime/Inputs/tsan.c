// Tasks that depend on each other, and with an argument two that should. Few,
// so that none gets the memory of another one, which would be reported.

#include "check.h"

int main(int argc, char **argv) {
  int Sums[2] = {0}, Racy = 0, Total = 0;
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
#pragma omp taskwait
    CHECK_EQUAL(Sums[0] + Sums[1], 10, "the sums");
  }
  CHECK_EQUAL(Total, 5, "tasks");
  return 0;
}
