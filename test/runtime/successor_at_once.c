// The end of a task makes several ready. The thread keeps one for later only if
// it goes on with it at once: not where another of them runs first.
//
// RUN: %build
// RUN: %run-each --threads 2 --policies active,passive --env OMP_MAX_TASK_PRIORITY=10 --env KMP_TASK_QUEUE_SIZE=16 --env OMP_MAX_ACTIVE_LEVELS=2 %t

#include "check.h"
#include <pthread.h>

static omp_event_handle_t Event;
static int CanFulfill; ///< to be 2

static void *fulfill(void *None) {
  WAIT_FOR(&CanFulfill, 2);
  omp_fulfill_event(Event);
  return None;
}

/// The inner team's thread takes nothing of the outer one's.
static void region(void) {
  int Sum = 0;
#pragma omp parallel num_threads(2) shared(Sum)
#pragma omp single
  {
#pragma omp task shared(Sum)
    ++Sum;
  }
  CHECK_EQUAL(Sum, 1, "an inner region");
}

/// Queues more tasks than the list takes, which a task that waits for its
/// children may not run.
static void fillList(void) {
  enum { Rounds = 3, Tasks = 40 };
  for (int R = 0; R < Rounds; ++R) {
#pragma omp task if (0)
    for (int I = 0; I < Tasks; ++I) {
#pragma omp task
      dither(7);
    }
  }
}

/// A search finds the end of a detached task. Its successors are children of
/// the task that waits, whose list is full.
static void afterEvent(void) {
  enum { Successors = 3 };
  pthread_t Other;
  int Ran = 0;
  set(&CanFulfill, 0);
  CHECK(pthread_create(&Other, NULL, fulfill, NULL) == 0);
  fillList();
#pragma omp task if (0) shared(Ran)
  {
    int Token = 0;
    omp_event_handle_t Mine = (omp_event_handle_t)0;
#pragma omp task depend(out : Token) detach(Mine)
    {
      Event = Mine;
      add(&CanFulfill, 1);
    }
    for (int I = 0; I < Successors; ++I) {
#pragma omp task depend(in : Token) shared(Ran) firstprivate(I)
      {
        add(&Ran, 1);
        if (I == Successors - 1)
          region();
      }
    }
    add(&CanFulfill, 1);
#pragma omp taskwait
  }
  CHECK_EQUAL(get(&Ran), Successors, "behind an event");
  pthread_join(Other, NULL);
}

/// Libomp's list for a priority takes 256 tasks; the others run at once.
/// \p Opens: the first of them opens a region, else it waits for the plain one,
/// which the other thread can run.
static void besidePriorities(int *Hold, int Opens) {
  enum { Successors = 300 };
  int Token = 0, IsFirst = 1, Plain = 0, Ran = 0;
#pragma omp task untied depend(out : Token)
  ;
  for (int I = 0; I < Successors; ++I) {
#pragma omp task depend(in : Token) priority(5) shared(IsFirst, Plain, Ran)
    {
      add(&Ran, 1);
      if (__atomic_exchange_n(&IsFirst, 0, __ATOMIC_SEQ_CST)) {
        if (Opens) {
          region();
        } else {
          set(Hold, 1);
          WAIT_FOR(&Plain, 1);
        }
      }
    }
  }
#pragma omp task depend(in : Token) shared(Plain)
  set(&Plain, 1);
#pragma omp taskwait depend(inout : Token)
  CHECK_EQUAL(get(&Ran), Successors, "beside a plain one");
}

int main(void) {
#pragma omp parallel
#pragma omp single
  for (int Form = 0; Form < 3; ++Form) {
    int Hold = 0, Held = 0;
    omp_set_task_affinity(omp_affinity_thread,
                          (uintptr_t)(1 - omp_get_thread_num()), 1);
#pragma omp task shared(Hold, Held)
    {
      set(&Held, 1);
      WAIT_FOR(&Hold, 1);
    }
    WAIT_FOR(&Held, 1);
    if (Form == 0)
      afterEvent();
    else
      besidePriorities(&Hold, Form == 1);
    set(&Hold, 1);
#pragma omp taskwait
  }
  return 0;
}
