// Tasks in place leave enough for the others: one producer, a skewed tree and a
// recursion go on until each thread has run some of their tasks.
//
// RUN: %clang -c %S/Inputs/inline_state.c -o %t.state.o
// RUN: %clang -I%S/Inputs %s %t.state.o -o %t
// RUN: %run-each --threads 2 --policies active,noblock %t

#include "check.h"
#include "inline_state.h"

enum { MaxThreads = 64, Enough = 1 };

static int Ran[MaxThreads], InPlace;
static int Finished;

/// What all threads have used, in seconds. On a busy machine it goes slower.
static double processorTime(void) {
  struct timespec Now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &Now);
  return (double)Now.tv_sec + 1e-9 * (double)Now.tv_nsec;
}

static void work(int Length) {
  for (volatile int I = 0; I < Length; ++I)
    ;
}

static void ran(void) {
  int Me = omp_get_thread_num();
  add(&Ran[Me], 1);
  if (inlineDepth())
    add(&InPlace, 1);
}

static int allRan(double Start, const char *What) {
  if (get(&Finished))
    return 1;
  for (int I = 0; I < omp_get_num_threads(); ++I)
    if (get(&Ran[I]) < Enough) {
      if (processorTime() - Start > 100)
        FAIL("%s: thread %d has run %d tasks", What, I, get(&Ran[I]));
      return 0;
    }
  set(&Finished, 1);
  return 1;
}

static void producer(double Start) {
  while (!allRan(Start, "producer")) {
#pragma omp task
    {
      ran();
      work(20000);
    }
  }
}

/// A large child and a tiny one, in either order.
static void skewed(int Depth, int LargeFirst, double Start) {
  if (Depth == 0 || allRan(Start, "skewed tree"))
    return;
  for (int I = 0; I < 2; ++I) {
    if (I == LargeFirst) {
#pragma omp task
      {
        ran();
        work(20000);
      }
    } else {
#pragma omp task
      {
        ran();
        work(20000);
        skewed(Depth - 1, LargeFirst, Start);
      }
    }
  }
#pragma omp taskwait
}

static void tree(int Depth, double Start) {
  ran();
  work(500);
  if (Depth == 0 || allRan(Start, "tree"))
    return;
  for (int I = 0; I < 2; ++I) {
#pragma omp task
    tree(Depth - 1, Start);
  }
#pragma omp taskwait
}

static void begin(void) {
  memset(Ran, 0, sizeof(Ran));
  Finished = 0;
}

int main(void) {
#pragma omp parallel
#pragma omp single
  {
    CHECK(omp_get_num_threads() <= MaxThreads, "too many threads");
    begin();
#pragma omp taskgroup
    producer(processorTime());
    for (int LargeFirst = 0; LargeFirst < 2; ++LargeFirst) {
      begin();
      for (double Start = processorTime(); !allRan(Start, "skewed tree");)
        skewed(50, LargeFirst, Start);
    }
    begin();
    for (double Start = processorTime(); !allRan(Start, "tree");)
      tree(16, Start);
    // All of the last one, so that some are in place whoever is hungry.
    for (double Start = processorTime(); !get(&InPlace);) {
      begin();
      CHECK(processorTime() - Start < 100, "no task ran in place");
      tree(12, Start);
    }
  }
  return 0;
}
