// The clause of a loop from the compiler to the threads: each kind, on
// taskloop, in combined forms and as task_iteration, with dependences; strict:
// each task runs where its own iterations belong.
//
// REQUIRES: clause, numa-calls
// RUN: %build -Wno-sign-compare -Wno-pass-failed
// RUN: %run-each %t

#include "check.h"

enum { Blocks = 16, Trips = 60 };

static int Ran;

static void count(int Is, int Should, const char *What) {
  CHECK_EQUAL(Is, Should, What);
  add(&Ran, 1);
}

static void done(int Iterations, const char *What) {
  CHECK_EQUAL(Ran, Iterations, What);
  Ran = 0;
}

static void numbers(int Threads, int Nodes) {
#pragma omp taskloop affinity(thread : I, strict) grainsize(strict : 1)
  for (int I = 0; I < Trips; ++I)
    count(omp_get_thread_num(), I % Threads, "thread");
  done(Trips, "thread");
  // Rows of a nest, cut between them.
#pragma omp taskloop collapse(2) affinity(node : I, Nodes > 0)                 \
    grainsize(strict : 5)
  for (int I = 11; I >= 0; --I)
    for (unsigned J = 0; J < 10; J += 2)
      count(nodeHere(), I % Nodes, "node of a row");
  done(12 * 5, "node of a row");
  int I;
#pragma omp taskloop num_tasks(strict : 7)
  for (I = 3; I < 3 + 7; ++I)
#pragma omp task_iteration affinity(node : I, strict)
    count(nodeHere(), I % Nodes, "node, task_iteration");
  done(7, "node, task_iteration");
  // Without iterations nothing is evaluated.
#pragma omp taskloop affinity(node : 1 / (Nodes - Nodes), strict)
  for (int J = Nodes; J < Nodes; ++J)
    count(0, 0, "nothing");
  done(0, "nothing");
}

/// Data that lies where tasks have touched it first.
static void data(int Nodes) {
  const int Page = getpagesize();
  char *Memory = newPages(Blocks);
#pragma omp taskloop affinity(node : I, strict) grainsize(strict : 1)
  for (int I = 0; I < Blocks; ++I)
    Memory[I * Page] = (char)(I % Nodes);
#pragma omp taskloop simd affinity(data : Memory[I * Page : Page], strict)     \
    grainsize(strict : 1)
  for (int I = Blocks - 1; I >= 0; --I)
    count(nodeHere(), teamNodeOf(osNodeOf(Memory + I * Page)), "data");
  done(Blocks, "data");
  // The memory of a chunk is that of all its iterations.
#pragma omp taskloop affinity(data : Memory + I, strict)                       \
    grainsize(strict : Page)
  for (int I = 0; I < Blocks * Page; ++I)
    if (I % Page == Page - 1)
      count(nodeHere(), teamNodeOf(osNodeOf(Memory + I)), "data of a chunk");
  done(Blocks, "data of a chunk");
  // A wish does not keep anybody waiting, so only its iterations are counted.
#pragma omp taskloop
  for (int I = 0; I < Blocks; ++I)
#pragma omp task_iteration affinity(Memory[I * Page])
    add(&Ran, 1);
  done(Blocks, "a list");
  munmap(Memory, (size_t)Blocks * (size_t)Page);
}

/// Tasks that wait for others run where their data lies, too.
static void dependent(int Nodes) {
  enum { Sweeps = 6 };
  const int Page = getpagesize();
  char *Memory = newPages(Blocks);
#pragma omp taskloop affinity(node : I, strict) grainsize(strict : 1)
  for (int I = 0; I < Blocks; ++I)
    Memory[I * Page] = 0;
  for (int S = 0; S < Sweeps; ++S)
#pragma omp taskloop nogroup grainsize(strict : 1)
    for (int I = 0; I < Blocks; ++I) {
#pragma omp task_iteration affinity(data : Memory[I * Page : Page], strict)    \
    depend(inout : Memory[I * Page])
#pragma omp task_iteration depend(in : Memory[(I - 1) * Page]) if (I > 0)
      count(nodeHere(), teamNodeOf(osNodeOf(Memory + I * Page)), "dependent");
      CHECK_EQUAL(Memory[I * Page]++, S, "sweeps before");
      CHECK(I == 0 || Memory[(I - 1) * Page] > S, "the block before waits");
    }
#pragma omp taskwait
  done(Sweeps * Blocks, "dependent");
  munmap(Memory, (size_t)Blocks * (size_t)Page);
  // Some have a place, others none.
#pragma omp taskloop grainsize(strict : 1)
  for (int I = 0; I < Trips; ++I) {
#pragma omp task_iteration affinity(node : I / 2, strict) if (I % 2)
    count(I % 2 ? nodeHere() : I / 2 % Nodes, I / 2 % Nodes, "if");
  }
  done(Trips, "if");
}

int main(void) {
#pragma omp parallel
#pragma omp single
  {
    numbers(omp_get_num_threads(), omp_get_num_nodes());
    data(omp_get_num_nodes());
    dependent(omp_get_num_nodes());
  }
#pragma omp parallel masked taskloop affinity(thread : I, strict)              \
    grainsize(strict : 1)
  for (int I = 0; I < Trips; ++I)
    count(omp_get_thread_num(), I % omp_get_num_threads(), "parallel masked");
  done(Trips, "parallel masked");
  return 0;
}
