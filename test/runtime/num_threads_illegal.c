// An OMP_NUM_THREADS that is not legal, as an empty one of a job script: a
// warning, and as many threads as without it. glibc fills new memory, so that the
// number of threads cannot be what happens to stand there.
//
// RUN: %build
// RUN: env MALLOC_PERTURB_=165 OMP_NUM_THREADS= %run %t 2>&1 | FileCheck %s
// RUN: env MALLOC_PERTURB_=165 OMP_NUM_THREADS=four %run %t 2>&1 | FileCheck %s
// RUN: env MALLOC_PERTURB_=165 OMP_NUM_THREADS=2x %run %t 2>&1 | FileCheck %s
// CHECK: OMP: Warning #234: OMP_NUM_THREADS: Invalid symbols found.
// CHECK: right

#include <omp.h>
#include <stdio.h>

int main(void) {
  int Threads = 0;
#pragma omp parallel reduction(+ : Threads)
  ++Threads;
  const int Processors = omp_get_num_procs();
  if (Threads > Processors)
    printf("%d threads on %d processors\n", Threads, Processors);
  else
    printf("right\n");
}
