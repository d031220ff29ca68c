// Strict thread tasks run on their thread: 10,000 of each of three creators,
// for numbers in range, negative, far out of range and huge. The tasks count
// themselves.
//
// RUN: %build
// RUN: %run-each %t

#include "check.h"

enum { Count = 10000, MaxThreads = 64 };

static int Ran, PerThread[MaxThreads], Expected[MaxThreads];

static intptr_t valueOf(int I) {
  static const intptr_t Special[] = {INTPTR_MIN, INTPTR_MIN + 1, INTPTR_MAX,
                                     INT32_MIN,  INT32_MAX,      UINT32_MAX,
                                     -1,         1l << 40,       -(1l << 40)};
  const int NumSpecial = sizeof(Special) / sizeof(*Special);
  return I % 16 < NumSpecial ? Special[I % 16] - I / 16 % 3 * (I % 16 > 1)
                             : I / 16 - 5;
}

static void create(int I) {
  intptr_t Value = valueOf(I);
  int Place = modulo(Value, omp_get_num_threads());
  add(&Expected[Place], 1);
  omp_set_task_affinity(omp_affinity_thread, (uintptr_t)Value, I % 2 ? 1 : -7);
#pragma omp task firstprivate(Place, Value)
  {
    if (omp_get_thread_num() != Place)
      FAIL("the task for thread %ld of %d ran on %d", (long)Value,
           omp_get_num_threads(), omp_get_thread_num());
    add(&PerThread[omp_get_thread_num()], 1);
    add(&Ran, 1);
  }
}

static void finish(const char *Creator) {
  CHECK_EQUAL(Ran, Count, Creator);
  for (int I = 0; I < MaxThreads; ++I)
    CHECK_EQUAL(PerThread[I], Expected[I], Creator);
  Ran = 0;
  memset(PerThread, 0, sizeof(PerThread));
  memset(Expected, 0, sizeof(Expected));
}

int main(void) {
#pragma omp parallel
#pragma omp single
  for (int I = 0; I < Count; ++I)
    create(I);
  finish("one thread creates all");

#pragma omp parallel
#pragma omp for
  for (int I = 0; I < Count; ++I)
    create(I);
  finish("all threads create");

#pragma omp parallel
#pragma omp single nowait
  for (int Block = 0; Block < 100; ++Block)
#pragma omp task
    for (int I = 0; I < Count / 100; ++I)
      create(Block * (Count / 100) + I);
  finish("tasks create");
  return 0;
}
