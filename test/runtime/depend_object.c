// Dependences by depend objects: of each kind, with another kind after an
// update, of several at once by an iterator, beside plain items; an object that
// is made again after it was destroyed. Tasks that were created with an object
// keep what it said then.
//
// RUN: %build
// RUN: %run-each --threads 1,2,8 %t

#include "check.h"

enum { Rounds = 200, Readers = 4, Cells = 8 };

static int Cell[Cells];

/// A writer, readers, a writer: by objects that are destroyed while the tasks
/// still wait.
static void ordered(int *Held) {
  int Value = 0, Read = 0;
  omp_depend_t Reads, Writes;
#pragma omp depobj(Reads) depend(in : Cell[0])
#pragma omp depobj(Writes) depend(inout : Cell[0])
#pragma omp task depend(depobj : Writes) shared(Value, Held)
  {
    if (omp_get_num_threads() > 1)
      WAIT_FOR(Held, 1);
    Value = 1;
  }
  for (int I = 0; I < Readers; ++I) {
#pragma omp task depend(depobj : Reads) shared(Value, Read)
    {
      CHECK_EQUAL(Value, 1, "what a task with an object of kind in reads");
      add(&Read, 1);
    }
  }
#pragma omp task depend(depobj : Writes) shared(Value, Read)
  {
    CHECK_EQUAL(get(&Read), Readers, "tasks before one with inout");
    Value = 2;
  }
  // What was in is out now; the tasks above keep what it was.
#pragma omp depobj(Reads) update(out)
#pragma omp task depend(depobj : Reads) shared(Value)
  {
    CHECK_EQUAL(Value, 2, "behind an object of kind inout");
    Value = 3;
  }
#pragma omp task depend(in : Cell[0]) shared(Value)
  CHECK_EQUAL(Value, 3, "behind an object that is out after an update");
#pragma omp depobj(Reads) destroy
#pragma omp depobj(Writes) destroy
  set(Held, 1);
  // Another address, in the memory of the one that is gone.
#pragma omp depobj(Writes) depend(inout : Cell[1])
  int Other = 0;
#pragma omp task depend(depobj : Writes) shared(Other)
  Other = 1;
#pragma omp task depend(in : Cell[1]) shared(Other)
  CHECK_EQUAL(Other, 1, "behind an object that was made again");
#pragma omp depobj(Writes) destroy
#pragma omp taskwait
  CHECK_EQUAL(Value, 3, "all tasks");
}

/// mutexinoutset and inoutset: before and after a writer, in no order among
/// themselves.
static void sets(void) {
  int Inside = 0, Plain = 0, Together = 0;
  omp_depend_t Mutex, Set;
#pragma omp depobj(Mutex) depend(mutexinoutset : Cell[2])
#pragma omp depobj(Set) depend(inoutset : Cell[3])
#pragma omp task depend(out : Cell[2], Cell[3]) shared(Plain)
  Plain = 10;
  for (int I = 0; I < Readers; ++I) {
#pragma omp task depend(depobj : Mutex) shared(Inside, Plain)
    {
      CHECK_EQUAL(add(&Inside, 1), 1, "tasks that exclude each other");
      ++Plain;
      add(&Inside, -1);
    }
#pragma omp task depend(depobj : Set) shared(Together)
    add(&Together, 1);
  }
#pragma omp task depend(in : Cell[2], Cell[3]) shared(Plain, Together)
  {
    CHECK_EQUAL(Plain, 10 + Readers, "behind objects of mutexinoutset");
    CHECK_EQUAL(get(&Together), Readers, "behind objects of inoutset");
  }
#pragma omp depobj(Mutex) destroy
#pragma omp depobj(Set) destroy
#pragma omp taskwait
}

/// An object of several addresses, beside others; and a taskwait by an object.
static void several(void) {
  int Before = 0, After = 0;
  omp_depend_t All, One;
#pragma omp depobj(All) depend(iterator(int I = 0 : Cells), inout : Cell[I])
#pragma omp depobj(One) depend(in : Cell[5])
  for (int I = 0; I < Cells; ++I) {
#pragma omp task depend(out : Cell[I]) shared(Before)
    add(&Before, 1);
  }
  char Own;
#pragma omp task depend(depobj : All, One) depend(out : Own)                   \
    shared(Before, After, Own)
  {
    CHECK_EQUAL(get(&Before), Cells, "tasks before an object of several");
    add(&After, 1);
  }
#pragma omp taskwait depend(depobj : One)
  CHECK_EQUAL(get(&After), 1, "what a taskwait with an object waits for");
#pragma omp depobj(All) destroy
#pragma omp depobj(One) destroy
}

int main(void) {
  for (int Round = 0; Round < Rounds; ++Round) {
    int Held = 0;
#pragma omp parallel
#pragma omp single
    {
      ordered(&Held);
      sets();
      several();
    }
  }
  return 0;
}
