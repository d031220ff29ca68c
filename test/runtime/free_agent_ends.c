// Free agents where a process, a thread, or the runtime in it ends: no task is
// lost, and there are free agents afterwards.
//
// RUN: %build -fopenmp-version=60
// RUN: env OMP_THREADS_RESERVE="free_agent(2)" %run %t return | FileCheck %s
// RUN: env OMP_THREADS_RESERVE="free_agent(2)" %run %t thread | FileCheck %s
// RUN: env OMP_THREADS_RESERVE="free_agent(2)" %run %t pause | FileCheck %s
// RUN: env OMP_THREADS_RESERVE="free_agent(2)" %run %t pauses | FileCheck %s
// RUN: env OMP_THREADS_RESERVE="free_agent(2)" %run %t fork | FileCheck %s
// RUN: env OMP_NUM_THREADS=2 OMP_PROC_BIND=close OMP_PLACES=threads %run %t return | FileCheck %s
// RUN: env OMP_NUM_THREADS=2 OMP_PROC_BIND=close OMP_PLACES=threads %run %t thread | FileCheck %s
// RUN: env OMP_NUM_THREADS=2 OMP_PROC_BIND=close OMP_PLACES=threads %run %t pause | FileCheck %s
// RUN: env OMP_NUM_THREADS=2 OMP_PROC_BIND=close OMP_PLACES=threads %run %t fork | FileCheck %s
// RUN: env OMP_THREADS_RESERVE="free_agent(2)" not %run %t exit | FileCheck --check-prefix=EXIT %s
// CHECK: 30 tasks

#include "check.h"

#include <pthread.h>
#include <sys/wait.h>

enum { Threads = 3 };
static int Counts[Threads + 1];

/// Tasks that nobody waits for here; the last one says how many there were.
static void leaveTasks(int *Ran) {
  int X;
  *Ran = 0;
  for (int I = 0; I < 10; ++I)
#pragma omp task threadset(omp_pool) depend(inout : X)
  {
    dither((unsigned)I);
#pragma omp task threadset(omp_pool)
    add(Ran, 1);
#pragma omp task
    add(Ran, 1);
#pragma omp taskwait
    add(Ran, 1);
  }
#pragma omp task threadset(omp_pool) depend(inout : X)
  {
    printf("%d tasks\n", get(Ran));
    fflush(stdout);
  }
}

static void *inThread(void *Ran) {
  leaveTasks(Ran);
  return NULL;
}

static void testPause(void) {
  for (int I = 0; I < 3; ++I) {
    leaveTasks(Counts);
#pragma omp taskwait
    CHECK_EQUAL(omp_pause_resource_all(omp_pause_hard), 0, "pause");
  }
}

/// At the same time, by several threads.
static void *pauseOften(void *Ran) {
  for (int I = 0; I < 20; ++I) {
    leaveTasks(Ran);
#pragma omp taskwait
    omp_pause_resource_all(omp_pause_hard);
  }
  return NULL;
}

static void testPauses(void) {
  pthread_t Ids[Threads];
  for (int I = 0; I < Threads; ++I)
    CHECK_EQUAL(pthread_create(&Ids[I], NULL, pauseOften, &Counts[I]), 0,
                "thread");
  for (int I = 0; I < Threads; ++I)
    pthread_join(Ids[I], NULL);
  leaveTasks(&Counts[Threads]);
}

static void testFork(void) {
  leaveTasks(Counts);
#pragma omp taskwait
  const pid_t Child = fork();
  if (Child == 0) {
    leaveTasks(Counts);
#pragma omp taskwait
    _exit(get(Counts) == 30 ? 0 : 1);
  }
  int Status;
  CHECK_EQUAL(waitpid(Child, &Status, 0), Child, "child");
  CHECK_EQUAL(Status, 0, "status of the child");
}

/// The process ends in a task on a free agent.
static void testExit(void) {
  // EXIT: exit
  int Begun = 0;
#pragma omp task threadset(omp_pool) shared(Begun)
  {
    CHECK(omp_is_free_agent(), "who runs it");
    printf("exit\n");
    exit(3);
  }
  WAIT_FOR(&Begun, 1);
}

int main(int Count, char **Values) {
  const char *Mode = Count > 1 ? Values[1] : "";
  if (strcmp(Mode, "return") == 0) {
    leaveTasks(Counts);
  } else if (strcmp(Mode, "thread") == 0) {
    for (int I = 0; I < 5; ++I) {
      pthread_t Thread;
      CHECK_EQUAL(pthread_create(&Thread, NULL, inThread, Counts), 0, "thread");
      pthread_join(Thread, NULL);
      CHECK_EQUAL(get(Counts), 30, "tasks of a thread that has ended");
    }
  } else if (strcmp(Mode, "pause") == 0) {
    testPause();
  } else if (strcmp(Mode, "pauses") == 0) {
    testPauses();
  } else if (strcmp(Mode, "fork") == 0) {
    testFork();
  } else if (strcmp(Mode, "exit") == 0) {
    testExit();
  }
  return 0;
}
