// Undeferred tasks with an event, by an if clause or in a final task, in teams
// and outside of them: each way to wait for their dependence waits for the
// event, and the creator goes on when the body has ended.
//
// RUN: %build -O0 && %run-each --threads 1,2,8 --policies active,passive %t
// RUN: %build -O2 && %run-each --threads 1,2,8 --policies active %t

#include "check.h"

#include <pthread.h>
#include <stdatomic.h>

enum First { Out, InOut, Mutex, Set, NumFirst };
enum Second { Deferred, Undeferred, Included, Wait, NumSecond };

static int X, Done;
static _Atomic(omp_event_handle_t) Event;
static atomic_int Ended;

/// Fulfils each event as soon as the task's creator has gone on.
static void *outside(void *Unused) {
  while (!atomic_load(&Ended)) {
    omp_event_handle_t Now = atomic_exchange(&Event, (omp_event_handle_t)0);
    if (Now) {
      for (int I = 0; I < 20; ++I)
        sched_yield();
      set(&Done, 1);
      omp_fulfill_event(Now);
    }
    sched_yield();
  }
  return Unused;
}

static void first(enum First Kind, int If) {
  omp_event_handle_t Mine = (omp_event_handle_t)0;
  int Ran = 0;
  switch (Kind) {
  case Out:
#pragma omp task if (If) detach(Mine) depend(out : X) shared(Ran)
    Ran = 1;
    break;
  case InOut:
#pragma omp task if (If) detach(Mine) depend(inout : X) shared(Ran)
    Ran = 1;
    break;
  case Mutex:
#pragma omp task if (If) detach(Mine) depend(mutexinoutset : X) shared(Ran)
    Ran = 1;
    break;
  default:
#pragma omp task if (If) detach(Mine) depend(inoutset : X) shared(Ran)
    Ran = 1;
  }
  CHECK_EQUAL(Ran, 1, "the body, before the creator goes on");
  CHECK_EQUAL(get(&Done), 0, "the event");
  atomic_store(&Event, Mine);
}

static void seen(int *Number) {
  CHECK_EQUAL(get(&Done), 1, "the event, when a task behind it runs");
  add(Number, 1);
}

static void second(enum Second Kind, enum First Before, int *Number) {
  if (Kind == Wait) {
#pragma omp taskwait depend(in : X)
    seen(Number);
  } else if (Before == Mutex) {
    // The set's other members exclude each other; each runs behind the event.
#pragma omp task if (Kind == Deferred) depend(mutexinoutset : X)
    seen(Number);
  } else {
#pragma omp task if (Kind == Deferred) depend(in : X)
    seen(Number);
  }
#pragma omp task if (Kind != Undeferred) depend(out : X)
  seen(Number);
}

static void all(int Final) {
  for (int A = 0; A < NumFirst; ++A)
    for (int B = 0; B < NumSecond; ++B)
      for (int If = 0; If <= Final; ++If) {
        int Number = 0;
        set(&Done, 0);
#pragma omp taskgroup
        {
          first((enum First)A, If);
          second((enum Second)B, (enum First)A, &Number);
        }
        CHECK_EQUAL(get(&Done), 1, "the event, behind the taskgroup");
        CHECK_EQUAL(Number, 2, "tasks behind it that ran");
      }
}

static void both(void) {
  all(0);
#pragma omp task final(1)
  all(1);
#pragma omp taskwait
}

int main(void) {
  pthread_t Outsider;
  CHECK_EQUAL(pthread_create(&Outsider, NULL, outside, NULL), 0, "a thread");
  for (int Round = 0; Round < 5; ++Round) {
    both();
#pragma omp parallel
#pragma omp single
    both();
#pragma omp parallel num_threads(1)
    both();
  }
  atomic_store(&Ended, 1);
  pthread_join(Outsider, NULL);
  return 0;
}
