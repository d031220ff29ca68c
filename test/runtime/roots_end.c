// Threads of the program with regions and tasks of their own that end, while
// their former workers still hold memory of their tasks. In stock libomp that
// crashes.
//
// RUN: %build
// RUN: %run-each --threads 2,3 %t
// RUN: %run-each --threads 3 --policies passive --env KMP_FORKJOIN_BARRIER_PATTERN=dist,dist %t

#include "check.h"

#include <pthread.h>

enum { Rounds = 100, Roots = 2, Regions = 5, Chains = 4 };

/// Every thread makes chains of tasks, some of which others run and free.
static int region(int Threads) {
  int Ran = 0, Made = 0;
#pragma omp parallel num_threads(Threads) shared(Ran, Made)
  {
    for (int I = 0; I < Chains; ++I) {
      int Cell = 0;
      for (int J = 0; J < 3; ++J) {
#pragma omp task depend(inout : Cell) shared(Cell, Ran)
        {
          ++Cell;
          add(&Ran, 1);
        }
        add(&Made, 1);
      }
#pragma omp taskwait
      CHECK_EQUAL(Cell, 3, "a chain");
    }
#pragma omp single nowait
    for (int I = 0; I < 16; ++I) {
#pragma omp task shared(Ran)
      add(&Ran, 1);
      add(&Made, 1);
    }
  }
  return Ran == Made ? Ran : -1;
}

static void *root(void *Sum) {
  for (int I = 0; I < Regions; ++I)
    for (int Threads = 2; Threads <= 3; ++Threads) {
      const int Ran = region(Threads);
      CHECK(Ran > 0, "a region has lost tasks");
      add((int *)Sum, Ran);
    }
  return NULL;
}

int main(void) {
  int Sum = 0;
  for (int Round = 0; Round < Rounds; ++Round) {
    pthread_t Threads[Roots];
    for (int I = 0; I < Roots; ++I)
      CHECK_EQUAL(pthread_create(&Threads[I], NULL, root, &Sum), 0, "a thread");
    for (int I = 0; I < Roots; ++I)
      pthread_join(Threads[I], NULL);
    root(&Sum);
  }
  CHECK(Sum > 0, "nothing has run");
  return 0;
}
