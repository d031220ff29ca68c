// Target tasks with nowait run on threads that all threads of the program share:
// while these come and end, beside their tasks and regions, behind a hard pause,
// and in a new process. In stock libomp the first thread that ends takes them
// with it.
//
// RUN: %build
// RUN: %run-each --threads 2,3 --policies passive,noblock %t
// RUN: %run-each --threads 2 --policies passive --env OMP_MAX_ACTIVE_LEVELS=2 --env LIBOMP_NUM_HIDDEN_HELPER_THREADS=1 %t

#include "check.h"

#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

enum { Rounds = 3, Roots = 6, Times = 8, Tasks = 12 };
static int Ran;

/// A target task whose region may need threads of its own.
static void target(void) {
#pragma omp target nowait map(tofrom : Ran)
#pragma omp parallel num_threads(2)
#pragma omp master
  add(&Ran, 1);
}

static void *root(void *Unused) {
  for (int I = 0; I < Times; ++I) {
    int Cell = 0, Made = 0;
#pragma omp parallel shared(Cell, Made)
#pragma omp single
    for (int J = 0; J < Tasks; ++J) {
#pragma omp task shared(Cell) depend(inout : Cell)
      ++Cell;
#pragma omp target nowait map(tofrom : Cell) depend(inout : Cell)
      ++Cell;
      Made += 2;
    }
    CHECK_EQUAL(Cell, Made, "tasks and target tasks of a chain");
    target();
    if (I != Times - 1) { // the last one may end behind the thread
#pragma omp taskwait
    }
  }
  return Unused;
}

static void run(void) {
  pthread_t Threads[Roots];
  Ran = 0;
  for (int I = 0; I < Roots; ++I)
    CHECK_EQUAL(pthread_create(&Threads[I], NULL, root, NULL), 0,
                "pthread_create");
  root(NULL);
#pragma omp taskwait
  for (int I = 0; I < Roots; ++I)
    pthread_join(Threads[I], NULL);
  CHECK_EQUAL(Ran, (Roots + 1) * Times, "target tasks");
}

static void runInChild(void) {
  int Status = 1;
  const pid_t Child = fork();
  if (Child == 0) {
    run();
    _exit(0);
  }
  CHECK(Child > 0 && waitpid(Child, &Status, 0) == Child && Status == 0,
        "target tasks of a new process");
}

int main(void) {
  for (int I = 0; I < Rounds; ++I) {
    run();
    runInChild();
    CHECK_EQUAL(omp_pause_resource_all(omp_pause_hard), 0, "pause");
  }
  return 0;
}
