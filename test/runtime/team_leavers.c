// Threads leave their team while they still look for its tasks, and the team's
// queues change for its next threads: by num_threads, by omp_set_num_threads,
// at the end of nested teams, and to the benefit of another thread of the
// program, whose team gets the ones that are left.
//
// RUN: %build -pthread
// RUN: %run-each --threads 3,8 %t
// RUN: %run-each --threads 8 --env KMP_HOT_TEAMS_MODE=1 --env KMP_HOT_TEAMS_MAX_LEVEL=2 %t
// RUN: %run-each --threads 8 --policies active --env KMP_TASK_QUEUES=adaptive %t
// RUN: %run-each --threads 8 --env KMP_BLOCKTIME=0 %t

#include "check.h"
#include <pthread.h>

static int Threads;

/// A region with tasks to its very end, so that who finds none any more still
/// looks when the next one begins, and a phase in each task team.
static int region(int Team, unsigned Seed) {
  int Ran = 0, Made = 0;
#pragma omp parallel num_threads(Team)
  for (int Phase = 0; Phase < 3; ++Phase) {
    for (int I = 0; I < 3; ++I) {
      add(&Made, 1);
      if (I == 1)
        omp_set_task_affinity(omp_affinity_thread, (uintptr_t)I, 0);
#pragma omp task
      {
        dither(Seed + (unsigned)I);
#pragma omp task
        add(&Ran, 1);
      }
    }
    if (Phase < 2) {
#pragma omp barrier
    }
  }
  CHECK_EQUAL(get(&Ran), get(&Made), "tasks");
  return Ran;
}

static void *root(void *Data) {
  const unsigned Rounds = *(unsigned *)Data;
  omp_set_max_active_levels(2);
  for (unsigned I = 0; I < Rounds; ++I) {
    region(Threads, I);
    region(2, I + 1);
    region(1 + Threads / 2, I + 2);
    omp_set_num_threads(2);
    region(2, I + 3);
    omp_set_num_threads(Threads);
#pragma omp parallel num_threads(2)
    region(2 + (int)(I + (unsigned)omp_get_thread_num()) % 3, I + 4);
  }
  return NULL;
}

int main(void) {
  unsigned Rounds = 6;
  pthread_t Other;
  Threads = omp_get_max_threads();
  omp_set_dynamic(0);
  for (int I = 0; I < 2; ++I) { // each is a new root
    CHECK_EQUAL(pthread_create(&Other, NULL, root, &Rounds), 0, "a thread");
    root(&Rounds);
    pthread_join(Other, NULL);
  }
  return 0;
}
