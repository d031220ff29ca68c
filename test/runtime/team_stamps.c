// A team that has changed since its last region, or in it, places its first
// tasks by what it is now: other sizes (by num_threads, omp_set_num_threads and
// nested), other policies of binding, threads that bind themselves.
//
// RUN: %build
// RUN: %run-each %t
// RUN: %run-each --threads 2,8 --policies active,passive --env KMP_HOT_TEAMS_MAX_LEVEL=2 --env OMP_PLACES=threads %t
// RUN: %run-each --threads 8 --policies active --env KMP_HOT_TEAMS_MODE=1 --env KMP_HOT_TEAMS_MAX_LEVEL=2 %t
// RUN: %run-each --threads 8 --policies active --env KMP_AFFINITY=balanced %t

#include "check.h"

#ifdef __cplusplus
extern "C" {
#endif
void kmp_create_affinity_mask(void **);
void kmp_destroy_affinity_mask(void **);
int kmp_set_affinity_mask_proc(int, void **);
int kmp_set_affinity(void **);
#ifdef __cplusplus
}
#endif

static int Misplaced, Ran;

static int nodesOf(int Threads) {
  return isSynthetic() ? syntheticNodeOf((Threads < 8 ? Threads : 8) - 1) + 1
                       : omp_get_num_nodes();
}

/// Thread 0 gives each thread, and each node, of its team a task. Which threads
/// are on a node is known for the pretended machine only.
static void give(void) {
  const int Threads = omp_get_num_threads(), Nodes = nodesOf(Threads);
  if (omp_get_thread_num() != 0)
    return;
  CHECK_EQUAL(omp_get_num_nodes(), Nodes, "nodes of a changed team");
  for (int T = 0; T < Threads; ++T) {
    omp_set_task_affinity(omp_affinity_thread, (uintptr_t)T, 1);
#pragma omp task firstprivate(T)
    {
      add(&Misplaced, omp_get_thread_num() != T);
      add(&Ran, 1);
    }
  }
  for (int N = 0; N < Nodes; ++N) {
    omp_set_task_affinity(omp_affinity_node, (uintptr_t)N, 1);
#pragma omp task firstprivate(N)
    {
      add(&Misplaced, isSynthetic() && nodeHere() != N);
      add(&Ran, 1);
    }
  }
}

static void checkAll(const char *What, int Should) {
  CHECK_EQUAL(get(&Misplaced), 0, What);
  CHECK_EQUAL(get(&Ran), Should, What);
  set(&Ran, 0);
}

static void checkRegion(const char *What, int Threads) {
  int Should = 0;
#pragma omp parallel num_threads(Threads)
  {
#pragma omp barrier // KMP_AFFINITY=balanced: each thread binds itself
#pragma omp single
    Should = 2 * (omp_get_num_threads() + nodesOf(omp_get_num_threads()));
    give();
#pragma omp barrier
    give();
  }
  checkAll(What, Should);
}

/// Binds the calling thread to the first processor that it may run on.
static void bindHere(void) {
  void *Mask;
  cpu_set_t Mine;
  int Cpu = 0;
  CHECK_EQUAL(sched_getaffinity(0, sizeof(Mine), &Mine), 0, "bindHere");
  while (!CPU_ISSET(Cpu, &Mine))
    ++Cpu;
  kmp_create_affinity_mask(&Mask);
  kmp_set_affinity_mask_proc(Cpu, &Mask);
  kmp_set_affinity(&Mask);
  kmp_destroy_affinity_mask(&Mask);
}

static void checkMoves(int Threads) {
  int Should = 0;
#pragma omp parallel num_threads(Threads)
  {
#pragma omp single
    Should = 3 * (omp_get_num_threads() + nodesOf(omp_get_num_threads()));
    give();
#pragma omp barrier
    bindHere();
#pragma omp barrier
    give();
#pragma omp barrier
    give();
  }
  checkAll("threads that bind themselves", Should);
}

static void checkNested(int Inner) {
  int Should = 0;
#pragma omp parallel num_threads(2)
  {
#pragma omp parallel num_threads(Inner + omp_get_thread_num()) proc_bind(close)
    {
#pragma omp single
      add(&Should, omp_get_num_threads() + nodesOf(omp_get_num_threads()));
      give();
    }
#pragma omp barrier
#pragma omp single
    Should += omp_get_num_threads() + nodesOf(omp_get_num_threads());
    give();
  }
  checkAll("nested", Should);
}

int main(void) {
  const int Most = omp_get_max_threads();
  omp_set_dynamic(0);
  omp_set_max_active_levels(2);
  for (int Pass = 0; Pass < 4; ++Pass) {
    for (int Threads = 2; Threads <= Most; ++Threads)
      checkRegion("growing", Threads);
    for (int Threads = Most; Threads >= 2; --Threads) {
      omp_set_num_threads(Threads);
      checkRegion("shrinking", Threads);
    }
    checkRegion("at once", Most);
    checkNested(2 + Pass % 2);
    checkRegion("behind nested ones", Most);
    // Upstream asserts that threads of a bound team keep to its places.
    if (Pass >= 2 && omp_get_proc_bind() == omp_proc_bind_false)
      checkMoves(Most);
  }
  return 0;
}
