// A task without a hint follows the data that its depend clauses write, and
// KMP_TASK_DEPEND_AFFINITY=0 turns that off.
//
// Where they go shows only on several real nodes: guest.test.
//
// REQUIRES: numa-calls
// RUN: %build
// RUN: %run-each --policies active %t
// RUN: %run-each --threads 8 --policies active --env KMP_TASK_DEPEND_AFFINITY=0 %t
//
// All tasks of a round run at once, so thieves must find what a busy thread
// has, also those that look at one list only.
// RUN: %run-each --threads 8 --policies active --env KMP_TASK_DEPEND_AFFINITY=0 --env KMP_TASK_STEAL=random %t
// RUN: %run-each --threads 8 --policies active --env KMP_TASK_DEPEND_AFFINITY=0 --env KMP_TASK_STEAL=producer %t

#include "Inputs/rendezvous.h"

static char Elsewhere[64];

static void create(char *Block, size_t Bytes, int Round) {
  switch (Round % 3) {
  case 0:
#pragma omp task depend(out : Block[0 : Bytes])
    use(Block, &Started, Threads);
    break;
  case 1: // what is read does not count
#pragma omp task depend(in : Elsewhere) depend(inout : Block[0 : Bytes])
    use(Block, &Started, Threads);
    break;
  case 2:
#pragma omp task depend(mutexinoutset : *Block)
    use(Block, &Started, Threads);
    break;
  }
}

int main(void) {
  Elsewhere[0] = 1;
  const char *Setting = getenv("KMP_TASK_DEPEND_AFFINITY");
  Anywhere = Setting && strcmp(Setting, "0") == 0;
  rendezvous(6);
  return 0;
}
