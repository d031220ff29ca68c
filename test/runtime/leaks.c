// LeakSanitizer has nothing to say of correct programs: what only memory of our
// own points to is not lost. A team of one thread whose tasks have events and
// dependences, and one of several.
//
// REQUIRES: product
// RUN: %build -fsanitize=address && %run --env OMP_NUM_THREADS=1 %t && %run --env OMP_NUM_THREADS=3 %t

#include "check.h"

static int X[64];

int main(void) {
  int Ran = 0;
#pragma omp parallel
  {
#pragma omp single
    for (int I = 0; I < 200; ++I) {
      omp_event_handle_t Event = (omp_event_handle_t)0;
#pragma omp task detach(Event) depend(inout : X[I % 64])
      add(&Ran, 1);
      omp_fulfill_event(Event);
#pragma omp task depend(in : X[I % 64])
      add(&Ran, 1);
    }
  }
  CHECK_EQUAL(Ran, 400, "tasks that ran");
  return 0;
}
