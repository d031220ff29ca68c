// A thread that waits in a tied task finds that task's children behind tasks of
// a higher priority that it may not start there. Upstream's libomp gave up at
// the first one, and nobody ran the children (issue 97816).
//
// RUN: %build
// RUN: env OMP_MAX_TASK_PRIORITY=10 %run-each --threads 2 %t

#include "check.h"

/// The team's second thread makes a task of a higher priority while the first
/// one runs a task, and takes none before that one's children have run.
static void behind(int ChildPriority) {
  int Begun = 0, InWay = 0, Ran = 0;
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() == 0) {
#pragma omp task priority(5) shared(Begun, InWay, Ran)
    {
      set(&Begun, 1);
      WAIT_FOR(&InWay, 1);
      for (int I = 0; I < 3; ++I) {
#pragma omp task priority(ChildPriority) shared(Ran)
        add(&Ran, 1);
      }
#pragma omp taskwait
    }
#pragma omp taskwait
  } else {
    WAIT_FOR(&Begun, 1);
#pragma omp task priority(9)
    {
    }
#pragma omp task priority(3)
    {
    }
    set(&InWay, 1);
    WAIT_FOR(&Ran, 3);
  }
  CHECK_EQUAL(Ran, 3, "children");
}

int main(void) {
  CHECK_EQUAL(omp_get_max_task_priority(), 10, "OMP_MAX_TASK_PRIORITY");
  behind(7); // lower than what is in the way
  behind(9); // alike
  behind(3); // below both
  behind(0); // in the thread's own queue
  return 0;
}
