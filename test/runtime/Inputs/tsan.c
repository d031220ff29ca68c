// Tasks that depend on each other, and with an argument two that should.

#include "check.h"

int main(int argc, char **argv) {
  int Sums[4] = {0}, Racy = 0, Total = 0;
  const int Race = argc > 1 && strcmp(argv[1], "race") == 0;
#pragma omp parallel
#pragma omp single
  {
    for (int I = 0; I < 100; ++I) {
#pragma omp task affinity(thread : I) depend(inout : Sums[I % 4])
      Sums[I % 4] += I;
#pragma omp task affinity(thread : I, strict)
#pragma omp atomic
      ++Total;
    }
    for (int I = 0; I < 2; ++I)
#pragma omp task affinity(thread : I, strict) if (Race)
      ++Racy;
#pragma omp taskwait
    CHECK_EQUAL(Sums[0] + Sums[1] + Sums[2] + Sums[3], 4950, "the sums");
  }
  CHECK_EQUAL(Total, 100, "tasks");
  return 0;
}
