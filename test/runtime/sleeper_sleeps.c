// Under a passive policy, threads that have nothing to do sleep, also where
// tasks have been announced or are all running. They wake up for tasks, also if
// they fell asleep before the team had queues; and a thread that sleeps in a
// nested region is not woken in place of one that can take the task.
//
// RUN: %build
// RUN: env OMP_WAIT_POLICY=passive %run %t
// RUN: env OMP_WAIT_POLICY=passive HWLOC_SYNTHETIC="node:4 pu:2" KMP_TASK_QUEUES=numa %run %t

#include "check.h"

enum { Threads = 4 };

static pid_t Ids[Threads];

/// Whether a thread of this process sleeps right now.
static int sleeps(pid_t Id) {
  char Path[64], Line[512] = "";
  snprintf(Path, sizeof(Path), "/proc/self/task/%d/stat", (int)Id);
  FILE *File = fopen(Path, "r");
  CHECK(File, "%s: %s", Path, strerror(errno));
  CHECK(fgets(Line, sizeof(Line), File), "%s is empty", Path);
  fclose(File);
  const char *Name = strrchr(Line, ')'); // before it: number and name
  CHECK(Name && Name[1] == ' ', "%s has no state: %s", Path, Line);
  return Name[2] == 'S';
}

/// Waits until a hundred looks more have found thread \p Thread of the outer
/// team asleep than not: it may nap, and look around in between. A thread that
/// only yields never sleeps.
static void waitForSleep(int Thread, const char *Where) {
  const double Start = threadSeconds();
  for (int Most = 0; Most < 100;) {
    if (sleeps(Ids[Thread]))
      ++Most;
    else if (Most > 0)
      --Most;
    if (threadSeconds() - Start > 20)
      FAIL("%s: thread %d does not sleep", Where, Thread);
    sched_yield();
  }
}

static void waitForOthers(const char *Where) {
  for (int I = 0; I < Threads; ++I)
    if (I != omp_get_thread_num())
      waitForSleep(I, Where);
}

static void othersSleep(void) {
#pragma omp parallel num_threads(Threads)
  Ids[omp_get_thread_num()] = (pid_t)syscall(SYS_gettid);

#pragma omp parallel num_threads(Threads)
#pragma omp masked
  waitForOthers("no task");

#pragma omp parallel num_threads(Threads)
#pragma omp masked
  {
#pragma omp task
    {
    }
#pragma omp taskwait
    waitForOthers("all tasks have ended");
  }

#pragma omp parallel num_threads(Threads)
#pragma omp masked
  {
    omp_event_handle_t Event;
#pragma omp task detach(Event) if (0)
    omp_fulfill_event(Event);
    waitForOthers("an undeferred task has announced tasks");
    // This makes the queues, and the tasks below find them.
    CHECK(omp_get_num_nodes() > 0, "no nodes");
    int Running = 0;
    for (int I = 0; I < Threads; ++I) {
#pragma omp task shared(Running)
      {
        add(&Running, 1);
        WAIT_FOR(&Running, Threads); // each thread runs one
      }
    }
#pragma omp taskwait
  }

#pragma omp parallel num_threads(Threads)
#pragma omp masked
  {
    int Ran = 0;
    omp_event_handle_t Event;
#pragma omp task detach(Event) shared(Ran)
    add(&Ran, 1);
    WAIT_FOR(&Ran, 1);
    waitForOthers("an event is to come");
    omp_fulfill_event(Event);
  }

#pragma omp parallel num_threads(Threads)
#pragma omp masked
  {
    int Cell = 0, Running = 0, Looked = 0;
#pragma omp task depend(out : Cell) shared(Cell, Running, Looked)
    {
      Cell = omp_get_thread_num();
      set(&Running, 1);
      WAIT_FOR(&Looked, 1);
    }
#pragma omp task depend(in : Cell) shared(Cell)
    {
    }
    WAIT_FOR(&Running, 1);
    for (int I = 1; I < Threads; ++I)
      if (I != Cell)
        waitForSleep(I, "a task is not ready");
    set(&Looked, 1);
#pragma omp taskwait
  }
}

/// Thread 1 sleeps in the barrier of a nested region, inside of a task, and
/// thread 3 in that of the outer one; 2 does not look for tasks. So a task of
/// thread 0 is for thread 3.
static void wakeTheOuter(void) {
  int Inside = 0, IsReady = 0, Ran = 0;
#pragma omp parallel num_threads(Threads)
  {
    if (omp_get_thread_num() == 2) {
#pragma omp task
      {
      }
#pragma omp taskwait
      waitForSleep(1, "outer barrier");
#pragma omp task affinity(thread : 1, strict) shared(Inside, Ran)
      {
#pragma omp parallel num_threads(2)
        if (omp_get_thread_num() == 1) {
          set(&Inside, 1);
          WAIT_FOR(&Ran, 1);
        }
      }
      WAIT_FOR(&Inside, 1);
      waitForSleep(1, "nested barrier");
      waitForSleep(3, "outer barrier");
      set(&IsReady, 1);
      WAIT_FOR(&Ran, 1);
    }
    if (omp_get_thread_num() == 0) {
      WAIT_FOR(&IsReady, 1);
#pragma omp task shared(Ran)
      add(&Ran, 1);
      WAIT_FOR(&Ran, 1);
    }
  }
}

int main(void) {
  omp_set_max_active_levels(2);
  for (int Round = 0; Round < 20; ++Round) {
    othersSleep();
    wakeTheOuter();
  }
  return 0;
}
