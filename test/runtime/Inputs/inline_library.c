// A library with tasks.

#include <omp.h>

int inlineDepth(void);

static long fib(int N, int *Depth) {
  if (N < 2) {
    if (inlineDepth() > *Depth)
      *Depth = inlineDepth();
    return N;
  }
  long A, B;
#pragma omp task shared(A)
  A = fib(N - 1, Depth);
#pragma omp task shared(B)
  B = fib(N - 2, Depth);
#pragma omp taskwait
  return A + B;
}

/// The number of nested tasks in place, on one thread.
int depthInLibrary(int N, long *Result) {
  int Depth = 0;
#pragma omp parallel num_threads(1)
  *Result = fib(N, &Depth);
  return Depth;
}
