// Where the kernel balances NUMA pages by itself, it takes pages out of the
// page tables for a moment to see who uses them. Linux 6.1's move_pages then
// says -ENOENT, as for an untouched page. Such a page has a node all the same.
//
// REQUIRES: numa-guest
// RUN: %build
// RUN: sed -n 's/^.. SCRIPT: //p' %s > %t.job
// RUN: %numa-guest --timeout 120 --nodes 4 -- sh %t.job %t
//
// SCRIPT: echo 0 > /proc/sys/kernel/numa_balancing || exit 1
// SCRIPT: export OMP_NUM_THREADS=4 OMP_PROC_BIND=close OMP_PLACES=cores
// SCRIPT: exec $1

#include "check.h"

enum { Pages = 64 };

int main(void) {
  const size_t Size = (size_t)getpagesize();
  char *Base = newPages(Pages);
  int Home[Pages], Hidden = 0, Lost = 0, Misplaced = 0;
#pragma omp parallel
#pragma omp masked
  {
    const int Nodes = omp_get_num_nodes();
    for (int I = 0; I < Pages; ++I) {
      omp_set_task_affinity(omp_affinity_node, (uintptr_t)I, 1);
#pragma omp task
      Base[(size_t)I * Size] = 1;
    }
#pragma omp taskwait
    for (int I = 0; I < Pages; ++I) {
      Home[I] = osNodeOf(Base + (size_t)I * Size);
      CHECK_EQUAL(Home[I], I % Nodes, "first touch");
    }
    FILE *Balancing = fopen("/proc/sys/kernel/numa_balancing", "w");
    CHECK(Balancing && fputs("1", Balancing) >= 0 && fclose(Balancing) == 0,
          "/proc/sys/kernel/numa_balancing: %s", strerror(errno));
    // Nobody uses the pages meanwhile, so they stay where they are. The kernel
    // looks at a process that has used a second or so of processor time.
    double Start = seconds();
    while (Hidden < Pages / 4 && seconds() - Start < 30)
      for (int I = 0; I < Pages; ++I) {
        char *Page = Base + (size_t)I * Size;
        if (osNodeOf(Page) >= 0)
          continue;
        ++Hidden;
        Lost += omp_get_node_from_data(Page) != Home[I];
        int Want = Home[I];
        omp_set_task_affinity(omp_affinity_data, (uintptr_t)Page, 1);
#pragma omp task shared(Misplaced) firstprivate(Want)
        add(&Misplaced, nodeHere() != Want);
#pragma omp taskwait
      }
  }
  printf("pages without an answer of move_pages: %d\n", Hidden);
  if (Hidden == 0)
    printf("(the kernel did not balance within 30 s: nothing was tested)\n");
  CHECK_EQUAL(Lost, 0, "omp_get_node_from_data does not know the node");
  CHECK_EQUAL(Misplaced, 0, "strict data tasks on a wrong node");
  return 0;
}
