// A ready task whose mutex a detached task has, and whose parent has ended,
// runs before the region ends.
//
// RUN: %build
// RUN: %run-each --threads 1,2,8 --policies passive,noblock %t
// RUN: %run-each --threads 2,8 --policies passive --env KMP_TASK_SCHEDULER=stock %t

#include "check.h"

#include <pthread.h>

enum { Rounds = 100 };
static omp_event_handle_t Event;
static int HasEvent, Ran;

/// Now at once, now when the others have had time to look for tasks.
static void *fulfill(void *Unused) {
  for (int I = 0; I < Rounds; ++I) {
    WAIT_FOR(&HasEvent, 1);
    set(&HasEvent, 0);
    usleep(I % 3 ? 100 : 2000);
    omp_fulfill_event(Event);
  }
  return Unused;
}

static void parent(void) {
  int X;
  omp_event_handle_t Mine = (omp_event_handle_t)0;
#pragma omp task detach(Mine) depend(mutexinoutset : X)
  {
  }
#pragma omp task depend(mutexinoutset : X)
  add(&Ran, 1);
#pragma omp task depend(mutexinoutset : X) priority(1)
  add(&Ran, 1);
  Event = Mine;
  set(&HasEvent, 1);
}

int main(void) {
  pthread_t Outside;
  pthread_create(&Outside, NULL, fulfill, NULL);
  for (int I = 0; I < Rounds; ++I) {
    Ran = 0;
#pragma omp parallel
#pragma omp single
#pragma omp task
    parent();
    CHECK_EQUAL(Ran, 2, "behind the region");
  }
  pthread_join(Outside, NULL);
  return 0;
}
