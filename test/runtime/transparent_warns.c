// What the runtime says of transparent tasks that it runs as others: each once.
//
// RUN: %build -fopenmp-version=60
// RUN: %run %t 2>&1 | FileCheck %s
//
// CHECK: OMP: Warning: task transparent: a task with an event (detach) is not.
// CHECK: OMP: Warning: task transparent: its strict affinity is a preference.
// CHECK-NOT: OMP:

#include "check.h"

int main(void) {
  int X = 0;
#pragma omp parallel
#pragma omp single
  for (int I = 0; I < 2; ++I) {
    omp_event_handle_t Event = (omp_event_handle_t)0;
#pragma omp task transparent detach(Event) shared(X)
#pragma omp task shared(X)
    add(&X, 1);
    omp_fulfill_event(Event);
#pragma omp task transparent affinity(node : 0, strict) shared(X)
#pragma omp task shared(X)
    add(&X, 1);
  }
  CHECK_EQUAL(X, 4, "tasks");
  return 0;
}
