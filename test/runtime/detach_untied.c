// All threads wait in tied tasks for detached children, whose events a ready
// untied task fulfils: one of the threads has to start it, though it does not
// descend from the task that waits.
//
// RUN: %build
// RUN: %run-each --threads 2 %t
// RUN: env KMP_TASK_SCHEDULER=stock %run-each --threads 2 %t

#include "check.h"

enum { Rounds = 100 };

int main(void) {
  for (int Round = 0; Round < Rounds; ++Round) {
    int Waiting = 0, Cell = 0, Ended = 0, Published[2] = {0, 0};
    omp_event_handle_t Start = (omp_event_handle_t)0, Events[2];
#pragma omp parallel num_threads(2)
#pragma omp single nowait
    {
#pragma omp task detach(Start) depend(out : Cell) shared(Cell)
      Cell = 1;
#pragma omp task untied depend(in : Cell) shared(Cell, Events, Published, Ended)
      {
        for (int I = 0; I < 2; ++I) {
          while (!get(&Published[I]))
            sched_yield();
          omp_fulfill_event(Events[I]);
        }
        add(&Ended, Cell);
      }
      for (int I = 0; I < 2; ++I) {
#pragma omp task firstprivate(I)                                               \
    shared(Waiting, Events, Published, Start, Ended)
        {
          add(&Waiting, 1);
          while (get(&Waiting) < 2)
            sched_yield();
          omp_event_handle_t Event;
          int Ran = 0;
#pragma omp task detach(Event) shared(Ran)
          add(&Ran, 1);
          Events[I] = Event;
          set(&Published[I], 1);
          if (I == 0)
            omp_fulfill_event(Start);
#pragma omp taskwait
          add(&Ended, get(&Ran));
        }
      }
    }
    CHECK_EQUAL(Ended, 3, "tasks");
  }
  return 0;
}
