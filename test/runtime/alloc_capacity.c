// omp_large_cap_mem_space is where the machine has much memory, also on a node
// without CPUs; other allocators never go to such a node. For alloc_guest.test:
// the argument is the OS node with the large memory.
//
// RUN: %build

#include "check.h"

int main(int argc, char **argv) {
  enum { Pages = 40 };
  const size_t Page = (size_t)getpagesize();
  const int Large = argc > 1 ? atoi(argv[1]) : 0;
  const int Partitions[] = {omp_atv_environment, omp_atv_nearest,
                            omp_atv_blocked, omp_atv_interleaved};
  for (int IsLarge = 0; IsLarge < 2; ++IsLarge)
    for (int P = !IsLarge; P < 4; ++P) {
      omp_alloctrait_t Traits[] = {
          {omp_atk_partition, (omp_uintptr_t)Partitions[P]}};
      omp_allocator_handle_t A = omp_init_allocator(
          IsLarge ? omp_large_cap_mem_space : omp_default_mem_space, 1, Traits);
      CHECK(A != omp_null_allocator, "partition %d", Partitions[P]);
      char *M = omp_alloc(Pages * Page, A);
      for (int I = 0; I < Pages; ++I) {
        M[I * Page] = 1;
        if ((osNodeOf(M + I * Page) == Large) != IsLarge)
          FAIL("partition %d: page %d is on node %d", Partitions[P], I,
               osNodeOf(M + I * Page));
      }
      omp_free(M, A);
      omp_destroy_allocator(A);
    }
  return 0;
}
