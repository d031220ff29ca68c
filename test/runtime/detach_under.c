// A tied task waits for its detached child, whose event another thread has
// fulfilled. The rest of the child's end lies in the deque of the task's
// thread, under the successor of a sibling, which the task has released and its
// thread may not begin. The other thread of the team takes nothing.
//
// RUN: %build
// RUN: %run-each --threads 2 %t
// RUN: env KMP_TASK_SCHEDULER=stock %run-each --threads 2 %t

#include "check.h"

#include <pthread.h>

static void *outside(void *Event) {
  omp_fulfill_event(*(omp_event_handle_t *)Event);
  return NULL;
}

/// In the tied task: a child with an event of its own, one of a sibling.
static void waitForChild(omp_event_handle_t Sibling) {
  omp_event_handle_t Event = (omp_event_handle_t)0;
  pthread_t Outsider;
#pragma omp task detach(Event) if (0)
  {
  }
  CHECK_EQUAL(pthread_create(&Outsider, NULL, outside, &Event), 0, "a thread");
  pthread_join(Outsider, NULL);
  omp_fulfill_event(Sibling);
#pragma omp taskwait
}

int main(void) {
  int Cell, Began = 0, Ran = 0, Ended = 0;
  (void)Cell; // only its address matters
  alarm(60);  // it could wait for ever
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 0) {
      omp_event_handle_t Sibling = (omp_event_handle_t)0;
#pragma omp task detach(Sibling) depend(out : Cell) shared(Began)
      set(&Began, 1);
      while (!get(&Began)) {
#pragma omp taskyield
      }
#pragma omp task depend(in : Cell) shared(Ran)
      add(&Ran, 1);
#pragma omp task if (0)
      waitForChild(Sibling);
      CHECK_EQUAL(get(&Ran), 0, "the successor, which nobody could begin");
      set(&Ended, 1);
    }
    while (!get(&Ended))
      sched_yield();
  }
  CHECK_EQUAL(Ran, 1, "the successor");
  return 0;
}
