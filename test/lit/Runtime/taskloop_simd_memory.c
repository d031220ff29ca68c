// RUN: %clang -w -fopenmp -O0 %s -o %t && env OMP_NUM_THREADS=2 %t
// RUN: %clang -w -fopenmp -O2 %s -o %t && env OMP_NUM_THREADS=2 %t

// The iterations of a task share what they reduce. The optimizer was told that
// iterations do not depend on each other there: sums were lost.

#include <stdio.h>

enum { N = 64 };
static int Failures;
static int In[N];

static void expect(const char *What, long Is, long Wanted) {
  if (Is == Wanted)
    return;
  printf("%s: %ld, not %ld\n", What, Is, Wanted);
  Failures++;
}

static void reductions(void) {
  long Sum = 0, Weighted = 0, WantedSum = 0, WantedWeighted = 0;
  for (int I = 0; I < N; ++I) {
    WantedSum += In[I];
    WantedWeighted += I * In[I];
  }
#pragma omp taskloop simd reduction(+ : Sum, Weighted)
  for (int I = 0; I < N; ++I) {
    Sum += In[I];
    Weighted += I * In[I];
  }
  expect("reduction", Sum, WantedSum);
  expect("reduction", Weighted, WantedWeighted);
  Sum = Weighted = 0;
#pragma omp taskgroup task_reduction(+ : Sum, Weighted)
#pragma omp taskloop simd collapse(2) in_reduction(+ : Sum, Weighted)
  for (int I = 0; I < N / 8; ++I)
    for (int J = 0; J < 8; ++J) {
      Sum += In[8 * I + J];
      Weighted += (8 * I + J) * In[8 * I + J];
    }
  expect("in_reduction", Sum, WantedSum);
  expect("in_reduction", Weighted, WantedWeighted);
}

int main(void) {
  for (int I = 0; I < N; ++I)
    In[I] = I * 37 % 91;
#pragma omp parallel
#pragma omp single
  reductions();
  return Failures != 0;
}
