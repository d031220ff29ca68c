// The standard clause affinity(list): tasks go to the node that holds most
// bytes of the list, if they can. Lists of many kinds are no trouble.
//
// Where they go shows only on several real nodes: guest.test.
//
// REQUIRES: numa-calls
// RUN: %build
// RUN: %run-each --policies active %t

#include "Inputs/rendezvous.h"

static char Elsewhere[64];

static void create(char *Block, size_t Bytes, int Round) {
  switch (Round % 3) {
  case 0:
#pragma omp task affinity(Block[0 : Bytes])
    use(Block, &Started, Threads);
    break;
  case 1: // most bytes decide
#pragma omp task affinity(Elsewhere, Block[0 : Bytes])
    use(Block, &Started, Threads);
    break;
  case 2: {
    int Page = getpagesize();
#pragma omp task affinity(iterator(I = 0 : PagesOfBlock) : Block[I * Page])
    use(Block, &Started, Threads);
    break;
  }
  }
}

int main(void) {
  Elsewhere[0] = 1;
  rendezvous(6);

  // More locators than anyone looks at, untouched and unmapped ones, none.
  int Count = 0;
  char *Untouched = newPages(64), *Null = NULL;
  size_t Page = (size_t)getpagesize();
#pragma omp parallel
#pragma omp single
  for (int I = 0; I < 50; ++I) {
#pragma omp task affinity(iterator(J = 0 : 64) : Untouched[J * Page])          \
    shared(Count)
    add(&Count, 1);
#pragma omp task affinity(iterator(J = 0 : 0) : Untouched[J]) shared(Count)
    add(&Count, 1);
#pragma omp task affinity(Null[0 : 1024]) shared(Count)
    add(&Count, 1);
#pragma omp task affinity(Untouched[0 : 64 * Page]) if (0) shared(Count)
    add(&Count, 1);
#pragma omp task affinity(Elsewhere[0 : 0]) shared(Count)
    add(&Count, 1);
  }
  CHECK_EQUAL(Count, 250, "tasks with lists of all kinds");
  CHECK(osNodeOf(Untouched) < 0, "a lookup has touched the page");
  return 0;
}
