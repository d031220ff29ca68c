// Threads of the program with regions and tasks of their own that end, while
// their former workers still hold memory of their tasks. In stock libomp that
// crashes. So does a region in the destructor of a pthread key, and a thread that
// ends with distributed barriers.
//
// RUN: %build
// RUN: %run-each --threads 2,3 %t
// RUN: %run-each --threads 3 --policies passive --env KMP_FORKJOIN_BARRIER_PATTERN=dist,dist %t few

#include "check.h"

#include <pthread.h>

enum { Many = 100, Few = 4, Roots = 2, Regions = 5, Chains = 4 };

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

static pthread_key_t Key;

/// The destructor of a key behind the runtime's own: the thread comes back.
static void goLast(void *Sum) {
  const int Ran = region(2);
  CHECK(Ran > 0, "a region in a destructor has lost tasks");
  add((int *)Sum, Ran);
}

static void *root(void *Sum) {
  pthread_setspecific(Key, Sum);
  for (int I = 0; I < Regions; ++I)
    for (int Threads = 2; Threads <= 3; ++Threads) {
      const int Ran = region(Threads);
      CHECK(Ran > 0, "a region has lost tasks");
      add((int *)Sum, Ran);
    }
  return NULL;
}

int main(int Count, char **Unused) {
  const int Rounds = Count > 1 ? Few : Many;
  int Sum = 0;
  (void)Unused;
  region(2);
  pthread_key_create(&Key, goLast);
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
