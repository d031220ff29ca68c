// A team of one thread: a task that has waited for an event does not begin on
// top of one that waits with a lock, which it may want: it is no descendant.
//
// RUN: %build
// RUN: env OMP_NUM_THREADS=1 %run %t

#include "check.h"

#include <pthread.h>

enum { Rounds = 50 };

static omp_lock_t Lock;
static omp_event_handle_t Before, Awaited;
static int HasRun;

/// Fulfills the event that another task waits for, then the one that the thread
/// waits for.
static void *fulfill(void *Unused) {
  (void)Unused;
  omp_fulfill_event(Before);
  usleep(1000);
  omp_fulfill_event(Awaited);
  return NULL;
}

static void waitWithLock(void) {
  omp_event_handle_t Mine = (omp_event_handle_t)0;
  pthread_t Outside;
#pragma omp task detach(Mine)
  Awaited = Mine;
  omp_set_lock(&Lock);
  pthread_create(&Outside, NULL, fulfill, NULL);
#pragma omp taskwait
  omp_unset_lock(&Lock);
  pthread_join(Outside, NULL);
}

static void run(void) {
  int X;
  omp_event_handle_t Mine = (omp_event_handle_t)0;
#pragma omp task depend(out : X) detach(Mine)
  Before = Mine;
#pragma omp task depend(in : X)
  {
    omp_set_lock(&Lock);
    add(&HasRun, 1);
    omp_unset_lock(&Lock);
  }
#pragma omp task
  waitWithLock();
#pragma omp taskwait
}

int main(void) {
  omp_init_lock(&Lock);
  for (int I = 0; I < Rounds; ++I) {
#pragma omp parallel
    run();
    CHECK_EQUAL(HasRun, I + 1, "tasks with the lock");
  }
  return 0;
}
