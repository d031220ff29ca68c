// A detached task keeps the barrier closed until its event is fulfilled, also
// where its creator has ended and a thread outside of the team fulfils the
// event; and so do the tasks that its end releases. In stock libomp the region
// may end without them.
//
// RUN: %build
// RUN: %run-each --threads 2,3,8 %t

#include "check.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

enum { Rounds = 3000 };

static _Atomic(omp_event_handle_t *) Wanted;
static omp_event_handle_t Late[Rounds];
static atomic_int IsLate[Rounds];
static atomic_int IsFulfilled[Rounds];

/// Fulfils events at once, until there are no more.
static void *outside(void *Unused) {
  for (int I = 0; I < Rounds; ++I) {
    omp_event_handle_t *Event;
    while (!(Event = atomic_load(&Wanted)))
      sched_yield();
    atomic_store(&Wanted, NULL);
    omp_fulfill_event(*Event);
  }
  // And some late: all else of the region has had time to end.
  for (int I = 0; I < Rounds; ++I) {
    while (!atomic_load(&IsLate[I]))
      sched_yield();
    for (int J = 0; J < I % 64; ++J)
      sched_yield();
    atomic_store(&IsFulfilled[I], 1);
    omp_fulfill_event(Late[I]);
  }
  return Unused;
}

int main(void) {
  pthread_t Outsider;
  CHECK_EQUAL(pthread_create(&Outsider, NULL, outside, NULL), 0, "a thread");
  for (int I = 0; I < Rounds; ++I) {
    int Cell = 0, Ran = 0;
    omp_event_handle_t Event = (omp_event_handle_t)0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp task shared(Cell, Ran, Event)
      {
#pragma omp taskgroup
        {
#pragma omp task detach(Event) depend(out : Cell) shared(Cell)
          Cell = 1;
          atomic_store(&Wanted, &Event);
        }
#pragma omp task depend(in : Cell) shared(Cell, Ran)
        add(&Ran, Cell);
        // Nobody waits for it but the barrier.
      }
    }
    CHECK_EQUAL(Ran, 1, "behind the detached task");
  }
  for (int I = 0; I < Rounds; ++I) {
    int Ran = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp task
      {
        omp_event_handle_t Event;
#pragma omp task detach(Event)
        {
          Late[I] = Event;
          atomic_store(&IsLate[I], 1);
        }
      }
      for (int J = 0; J < 8; ++J) {
#pragma omp task shared(Ran)
        add(&Ran, 1);
      }
    }
    CHECK_EQUAL(Ran, 8, "tasks beside it");
    CHECK_EQUAL(atomic_load(&IsFulfilled[I]), 1,
                "events at the end of the region");
  }
  pthread_join(Outsider, NULL);
  return 0;
}
