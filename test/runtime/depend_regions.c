// Many regions of different size, each with tasks that have dependences, most
// of which end when the thread that created them is in the barrier already. In
// stock libomp this crashes.
//
// RUN: %build
// RUN: %run-each --threads 8 --policies active,noblock %t

#include "check.h"

enum { Rounds = 2000, Tasks = 16 };

/// The children have no part in the dependences of the implicit tasks.
static int region(int Threads) {
  int Ran = 0;
#pragma omp parallel num_threads(Threads)
#pragma omp single nowait
  for (int I = 0; I < Tasks; ++I) {
#pragma omp task shared(Ran) depend(in : Ran)
    {
      CHECK_EQUAL(omp_get_num_threads(), Threads, "threads");
      CHECK(omp_get_thread_num() < Threads, "thread %d", omp_get_thread_num());
#pragma omp task shared(Ran) depend(in : Ran)
      add(&Ran, 1);
    }
  }
  return Ran;
}

int main(void) {
  for (int Round = 0; Round < Rounds; ++Round) {
    CHECK_EQUAL(region(8), Tasks, "in the large region");
    CHECK_EQUAL(region(2), Tasks, "in the small one");
  }
  return 0;
}
