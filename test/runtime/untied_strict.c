// A tree of untied tasks that are pinned to a node, with several threads: the
// next parts of two of them must not cover each other's children.
//
// RUN: %build
// RUN: %run-each --threads 4,6 %t
// RUN: %run-each --threads 4 --env KMP_TASK_QUEUE_SIZE=0 %t

#include "check.h"

enum { Rounds = 15, Depth = 9 };

static int Ran;

static void tree(int Levels) {
#pragma omp task untied affinity(node : 0, strict) firstprivate(Levels)
  {
    dither((unsigned)add(&Ran, 1));
    if (Levels > 0) {
      tree(Levels - 1);
#pragma omp taskyield
      tree(Levels - 1);
#pragma omp taskyield
#pragma omp taskwait
    }
  }
}

int main(void) {
  for (int Round = 0; Round < Rounds; ++Round) {
    Ran = 0;
#pragma omp parallel
#pragma omp single
    tree(Depth);
    CHECK_EQUAL(Ran, (2 << Depth) - 1, "tasks");
  }
  return 0;
}
