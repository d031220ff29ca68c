// Below an untied task that the runtime starts itself (undeferred, discarded by
// cancel), tied tasks are looked for from the innermost tied one on. Upstream's
// libomp knew none there and crashed (issue 172938).
//
// RUN: %build
// RUN: env OMP_CANCELLATION=true %run-each %t

#include "check.h"

static void undeferred(void) {
  int Ran = 0;
#pragma omp parallel
#pragma omp single
#pragma omp task untied if (0) shared(Ran)
  {
#pragma omp task shared(Ran)
    {
#pragma omp task shared(Ran)
      add(&Ran, 1);
#pragma omp taskwait
    }
#pragma omp taskwait
    add(&Ran, 1);
  }
  CHECK_EQUAL(Ran, 2, "undeferred");
}

/// An undeferred task that waits for a predecessor, and an undeferred one in
/// it.
static void undeferredDepend(void) {
  int Ran = 0, Cell = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(out : Cell) shared(Ran)
    add(&Ran, 1);
#pragma omp task untied if (0) depend(inout : Cell) shared(Ran)
    {
#pragma omp task untied if (0) shared(Ran)
      {
#pragma omp task shared(Ran)
        add(&Ran, 1);
#pragma omp taskwait
      }
#pragma omp taskgroup
      {
#pragma omp task shared(Ran)
        add(&Ran, 1);
      }
    }
  }
  CHECK_EQUAL(Ran, 3, "undeferred with a dependence");
}

/// A discarded task makes its successors ready where the queue is full.
static void discarded(void) {
  enum { Fillers = 1000 };
  int Ran = 0, Cells[Fillers], HasBegun = 0, IsMade = 0;
#pragma omp parallel num_threads(2)
#pragma omp masked
#pragma omp taskgroup
  {
#pragma omp task depend(out : Cells[0]) shared(HasBegun, IsMade)
    {
      set(&HasBegun, 1);
      WAIT_FOR(&IsMade, 1);
#pragma omp cancel taskgroup
    }
    // It must be the other thread: this one may run tasks when it has created
    // many.
    WAIT_FOR(&HasBegun, 1);
#pragma omp task untied depend(inout : Cells[0]) depend(out : Cells[1])
    {
    }
    for (int I = 0; I < Fillers; ++I) {
#pragma omp task depend(in : Cells[1]) shared(Ran)
      add(&Ran, 1);
    }
    set(&IsMade, 1);
  }
  CHECK_EQUAL(Ran, 0, "tasks of a cancelled taskgroup");
}

int main(void) {
  CHECK(omp_get_cancellation(), "OMP_CANCELLATION is not set");
  for (int Round = 0; Round < 10; ++Round) {
    undeferred();
    undeferredDepend();
    discarded();
  }
  return 0;
}
