// Teams of changing sizes need no more memory than those of the largest size
// did: the queues of a team are not kept for each size that it had, or for the
// places of each team of a nested region.
//
// RUN: %build
// RUN: %run --env OMP_WAIT_POLICY=passive %t
// RUN: %run --env OMP_WAIT_POLICY=passive --env HWLOC_SYNTHETIC="node:4 pu:2" %t
// RUN: %run --env OMP_WAIT_POLICY=passive --env KMP_TASK_QUEUES=adaptive %t
// RUN: %run --env OMP_PLACES='{0},{0},{0}' --env OMP_PROC_BIND=spread,close --env OMP_WAIT_POLICY=passive %t

#include "check.h"

#include <sys/prctl.h>

enum { Most = 32, Outer = 4, MostInner = 8 };
/// The peak counts, and not what is still there at the end. A thread takes part
/// in a few teams; each has two task teams. The size of all sets of queues that
/// these teams would have is more than ten times that.
enum { MostKilobytesForThread = 16 };

static int Ran;

static long peak(void) {
  FILE *Status = fopen("/proc/self/status", "r");
  char Line[256];
  long Kilobytes = -1;
  CHECK(Status != NULL, "/proc/self/status");
  while (fgets(Line, sizeof(Line), Status))
    if (sscanf(Line, "VmHWM: %ld", &Kilobytes) == 1)
      break;
  fclose(Status);
  CHECK(Kilobytes > 0, "no VmHWM");
  return Kilobytes;
}

/// A thread's part in a region: a task in each task team of its team, one for
/// everybody and one that has a place.
static void work(void) {
  for (int Phase = 0; Phase < 2; ++Phase) {
#pragma omp task
    add(&Ran, 1);
    omp_set_task_affinity(omp_affinity_thread, omp_get_thread_num() + 1, 0);
#pragma omp task
    add(&Ran, 1);
#pragma omp barrier
  }
}

static void region(int Threads) {
  set(&Ran, 0);
#pragma omp parallel num_threads(Threads)
  work();
  CHECK_EQUAL(get(&Ran), 4 * Threads, "tasks");
}

static void nested(int Inner) {
#pragma omp parallel num_threads(Outer)
#pragma omp parallel num_threads(2 + (Inner + omp_get_thread_num()) % MostInner)
  work();
}

int main(void) {
  omp_set_dynamic(0);
  omp_set_max_active_levels(2);
  CHECK_EQUAL(prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0), 0, "huge pages count");
  // Often enough for every thread to have met all that it ever meets.
  for (int I = 0; I < 16; ++I)
    region(Most);
  for (int Inner = 0; Inner < 4 * MostInner; ++Inner)
    nested(Inner);
  const long Before = peak();
  for (int Threads = 2; Threads <= Most; ++Threads)
    region(Threads);
  for (int I = 0; I < 2 * MostInner; ++I)
    nested(I * 3);
  const long More = peak() - Before;
  CHECK(More <= MostKilobytesForThread * Most,
        "%ld KB more than teams of %d threads need", More, Most);
  return 0;
}
