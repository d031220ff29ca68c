// A thread that a parallel region inside of teams leaves out does not look for
// the region's tasks, even if it had looked for those of an earlier region.
// Upstream's libomp let it: it crashed, or the region ended before its tasks
// (issue 97548).
//
// RUN: %build
// RUN: %run-each --policies active,passive --threads 2,3 %t

#include "check.h"

enum { Rounds = 100, Tasks = 500 };

static int Begun, Ended;

/// Tasks in a region of one thread, while others may look.
static void few(const char *Where) {
  Begun = Ended = 0;
#pragma omp parallel num_threads(1)
  for (int I = 0; I < Tasks; ++I) {
#pragma omp task
    {
      add(&Begun, 1);
      add(&Ended, 1);
    }
    if (I % 100 == 0)
      sched_yield();
  }
  CHECK_EQUAL(get(&Begun), Tasks, Where);
  CHECK_EQUAL(get(&Ended), Tasks, Where);
}

int main(void) {
  for (int Round = 0; Round < Rounds; ++Round) {
    // All threads learn of task queues, but nobody uses them.
#pragma omp teams num_teams(2)
    {
    }
#pragma omp teams num_teams(1)
    {
      few("first region"); // uses other queues
      few("second region");
    }
  }
  return 0;
}
