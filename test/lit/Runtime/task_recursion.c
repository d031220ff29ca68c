// A task that runs inside of another of the same kind leaves what it has written.

// RUN: %clang -fopenmp -O0 %s -o %t.O0 && %t.O0
// RUN: %clang -fopenmp -O2 %s -o %t.O2 && %t.O2
// RUN: %clang -fopenmp -O2 -mllvm -openmp-task-inline=false %s -o %t.real && %t.real
// RUN: %clang -fopenmp -O2 -DTASK="taskloop" -DLOOP="for (int i = 0; i < 1; ++i)" %s -o %t.loop && %t.loop
// RUN: %clang -fopenmp -O2 -DTASK="task final(1)" %s -o %t.final && %t.final
// RUN: %clang -fopenmp -O2 -DTASK="task if(0) priority(1)" %s -o %t.if && %t.if
// RUN: %clang -fopenmp -O2 -DTASK="task affinity(thread: 0)" %s -o %t.place && %t.place
// RUN: %clang -fopenmp -O2 -DTASK="task untied depend(out: n)" %s -o %t.untied && %t.untied

#include <stdio.h>

#ifndef TASK
#define TASK task
#endif
#ifndef LOOP
#define LOOP
#endif
#define PRAGMA(TEXT) _Pragma(#TEXT)
#define OMP(TEXT) PRAGMA(omp TEXT)

enum { Depth = 10 };
static int Last; // Only the task uses it.
static int Kept;

static void recurse(int n);
static void (*volatile Recurse)(int) = recurse;

static void recurse(int n) {
  if (n == 0)
    return;
  OMP(TASK firstprivate(n))
  LOOP {
    Last = n;
    Recurse(n - 1);
    if (Last == n)
      ++Kept;
  }
#pragma omp taskwait
}

int main(void) {
#pragma omp parallel num_threads(1)
#pragma omp single
  recurse(Depth);
  // Only the innermost finds its own.
  if (Kept == 1)
    return 0;
  printf("%d of %d tasks find what they have written\n", Kept, Depth);
  return 1;
}
