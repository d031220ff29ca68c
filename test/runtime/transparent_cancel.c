// Transparent tasks with cancellation, while tasks are kept back behind them,
// and with regions in them: nobody waits for good, and the order holds
// afterwards.
//
// RUN: %build -fopenmp-version=60
// RUN: %run-each --env OMP_CANCELLATION=true %t
// RUN: %run-each --threads 1,8 --policies passive --env OMP_CANCELLATION=true %t
// RUN: %run-each --threads 2 --policies noblock --env OMP_CANCELLATION=true --env KMP_TASK_SCHEDULER=stock %t

#include "check.h"

enum { Rounds = 100, Tasks = 6 };
static int X, Y, Ran;

/// Cancels when some have run; other tasks of the group are kept back then.
static void cancelled(int Round) {
#pragma omp taskgroup
  {
#pragma omp task transparent depend(inout : Y)
    {
      dither((unsigned)Round);
      for (int I = 0; I < Tasks; ++I) {
#pragma omp task transparent depend(inout : X)
        {
          add(&Ran, 1);
#pragma omp task depend(inout : Y)
          if (add(&Ran, 1) > Round % (4 * Tasks)) {
#pragma omp cancel taskgroup
          }
#pragma omp taskwait
        }
#pragma omp cancellation point taskgroup
      }
    }
    for (int I = 0; I < Tasks; ++I)
#pragma omp task transparent
    {
#pragma omp task depend(in : X)
      add(&Ran, 1);
#pragma omp task transparent if (0)
#pragma omp task depend(out : Y)
      add(&Ran, 1);
      if (Round % 3 == 0) {
#pragma omp cancel taskgroup
      }
    }
#pragma omp task depend(inout : X)
    add(&Ran, 1);
#pragma omp taskwait depend(in : X)
  }
}

/// Each with a region in it, whose tasks have a graph of their own.
static void nested(void) {
  int Z = 0;
  for (int I = 0; I < Tasks; ++I)
#pragma omp task transparent shared(Z)
  {
    int Inner = 0;
#pragma omp parallel num_threads(1 + I % 2) shared(Inner)
#pragma omp single
    {
#pragma omp task transparent shared(Inner)
#pragma omp task depend(inout : Inner) shared(Inner)
      Inner = 1;
#pragma omp task depend(inout : Inner) shared(Inner)
      CHECK_EQUAL(Inner++, 1, "in a region");
    }
    CHECK_EQUAL(Inner, 2, "behind a region");
#pragma omp task depend(inout : Z) firstprivate(I) shared(Z)
    CHECK_EQUAL(Z++, I, "behind the last one's child");
  }
#pragma omp taskwait
#pragma omp taskwait depend(in : Z)
  CHECK_EQUAL(Z, Tasks, "behind all");
}

static void ordered(void) {
  set(&X, 0);
#pragma omp task transparent
#pragma omp task depend(out : X)
  {
    usleep(20);
    set(&X, 5);
  }
#pragma omp task depend(in : X)
  CHECK_EQUAL(get(&X), 5, "behind a group that was cancelled");
}

int main(void) {
  CHECK(omp_get_cancellation(), "OMP_CANCELLATION is not set");
  omp_set_max_active_levels(2);
  for (int Round = 0; Round < Rounds; ++Round) {
    set(&Ran, 0);
#pragma omp parallel
#pragma omp single
    {
      cancelled(Round);
      ordered();
      nested();
    }
  }
  return 0;
}
