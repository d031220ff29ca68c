// What the end of a task makes ready runs next on the same thread, but not
// before a strict task for this thread nor one with a priority, whatever became
// ready first; and it never runs at once where a thread that queues it is
// throttled: that one waits for something else.
//
// RUN: %build
// RUN: %run-each --threads 2,8 --policies active,passive --env OMP_MAX_TASK_PRIORITY=10 --env KMP_TASK_QUEUE_SIZE=16 %t

#include "check.h"

static int Order;

/// A task on thread \p Here, which alone is free, makes two ready, of which the
/// plain one is created last.
static void favoured(int Here, int IsStrict) {
  int Token = 0, First = 0, Plain = 0;
  set(&Order, 0);
  omp_set_task_affinity(omp_affinity_thread, (uintptr_t)Here, 1);
#pragma omp task depend(out : Token)
  ;
  if (IsStrict) {
    omp_set_task_affinity(omp_affinity_thread, (uintptr_t)Here, 1);
#pragma omp task depend(in : Token) shared(First)
    First = add(&Order, 1) + 1;
  } else {
#pragma omp task depend(in : Token) shared(First) priority(5)
    First = add(&Order, 1) + 1;
  }
#pragma omp task depend(in : Token) shared(Plain)
  Plain = add(&Order, 1) + 1;
#pragma omp taskwait
  CHECK(First < Plain, "%s task was number %d, the plain one %d",
        IsStrict ? "the strict" : "the task with a priority", First, Plain);
}

/// The thread's deque is full, and it waits for the first task only.
static void throttled(int Here) {
  enum { Others = 40 };
  int Token = 0, Waits = 0, RanInWait = 0;
  omp_set_task_affinity(omp_affinity_thread, (uintptr_t)Here, 1);
#pragma omp task depend(out : Token)
  ;
#pragma omp task depend(in : Token) shared(Waits, RanInWait)
  if (get(&Waits))
    set(&RanInWait, 1);
  for (int I = 0; I < Others; ++I) {
#pragma omp task
    dither(7);
  }
  set(&Waits, 1);
#pragma omp taskwait depend(in : Token)
  set(&Waits, 0);
  CHECK(!get(&RanInWait), "the successor ran in a wait for another task");
#pragma omp taskwait
}

int main(void) {
#pragma omp parallel
#pragma omp single
  {
    const int Here = omp_get_thread_num();
    int Hold = 0, Held = 0;
    for (int I = 1; I < omp_get_num_threads(); ++I) {
#pragma omp task shared(Hold, Held)
      {
        add(&Held, 1);
        WAIT_FOR(&Hold, 1);
      }
    }
    WAIT_FOR(&Held, omp_get_num_threads() - 1);
#pragma omp task if (0) // whose children are not the held ones
    {
      favoured(Here, 1);
      favoured(Here, 0);
      throttled(Here);
    }
    set(&Hold, 1);
  }
  return 0;
}
