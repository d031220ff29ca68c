// One task for each thread, with the hint that a wish makes; none ends before
// all have started. They are created while all threads are busy, so each thread
// finds the tasks of its own node first: then all are where they wish to be. No
// thread may sleep (OMP_WAIT_POLICY=active): OpenMP owes a task no thread of
// its own.

#include "check.h"

enum { PagesOfBlock = 4 };

static int Ran;
static int Anywhere; // a task may be where it does not wish to be

/// Creates the task of \p Block, which calls use().
static void create(char *Block, size_t Bytes, int Round);

static void use(const char *Block, int *Started, int Threads) {
  add(Started, 1);
  WAIT_FOR(Started, Threads);
  int Want = teamNodeOf(osNodeOf((void *)(uintptr_t)Block));
  if (!isSynthetic() && !Anywhere && nodeHere() != Want)
    FAIL("the task of a block on node %d ran on node %d", Want, nodeHere());
  add(&Ran, 1);
}

static int Started, Threads;

static void rendezvous(int Rounds) {
  const size_t Bytes = (size_t)PagesOfBlock * (size_t)getpagesize();
#pragma omp parallel
#pragma omp masked
  {
    Threads = omp_get_num_threads();
    char *Blocks = newPages(Threads * PagesOfBlock);
    for (int I = 0; I < Threads; ++I) {
      omp_set_task_affinity(omp_affinity_thread, (uintptr_t)I, 1);
#pragma omp task
      memset(Blocks + (size_t)I * Bytes, 1, Bytes);
    }
#pragma omp taskwait
    for (int Round = 0; Round < Rounds; ++Round) {
      int Held = 0, Go = 0;
      Started = Ran = 0;
      for (int I = 1; I < Threads; ++I) {
        omp_set_task_affinity(omp_affinity_thread, (uintptr_t)I, 1);
#pragma omp task shared(Held, Go)
        {
          add(&Held, 1);
          while (!get(&Go))
            sched_yield();
        }
      }
      WAIT_FOR(&Held, Threads - 1);
      for (int I = 0; I < Threads; ++I)
        create(Blocks + (size_t)((I + Round) % Threads) * Bytes, Bytes, Round);
      set(&Go, 1);
#pragma omp taskwait
      CHECK_EQUAL(Ran, Threads, "tasks");
    }
  }
}
