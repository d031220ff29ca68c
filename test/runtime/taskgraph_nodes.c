// A task of a graph that runs again belongs to the data that its depend clauses
// write, as the recorded one did; a strict hint binds it.
//
// Where they go shows only on several real nodes: guest.test.
//
// REQUIRES: numa-calls
// RUN: %build
// RUN: %run-each --threads 2,8 %t
// RUN: %run-each --threads 8 --policies active --env KMP_TASK_DEPEND_AFFINITY=0 %t

#include "check.h"

enum { Blocks = 64, Steps = 4, Runs = 5, PagesOfBlock = 4 };

static char *Data;
static size_t Bytes;
static int Ran, AtHome, Strict;

static char *block(int I) { return Data + (size_t)I * Bytes; }

static void work(int I) {
  add(&Ran, 1);
  if (nodeHere() == teamNodeOf(osNodeOf(block(I))))
    add(&AtHome, 1);
}

/// Tasks that write one item or two.
static void body(void *Argument) {
  (void)Argument;
  for (int Step = 0; Step < Steps; ++Step)
    for (int I = 0; I < Blocks; ++I) {
      char *Mine = block(I), *Other = block((I + 8) % Blocks);
      if (Strict)
        omp_set_task_affinity(omp_affinity_data, (uintptr_t)Mine, 1);
      if (I % 2) {
#pragma omp task depend(inout : Mine[0 : Bytes]) depend(in : *Other)
        work(I);
      } else {
#pragma omp task depend(inout : Mine[0 : Bytes], Mine[1])
        work(I);
      }
    }
}

/// IsNear: nobody steals from another node (RemoteRoundsAny).
static void run(unsigned Id, int IsNear) {
  for (int I = 0; I < Runs; ++I) {
    Ran = AtHome = 0;
    omp_taskgraph(Id, 0, body, NULL, 0);
    CHECK_EQUAL(Ran, Blocks * Steps, "tasks");
    if (isSynthetic())
      continue;
    if (Strict)
      CHECK_EQUAL(AtHome, Ran, "at home");
    // The first run, which creates them, places no more than a node may have
    // waiting. Later ones prefer the node, whose threads the host may let wait
    // meanwhile. By chance it would be every fourth.
    else if (IsNear && I > 0)
      CHECK(AtHome > Ran / 2, "%d of %d at home", AtHome, Ran);
  }
}

int main(int Count, char **Arguments) {
  (void)Arguments;
  Bytes = (size_t)PagesOfBlock * (size_t)getpagesize();
#pragma omp parallel
#pragma omp masked
  {
    Data = newPages(Blocks * PagesOfBlock);
    const int Threads = omp_get_num_threads();
    for (int I = 0; I < Blocks; ++I) {
      omp_set_task_affinity(omp_affinity_thread, (uintptr_t)(I % Threads), 1);
#pragma omp task
      memset(block(I), 1, Bytes);
    }
#pragma omp taskwait
    run(1, /*IsNear=*/Count > 1);
    Strict = 1;
    run(2, 0);
  }
  return 0;
}
