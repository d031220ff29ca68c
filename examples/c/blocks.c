// Blocks of memory spread over the NUMA nodes, and tasks that follow them: the clause in C.
//
//     $LOCUS/bin/clang -fopenmp -O2 blocks.c -o blocks
//     OMP_PROC_BIND=close OMP_PLACES=cores ./blocks
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { Blocks = 8, Length = 1 << 18, Steps = 10, HugePage = 1 << 21 };

int main(void) {
  // A block has 2 MiB: no two share a page, not even a huge one.
  double(*block)[Length] = aligned_alloc(HugePage, sizeof(double[Blocks][Length]));
  if (!block)
    return 1;
  int home = 0;
#pragma omp parallel
#pragma omp single
  {
    for (int b = 0; b < Blocks; ++b) // node after node touches a block first
#pragma omp task affinity(node: b, strict) depend(out: block[b])
      for (int i = 0; i < Length; ++i)
        block[b][i] = b;
    for (int step = 0; step < Steps; ++step)
      for (int b = 0; b < Blocks; ++b) // the tasks go to where their block is
#pragma omp task affinity(data: block[b], strict) depend(inout: block[b])
      {
        for (int i = 0; i < Length; ++i)
          block[b][i] += 1;
#pragma omp atomic
        home += omp_get_node_num() == omp_get_node_from_data(block[b]);
      }
  }
  printf("%d of %d tasks ran on the node of their block\n", home, Blocks * Steps);
  for (int b = 0; b < Blocks; ++b)
    if (block[b][Length - 1] != b + Steps)
      return 1;
  return 0;
}
