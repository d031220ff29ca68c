// Tasks of a team of one thread end before one that waits for a detached task.
// They are its ancestors, and have to stay until it has ended: a strict untied
// task looks for its tied ancestors. Those had been freed, and often belonged to
// the very task that looked, which then went round in a circle.
//
// RUN: %build
// RUN: %run-each --threads 2 %t
// REQUIRES: clause

#include "check.h"

#include <pthread.h>
#include <semaphore.h>

enum { Rounds = 300, Depth = 8 };

static sem_t IsWanted, IsFulfilled;
static omp_event_handle_t Event;
static int Ran;

static void *outsider(void *Unused) {
  for (int Round = 0; Round < Rounds; ++Round) {
    sem_wait(&IsWanted);
    omp_fulfill_event(Event);
    sem_post(&IsFulfilled);
  }
  return Unused;
}

static void nest(int Levels) {
  if (Levels > 0) {
#pragma omp task firstprivate(Levels)
    nest(Levels - 1);
    return;
  }
  static int Token;
  omp_event_handle_t Detached;
#pragma omp task detach(Detached) depend(out : Token)
  {
    Event = Detached;
    sem_post(&IsWanted);
  }
  sem_wait(&IsFulfilled);
#pragma omp task untied depend(in : Token) affinity(thread : 0, strict)
  {
#pragma omp task untied affinity(thread : 0, strict)
    ++Ran;
#pragma omp taskwait
    ++Ran;
  }
}

int main(void) {
  pthread_t Outsider;
  sem_init(&IsWanted, 0, 0);
  sem_init(&IsFulfilled, 0, 0);
  CHECK_EQUAL(pthread_create(&Outsider, NULL, outsider, NULL), 0, "create");
  for (int Round = 0; Round < Rounds; ++Round) {
#pragma omp parallel num_threads(1)
    nest(Round % Depth);
    CHECK_EQUAL(Ran, 2 * (Round + 1), "tasks after the region");
  }
  pthread_join(Outsider, NULL);
  return checkResult();
}
