// The clause from the compiler to the thread: each kind, strict in both
// spellings, not strict, values out of range, expressions that are evaluated
// once, array sections, and a hint of omp_set_task_affinity beside it.
//
// REQUIRES: clause, numa-calls
// RUN: %build
// RUN: %run-each %t

#include "check.h"

static int Ran, NodeRan, Pointed[16];

int main(void) {
  static char Data[64];
  memset(Data, 1, sizeof(Data));
#pragma omp parallel
#pragma omp single
  {
    const int Threads = omp_get_num_threads(), Nodes = omp_get_num_nodes();
    int Next = -7;
    for (int I = -7; I < 200; ++I) {
#pragma omp task affinity(thread : Next++, strict) firstprivate(I)
      {
        CHECK_EQUAL(omp_get_thread_num(), modulo(I, Threads), "thread, strict");
        add(&Ran, 1);
      }
#pragma omp task affinity(thread : I, Threads > 0) firstprivate(I)
      {
        CHECK_EQUAL(omp_get_thread_num(), modulo(I, Threads), "thread, 1");
        add(&Ran, 1);
      }
#pragma omp task affinity(node : I, strict) firstprivate(I)
      {
        CHECK_EQUAL(nodeHere(), modulo(I, Nodes), "node, strict");
        add(&NodeRan, 1);
      }
      // The clause goes before omp_set_task_affinity, and uses it up.
      omp_set_task_affinity(omp_affinity_thread, (uintptr_t)(I + 1), 1);
#pragma omp task affinity(thread : I, strict) firstprivate(I)
      {
        CHECK_EQUAL(omp_get_thread_num(), modulo(I, Threads), "both");
        add(&Ran, 1);
      }
      int Home = teamNodeOf(osNodeOf(Data));
      char *Pointer = Data;
#pragma omp task affinity(data : Data, strict) firstprivate(Home)
      {
        CHECK_EQUAL(nodeHere(), Home, "data, an array");
        add(&Ran, 1);
      }
#pragma omp task affinity(data : Pointer, strict) firstprivate(Home)
      {
        CHECK_EQUAL(nodeHere(), Home, "data, a pointer");
        add(&Ran, 1);
      }
#pragma omp task affinity(data : Data[8 : 16], strict) firstprivate(Home)
      {
        CHECK_EQUAL(nodeHere(), Home, "data, a section");
        add(&Ran, 1);
      }
#pragma omp task affinity(thread : I)
      add(&Ran, 1);
#pragma omp task affinity(node : I, 0)
      add(&Ran, 1);
#pragma omp task affinity(data : Pointed[0])
      add(&Ran, 1);
    }
    CHECK_EQUAL(Next, 200, "the expression's side effect");
  }
  CHECK_EQUAL(Ran + NodeRan, 207 * 10, "tasks");
  return 0;
}
