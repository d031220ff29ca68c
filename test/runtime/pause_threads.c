// Behind a hard pause the thread that asked for it uses the runtime again,
// while another thread of the program is still known to it, or when another one
// has begun it anew. In stock libomp its old number is nobody's, or another's.
//
// RUN: %build
// RUN: %run-each --threads 2,8 --policies passive %t

#include "check.h"

#include <pthread.h>

enum { Rounds = 5, Tasks = 100 };

static void work(void) {
  int Done = 0;
#pragma omp parallel
#pragma omp single
  for (int I = 0; I < Tasks; ++I) {
#pragma omp task shared(Done)
    {
#pragma omp atomic
      ++Done;
    }
  }
  CHECK_EQUAL(Done, Tasks, "tasks");
}

static pthread_barrier_t Barrier;

static void *guest(void *Unused) {
  work();
  return Unused;
}

static void *stayer(void *Unused) {
  work();
  pthread_barrier_wait(&Barrier);
  pthread_barrier_wait(&Barrier);
  work();
  return Unused;
}

static pthread_t start(void *(*Function)(void *)) {
  pthread_t Thread;
  CHECK_EQUAL(pthread_create(&Thread, NULL, Function, NULL), 0,
              "pthread_create");
  return Thread;
}

static void pauseHard(void) { omp_pause_resource_all(omp_pause_hard); }

int main(void) {
  pthread_barrier_init(&Barrier, NULL, 2);
  for (int I = 0; I < Rounds; ++I) {
    // Another thread begins anew.
    work();
    pauseHard();
    pthread_join(start(guest), NULL);
    work();
    // Another thread is still there.
    pthread_t Stayer = start(stayer);
    pthread_barrier_wait(&Barrier);
    pauseHard();
    work();
    pthread_barrier_wait(&Barrier);
    pthread_join(Stayer, NULL);
    pauseHard();
  }
  return 0;
}
