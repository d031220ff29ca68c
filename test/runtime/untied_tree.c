// Tied and untied tasks in one tree. A thread that waits in a tied task may not
// start an untied one that does not descend from it: it could not run the tied
// children of that one, and with all threads there nobody could.
//
// RUN: %build
// RUN: %run-each %t

#include "check.h"

static long tree(int Depth, unsigned Random) {
  if (Depth == 0)
    return 1;
  long Sizes[4] = {0};
  for (int I = 0; I < 4; ++I) {
    Random = Random * 1103515245u + 12345u;
    const unsigned Next = Random;
    switch (Random >> 16 & 3) {
    case 0:
#pragma omp task shared(Sizes) untied
    {
      Sizes[I] = tree(Depth - 1, Next);
#pragma omp taskyield
    } break;
    case 1:
#pragma omp taskgroup
#pragma omp task shared(Sizes)
      Sizes[I] = tree(Depth - 1, Next);
      break;
    default:
#pragma omp task shared(Sizes)
    {
      Sizes[I] = tree(Depth - 1, Next);
#pragma omp taskyield
    }
    }
  }
#pragma omp taskwait
  return 1 + Sizes[0] + Sizes[1] + Sizes[2] + Sizes[3];
}

int main(void) {
  for (unsigned Seed = 1; Seed <= 5; ++Seed) {
    long Size = 0;
#pragma omp parallel
#pragma omp single
    Size = tree(5, Seed);
    CHECK_EQUAL(Size, 1365, "tasks of the tree");
  }
  return 0;
}
