// A hard pause ends the runtime, which begins anew after it: with threads of
// the program that used it and have ended, more of them than the runtime
// reckons with at first, locks of every kind, and places. In stock libomp the
// third end frees memory of the first one again.
//
// More threads that start together take minutes on emulated processors.
// RUN: %build -DMANY=%if native %{300%} %else %{64%}
// RUN: %run-each --threads 2,8 --policies passive --env OMP_PLACES=cores %t

#include "check.h"

#include <pthread.h>

enum { Rounds = 20, Roots = 3, Rushes = 3, Many = MANY, Tasks = 30 };

static void work(void) {
  omp_nest_lock_t Nested;
  omp_lock_t Lock;
  int Chain = 0, Locked = 0;
  omp_init_nest_lock(&Nested);
  omp_init_lock(&Lock);
#pragma omp parallel
#pragma omp single
  for (int I = 0; I < Tasks; ++I) {
#pragma omp task shared(Chain) depend(inout : Chain)
    {
#pragma omp critical // a name that refers to a lock since the first pause
      ++Chain;
    }
#pragma omp task shared(Locked, Nested, Lock)
    {
      omp_set_nest_lock(&Nested);
      omp_set_lock(&Lock);
      ++Locked;
      omp_unset_lock(&Lock);
      omp_unset_nest_lock(&Nested);
    }
  }
  CHECK_EQUAL(Chain, Tasks, "tasks of a chain");
  CHECK_EQUAL(Locked, Tasks, "tasks with locks");
  omp_destroy_lock(&Lock);
  omp_destroy_nest_lock(&Nested);
}

static void *root(void *Unused) {
  work();
  return Unused;
}

static void *visitor(void *Barrier) {
  CHECK_EQUAL(omp_get_num_threads(), 1, "threads outside of a region");
  pthread_barrier_wait(Barrier);
  return NULL;
}

static void run(void *(*Function)(void *), void *Argument, int Count) {
  pthread_t Threads[Many];
  for (int I = 0; I < Count; ++I)
    CHECK_EQUAL(pthread_create(&Threads[I], NULL, Function, Argument), 0,
                "pthread_create");
  for (int I = 0; I < Count; ++I)
    pthread_join(Threads[I], NULL);
  omp_pause_resource_all(omp_pause_hard);
}

int main(void) {
  pthread_barrier_t Barrier;
  pthread_barrier_init(&Barrier, NULL, Many);
  for (int I = 0; I < Rushes; ++I)
    run(visitor, &Barrier, Many);
  for (int I = 0; I < Rounds; ++I) {
    work();
    run(root, NULL, Roots);
  }
  return 0;
}
