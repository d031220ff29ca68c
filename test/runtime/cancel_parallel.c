// Whatever the other threads do, a region ends when a thread cancels it: late in
// leaving a barrier, waiting in the next one, asleep or with tasks, in a loop,
// on the way to the end. Loops that are cancelled, or left out, are whole in the
// next region. In stock libomp each of these hangs.
//
// RUN: %build
// RUN: %run-each --env OMP_CANCELLATION=true %t

#include "check.h"

enum { Regions = 24, Count = 40, Loops = 9 };

static int Region, Ran, Beyond;

static int isMyTurn(void) {
  return omp_get_thread_num() == Region % omp_get_num_threads();
}

static void behindLoop(void) {
#pragma omp parallel
  {
#pragma omp for
    for (int I = 0; I < Count; ++I)
      add(&Ran, 1);
    if (isMyTurn()) {
#pragma omp cancel parallel
    }
    if (Region % 2) {
#pragma omp cancellation point parallel
    }
#pragma omp barrier
    add(&Beyond, 1);
  }
  CHECK_EQUAL(Ran, Count, "iterations before the cancelled barrier");
}

// No barrier and no cancellation point follows.
static void atEnd(void) {
  int Sum = 0;
#pragma omp parallel reduction(+ : Sum)
  {
    if (isMyTurn()) {
#pragma omp cancel parallel
      add(&Beyond, 1);
    }
    Sum += 1;
  }
}

// The others wait with tasks, which run or are cancelled, or sleep.
static void withTasks(void) {
  int Chain = 0;
#pragma omp parallel
  {
    for (int I = 0; I < Count; ++I) {
#pragma omp task depend(inout : Chain) shared(Chain)
      Chain += 1;
    }
#pragma omp barrier
    if (isMyTurn()) {
      usleep(Region % 4 * 300); // The others may fall asleep.
#pragma omp cancel parallel
      add(&Beyond, 1);
    }
    for (int I = 0; I < Count; ++I) {
#pragma omp task depend(inout : Chain) shared(Chain)
      Chain += 1;
    }
#pragma omp barrier
    add(&Beyond, 1);
  }
}

static void leavesLoopsOut(void) {
#pragma omp parallel
  {
#pragma omp single
    add(&Ran, 1);
    if (isMyTurn()) {
#pragma omp cancel parallel
    }
#pragma omp for schedule(dynamic)
    for (int I = 0; I < Count; ++I) {
#pragma omp cancellation point for
      add(&Ran, 1);
    }
    add(&Beyond, 1);
  }
}

static void cancelsLoops(void) {
#pragma omp parallel
  for (int L = 0; L < Loops; ++L) {
#pragma omp for schedule(dynamic)
    for (int I = 0; I < Count; ++I) {
      if (I == Region) {
#pragma omp cancel for
        add(&Beyond, 1);
      }
#pragma omp cancellation point for
    }
  }
}

static void runWhole(void) {
  int Sum = 0;
#pragma omp parallel
  for (int L = 0; L < Loops; ++L) {
#pragma omp for schedule(dynamic)
    for (int I = 0; I < Count; ++I)
      add(&Sum, 1);
#pragma omp single
    add(&Sum, 1);
#pragma omp task shared(Sum)
    add(&Sum, 1);
  }
  CHECK_EQUAL(Sum, Loops * (Count + 1 + omp_get_max_threads()), "the next region");
}

int main(void) {
  static void (*const Forms[])(void) = {behindLoop, atEnd, withTasks, leavesLoopsOut, cancelsLoops};
  CHECK(omp_get_cancellation(), "OMP_CANCELLATION=true is to be set");
  for (unsigned F = 0; F < sizeof(Forms) / sizeof(*Forms); ++F)
    for (Region = 0; Region < Regions; ++Region) {
      Ran = Beyond = 0;
      Forms[F]();
      CHECK_EQUAL(Beyond, 0, "threads that went on");
      runWhole();
    }
  return 0;
}
