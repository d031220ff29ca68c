// A detached task keeps the barrier closed until its event is fulfilled, also
// where its creator has ended and a thread outside of the team fulfils the
// event; and so do the tasks that its end releases. In stock libomp the region
// may end without them.
//
// RUN: %build
// RUN: %run-each --threads 2,3,8 %t

#include "check.h"

#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

enum { Rounds = 1000 };

// The outsider sleeps on these: it must not take turns from the team.
static sem_t IsWanted, IsLate;

static omp_event_handle_t *Wanted;
static omp_event_handle_t Late[Rounds];
static atomic_int IsFulfilled[Rounds];

static void waitFor(sem_t *Semaphore) {
  CHECK_EQUAL(sem_wait(Semaphore), 0, "sem_wait");
}
static void wake(sem_t *Semaphore) {
  CHECK_EQUAL(sem_post(Semaphore), 0, "sem_post");
}

/// Fulfils events at once, until there are no more.
static void *outside(void *Unused) {
  for (int I = 0; I < Rounds; ++I) {
    waitFor(&IsWanted);
    omp_fulfill_event(*Wanted);
  }
  // And some late: all else of the region has had time to end.
  for (int I = 0; I < Rounds; ++I) {
    waitFor(&IsLate);
    for (volatile int J = 0; J < I % 64 * 512;)
      J = J + 1;
    atomic_store(&IsFulfilled[I], 1);
    omp_fulfill_event(Late[I]);
  }
  return Unused;
}

int main(void) {
  pthread_t Outsider;
  CHECK_EQUAL(sem_init(&IsWanted, 0, 0), 0, "sem_init");
  CHECK_EQUAL(sem_init(&IsLate, 0, 0), 0, "sem_init");
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
          Wanted = &Event;
          wake(&IsWanted);
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
          wake(&IsLate);
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
