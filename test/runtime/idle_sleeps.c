// A thread that waits for tasks, in any kind of wait, sleeps behind the block
// time: with a short one, it takes hardly any processor time while the only
// task that runs sleeps. (Load can only make that less.)
//
// REQUIRES: native
// RUN: %build
// RUN: %run-each --threads 2,4 --policies passive,noblock --env KMP_BLOCKTIME=0 --env OMP_MAX_TASK_PRIORITY=1 %t
// RUN: %run --env KMP_BLOCKTIME=20 --env OMP_NUM_THREADS=2 %t

#include "check.h"

#include <pthread.h>
#include <sys/resource.h>

static int X;

static double processorTime(void) {
  struct rusage Usage;
  getrusage(RUSAGE_SELF, &Usage);
  return (double)(Usage.ru_utime.tv_sec + Usage.ru_stime.tv_sec) +
         1e-6 * (double)(Usage.ru_utime.tv_usec + Usage.ru_stime.tv_usec);
}

/// What the only task does.
static void rest(void) { usleep(400 * 1000); }

static void barrier(void) {
#pragma omp task
  rest();
}
static void taskwait(void) {
#pragma omp task
  rest();
#pragma omp taskwait
}
static void dependent(void) {
  for (int I = 0; I < 50; ++I) {
#pragma omp task depend(inout : X) firstprivate(I)
    if (I == 0)
      rest();
  }
}
static void taskgroup(void) {
#pragma omp taskgroup
  {
#pragma omp task
    {
#pragma omp task
      rest();
    }
  }
}
static void taskwaitDepend(void) {
#pragma omp task depend(out : X)
  rest();
#pragma omp taskwait depend(in : X)
}
static void strict(void) {
  for (int I = 0; I < 20; ++I) {
    omp_set_task_affinity(omp_affinity_thread, 1, 1);
#pragma omp task firstprivate(I)
    if (I == 0)
      rest();
  }
}
static void mutexinoutset(void) {
  for (int I = 0; I < 20; ++I) {
#pragma omp task depend(mutexinoutset : X) firstprivate(I)
    if (I == 0)
      rest();
  }
}
static void detached(void) {
  omp_event_handle_t Event = (omp_event_handle_t)0;
#pragma omp task detach(Event)
  {
  }
#pragma omp task firstprivate(Event)
  {
    rest();
    omp_fulfill_event(Event);
  }
#pragma omp taskwait
}
static void undeferred(void) {
#pragma omp task depend(out : X)
  rest();
#pragma omp task if (0) depend(in : X)
  X++;
}

static void priority(void) {
#pragma omp task priority(1)
  rest();
#pragma omp taskwait
}
// The hidden helper threads that have nothing to run wait, too.
static void targetNowait(void) {
#pragma omp target nowait
  rest();
#pragma omp taskwait
}
static void *fulfill(void *Event) {
  rest();
  omp_fulfill_event((omp_event_handle_t)Event);
  return NULL;
}
static void fulfilledOutside(void) {
  omp_event_handle_t Event = (omp_event_handle_t)0;
  pthread_t Outside;
#pragma omp task detach(Event)
  {
  }
  CHECK(pthread_create(&Outside, NULL, fulfill, (void *)Event) == 0);
#pragma omp taskwait
  CHECK(pthread_join(Outside, NULL) == 0);
}

static void inTeam(void (*Wait)(void)) {
#pragma omp parallel
#pragma omp single
  Wait();
}
static void inTeamOfOne(void (*Wait)(void)) {
#pragma omp parallel num_threads(1)
  Wait();
}
static void inNoTeam(void (*Wait)(void)) { Wait(); }

static void measure(const char *Name, void (*Begun)(void (*)(void)),
                    void (*Wait)(void)) {
  const double Before = processorTime(), Begin = seconds();
  Begun(Wait);
  const double Took = seconds() - Begin, Spent = processorTime() - Before;
  // A thread that spins takes all of it.
  if (Spent > Took / 2)
    FAIL("%s: %.3f s of processor time in %.3f s", Name, Spent, Took);
}

int main(void) {
#pragma omp parallel
  {
  }
#define MEASURE_IN(Team, Wait) measure(#Wait " " #Team, Team, Wait)
#define MEASURE(Wait) MEASURE_IN(inTeam, Wait)
  MEASURE(barrier);
  MEASURE(taskwait);
  MEASURE(dependent);
  MEASURE(taskgroup);
  MEASURE(taskwaitDepend);
  MEASURE(strict);
  MEASURE(mutexinoutset);
  MEASURE(detached);
  MEASURE(undeferred);
  MEASURE(priority);
  MEASURE(targetNowait);
  MEASURE(fulfilledOutside);
  MEASURE_IN(inTeamOfOne, fulfilledOutside);
  MEASURE_IN(inNoTeam, fulfilledOutside);
  MEASURE_IN(inNoTeam, targetNowait);
  return 0;
}
