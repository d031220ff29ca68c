// The next part of an untied task, X, could begin on top of Z; X waits for its
// child C, C's thread has begun Q on top of it, and Q waits for Z. None of the
// four descends from what it is on top of. X has to wait until Z has ended.
//
// Two ways to get there: strict tasks on nodes of one thread each, which is
// then the only one that can go on with X; and threads that look at any task,
// because they wait for events.
//
// RUN: %clang %s -DSTRICT=1 -o %t.strict
// RUN: %clang %s -DSTRICT=0 -o %t.event
// RUN: env OMP_NUM_THREADS=3 HWLOC_SYNTHETIC="node:3 pu:1" %run %t.strict
// RUN: env OMP_NUM_THREADS=3 OMP_MAX_TASK_PRIORITY=5 %run %t.event

#include "check.h"

#if STRICT
#define ON(Thread) omp_set_task_affinity(omp_affinity_node, Thread, 1)
#define PRIORITY(Number) 0
#else
#define ON(Thread)
#define PRIORITY(Number) Number
#endif

/// Waits for an event, whose handle \p Event gets.
static void waitForEvent(omp_event_handle_t *Event, int *IsWaiting) {
  omp_event_handle_t Own = (omp_event_handle_t)0;
#pragma omp task detach(Own)
  (void)0;
  *Event = Own;
  set(IsWaiting, 1);
#pragma omp taskwait
}

int main(void) {
  for (int Round = 0; Round < 5; ++Round) {
    omp_event_handle_t EventOfC, EventOfZ;
    int WaitsC = 0, WaitsZ = 0, IsQueuedZ = 0, Ended = 0;
#pragma omp parallel num_threads(3)
    if (omp_get_thread_num() == 2) {
      ON(1);
#pragma omp task untied priority(PRIORITY(2)) // X
      {
        ON(0);
#pragma omp task priority(PRIORITY(4)) // C
        {
          waitForEvent(&EventOfC, &WaitsC);
          add(&Ended, 1);
        }
        while (!get(&IsQueuedZ))
          sched_yield();
        ON(2);
#pragma omp task // X goes on in another part, queued behind Z.
        {
        }
#pragma omp taskwait
        add(&Ended, 1);
      }
      WAIT_FOR(&WaitsC, 1);
      ON(0);
#pragma omp task untied // Q
      {
        ON(1);
#pragma omp task priority(PRIORITY(3)) // Z
        {
          waitForEvent(&EventOfZ, &WaitsZ);
          add(&Ended, 1);
        }
        set(&IsQueuedZ, 1);
#pragma omp taskwait
        add(&Ended, 1);
      }
      WAIT_FOR(&WaitsZ, 1);
      // Time for X to begin where it must not.
      for (int I = 0; I < 5000; ++I)
        sched_yield();
      omp_fulfill_event(EventOfZ);
      omp_fulfill_event(EventOfC);
    }
    CHECK_EQUAL(Ended, 4, "tasks");
  }
  return 0;
}
