// The variables of an untied task's body live with its private ones. They are
// destroyed once: by the body, though the task has a private variable with a
// destructor as well.
//
// RUN: %clangxx -std=c++17 %s -o %t
// RUN: %run-each --threads 1,2,8 %t
// RUN: %clangxx -std=c++17 -mllvm -openmp-task-inline=false %s -o %t.drafts
// RUN: %run-each --threads 1,2,8 %t.drafts
// RUN: %clangxx -std=c++17 -O0 %s -o %t.plain
// RUN: %run-each --threads 2 %t.plain

#include "check.h"

enum { Tasks = 500 };

static int Made, Destroyed;

struct Counted {
  explicit Counted(int Value) : Value(Value) { add(&Made, 1); }
  Counted(const Counted &Other) : Value(Other.Value) { add(&Made, 1); }
  ~Counted() {
    Value = -1;
    add(&Destroyed, 1);
  }
  int Value;
};

/// A body with jumps, scheduling points and a static variable: it is compiled
/// in parts, and once more as a whole.
static void bodies(int *Sum, int *Numbers) {
  for (int I = 0; I < Tasks; ++I) {
    Counted Given(I);
#pragma omp task untied firstprivate(Given)
    {
      static int Begun;
      add(Numbers, add(&Begun, 1));
      Counted Local(Given.Value + 1);
      int Rounds = 0;
    again:
      int Got = 0;
#pragma omp task shared(Got, Local)
      Got = Local.Value;
#pragma omp taskwait
      CHECK_EQUAL(Got, Given.Value + 1, "a child sees the body's variable");
      if (++Rounds < 3)
        goto again;
#pragma omp taskyield
      CHECK_EQUAL(Rounds, 3, "the body's variable behind taskyield");
      add(Sum, Local.Value);
    }
  }
}

int main() {
  int Sum = 0, Numbers = 0;
#pragma omp parallel
#pragma omp single
  {
    bodies(&Sum, &Numbers);
#pragma omp taskwait
    CHECK_EQUAL(Sum, Tasks * (Tasks + 1) / 2, "each body ran once");
  }
  CHECK_EQUAL(Numbers, Tasks * (Tasks + 1) / 2, "one static variable");
  CHECK(Made >= 2 * Tasks, "the objects are counted");
  CHECK_EQUAL(Destroyed, Made, "each object is destroyed once");
  return 0;
}
