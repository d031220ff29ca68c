// Tasks of a team of one thread that are deferred behind a detached one, but
// were allocated before it, or in a loop's copy of a task: they count, too, and
// create a detached task when their creator is in another taskgroup. That
// group's end waited for ever, or memory was used that had been freed.
//
// RUN: %clangxx %s -o %t
// RUN: %run-each --threads 2 %t

#include "check.h"

#include <pthread.h>
#include <semaphore.h>

enum { First, Group, Inner, Events };

static sem_t InGroup, HasInner;
static omp_event_handle_t Event[Events];
static int Cell, Ran;

static void *outsider(void *) {
  sem_wait(&InGroup);
  omp_fulfill_event(Event[First]);
  sem_wait(&HasInner);
  omp_fulfill_event(Event[Inner]);
  omp_fulfill_event(Event[Group]);
  return nullptr;
}

static void createFirst() {
  omp_event_handle_t Detached = omp_event_handle_t();
#pragma omp task detach(Detached) depend(out : Cell)
  Event[First] = Detached;
}

static void createInner() {
  omp_event_handle_t Detached = omp_event_handle_t();
#pragma omp task detach(Detached)
  {
    Event[Inner] = Detached;
    sem_post(&HasInner);
  }
}

/// Its copy for a task is made when that has been allocated.
struct Maker {
  Maker() = default;
  Maker(const Maker &) { createFirst(); }
};

static void loop() {
  createFirst();
#pragma omp taskloop nogroup depend(in : Cell) grainsize(1)
  for (int I = 0; I < 2; ++I) {
    ++Ran;
    if (I == 0)
      createInner();
  }
}

static void copy() {
  Maker Copied;
#pragma omp task firstprivate(Copied) depend(in : Cell)
  {
    Ran += 2;
    createInner();
  }
}

int main() {
  sem_init(&InGroup, 0, 0);
  sem_init(&HasInner, 0, 0);
  for (int Round = 0; Round < 100; ++Round) {
    pthread_t Outsider;
    CHECK_EQUAL(pthread_create(&Outsider, nullptr, outsider, nullptr), 0,
                "pthread_create");
    Ran = 0;
#pragma omp parallel num_threads(1)
    {
      if (Round % 2)
        loop();
      else
        copy();
#pragma omp taskgroup
      {
        omp_event_handle_t Detached = omp_event_handle_t();
#pragma omp task detach(Detached)
        {
          Event[Group] = Detached;
          sem_post(&InGroup);
        }
      }
#pragma omp taskwait
      CHECK_EQUAL(Ran, 2, "tasks behind the taskwait");
    }
    pthread_join(Outsider, nullptr);
  }
  return 0;
}
