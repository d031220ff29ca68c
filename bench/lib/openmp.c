//===-- openmp.c - What a program asks of OpenMP --------------------------===//

#include "program.h"

#include <omp.h>

int runtimeThreads(void) {
  int Threads = 0;
#pragma omp parallel
#pragma omp single
  Threads = omp_get_num_threads();
  return Threads;
}

int runtimeProcessors(void) { return omp_get_num_procs(); }

const char *runtimeSymbol(void) { return "omp_get_max_threads"; }
