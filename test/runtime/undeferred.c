// Undeferred tasks run on the thread that meets them, strict or not: if(0),
// descendants of final, a serialized region, the initial team.
//
// RUN: %build
// RUN: %run-each %t

#include "check.h"

static int Ran;

/// Descendants of an undeferred untied task wait for tasks of their own.
static void tree(int Depth, int *Nodes) {
  add(Nodes, 1);
  for (int I = 0; Depth && I < 2; ++I) {
#pragma omp task untied if ((Depth + I) % 3)
    tree(Depth - 1, Nodes);
#pragma omp task
    tree(Depth - 1, Nodes);
  }
#pragma omp taskwait
}

static void hint(int Kind, int I) {
  static char Data[16];
  omp_set_task_affinity(
      (omp_affinitykind_t)Kind,
      Kind == omp_affinity_data ? (uintptr_t)&Data[I % 16] : (uintptr_t)I, 1);
}

static void all(const char *Where, int EvenDeferred) {
  int Me = omp_get_thread_num();
  for (int I = 0; I < 60; ++I) {
    int Kind = 1 + I % 3, Done = 0;
    hint(Kind, I);
#pragma omp task if (0) shared(Done)
    {
      CHECK_EQUAL(omp_get_thread_num(), Me, Where);
      Done = 1;
    }
    CHECK(Done, "%s: if(0) was deferred", Where);
    if (!EvenDeferred)
      continue;
    Done = 0;
    hint(Kind, I);
#pragma omp task shared(Done)
    {
      CHECK_EQUAL(omp_get_thread_num(), Me, Where);
      Done = 1;
    }
    CHECK(Done, "%s: a task was deferred", Where);
  }
  add(&Ran, 1);
}

int main(void) {
  all("initial team", 1);
  CHECK_EQUAL(Ran, 1, "initial team");
#pragma omp parallel num_threads(1)
  all("serialized region", 1);
  CHECK_EQUAL(Ran, 2, "serialized region");
#pragma omp parallel
  {
    int Me = omp_get_thread_num();
    all("region", 0);
    omp_set_task_affinity(omp_affinity_thread, (uintptr_t)(Me + 1), 1);
#pragma omp task
    all("strict task", 0);
#pragma omp barrier
    for (int I = 0; I < 5; ++I) {
      // A final task itself may be placed; what it creates is included.
      omp_set_task_affinity(omp_affinity_thread, (uintptr_t)(Me + I), 1);
#pragma omp task final(1)
      {
        CHECK(omp_in_final(), "not final");
        all("final task", 1);
      }
    }
#pragma omp barrier
#pragma omp masked
    CHECK_EQUAL(Ran, 2 + 7 * omp_get_num_threads(), "all places");
  }

  int Nodes = 0;
#pragma omp parallel
#pragma omp single
  tree(6, &Nodes);
  CHECK_EQUAL(Nodes, 5461, "tasks of a tree of fours"); // (4^7 - 1) / 3

  // if(0) with a dependence waits for its predecessor, elsewhere.
#pragma omp parallel
#pragma omp masked
  for (int I = 0; I < 10; ++I) {
    int X = 0;
    omp_set_task_affinity(omp_affinity_thread, 1, 1);
#pragma omp task shared(X) depend(out : X)
    X = 1;
    omp_set_task_affinity(omp_affinity_thread, 1, 1);
#pragma omp task if (0) shared(X) depend(inout : X)
    {
      CHECK_EQUAL(X, 1, "if(0) before its predecessor");
      CHECK_EQUAL(omp_get_thread_num(), 0, "if(0) with a dependence");
    }
  }
  return 0;
}
