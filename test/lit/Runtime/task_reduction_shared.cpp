// RUN: %clangxx -fopenmp -O0 %s -o %t && env OMP_NUM_THREADS=3 %t
// RUN: %clangxx -fopenmp -O2 %s -o %t && env OMP_NUM_THREADS=3 %t

// A task in a taskgroup with task_reduction shares what it would share without
// the clause. It took a private copy, and what a task below it reduced was
// unknown to the runtime, which ended the program.

#include <stdio.h>

enum { Tasks = 20 };
static int Wrong;

static void check(const char *Form, long Is) {
  if (Is == Tasks)
    return;
  printf("%s: %ld\n", Form, Is);
  Wrong = 1;
}

static void below() {
  long Sum = 0;
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup task_reduction(+ : Sum)
  for (int I = 0; I < Tasks; ++I) {
#pragma omp task
    {
#pragma omp task in_reduction(+ : Sum)
      Sum += 1;
#pragma omp taskwait
    }
  }
  check("below a task", Sum);
}

template <typename T> static void deeper(int N) {
  T Sum[3] = {};
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup task_reduction(+ : Sum[1])
  {
#pragma omp taskloop
    for (int I = 0; I < N; ++I) {
#pragma omp critical
      {
#pragma omp task if (I % 2)
        {
#pragma omp task in_reduction(+ : Sum[1])
          Sum[1] += 1;
#pragma omp taskwait
        }
      }
    }
  }
  check("below a taskloop", Sum[1]);
}

int main() {
  below();
  deeper<int>(Tasks);
  deeper<double>(Tasks);
  return Wrong;
}
