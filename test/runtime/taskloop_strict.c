// Taskloops with the affinity clause, as the compiler has it: each iteration
// runs once, and on its thread or node where that is strict.
//
// REQUIRES: clause
// RUN: %build -Wno-sign-compare
// RUN: %run-each %t

#include "check.h"

enum { Count = 400, Each = 512 }; // iterations, each with a page of data

static int Ran[Count];
static _Alignas(4096) double Data[Count * Each];

int main(void) {
  for (int I = 0; I < Count * Each; ++I)
    Data[I] = I;
#pragma omp parallel
#pragma omp single
  {
    const int Threads = omp_get_num_threads(), Nodes = omp_get_num_nodes();
#pragma omp taskloop affinity(thread : I / 10, strict) grainsize(strict : 10)
    for (int I = 0; I < Count; ++I) {
      CHECK_EQUAL(omp_get_thread_num(), I / 10 % Threads, "thread");
      add(&Ran[I], 1);
    }
#pragma omp taskloop affinity(node : I / 10, strict) grainsize(strict : 10)
    for (int I = Count - 1; I >= 0; --I) {
      // The tasks have the iterations 399 .. 390, 389 .. 380, ...
      if (isSynthetic() && Threads > 1)
        CHECK_EQUAL(nodeHere(), I / 10 % Nodes, "node");
      add(&Ran[I], 1);
    }
#pragma omp taskloop affinity(data : Data[I * Each : Each], strict)
    for (int I = 0; I < Count; ++I) {
      // All real memory is on OS node 0 there, the team's first.
      if (isSynthetic())
        CHECK_EQUAL(nodeHere(), 0, "data");
      add(&Ran[I], 1);
    }
#pragma omp taskloop affinity(Data[I * Each : Each]) grainsize(7)
    for (int I = 0; I < Count; ++I)
      add(&Ran[I], 1);
#pragma omp taskloop affinity(data : Data[(I * 20 + J) * Each]) collapse(2)
    for (int I = 0; I < Count / 20; ++I)
      for (int J = 0; J < 20; ++J)
        add(&Ran[I * 20 + J], 1);
    for (int I = 0; I < Count; ++I)
      CHECK_EQUAL(Ran[I], 5, "iterations");
  }
  return 0;
}
