// With KMP_TASK_SCHEDULER=stock tasks run in the order, and where, that libomp
// as released chooses: what the hooks change there shows here. A line for each
// kind of task; the two runtimes have to print the same.
//
// REQUIRES: stock
// RUN: %build
// RUN: env KMP_TASK_SCHEDULER=stock OMP_MAX_TASK_PRIORITY=9 LD_PRELOAD=%libomp %run %t >%t.ours 2>&1
// RUN: env OMP_MAX_TASK_PRIORITY=9 LD_PRELOAD=%stock %run %t >%t.stock 2>&1
// RUN: diff %t.stock %t.ours

#include "check.h"

enum { Most = 1000 };

static int Here, Leave, Ran;
static int Order[Most], Runner[Most];

static void note(int Number) {
  const int At = add(&Ran, 1) - 1;
  Order[At] = Number;
  Runner[At] = omp_get_thread_num();
}

/// Prints what has run since the last call, with its thread where that is not
/// the creator.
static void print(const char *What) {
  printf("%s:", What);
  for (int I = 0; I < Ran; ++I)
    printf(Runner[I] ? " %d on %d" : " %d", Order[I], Runner[I]);
  printf("\n");
  Ran = 0;
}

/// Calls \p Create in a team of two whose other thread runs no task meanwhile.
static void alone(const char *What, void (*Create)(void)) {
  Here = Leave = 0;
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() == 1) {
    add(&Here, 1);
    WAIT_FOR(&Leave, 1);
  } else {
    WAIT_FOR(&Here, 1);
    Create();
    print(What);
    set(&Leave, 1);
  }
}

/// More than a deque has room for.
static void createMany(void) {
  for (int I = 0; I < 300; ++I) {
#pragma omp task
    note(I);
  }
#pragma omp taskwait
}

static void createNested(void) {
#pragma omp taskgroup
  for (int I = 0; I < 4; ++I) {
#pragma omp task
    {
      note(I);
      for (int J = 1; J < 4; ++J) {
#pragma omp task
        note(10 * I + J);
      }
      if (I % 2) {
#pragma omp taskwait
        note(100 + I);
      }
    }
  }
}

static void createDependent(void) {
  int X = 0, Y = 0;
  for (int I = 0; I < 3; ++I) {
#pragma omp task depend(out : X)
    note(10 * I);
    for (int J = 1; J < 5; ++J) {
#pragma omp task depend(in : X) depend(inout : Y)
      note(10 * I + J);
    }
    for (int J = 5; J < 9; ++J) {
#pragma omp task depend(in : X)
      note(10 * I + J);
    }
  }
#pragma omp taskwait depend(in : Y)
  note(100);
#pragma omp taskwait
}

static void createPriorities(void) {
  for (int I = 0; I < 12; ++I) {
#pragma omp task priority(I % 4)
    note(I);
  }
#pragma omp taskwait
}

static void createLoops(void) {
#pragma omp taskloop grainsize(3)
  for (int I = 0; I < 20; ++I)
    note(I);
#pragma omp taskloop num_tasks(64)
  for (int I = 0; I < 128; ++I)
    note(I);
}

static void createUntied(void) {
  for (int I = 0; I < 4; ++I) {
#pragma omp task untied
    {
      note(I);
#pragma omp taskyield
      note(10 + I);
    }
  }
#pragma omp taskwait
}

/// The other thread takes all tasks; the creator runs none.
static void stolen(void) {
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() == 0) {
    for (int I = 0; I < 20; ++I) {
#pragma omp task
      note(I);
    }
    WAIT_FOR(&Ran, 20);
  }
  print("stolen");
}

int main(void) {
  omp_set_dynamic(0);
  printf("%d threads, %d processors\n", omp_get_max_threads(),
         omp_get_num_procs());
  alone("many", createMany);
  alone("nested", createNested);
  alone("dependent", createDependent);
  alone("priorities", createPriorities);
  alone("loops", createLoops);
  alone("untied", createUntied);
  stolen();
  return 0;
}
