// Who ends a detached task gets its successors, perhaps in a tied task and on
// top of children that it goes on to wait for. Two threads that do so must look
// behind what they may not run, in their own deque or in the other's.
//
// RUN: %build
// RUN: %run-each --threads 2 --policies active %t

#include "check.h"

int main(void) {
  int Met = 0, Ran = 0, A[2];
  (void)A; // only its addresses matter
#pragma omp parallel
#pragma omp single nowait
  {
    omp_event_handle_t Events[2];
    for (int I = 0; I < 2; ++I) {
      omp_event_handle_t Event;
#pragma omp task detach(Event) depend(out : A[I])
      {
      }
      Events[I] = Event;
#pragma omp task depend(in : A[I]) shared(Ran)
      add(&Ran, 1);
    }
    for (int I = 0; I < 2; ++I) {
      omp_event_handle_t Event = Events[I];
#pragma omp task firstprivate(Event) shared(Met, Ran)
      {
        add(&Met, 1);
        WAIT_FOR(&Met, 2); // one on each thread
#pragma omp task shared(Ran)
        add(&Ran, 1);
        omp_fulfill_event(Event);
        add(&Met, 1);
        WAIT_FOR(&Met, 4);
#pragma omp taskwait
      }
    }
  }
  CHECK_EQUAL(get(&Ran), 4, "tasks");
  return 0;
}
