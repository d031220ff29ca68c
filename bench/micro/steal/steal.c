//===-- steal.c - The cost of stolen tasks, with OpenMP -------------------===//

#include "steal.h"

static uint64_t tree(int Depth) {
  if (Depth == 0)
    return stealLoop();
  uint64_t A, B;
#pragma omp task shared(A)
  A = tree(Depth - 1);
#pragma omp task shared(B)
  B = tree(Depth - 1);
#pragma omp taskwait
  return A + B;
}

static uint64_t treeRounds(long Rounds, int Depth) {
  uint64_t Sum = 0;
#pragma omp parallel
#pragma omp single
  for (long I = 0; I < Rounds; ++I)
    Sum += tree(Depth);
  return Sum;
}

int main(int ArgCount, char **Args) {
  return stealMain("steal", ArgCount, Args);
}
