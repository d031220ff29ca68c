// A strict task for a thread that sleeps, or is about to, wakes it: thousands
// of rounds, with a different delay before each push. Without the wake-up, or
// with the check before the sleep missing, a round never ends.
//
// RUN: %build
// RUN: %run-each --policies passive,noblock %t
// RUN: %run-each --policies passive --env KMP_BLOCKTIME=1us %t
// RUN: env OMP_NUM_THREADS=2 KMP_LIBRARY=throughput KMP_BLOCKTIME=0 %run %t

#include "check.h"

enum { Rounds = 2000 };

/// One task of kind \p Kind for each resource in turn; the creator waits
/// without helping, so only the addressed thread can run it.
static void pingAll(omp_affinitykind_t Kind, int Others) {
  int Ran = 0;
  for (int Round = 0; Round < Rounds; ++Round) {
    int Value = 1 + Round % Others;
    omp_set_task_affinity(Kind, (uintptr_t)Value, 1);
#pragma omp task shared(Ran) firstprivate(Value)
    {
      int Here =
          Kind == omp_affinity_thread ? omp_get_thread_num() : nodeHere();
      CHECK_EQUAL(Here, Value, "a pushed task");
      add(&Ran, 1);
    }
    WAIT_FOR(&Ran, Round + 1);
    dither((unsigned)Round);
  }
}

int main(void) {
  // The others sleep in the barrier at the end of the region.
#pragma omp parallel
#pragma omp masked
  pingAll(omp_affinity_thread, omp_get_num_threads() - 1);

#pragma omp parallel
#pragma omp masked
  if (omp_get_num_nodes() > 1)
    pingAll(omp_affinity_node, omp_get_num_nodes() - 1);

  // A region each: the others come from the fork, not from the barrier.
  for (int Round = 0; Round < 200; ++Round) {
    int Ran = 0;
#pragma omp parallel shared(Ran)
    {
#pragma omp masked
      {
        dither((unsigned)Round);
        for (int I = 1; I < omp_get_num_threads(); ++I) {
          omp_set_task_affinity(omp_affinity_thread, (uintptr_t)I, 1);
#pragma omp task shared(Ran)
          add(&Ran, 1);
        }
      }
    }
    CHECK(Ran > 0, "no task ran in round %d", Round);
  }

  // The sleeper waits in a taskwait: for a child that the pushed task frees.
#pragma omp parallel
#pragma omp masked
  for (int Round = 0; Round < 200; ++Round) {
    int Waits = 0, Free = 0;
    omp_set_task_affinity(omp_affinity_thread, 1, 1);
#pragma omp task shared(Waits, Free)
    {
      omp_set_task_affinity(omp_affinity_thread, 0, 1);
#pragma omp task shared(Free)
      WAIT_FOR(&Free, 1);
      set(&Waits, 1);
#pragma omp taskwait
    }
    WAIT_FOR(&Waits, 1);
    dither((unsigned)Round);
    omp_set_task_affinity(omp_affinity_thread, 1, 1);
#pragma omp task shared(Free)
    set(&Free, 1);
#pragma omp taskwait
  }
  return 0;
}
