// Taskloops that go to all nodes are taskloops all the same: each clause does
// what it did. 300 iterations or so, as tasks of 1 to 50.
//
// Clang warns of its own comparison in loops whose end is not known.
//
// RUN: %build -Wno-sign-compare
// RUN: %run-each %t
// RUN: %run-each --threads 8 --env KMP_TASK_LOOP_AFFINITY=0 %t
// RUN: %run-each --threads 3,8 --env OMP_CANCELLATION=true %t

#include "check.h"

enum { Count = 300 };

static int Ran[Count];

static void expectAll(const char *What) {
  for (int I = 0; I < Count; ++I) {
    CHECK_EQUAL(Ran[I], 1, What);
    Ran[I] = 0;
  }
}

static void data(void) {
  int Last = -1, First = 7;
  long Sum = 0;
#pragma omp taskloop lastprivate(Last) firstprivate(First) reduction(+ : Sum)
  for (int I = 0; I < Count; ++I) {
    CHECK_EQUAL(First, 7, "firstprivate");
    add(&Ran[I], 1);
    Sum += I;
    Last = I;
  }
  CHECK_EQUAL(Last, Count - 1, "lastprivate");
  CHECK_EQUAL(Sum, Count * (Count - 1) / 2, "reduction");
  expectAll("data");

  Sum = 0;
#pragma omp taskgroup task_reduction(+ : Sum)
  {
#pragma omp taskloop in_reduction(+ : Sum) grainsize(strict : 7) nogroup
    for (int I = Count - 1; I >= 0; I -= 3)
      Sum += I;
#pragma omp taskloop in_reduction(+ : Sum) num_tasks(strict : 11) untied
    for (int I = -5; I < 5; ++I)
      Sum += I;
  }
  CHECK_EQUAL(Sum, (2 + 299) * 50 - 5, "in_reduction");
}

static void shapes(void) {
  int Last = 0;
#pragma omp taskloop collapse(2) lastprivate(Last) num_tasks(40)
  for (int I = 0; I < Count / 10; ++I)
    for (int J = 0; J < 10; ++J) {
      add(&Ran[I * 10 + J], 1);
      Last = I * J;
    }
  CHECK_EQUAL(Last, (Count / 10 - 1) * 9, "collapse");
  expectAll("collapse");
#pragma omp taskloop grainsize(1) priority(3) untied
  for (int I = 0; I < Count; ++I)
    add(&Ran[I], 1);
  expectAll("untied, priority");
#pragma omp taskloop simd grainsize(strict : 50)
  for (int I = 0; I < Count; ++I)
    Ran[I] += 1;
  expectAll("simd");
#pragma omp taskloop
  for (int I = 0; I < 1; ++I)
    add(&Ran[I], Count);
  CHECK_EQUAL(Ran[0], Count, "a single iteration");
  Ran[0] = 0;
#pragma omp taskloop
  for (int I = 0; I < get(&Ran[0]); ++I)
    FAIL("no iterations");
}

static void moments(void) {
  const int Mine = omp_get_thread_num();
#pragma omp taskloop if (0)
  for (int I = 0; I < Count; ++I) {
    CHECK_EQUAL(omp_get_thread_num(), Mine, "if(0)");
    add(&Ran[I], 1);
  }
  expectAll("if(0)");
#pragma omp taskloop final(1)
  for (int I = 0; I < Count; ++I) {
    CHECK(omp_in_final(), "final");
    add(&Ran[I], 1);
  }
  expectAll("final");
#pragma omp task final(1)
#pragma omp taskloop
  for (int I = 0; I < Count; ++I)
    add(&Ran[I], 1);
#pragma omp taskwait
  expectAll("in a final task");
#pragma omp taskloop nogroup grainsize(2)
  for (int I = 0; I < Count; ++I)
    add(&Ran[I], 1);
#pragma omp taskwait
  expectAll("nogroup");
}

static void nests(void) {
  int Total = 0;
#pragma omp taskloop shared(Total) grainsize(1)
  for (int I = 0; I < 20; ++I) {
    int Sum = 0;
#pragma omp taskloop shared(Sum)
    for (int J = 0; J < 20; ++J) {
#pragma omp task shared(Sum)
      add(&Sum, 1);
    }
#pragma omp taskwait
    CHECK_EQUAL(Sum, 20, "an inner loop");
    add(&Total, Sum);
  }
  CHECK_EQUAL(Total, 400, "nested loops");
}

static void cancels(void) {
  int Before = 0;
#pragma omp taskloop grainsize(1) shared(Before)
  for (int I = 0; I < Count; ++I) {
    add(&Before, 1);
#pragma omp cancel taskgroup
  }
  CHECK(Before >= 1 && Before <= Count, "%d iterations", Before);
  if (!omp_get_cancellation())
    CHECK_EQUAL(Before, Count, "cancel, which is off");
}

static void hints(void) {
  // One for the whole loop.
  for (int Thread = 0; Thread < omp_get_num_threads(); ++Thread) {
    omp_set_task_affinity(omp_affinity_thread, (uintptr_t)Thread, 1);
#pragma omp taskloop grainsize(10)
    for (int I = 0; I < Count; ++I) {
      CHECK_EQUAL(omp_get_thread_num(), Thread, "omp_set_task_affinity");
      add(&Ran[I], 1);
    }
    expectAll("omp_set_task_affinity");
  }
}

int main(void) {
  for (int Round = 0; Round < 2; ++Round) {
#pragma omp parallel
#pragma omp single
    {
      data();
      shapes();
      moments();
      nests();
      cancels();
      hints();
    }
    int Each = 0, Threads = 0;
    // All threads at once.
#pragma omp parallel reduction(+ : Each, Threads)
    {
      int Mine = 0;
#pragma omp taskloop shared(Mine)
      for (int I = 0; I < Count; ++I)
        add(&Mine, 1);
      CHECK_EQUAL(Mine, Count, "a loop of each thread");
      Each += Mine;
      ++Threads;
    }
    CHECK_EQUAL(Each, Count * Threads, "loops of all threads");
  }
  return 0;
}
