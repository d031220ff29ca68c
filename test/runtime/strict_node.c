// Strict node tasks run on a thread of their node: 10,000 of each of two
// creators, for numbers in range, negative, out of range and huge.
//
// RUN: %build
// RUN: %run-each %t

#include "check.h"

enum { Count = 10000, MaxNodes = 64 };

static int Ran, PerNode[MaxNodes], Expected[MaxNodes];

static void create(int I) {
  static const intptr_t Special[] = {INTPTR_MIN, INTPTR_MAX, INT32_MIN,
                                     INT32_MAX,  1l << 40,   -1};
  const int NumSpecial = sizeof(Special) / sizeof(*Special);
  intptr_t Value =
      I % 8 < NumSpecial ? Special[I % 8] - I / 8 % 2 * (I % 8 > 0) : I / 8 - 5;
  int Place = modulo(Value, omp_get_num_nodes());
  add(&Expected[Place], 1);
  omp_set_task_affinity(omp_affinity_node, (uintptr_t)Value, 1);
#pragma omp task firstprivate(Place, Value)
  {
    if (nodeHere() != Place || omp_get_node_num() != Place)
      FAIL("the task for node %ld of %d ran on %d (the runtime says %d)",
           (long)Value, omp_get_num_nodes(), nodeHere(), omp_get_node_num());
    add(&PerNode[Place], 1);
    add(&Ran, 1);
  }
}

static void finish(const char *Creator) {
  CHECK_EQUAL(Ran, Count, Creator);
  for (int I = 0; I < MaxNodes; ++I)
    CHECK_EQUAL(PerNode[I], Expected[I], Creator);
  Ran = 0;
  memset(PerNode, 0, sizeof(PerNode));
  memset(Expected, 0, sizeof(Expected));
}

int main(void) {
#pragma omp parallel
#pragma omp single
  for (int I = 0; I < Count; ++I)
    create(I);
  finish("one thread creates all");

#pragma omp parallel
#pragma omp for
  for (int I = 0; I < Count; ++I)
    create(I);
  finish("all threads create");
  return 0;
}
