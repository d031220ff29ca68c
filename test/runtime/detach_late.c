// In a team of one thread another thread has fulfilled the event of a detached
// task. A task that is created then, and depends on it, is one that taskwait, a
// taskgroup and the end of the region wait for.
//
// RUN: %build
// RUN: %run-each --threads 1 %t

#include "check.h"

#include <pthread.h>

static void *outside(void *Event) {
  omp_fulfill_event(*(omp_event_handle_t *)Event);
  return NULL;
}

/// Creates a detached task that has ended, but for what the team does then, and
/// a task behind it.
static void create(int *Cell, int *Ran) {
  omp_event_handle_t Event = (omp_event_handle_t)0;
  pthread_t Outsider;
  (void)Cell; // only its address matters
#pragma omp task detach(Event) depend(out : *Cell)
  {
  }
  CHECK_EQUAL(pthread_create(&Outsider, NULL, outside, &Event), 0, "a thread");
  pthread_join(Outsider, NULL);
#pragma omp task depend(in : *Cell) firstprivate(Ran)
  *Ran = 1;
}

/// The same in an explicit task, or not.
static void all(void) {
  int Cell, Ran = 0;
  create(&Cell, &Ran);
#pragma omp taskwait
  CHECK_EQUAL(Ran, 1, "taskwait");
  Ran = 0;
#pragma omp taskgroup
  create(&Cell, &Ran);
  CHECK_EQUAL(Ran, 1, "taskgroup");
  Ran = 0;
  create(&Cell, &Ran);
#pragma omp taskwait depend(out : Cell)
  CHECK_EQUAL(Ran, 1, "taskwait depend");
}

int main(void) {
  int Cell, Ran;
  all(); // the initial team
  for (int I = 0; I < 2; ++I) {
    Ran = 0;
#pragma omp parallel num_threads(1)
    {
      all();
#pragma omp task
      all();
      create(&Cell, &Ran);
    }
    CHECK_EQUAL(Ran, 1, "the end of the region");
  }
  return 0;
}
