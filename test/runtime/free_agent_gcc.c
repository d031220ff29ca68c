// Code that gcc has compiled, in tasks on free agents. It has as many private
// copies of a reduction as the team has threads, and combines them itself.
//
// REQUIRES: gcc
// RUN: gcc -fopenmp -O1 -c %S/Inputs/free_agent_gcc.c -o %t.o
// RUN: %build -fopenmp-version=60 %t.o
// RUN: %run-each --threads 1,2,4 --policies active,passive --env OMP_THREADS_RESERVE=free_agent(3) %t

#include "check.h"

int sumOfTasks(void);

static void sums(void) {
#pragma omp taskgroup
  for (int I = 0; I < 100; ++I)
#pragma omp task threadset(omp_pool)
    CHECK_EQUAL(sumOfTasks(), 45, "sum");
}

int main(void) {
  sums();
#pragma omp parallel
#pragma omp single
  sums();
  return 0;
}
