// With KMP_TASK_SCHEDULER=stock allocators and memory spaces are libomp's: no
// block has pages of its own, and a space has one resource and no parts. The
// two runtimes have to print the same, on a machine with four nodes.
//
// REQUIRES: stock
// RUN: %build
// RUN: env HWLOC_SYNTHETIC="node:4 pu:2" KMP_TASK_SCHEDULER=stock LD_PRELOAD=%libomp %run %t >%t.ours 2>&1
// RUN: env HWLOC_SYNTHETIC="node:4 pu:2" LD_PRELOAD=%stock %run %t >%t.stock 2>&1
// RUN: diff %t.stock %t.ours

#include "check.h"

/// Prints whether a block of an allocator with \p Trait begins a page, as ours
/// do, and is the allocator's to free.
static void allocate(const char *What, omp_alloctrait_t Trait) {
  const omp_allocator_handle_t Allocator =
      omp_init_allocator(omp_default_mem_space, 1, &Trait);
  void *Block = omp_alloc(100, Allocator);
  printf("%s: %s\n", What,
         !Block                                             ? "null"
         : (uintptr_t)Block % (uintptr_t)getpagesize() == 0 ? "pages"
                                                            : "bytes");
  omp_free(Block, Allocator);
  omp_destroy_allocator(Allocator);
}

int main(void) {
  const int First = 0;
  const omp_memspace_handle_t Space = omp_default_mem_space;
  const int Host = omp_get_initial_device();
  allocate("nearest", (omp_alloctrait_t){omp_atk_partition, omp_atv_nearest});
  allocate("blocked", (omp_alloctrait_t){omp_atk_partition, omp_atv_blocked});
  allocate("interleaved",
           (omp_alloctrait_t){omp_atk_partition, omp_atv_interleaved});
  allocate("pinned", (omp_alloctrait_t){omp_atk_pinned, omp_atv_true});
  printf("resources: %d\n", omp_get_memspace_num_resources(Space));
  printf("a part: %d\n", omp_get_submemspace(Space, 1, &First) == Space);
  printf("the host's space: %d\n",
         omp_get_device_memspace(Host, Space) == Space);
  return 0;
}
