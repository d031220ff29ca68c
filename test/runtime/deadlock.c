// Waiting threads that pin children to each other go on: a pair, rings over all
// threads and over nodes, with taskwait and with taskgroup, and chains that go
// round several times. All of a ring wait before the first child exists, so a
// waiting thread has to run a task that does not descend from what it waits in.
//
// RUN: %build
// RUN: %run-each %t

#include "check.h"

static int Started, Ran;

static void chainOf(omp_affinitykind_t Kind, int From, int Step, int Depth,
                    int Group);

/// The child of \p From, pinned \p Step further.
static void child(omp_affinitykind_t Kind, int From, int Step, int Depth,
                  int Group) {
  omp_set_task_affinity(Kind, (uintptr_t)(intptr_t)(From + Step), 1);
#pragma omp task
  {
    int Count = Kind == omp_affinity_thread ? omp_get_num_threads()
                                            : omp_get_num_nodes();
    int Here = Kind == omp_affinity_thread ? omp_get_thread_num() : nodeHere();
    CHECK_EQUAL(Here, modulo(From + Step, Count), "a pinned child");
    add(&Ran, 1);
    chainOf(Kind, From + Step, Step, Depth - 1, Group);
  }
}

static void chainOf(omp_affinitykind_t Kind, int From, int Step, int Depth,
                    int Group) {
  if (Depth == 0)
    return;
  if (Group) {
#pragma omp taskgroup
    child(Kind, From, Step, Depth, Group);
  } else {
    child(Kind, From, Step, Depth, Group);
#pragma omp taskwait
  }
}

/// A waiting task on each resource, each with a chain of \p Depth tasks.
static void ring(omp_affinitykind_t Kind, int Step, int Depth, int Group) {
#pragma omp parallel
#pragma omp single
  {
    int Count = Kind == omp_affinity_thread ? omp_get_num_threads()
                                            : omp_get_num_nodes();
    Started = Ran = 0;
    for (int I = 0; I < Count; ++I) {
      omp_set_task_affinity(Kind, (uintptr_t)I, 1);
#pragma omp task firstprivate(I)
      {
        add(&Started, 1);
        WAIT_FOR(&Started, Count);
        chainOf(Kind, I, Step, Depth, Group);
      }
    }
#pragma omp taskwait
    CHECK_EQUAL(Ran, Count * Depth, "tasks of the chains");
  }
}

int main(void) {
  // Few and short: each link costs a switch of threads.
  for (int Group = 0; Group < 2; ++Group) {
    ring(omp_affinity_thread, 1, 1, Group);
    ring(omp_affinity_thread, -1, 3, Group);
    ring(omp_affinity_thread, 5, 2, Group);
    ring(omp_affinity_node, 1, 1, Group);
    ring(omp_affinity_node, 1, 3, Group);
  }
  return 0;
}
