// OpenMP 6.0: a team runs its tasks alone, those of threadset(omp_pool), too.
//
// RUN: %build -fopenmp-version=60
// RUN: %run-each %t

#include "check.h"

enum { Tasks = 50 };
static int Ran, Elsewhere;

static void expectNone(int Level) {
  CHECK(!omp_is_free_agent(), "level %d", Level);
  for (int L = -1; L <= Level + 1; ++L)
    CHECK(!omp_ancestor_is_free_agent(L), "level %d of %d", L, Level);
}

static void testPool(void) {
  expectNone(0);
#pragma omp parallel
#pragma omp single
  {
    expectNone(1);
    for (int I = 0; I < Tasks; ++I)
#pragma omp task threadset(omp_pool)
    {
      add(&Ran, 1);
      add(&Elsewhere, omp_get_level() != 1 || omp_is_free_agent() ||
                          omp_ancestor_is_free_agent(1));
    }
  }
  CHECK_EQUAL(Ran, Tasks, "of the pool");
  CHECK_EQUAL(Elsewhere, 0, "free agents");
}

int main(void) {
  testPool();
  return 0;
}
