// Data whose node nobody knows: an untouched page, NULL, addresses that are not
// mapped, not readable or no addresses. Strict tasks go to the team's first
// node, or with KMP_TASK_UNKNOWN_NODE=local to that of the thread that makes
// them ready. The lookup touches no page.
//
// REQUIRES: numa-calls
// RUN: %build
// RUN: %run-each %t first
// RUN: %run-each --env KMP_TASK_UNKNOWN_NODE=first %t first
// RUN: %run-each --env KMP_TASK_UNKNOWN_NODE=local %t local

#include "check.h"

static int Ran;

int main(int argc, char **argv) {
  CHECK(argc == 2, "usage: first | local");
  const int Local = strcmp(argv[1], "local") == 0;
  const size_t Size = (size_t)getpagesize();
  char *Untouched = newPages(2), *Guarded = newPages(1);
  CHECK(mprotect(Guarded, Size, PROT_NONE) == 0, "mprotect");
  // Not mapped, and far from where anything will be mapped.
  char *Gone = (char *)0x200000000000;
  CHECK(mmap(Gone, Size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1,
             0) == Gone,
        "mmap");
  CHECK(munmap(Gone, Size) == 0, "munmap");
  void *Addresses[] = {Untouched,
                       Untouched + Size + 5,
                       NULL,
                       (void *)8,
                       Gone,
                       Guarded,
                       (void *)-1,
                       (void *)(intptr_t)INTPTR_MIN,
                       (void *)0x800000000,
                       (void *)0xffffffff81000000};
  const int Count = sizeof(Addresses) / sizeof(*Addresses);
  const int Rounds = 50;

#pragma omp parallel
  {
    int Pusher = nodeHere();
    for (int Round = 0; Round < Rounds; ++Round)
      for (int I = 0; I < Count; ++I) {
        omp_set_task_affinity(omp_affinity_data, (uintptr_t)Addresses[I], 1);
#pragma omp task firstprivate(Pusher, I)
        {
          if (nodeHere() != (Local ? Pusher : 0))
            FAIL("the task for address %p ran on node %d, pushed on %d",
                 Addresses[I], nodeHere(), Pusher);
          add(&Ran, 1);
        }
      }
#pragma omp barrier
#pragma omp masked
    CHECK_EQUAL(Ran, Rounds * Count * omp_get_num_threads(), "tasks");
  }
  CHECK(osNodeOf(Untouched) < 0 && osNodeOf(Untouched + Size) < 0,
        "a lookup has touched the page");
  return 0;
}
