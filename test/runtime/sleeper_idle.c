// Under a passive policy threads that have nothing to do sleep, also while
// another thread runs a task, or while a detached task's event is to come. In
// upstream's libomp those that look for tasks wake each other, for ever (issue
// 63732). The primary thread may stay awake: in a barrier it looks for those
// that sleep though they are counted as busy. So it creates the tasks: the
// creator of a task that runs elsewhere stays awake in the barrier, too.
//
// RUN: %build
// RUN: env OMP_WAIT_POLICY=passive %run %t

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

/// Waits until all threads but the calling one and the primary one sleep, in
/// 100 looks in a row.
static void waitForOthers(const char *Where) {
  const double Start = threadSeconds();
  for (int I = 1; I < Threads; ++I)
    for (int InRow = 0; I != omp_get_thread_num() && InRow < 100; ++InRow) {
      if (!sleeps(Ids[I]))
        InRow = 0;
      if (threadSeconds() - Start > 20)
        FAIL("%s: thread %d does not sleep", Where, I);
      sched_yield();
    }
}

int main(void) {
  for (int Round = 0; Round < 20; ++Round) {
#pragma omp parallel num_threads(Threads)
    Ids[omp_get_thread_num()] = (pid_t)syscall(SYS_gettid);

#pragma omp parallel num_threads(Threads)
#pragma omp masked
    {
#pragma omp task
      waitForOthers("one runs a task");
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
  }
  return 0;
}
