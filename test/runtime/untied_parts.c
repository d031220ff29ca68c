// The next part of untied task X does not begin on top of its child A, also
// with another task between them on the stack: X waits for A.
//
// RUN: %build
// RUN: %run-each --threads 2 %t
// RUN: %clang -fopenmp -O1 -DUNTIED_CHILD %s -o %t.untied
// RUN: %run-each --threads 2 %t.untied

#include "check.h"

enum { Rounds = 20 };

static void sleepSome(void) {
  const struct timespec Time = {0, 20000000};
  nanosleep(&Time, NULL);
}

int main(void) {
  for (int Round = 0; Round < Rounds; ++Round) {
    int Part = 0, WaitingA = 0, WaitingU = 0, Ended = 0;
    omp_event_handle_t EventA, EventU;
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 0) {
#pragma omp task untied shared(Part, WaitingA, EventA, Ended) // X
      {
        set(&Part, 1);
#ifdef UNTIED_CHILD
#pragma omp task untied shared(WaitingA, EventA, Ended) // A
#else
#pragma omp task shared(WaitingA, EventA, Ended) // A
#endif
        {
          omp_event_handle_t Event;
#pragma omp task detach(Event)
          ;
          EventA = Event;
          set(&WaitingA, 1);
#pragma omp taskwait
          add(&Ended, 1);
        }
#pragma omp taskwait
        add(&Ended, 1);
      }
      while (!get(&Part)) {
#pragma omp taskyield
      }
      WAIT_FOR(&WaitingA, 1);
#pragma omp task untied shared(WaitingU, EventU, Ended) // U
      {
        omp_event_handle_t Event;
#pragma omp task untied detach(Event)
        ;
        EventU = Event;
        set(&WaitingU, 1);
#pragma omp taskwait
        add(&Ended, 1);
      }
      WAIT_FOR(&WaitingU, 1);
      sleepSome(); // the other thread looks for something to do
      omp_fulfill_event(EventA);
      omp_fulfill_event(EventU);
    } else {
      WAIT_FOR(&Part, 1);
    }
    CHECK_EQUAL(Ended, 3, "tasks");
  }
  return 0;
}
