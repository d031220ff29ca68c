// Tasks that depend on each other, and with an argument two that should; or so
// many that they get the memory of others.

#include "check.h"

/// One more step of two tasks, then waits until there were \p Steps. Relaxed, so
/// that nothing of one task happens before anything of the other: a detector
/// that sees such an order, through tasks in between, reports no race.
static void step(int *Counter, int Steps) {
  __atomic_add_fetch(Counter, 1, __ATOMIC_RELAXED);
  while (__atomic_load_n(Counter, __ATOMIC_RELAXED) < Steps)
    sched_yield();
}

/// Two increments that race: both tasks have begun before either is made. Yet
/// not at the same moment, for then TSan may miss them.
static void race(int Task, int *Racy, int *Counter) {
  step(Counter, Task == 0 ? 2 : 3);
  ++*Racy;
  step(Counter, 0);
}

/// Tasks with data of their own, many more than there is memory for at a time.
static int many(void) {
  long Sum = 0, Expected = 0;
#pragma omp parallel
#pragma omp single
  for (int I = 0; I < 20000; ++I) {
    long Data[16];
    for (int J = 0; J < 16; ++J)
      Data[J] = I + J;
    Expected += I + 15;
#pragma omp task firstprivate(Data) shared(Sum)
    {
      long Most = 0;
      for (int J = 0; J < 16; ++J)
        Most = Data[J] > Most ? Data[J] : Most;
#pragma omp atomic
      Sum += Most;
    }
  }
  CHECK_EQUAL(Sum, Expected, "the sum of many");
  puts("sums are right");
  return 0;
}

int main(int argc, char **argv) {
  if (argc > 1 && strcmp(argv[1], "many") == 0)
    return many();
  int Sums[2] = {0}, Total = 0, Chain = 0;
  // TSan remembers the last four accesses of eight bytes, no more.
  _Alignas(8) int Racy = 0;
  _Alignas(8) int Steps = 0;
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
      Race ? race(I, &Racy, &Steps) : (void)++Racy;
#pragma omp taskloop nogroup grainsize(1) shared(Chain)
    for (int I = 0; I < 4; ++I) {
#pragma omp task_iteration depend(inout : Chain)
      Chain = 3 * Chain + I;
    }
#pragma omp taskwait
    CHECK_EQUAL(Chain, 3 * (3 * 1 + 2) + 3, "a chain of iterations");
    CHECK_EQUAL(Sums[0] + Sums[1], 10, "the sums");
  }
  CHECK_EQUAL(Total, 5, "tasks");
  return 0;
}
