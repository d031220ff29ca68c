// Lists of dependences that nobody writes, but programs make: the null pointer,
// the same address again, in one way or in two, thousands of them.
//
// RUN: %build
// RUN: %run-each --threads 1,2,8 %t

#include "check.h"

enum { Many = 10000, Rounds = 20 };

static int Cells[Many];

/// The null pointer is no storage: no dependence, with others or alone.
static void null(void) {
  int *None = NULL, Order = 0, IsMade = 0;
#pragma omp parallel
#pragma omp single
  if (omp_get_num_threads() > 1) {
    int HasBegun = 0;
#pragma omp task depend(out : None[0]) shared(HasBegun, IsMade)
    {
      set(&HasBegun, 1);
      WAIT_FOR(&IsMade, 1);
    }
    WAIT_FOR(&HasBegun, 1);
#pragma omp task depend(inout : None[0]) depend(out : Cells[0]) shared(Order)
    add(&Order, 1);
#pragma omp task depend(inout : None[0], Cells[0]) shared(Order)
    add(&Order, 1);
#pragma omp taskwait depend(in : Cells[0])
    CHECK_EQUAL(get(&Order), 2, "tasks beside one with the same null pointer");
    set(&IsMade, 1);
  }
}

/// An address twice in the same clause, or as in and as inout, is one
/// dependence: the stronger one.
static void again(void) {
  int Value = 0;
#pragma omp parallel
#pragma omp single
  for (int I = 0; I < 300; ++I) {
#pragma omp task depend(in : Cells[1], Cells[1]) depend(inout : Cells[1])      \
    shared(Value) firstprivate(I)
    {
      CHECK_EQUAL(Value, 2 * I, "an address as in and inout");
      ++Value;
    }
#pragma omp task depend(mutexinoutset : Cells[1]) depend(in : Cells[1])        \
    shared(Value) firstprivate(I)
    {
      CHECK_EQUAL(Value, 2 * I + 1, "an address as mutexinoutset and in");
      ++Value;
    }
  }
  CHECK_EQUAL(Value, 600, "tasks with an address twice");
}

/// One task that waits for thousands, for which thousands wait.
static void many(void) {
  int Before = 0, After = 0;
#pragma omp parallel
#pragma omp single
  {
    for (int I = 0; I < Many; ++I) {
#pragma omp task depend(out : Cells[I]) shared(Before)
      add(&Before, 1);
    }
#pragma omp task depend(iterator(int I = 0 : Many), inout : Cells[I])          \
    shared(Before, After)
    {
      CHECK_EQUAL(get(&Before), Many, "before one with 10,000 dependences");
      CHECK_EQUAL(get(&After), 0, "after one with 10,000 dependences");
    }
    for (int I = 0; I < Many; ++I) {
#pragma omp task depend(in : Cells[I]) shared(Before, After)
      {
        CHECK_EQUAL(get(&Before), Many, "two behind");
        add(&After, 1);
      }
    }
  }
  CHECK_EQUAL(After, Many, "tasks behind one");
}

/// One out, thousands of in, one out again; all memory in between.
static void storm(void) {
  int Read = 0, Wrote = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(out : Cells[0]) shared(Wrote)
    add(&Wrote, 1);
    for (int I = 0; I < Many; ++I) {
#pragma omp task depend(in : Cells[0]) shared(Read, Wrote)
      {
        CHECK_EQUAL(get(&Wrote), 1, "a reader in a storm");
        add(&Read, 1);
      }
    }
#pragma omp task depend(out : omp_all_memory) shared(Read, Wrote)
    {
      CHECK_EQUAL(get(&Read), Many, "readers before all memory");
      add(&Wrote, 1);
    }
#pragma omp task depend(inout : Cells[7]) shared(Wrote)
    CHECK_EQUAL(get(&Wrote), 2, "after all memory");
  }
  CHECK_EQUAL(Read, Many, "readers");
}

int main(void) {
  for (int Round = 0; Round < Rounds; ++Round) {
    null();
    again();
    many();
    storm();
  }
  return 0;
}
