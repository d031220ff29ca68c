// A thread cancels its region: just behind a barrier that others have not left
// yet, or when they are at the end. Tasks that have begun end before the region
// does. In stock libomp all hang.
//
// RUN: %build
// RUN: %run-each --threads 2,3,8 --env OMP_CANCELLATION=true %t

#include "check.h"

enum { Rounds = 60, Loop = 16, Tasks = 8 };

static void region(int Round) {
  int Ran = 0, Begun = 0, Ended = 0, Late = 0;
#pragma omp parallel shared(Ran, Begun, Ended, Late)
  {
    const int Who = Round % omp_get_num_threads();
#pragma omp for schedule(dynamic) nowait
    for (int I = 0; I < Loop; ++I)
      add(&Ran, 1);
    for (int I = 0; I < Tasks; ++I) {
#pragma omp task shared(Begun, Ended)
      {
        add(&Begun, 1);
        add(&Ended, 1);
      }
    }
#pragma omp barrier
#pragma omp cancel parallel if (omp_get_thread_num() == Who)
    switch (Round % 4) {
    case 1: {
#pragma omp cancellation point parallel
    } break;
    case 2: {
#pragma omp barrier
      add(&Late, 1);
    } break;
    case 3:
#pragma omp single
      add(&Late, 0);
#pragma omp for
      for (int I = 0; I < Loop; ++I)
        add(&Late, 0);
      add(&Late, 1);
    }
  }
  CHECK_EQUAL(Ran, Loop, "iterations before the cancellation");
  CHECK_EQUAL(Ended, Begun, "tasks");
  CHECK_EQUAL(Late, 0, "threads behind a barrier that a cancelled one is at");
}

int main(void) {
  for (int Round = 0; Round < Rounds; ++Round)
    region(Round);
  return 0;
}
