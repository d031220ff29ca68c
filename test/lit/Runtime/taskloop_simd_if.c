// RUN: %clang -w -fopenmp -O0 %s -o %t && %t
// RUN: %clang -w -fopenmp -O2 %s -o %t && %t

// 'taskloop simd' with a reduction and a condition, in a task: the condition
// was evaluated again in the loop's tasks, which do not capture what it names,
// and the compiler crashed.

#include <stdio.h>

static int Calls, Wrong;

static int condition(int N) {
  Calls++;
  return N < 9;
}

static void expect(const char *What, long Is, long Wanted) {
  if (Is == Wanted)
    return;
  printf("%s: %ld, not %ld\n", What, Is, Wanted);
  Wrong = 1;
}

static long below(int N, long Sum) {
#pragma omp task shared(Sum)
  {
#pragma omp taskloop simd reduction(+ : Sum) if (condition(N)) num_tasks(3)
    for (int I = 0; I < 10; ++I)
      Sum += I;
#pragma omp taskloop simd reduction(+ : Sum) if (simd : condition(N))
    for (int I = 0; I < 10; ++I)
      Sum += 1;
  }
#pragma omp taskwait
  return Sum;
}

static long alone(int N, long Sum) {
#pragma omp taskloop simd reduction(+ : Sum) if (condition(N))
  for (int I = 0; I < 10; ++I)
    Sum += I;
  return Sum;
}

int main(void) {
#pragma omp parallel num_threads(2)
#pragma omp single
  {
    expect("in a task", below(4, 1), 56);
    expect("calls", Calls, 2);
    expect("not deferred", below(10, 1), 56);
    expect("alone", alone(4, 1), 46);
    expect("calls", Calls, 5);
  }
  return Wrong;
}
