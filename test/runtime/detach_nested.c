// The thread that waits for K is the only one that can start U, which fulfils
// an event that a nested region waits for. The thread's own team has no
// detached task.
//
// RUN: %build
// RUN: %run-each --threads 2 --env OMP_MAX_TASK_PRIORITY=1 %t

#include "check.h"

enum { Rounds = 20 };

static void run(int InnerThreads) {
  int Began = 0, MadeK = 0, BeganK = 0, Known = 0, EndedK = 0, Fulfilled = 0;
  omp_event_handle_t Event;
#pragma omp parallel num_threads(2)
#pragma omp single
  {
#pragma omp task shared(Began, MadeK, BeganK, Known, EndedK, Event) // Q
    {
      set(&Began, 1);
#pragma omp task priority(1) shared(BeganK, Known, EndedK, Event)
      {
        set(&BeganK, 1);
#pragma omp parallel num_threads(InnerThreads)
#pragma omp single
        {
          omp_event_handle_t Inner;
#pragma omp task detach(Inner)
          ;
          Event = Inner;
          set(&Known, 1);
        }
        set(&EndedK, 1);
      }
      set(&MadeK, 1);
      WAIT_FOR(&BeganK, 1);
#pragma omp taskwait
    }
    WAIT_FOR(&Began, 1);
#pragma omp task untied shared(Known, Event, Fulfilled) // U
    {
      WAIT_FOR(&Known, 1);
      omp_fulfill_event(Event);
      add(&Fulfilled, 1);
    }
    WAIT_FOR(&MadeK, 1);
    while (!get(&BeganK)) { // K, by its priority, not U
#pragma omp taskyield
    }
    WAIT_FOR(&EndedK, 1);
  }
  CHECK_EQUAL(Fulfilled, 1, "events");
}

int main(void) {
  omp_set_max_active_levels(2);
  for (int Round = 0; Round < Rounds; ++Round)
    run(1 + Round % 2);
  return 0;
}
