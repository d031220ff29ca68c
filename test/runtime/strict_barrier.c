// A barrier waits for strict tasks that are created late: by tasks of tasks, by
// the last thread to arrive, for threads that found nothing to do long ago. All
// are counted behind the barrier.
//
// RUN: %build
// RUN: %run-each %t

#include "check.h"

enum { Rounds = 30 };

static int Ran;

/// \p Depth tasks, each created by the one before, on one thread after another.
static void descend(int Thread, int Depth) {
  if (Depth == 0)
    return;
  omp_set_task_affinity(omp_affinity_thread, (uintptr_t)Thread, 1);
#pragma omp task
  {
    CHECK_EQUAL(omp_get_thread_num(), Thread % omp_get_num_threads(),
                "a descendant");
    descend(Thread + 1, Depth - 1);
    dither((unsigned)Thread);
    add(&Ran, 1);
  }
}

static void onNodes(int Tasks) {
  for (int I = 0; I < Tasks; ++I) {
    omp_set_task_affinity(omp_affinity_node, (uintptr_t)I, 1);
#pragma omp task firstprivate(I)
    {
      CHECK_EQUAL(nodeHere(), I % omp_get_num_nodes(), "a node task");
      dither((unsigned)I);
      add(&Ran, 1);
    }
  }
}

int main(void) {
  const int Depth = 4;
#pragma omp parallel
  for (int Round = 0; Round < Rounds; ++Round) {
    const int Me = omp_get_thread_num(), Threads = omp_get_num_threads();
    static int Arrived;
    int Expected = 0;

    // A chain of descendants; nobody waits for it but the barrier.
    if (Me == Round % Threads)
      descend(Round, Depth);
#pragma omp barrier
    Expected += Depth;
    CHECK_EQUAL(get(&Ran), Expected, "descendants");
#pragma omp barrier

    // The last thread to arrive brings tasks for all the others.
    add(&Arrived, 1);
    if (Me == Round % Threads) {
      WAIT_FOR(&Arrived, (Round + 1) * Threads);
      dither((unsigned)Round);
      for (int I = 0; I < Threads; ++I)
        descend(I, 2);
      onNodes(Threads);
    }
#pragma omp barrier
    Expected += 3 * Threads;
    CHECK_EQUAL(get(&Ran), Expected, "tasks of the last thread");
#pragma omp barrier
    if (Me == 0)
      set(&Ran, 0);
#pragma omp barrier
  }

  // The implicit barrier at the end of a region, for the same.
  for (int Round = 0; Round < Rounds; ++Round) {
    int Threads = 0;
    Ran = 0;
#pragma omp parallel shared(Threads)
    {
#pragma omp masked
      Threads = omp_get_num_threads();
      descend(Round + omp_get_thread_num(), 2);
    }
    CHECK_EQUAL(Ran, 2 * Threads, "tasks of a region");
  }
  return 0;
}
