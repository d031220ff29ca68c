// A detached task with dependences that cancellation discards, in a task that
// outlives its implicit task, has no influence on the dependences of the next
// region: they were freed while they were in use.
//
// RUN: %build
// RUN: %run-each --threads 2 --env OMP_CANCELLATION=true %t

#include "check.h"

#include <unistd.h>

enum { Rounds = 10, Tasks = 5000, Parts = 4, Apart = 64 };

static char Cells[Tasks * Apart];

static void discardOne(void) {
  int Ran = 0, Discarded = 0;
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() == 0) {
#pragma omp task shared(Ran, Discarded)
    {
      usleep(1000); // the implicit tasks have ended, in all likelihood
#pragma omp taskgroup
      {
        omp_event_handle_t Event;
#pragma omp task depend(inout : Cells[0]) shared(Ran)
        {
          add(&Ran, 1);
#pragma omp cancel taskgroup
        }
#pragma omp task detach(Event) depend(inout : Cells[0]) shared(Discarded)
        add(&Discarded, 1);
      }
    }
    // The first task with a dependence of this implicit task makes its hash.
#pragma omp task depend(inout : Cells[0])
    ;
  }
  CHECK_EQUAL(Ran, 1, "the task that cancels");
  CHECK_EQUAL(Discarded, 0, "discarded tasks that ran");
}

static void useDependences(void) {
  int Ran = 0;
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() == 0)
    for (int Part = 1; Part <= Parts; ++Part) {
      for (int I = 0; I < Tasks; ++I) {
#pragma omp task depend(inout : Cells[I * Apart]) shared(Ran)
        add(&Ran, 1);
      }
      // All have ended now, and this implicit task goes on.
      WAIT_FOR(&Ran, Part * Tasks);
    }
  CHECK_EQUAL(Ran, Parts * Tasks, "tasks");
}

int main(void) {
  for (int Round = 0; Round < Rounds; ++Round) {
    discardOne();
    useDependences();
  }
  return 0;
}
