// A thread that ends a task keeps the one that this makes ready and runs it
// next. It queues it where it does something else first: here it then waits for
// that very task, and looks for none.
//
// The predecessor is strict, so the thread that creates all runs it.
//
// RUN: %build
// RUN: %run-each --threads 2,3,8 --policies active,passive %t

#include "check.h"

/// Creates a task for thread \p Here, and one that this makes ready, which sets
/// *Flag.
static void createPair(int *Token, int *Flag, int Here) {
  omp_set_task_affinity(omp_affinity_thread, (uintptr_t)Here, 1);
#pragma omp task depend(out : *Token) firstprivate(Here)
  CHECK(omp_get_thread_num() == Here);
#pragma omp task depend(in : *Token) firstprivate(Flag)
  set(Flag, 1);
}

/// A taskyield runs one task.
static void afterYield(int Here) {
  int Token = 0, Flag = 0;
  createPair(&Token, &Flag, Here);
#pragma omp taskyield
  WAIT_FOR(&Flag, 1);
#pragma omp taskwait
}

/// The wait is for the predecessor, and for nothing else.
static void afterWait(int Here) {
  int Token = 0, Flag = 0;
  createPair(&Token, &Flag, Here);
#pragma omp taskwait depend(in : Token)
  WAIT_FOR(&Flag, 1);
#pragma omp taskwait
}

/// The wait is for a task elsewhere, which is over while its child runs here.
static void afterParent(int Here) {
  int Token = 0, Flag = 0, HasBegun = 0, IsOver = 0;
  omp_set_task_affinity(omp_affinity_thread, (uintptr_t)Here + 1, 1);
#pragma omp task shared(Token, Flag, HasBegun, IsOver)
  {
    omp_set_task_affinity(omp_affinity_thread, (uintptr_t)Here, 1);
#pragma omp task depend(out : Token) shared(HasBegun, IsOver)
    {
      set(&HasBegun, 1);
      WAIT_FOR(&IsOver, 1);
      for (double End = seconds() + 1e-4; seconds() < End;)
        ;
    }
#pragma omp task depend(in : Token) shared(Flag)
    set(&Flag, 1);
    WAIT_FOR(&HasBegun, 1);
    set(&IsOver, 1);
  }
#pragma omp taskwait
  WAIT_FOR(&Flag, 1);
}

int main(void) {
  enum { Rounds = 20 };
  for (int R = 0; R < Rounds; ++R) {
#pragma omp parallel
#pragma omp single
    {
      afterYield(omp_get_thread_num());
      afterWait(omp_get_thread_num());
      afterParent(omp_get_thread_num());
    }
  }
  return 0;
}
