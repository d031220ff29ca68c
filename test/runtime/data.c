// Strict data tasks run on the node that holds the page. Pages lie where strict
// thread tasks have touched them first, or where mbind wants them before the
// first touch. (With several real nodes: guest.test.)
//
// REQUIRES: numa-calls
// RUN: %build
// RUN: %run-each %t

#include "check.h"
#include <linux/mempolicy.h>

enum { Pages = 400 };

static int Ran;

static void useAll(char *Base, const int *Wanted, const char *What) {
  const size_t Size = (size_t)getpagesize();
  Ran = 0;
  for (int I = 0; I < Pages; ++I) {
    // Any address in the page will do.
    char *Address = Base + (size_t)I * Size + (size_t)(I * 37) % Size;
    int Want = Wanted[I];
    omp_set_task_affinity(omp_affinity_data, (uintptr_t)Address, 1);
#pragma omp task firstprivate(Want, I)
    {
      if (nodeHere() != Want)
        FAIL("%s: the task of page %d ran on node %d, not %d", What, I,
             nodeHere(), Want);
      add(&Ran, 1);
    }
  }
#pragma omp taskwait
  CHECK_EQUAL(Ran, Pages, What);
}

int main(void) {
  const size_t Size = (size_t)getpagesize();
  char *Touched = newPages(Pages), *Bound = newPages(Pages);
  int Nodes[64] = {0};
#pragma omp parallel
#pragma omp single
  {
    const int Threads = omp_get_num_threads();
    int Wanted[Pages];
    for (int I = 0; I < Pages; ++I) {
      omp_set_task_affinity(omp_affinity_thread, (uintptr_t)I, 1);
#pragma omp task
      Touched[(size_t)I * Size] = 1;
    }
#pragma omp taskwait
    for (int I = 0; I < Pages; ++I) {
      Wanted[I] = teamNodeOf(osNodeOf(Touched + (size_t)I * Size));
      CHECK(Wanted[I] >= 0, "page %d", I);
      ++Nodes[Wanted[I]];
      CHECK_EQUAL(omp_get_node_from_data(Touched + (size_t)I * Size), Wanted[I],
                  "omp_get_node_from_data");
    }
    useAll(Touched, Wanted, "first touch");
    // In a guest there must be something to get wrong.
    if (!isSynthetic() && Threads >= omp_get_num_nodes())
      for (int Node = 0; Node < omp_get_num_nodes(); ++Node)
        CHECK(Nodes[Node] > 0, "no page on node %d", Node);

    // On the pretended machine only OS node 0 is there to bind to.
    int NumNodes = isSynthetic() ? 1 : omp_get_num_nodes();
    int OsNodes[64], Known = 0;
    for (int Os = 0; Os < 64 && Known < NumNodes; ++Os)
      if (teamNodeOf(Os) >= 0)
        OsNodes[Known++] = Os;
    for (int I = 0; I < Pages; ++I) {
      unsigned long Mask[16] = {1ul << OsNodes[I % NumNodes]};
      if (syscall(SYS_mbind, Bound + (size_t)I * Size, Size,
                  I % 2 ? MPOL_BIND : MPOL_PREFERRED, Mask, 1024ul, 0u) != 0)
        FAIL("mbind: %s", strerror(errno));
      Wanted[I] = teamNodeOf(OsNodes[I % NumNodes]);
    }
    useAll(Bound, Wanted, "mbind, not touched");
    for (int I = 0; I < Pages; ++I)
      CHECK(osNodeOf(Bound + (size_t)I * Size) < 0, "page %d was touched", I);
  }
  return 0;
}
