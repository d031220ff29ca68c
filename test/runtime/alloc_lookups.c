// Wishes for data that an allocator placed make no system call; strict tasks
// do, each time; memory that has been given back is not known any more. The
// counters of KMP_TASK_STATS say so.
//
// RUN: %build
// RUN: env OMP_PROC_BIND=close OMP_PLACES=cores OMP_NUM_THREADS=8 KMP_TASK_STATS=%t.json HWLOC_SYNTHETIC="node:4 pu:2" %run %t
// RUN: %python -c "import json, sys; t = json.load(open(sys.argv[1]))['total']; sys.exit(t['directory_answers'] <= 700 or t['lookups'] != 310)" %t.json

#include "check.h"

enum { Pages = 100 };

/// A task for each page, each of a section of three pages.
static void tasks(char *Base, int Strict) {
  const size_t Page = (size_t)getpagesize();
  for (int I = 0; I < Pages; ++I) {
    omp_set_task_affinity(omp_affinity_data, (uintptr_t)(Base + I * Page),
                          Strict);
#pragma omp task
    ;
  }
#pragma omp taskwait
}

static void dependOn(char *Base) {
  const size_t Page = (size_t)getpagesize();
  for (int I = 0; I < Pages; ++I) {
#pragma omp task depend(inout : Base[I * Page])
    ;
  }
#pragma omp taskwait
}

int main(void) {
  const size_t Page = (size_t)getpagesize(), Size = Pages * Page;
  const int Partitions[] = {omp_atv_nearest, omp_atv_blocked,
                            omp_atv_interleaved};
  omp_alloctrait_t Traits[] = {{omp_atk_partition, 0}};
#pragma omp parallel
#pragma omp single
  {
    // 3 * (200 known and some more, as not each dependence is looked up; 100
    // asked).
    for (int P = 0; P < 3; ++P) {
      Traits[0].value = (omp_uintptr_t)Partitions[P];
      omp_allocator_handle_t A =
          omp_init_allocator(omp_default_mem_space, 1, Traits);
      char *M = omp_alloc(Size, A);
      CHECK(M, "partition %d", P);
      tasks(M, 0);
      memset(M, 1, Size);
      tasks(M, 0);
      dependOn(M);
      tasks(M, 1);
      omp_free(M, A);
      omp_destroy_allocator(A);
    }
    // 100 known; then other memory at the same address: 10 asked.
    Traits[0].value = omp_atv_blocked;
    omp_allocator_handle_t A =
        omp_init_allocator(omp_default_mem_space, 1, Traits);
    char *M = omp_alloc(Size, A);
    tasks(M, 0);
    omp_free(M, A);
    char *Same = mmap(M, Size, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    CHECK(Same == M, "the address is taken");
    Same[0] = 1;
    for (int I = 0; I < 10; ++I) {
      omp_set_task_affinity(omp_affinity_data, (uintptr_t)Same, 0);
#pragma omp task
      ;
#pragma omp taskwait
    }
    omp_destroy_allocator(A);
  }
  return 0;
}
