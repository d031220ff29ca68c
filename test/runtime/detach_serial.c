// Trees of detached and plain tasks in a team of one thread. A plain task runs
// at once and is not counted by its parent: it may be freed after it, when a
// detached descendant ends, and must not take its parent along.
//
// RUN: %build
// RUN: %run-each --threads 1,3 %t

#include "check.h"

#include <pthread.h>
#include <stdatomic.h>

enum { Rounds = 60, Depth = 4, Tasks = 60 };

static _Atomic(omp_event_handle_t) Events[Rounds][Tasks];
static int NumEvents, Ran, Behind;
static atomic_int Round;

/// Fulfils the events of each round, soon or a little later.
static void *outside(void *Unused) {
  for (int R = 0; R < Rounds; ++R)
    for (int I = 0; I < Tasks / 2; ++I) {
      omp_event_handle_t Event;
      while (!(Event = atomic_load(&Events[R][I])))
        sched_yield();
      for (int J = 0; J < (R + I) % 16; ++J)
        sched_yield();
      omp_fulfill_event(Event);
    }
  return Unused;
}

static void tree(int Levels) {
  if (Levels == 0)
    return;
#pragma omp task firstprivate(Levels)
  {
    add(&Ran, 1);
    tree(Levels - 1);
  }
  omp_event_handle_t Event = (omp_event_handle_t)0;
#pragma omp task untied detach(Event) firstprivate(Levels)
  {
    add(&Ran, 1);
    atomic_store(&Events[Round][add(&NumEvents, 1) - 1], Event);
    tree(Levels - 1);
  }
  // Ends of detached tasks below that plain one are dealt with here.
  if (Levels % 2) {
#pragma omp taskwait
  }
}

int main(void) {
  pthread_t Outsider;
  CHECK_EQUAL(pthread_create(&Outsider, NULL, outside, NULL), 0, "a thread");
  for (int R = 0; R < Rounds; ++R) {
    atomic_store(&Round, R);
    NumEvents = Ran = Behind = 0;
#pragma omp parallel num_threads(1)
    {
      int Cell = 0;
      for (int I = 0; I < 2; ++I) {
        tree(Depth);
#pragma omp task depend(inout : Cell) shared(Behind)
        add(&Behind, 1);
      }
    }
    CHECK_EQUAL(Ran, Tasks, "tasks");
    CHECK_EQUAL(NumEvents, Tasks / 2, "detached ones");
    CHECK_EQUAL(Behind, 2, "tasks behind them");
  }
  pthread_join(Outsider, NULL);
  return 0;
}
