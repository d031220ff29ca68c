// A creator at its limit runs tasks and goes on, whatever these are: tied ones
// of another implicit task, which it may not run; untied ones whose parts come
// for ever. In a serial team it does not wait for anybody. What a team knew of
// its dependences goes with the region.
//
// RUN: %build
// RUN: %run-each --threads 2,4 %t lock untied
// RUN: %run-each --threads 2,4 --env KMP_TASK_DEPENDENT_LIMIT=8 %t lock untied
// RUN: %run-each --threads 1,2 --env KMP_TASK_DEPENDENT_LIMIT=64 %t serial
// RUN: %run-each --threads 2 --env KMP_TASK_TUNING=NodeChunkLeast=2,NodeChunkMost=2 %t memory

#include "check.h"

enum { Tasks = 2000 };

static char Cell[64];

/// Thread 0 creates under a lock; another thread's tasks want that lock. As
/// these are no descendants of the creator's task it may run them in a barrier
/// only.
static void lock(void) {
  omp_lock_t Lock;
  int Queued = 0, IsFree = 0, Others = 0, Ran = 0;
  omp_init_lock(&Lock);
#pragma omp parallel
  {
    if (omp_get_thread_num() == 1) {
      for (int I = 0; I < 64; ++I) {
#pragma omp task shared(Lock, Others)
        {
          omp_set_lock(&Lock);
          ++Others;
          omp_unset_lock(&Lock);
        }
      }
      add(&Queued, 1);
      WAIT_FOR(&IsFree, 1);
    }
    if (omp_get_thread_num() == 0) {
      omp_event_handle_t Event;
      omp_set_lock(&Lock);
      WAIT_FOR(&Queued, 1);
#pragma omp task detach(Event) depend(out : Cell[0])
      {
      }
      for (int I = 0; I < Tasks; ++I) {
#pragma omp task depend(inout : Cell[0]) shared(Ran)
        ++Ran;
      }
      omp_unset_lock(&Lock);
      omp_fulfill_event(Event);
      add(&IsFree, 1);
#pragma omp taskwait
    }
  }
  CHECK_EQUAL(Others, 64, "tasks that want the lock");
  CHECK_EQUAL(Ran, Tasks, "tasks with dependences");
  omp_destroy_lock(&Lock);
}

/// Untied tasks wait, in many parts, for what their creator does last.
static void untied(void) {
  int IsLast = 0, Ran = 0;
#pragma omp parallel
#pragma omp single
  {
    for (int I = 0; I < 8; ++I) {
#pragma omp task untied depend(out : Cell[1 + I]) depend(in : Cell[0])         \
    shared(IsLast)
      while (!get(&IsLast)) {
#pragma omp taskwait
      }
    }
    for (int I = 0; I < Tasks; ++I) {
#pragma omp task depend(inout : Cell[0]) shared(Ran)
      add(&Ran, 1);
    }
    add(&IsLast, 1);
  }
  CHECK_EQUAL(Ran, Tasks, "tasks behind those that wait");
}

/// Nobody but the creator can end a task: 1 ms and more of waiting for each
/// WindowWait limits would be minutes.
static void serial(void) {
  enum { Many = 500000 };
  int Ran = 0;
#pragma omp parallel num_threads(1)
  {
    omp_event_handle_t Event;
#pragma omp task detach(Event) depend(out : Cell[0])
    {
    }
    for (int I = 0; I < Many; ++I) {
#pragma omp task depend(in : Cell[0]) shared(Ran)
      ++Ran;
    }
    omp_fulfill_event(Event);
  }
  CHECK_EQUAL(Ran, Many, "tasks of a serial team");
}

static long pages(void) {
  long Pages = 0;
  FILE *File = fopen("/proc/self/statm", "r");
  const int Found = File ? fscanf(File, "%ld", &Pages) : 0;
  CHECK_EQUAL(Found, 1, "numbers in /proc/self/statm");
  fclose(File);
  return Pages;
}

/// Nested teams come and go, each with dependences. With the smallest chunks a
/// block that is lost is a page that is lost.
static void memory(void) {
  enum { Teams = 400 };
  long Before = 0, After = 0;
  omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
#pragma omp masked
  for (int I = 0; I < 2 * Teams; ++I) {
    if (I == Teams)
      Before = pages();
#pragma omp parallel num_threads(2)
#pragma omp masked
    for (int Task = 0; Task < 2; ++Task) {
#pragma omp task depend(inout : Cell[0])
      {
      }
    }
    After = pages();
  }
  CHECK(After - Before < Teams / 2, "%d teams took %ld pages", Teams,
        After - Before);
}

int main(int ArgCount, char **Args) {
  for (int I = 1; I < ArgCount; ++I)
    if (strcmp(Args[I], "lock") == 0)
      lock();
    else if (strcmp(Args[I], "untied") == 0)
      untied();
    else if (strcmp(Args[I], "serial") == 0)
      serial();
    else if (strcmp(Args[I], "memory") == 0)
      memory();
    else
      FAIL("no such part: %s", Args[I]);
  return 0;
}
