// Memory spaces that libomp finds by hwloc, beside our own use of hwloc: tasks
// allocate in each of them, and a task follows the data of another.
//
// RUN: %build
// RUN: %run-each --threads 2,8 --env KMP_TOPOLOGY_METHOD=hwloc %t
// RUN: env HWLOC_SYNTHETIC="node:4 pu:2" KMP_TOPOLOGY_METHOD=hwloc %run %t
// RUN: %run-each --threads 8 %t

#include "check.h"

enum { Tasks = 64, Bytes = 3 * 4096 + 1, Alignment = 4096 };

enum { NumSpaces = 6 };

/// One allocator for each space. Where there is no such memory (high bandwidth)
/// the trait says: take the default one.
static void makeAllocators(omp_allocator_handle_t *Allocators) {
  const omp_memspace_handle_t Spaces[NumSpaces] = {
      omp_default_mem_space, omp_large_cap_mem_space, omp_const_mem_space,
      omp_high_bw_mem_space, omp_low_lat_mem_space,   omp_cgroup_mem_space};
  omp_alloctrait_t Traits[] = {{omp_atk_alignment, Alignment},
                               {omp_atk_fallback, omp_atv_default_mem_fb}};
  for (int I = 0; I < NumSpaces; ++I)
    Allocators[I] = omp_init_allocator(Spaces[I], 2, Traits);
}

int main(void) {
  omp_allocator_handle_t Allocators[NumSpaces];
  unsigned char *Blocks[Tasks] = {0};
  int Wrong = 0, Ran = 0;
  makeAllocators(Allocators);
#pragma omp parallel
#pragma omp single
  for (int I = 0; I < Tasks; ++I) {
    omp_allocator_handle_t Allocator = Allocators[I % NumSpaces];
    // Where there is no such space there is no allocator.
    if (Allocator == omp_null_allocator)
      Allocator = omp_default_mem_alloc;
#pragma omp task depend(out : Blocks[I]) firstprivate(Allocator)
    {
      Blocks[I] = omp_aligned_alloc(Alignment, Bytes, Allocator);
      if (Blocks[I] && (uintptr_t)Blocks[I] % Alignment == 0)
        for (int B = 0; B < Bytes; ++B)
          Blocks[I][B] = (unsigned char)(I + B);
      else
        add(&Wrong, 1);
    }
    omp_set_task_affinity(omp_affinity_data, (uintptr_t)&Blocks[I], 0);
#pragma omp task depend(in : Blocks[I]) firstprivate(Allocator)
    {
      for (int B = 0; Blocks[I] && B < Bytes; ++B)
        if (Blocks[I][B] != (unsigned char)(I + B)) {
          add(&Wrong, 1);
          break;
        }
      omp_free(Blocks[I], Allocator);
      add(&Ran, 1);
    }
  }
  CHECK_EQUAL(get(&Wrong), 0,
              "blocks that are missing, misaligned or overwritten");
  CHECK_EQUAL(get(&Ran), Tasks, "tasks");
  for (int I = 0; I < NumSpaces; ++I)
    if (Allocators[I] != omp_null_allocator)
      omp_destroy_allocator(Allocators[I]);
  return 0;
}
