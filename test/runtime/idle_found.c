// A thread naps for a 256th of what it has waited since its last task, wherever
// that task was found: in our queues, or in libomp's own (tasks with a
// priority, of hidden helper threads). If it were of the whole barrier, a task
// would start later the longer a region lasts.
//
// RUN: %build
// RUN: %run --env KMP_BLOCKTIME=0 --env OMP_NUM_THREADS=2 --env OMP_MAX_TASK_PRIORITY=1 %t

#include "check.h"

enum { Tasks = 50 };

static _Thread_local double LastTask; // when this thread ended one; 0 = none
static int Ran, TooLong, Naps;

/// The runtime calls this one instead of libc's.
int nanosleep(const struct timespec *Time, struct timespec *Rest) {
  const double Asked = (double)Time->tv_sec + 1e-9 * (double)Time->tv_nsec;
  if (LastTask != 0) {
    add(&Naps, 1);
    if (Asked > (seconds() - LastTask) / 256)
      add(&TooLong, 1);
  }
  return clock_nanosleep(CLOCK_MONOTONIC, 0, Time, Rest);
}

static void run(void) {
  LastTask = seconds();
  add(&Ran, 1);
}

static void plain(void) {
#pragma omp task
  run();
}
static void priority(void) {
#pragma omp task priority(1)
  run();
}
static void targetNowait(void) {
#pragma omp target nowait
  run();
}

/// One thread creates tasks, the other one, or a hidden helper, runs each, and
/// naps behind it if \p Awaited says that nothing else lets it sleep.
static void check(const char *Name, void (*Create)(void), int Awaited) {
  TooLong = Ran = 0;
#pragma omp parallel
#pragma omp single
  for (int I = 0; I < Tasks; ++I) {
    Create();
    WAIT_FOR(&Ran, I + 1);
    const int Before = get(&Naps);
    if (Awaited)
      WAIT_FOR(&Naps, Before + 1);
  }
  CHECK_EQUAL(TooLong, 0, Name);
}

int main(void) {
  check("plain", plain, 1);
  check("priority", priority, 1);
  check("target nowait", targetNowait, 0);
  return 0;
}
