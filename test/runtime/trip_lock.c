// A thief in a barrier takes several tasks at once. The newest of them may wait
// for a lock (mutexinoutset) whose owner waits for an older one: the thief has
// to look behind it.
//
// RUN: %build
// RUN: %run-each --threads 2 --policies active %t

#include "check.h"

enum { Rounds = 20, Children = 4 };

static int Ran;

static void ran(void) { add(&Ran, 1); }

int main(void) {
  for (int Round = 0; Round < Rounds; ++Round) {
    int Go = 0, A = 0, Lock = 0;
    (void)A, (void)Lock; // only their addresses matter
    Ran = 0;
#pragma omp parallel
    {
      if (omp_get_thread_num() == 1) {
        WAIT_FOR(&Go, 1);
      } else if (omp_get_thread_num() == 0) {
        // Taken alone: the thief counts as finished until then.
#pragma omp task
        ran();
#pragma omp task depend(out : A)
        ran(); // releases the last one
#pragma omp task
        ran();
#pragma omp task depend(mutexinoutset : Lock) shared(Go)
        {
          for (int I = 0; I < Children; ++I) {
#pragma omp task
            ran();
          }
          set(&Go, 1);
          // Gives the thief time to take what it gets.
          for (double Since = seconds(); seconds() - Since < 0.01;)
            ;
#pragma omp taskwait
        }
#pragma omp task depend(in : A) depend(mutexinoutset : Lock)
        ran();
#pragma omp taskwait
      }
    }
    CHECK_EQUAL(get(&Ran), 4 + Children, "tasks");
  }
  return 0;
}
