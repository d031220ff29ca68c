// omp_taskgraph in a forked process, whatever other threads did at the fork:
// they compare a large argument under the lock of the graphs most of the time.
//
// RUN: %build -pthread
// RUN: env OMP_NUM_THREADS=2 %run %t

#include "check.h"
#include <pthread.h>
#include <sys/wait.h>

enum { Threads = 2, Forks = 30, Bytes = 1 << 20 };
static char Argument[Bytes];
static int Stop, Running, Ran;

static void body(void *Given) {
  (void)Given;
#pragma omp task
  add(&Ran, 1);
}

static void *runGraphs(void *Unused) {
  (void)Unused;
  do {
    omp_taskgraph(1, 0, body, Argument, Bytes);
    add(&Running, 1);
  } while (!get(&Stop));
  return NULL;
}

static void child(void) {
  alarm(40); // ends it if it waits for nobody
  Ran = 0;
  for (int Run = 0; Run < 2; ++Run)
    omp_taskgraph(1, 0, body, Argument, Bytes);
  omp_taskgraph(1, omp_taskgraph_reset, body, Argument, 0);
#pragma omp parallel
#pragma omp single
  omp_taskgraph(1, 0, body, Argument, 0);
  _exit(Ran == 4 ? 0 : 1);
}

int main(void) {
  pthread_t Others[Threads];
  omp_taskgraph(1, 0, body, Argument, Bytes);
  for (int I = 0; I < Threads; ++I)
    CHECK(pthread_create(&Others[I], NULL, runGraphs, NULL) == 0);
  WAIT_FOR(&Running, 2 * Threads);
  for (int I = 0; I < Forks; ++I) {
    const int Before = get(&Running);
    const pid_t Child = fork();
    if (Child == 0)
      child();
    int Status = -1;
    CHECK(Child > 0 && waitpid(Child, &Status, 0) == Child);
    CHECK_EQUAL(Status, 0, "a child");
    WAIT_FOR(&Running, Before + 1); // nor does the parent
  }
  set(&Stop, 1);
  for (int I = 0; I < Threads; ++I)
    pthread_join(Others[I], NULL);
  return 0;
}
