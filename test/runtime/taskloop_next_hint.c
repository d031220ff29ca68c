// A hint for the next task is for one that the task itself creates: not for
// those that pass the parts of a taskloop on, on its behalf and elsewhere,
// while it goes on behind a taskloop with nogroup.
//
// REQUIRES: clause
// RUN: %build
// RUN: %run-each --threads 8 %t

#include "check.h"

enum { Chunks = 64, Rounds = 50 };

static int Ran;

static void oneRound(int Target) {
  const int Nodes = omp_get_num_nodes();
  omp_affinitykind_t Kind;
  uintptr_t Value;
  int Strict, RanOn = -1;
  set(&Ran, 0);
#pragma omp taskloop nogroup num_tasks(Chunks)                                 \
    affinity(node : I *Nodes / Chunks)
  for (int I = 0; I < Chunks; ++I)
    add(&Ran, 1);
  omp_set_task_affinity(omp_affinity_thread, (uintptr_t)Target, 1);
  // What other threads make of the loop, if they do soon.
  for (double Since = seconds(); get(&Ran) < Chunks && seconds() < Since + 0.1;)
    ;
  omp_get_task_affinity(&Kind, &Value, &Strict);
  CHECK_EQUAL(Kind, omp_affinity_thread, "the hint");
  CHECK_EQUAL(Value, Target, "the hint");
#pragma omp task shared(RanOn)
  RanOn = omp_get_thread_num();
#pragma omp taskwait
  CHECK_EQUAL(RanOn, Target, "the task");
  CHECK_EQUAL(get(&Ran), Chunks, "the loop");
}

int main(void) {
#pragma omp parallel
#pragma omp single
  for (int Round = 0; Round < Rounds; ++Round)
    oneRound(Round % omp_get_num_threads());
  return 0;
}
