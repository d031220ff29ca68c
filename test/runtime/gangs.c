// Tasks of one creator that wait for each other, or for what it does after it
// has created them: OpenMP promises them nothing, docs/scheduler.md does.
// What comes before them lets tasks run in place sooner.
//
// RUN: %clang -c %S/Inputs/inline_state.c -o %t.state.o
// RUN: %clang -I%S/Inputs %s %t.state.o -o %t
// RUN: %run-each --threads 2,4,16,64 --policies active %t
// RUN: %if native %{ %run --env OMP_NUM_THREADS=300 --env OMP_WAIT_POLICY=active %t %}
// RUN: %run-each --threads 4 --policies active --env KMP_TASK_QUEUES=adaptive %t any
// RUN: %run-each --threads 4 --policies active --env KMP_TASK_QUEUES=core %t real
// RUN: %clang -I%S/Inputs -mllvm -openmp-task-inline=false %s %t.state.o -o %t.drafts
// RUN: %run-each --threads 2,16 --policies active,passive %t.drafts
// RUN: sed -E 's/omp task( |$)/omp task untied\1/' %s > %t.untied.c
// RUN: %clang -I%S -I%S/Inputs %t.untied.c %t.state.o -o %t.untied
// RUN: %run-each --threads 2,16 --policies active %t.untied

#include "check.h"
#include "inline_state.h"

static int InPlace; ///< tasks of what comes before
static int Nothing;

//===----------------------------------------------------------------------===//
// What comes before
//===----------------------------------------------------------------------===//

static void count(void) { add(&InPlace, inlineDepth() != 0); }

static void fib(int N) {
  count();
  if (N < 2)
    return;
#pragma omp task
  fib(N - 1);
#pragma omp task
  fib(N - 2);
#pragma omp taskwait
}

static void fresh(void) {}

static void recursion(void) {
  for (int I = 0; I < 3; ++I)
    fib(18);
}

static void loop(int Tasks) {
  for (int I = 0; I < Tasks; ++I) {
#pragma omp task
    count();
  }
#pragma omp taskwait
}

static void shortLoops(void) {
  for (int I = 0; I < 100; ++I)
    loop(100);
}

static void longLoop(void) { loop(20000); }

// These leave some tasks in the queue.
enum { Left = 5 };

static void leaveSome(void) {
  for (int I = 0; I < Left; ++I) {
#pragma omp task
    add(&Nothing, 1);
  }
}

static void recursionAmongOthers(void) {
  leaveSome();
#pragma omp taskgroup
  {
#pragma omp task
    recursion();
  }
}

static void undeferredAmongOthers(void) {
  leaveSome();
#pragma omp task if (0)
  recursion();
}

static void grandchildren(void) {
  recursion();
#pragma omp task if (0)
  leaveSome();
}

//===----------------------------------------------------------------------===//
// Gangs
//===----------------------------------------------------------------------===//

/// As many tasks as threads meet.
static void meet(void) {
  const int Threads = omp_get_num_threads();
  int Here = 0;
  for (int I = 0; I < Threads; ++I) {
#pragma omp task shared(Here)
    {
      add(&Here, 1);
      WAIT_FOR(&Here, Threads);
    }
  }
#pragma omp taskwait
}

/// Tasks wait for a flag that their creator sets when it has made all.
static void flag(int Tasks) {
  int Flag = 0;
  for (int I = 0; I < Tasks; ++I) {
#pragma omp task shared(Flag)
    WAIT_FOR(&Flag, 1);
  }
  set(&Flag, 1);
#pragma omp taskwait
}

/// Tasks want a lock that their creator holds while it makes them.
static void lock(int Tasks) {
  int Free = 0;
  for (int I = 0; I < Tasks; ++I) {
#pragma omp task shared(Free)
    {
      do
        WAIT_FOR(&Free, 1);
      while (!__atomic_exchange_n(&Free, 0, __ATOMIC_SEQ_CST));
      set(&Free, 1);
    }
  }
  set(&Free, 1);
#pragma omp taskwait
}

//===----------------------------------------------------------------------===//

/// Runs \p Body in a task, or not.
static void within(int InTask, void (*Body)(void)) {
  if (!InTask) {
    Body();
    return;
  }
#pragma omp task
  Body();
#pragma omp taskwait
}

static void (*Before)(void);
static int Promised;

static void flagAfter(void) {
  Before();
  flag(Promised);
}
static void lockAfter(void) {
  Before();
  lock(Promised);
}
static void meetAfter(void) {
  Before();
  meet();
}

/// The others are busy elsewhere: all that thread 0 creates stays in its queue.
static void alone(int InTask, void (*Body)(void)) {
  int Done = 0;
#pragma omp parallel shared(Done)
  {
    if (omp_get_thread_num() == 0) {
      within(InTask, Body);
      set(&Done, 1);
    }
    WAIT_FOR(&Done, 1);
  }
}

static void together(int InTask, void (*Body)(void)) {
#pragma omp parallel
#pragma omp single
  for (int I = 0; I < 3; ++I)
    within(InTask, Body);
}

int main(int ArgCount, char **Args) {
  const char *const Expected = ArgCount > 1 ? Args[1] : "in place";
  // The number of threads, but no less than the queue of one thread holds.
  const int Most = omp_get_max_threads() > 256 ? omp_get_max_threads() : 256;
  void (*const Cases[])(void) = {fresh, recursion, shortLoops, longLoop};
  void (*const Leaving[])(void) = {recursionAmongOthers, undeferredAmongOthers,
                                   grandchildren};
  // Many threads take their time.
  const unsigned NumCases = Most > 256 ? 2 : sizeof(Cases) / sizeof(Cases[0]);
  for (int InTask = 0; InTask < 2; ++InTask)
    for (unsigned I = 0; I < NumCases; ++I) {
      Before = Cases[I];
      Promised = Most;
      alone(InTask, flagAfter);
      alone(InTask, lockAfter);
      together(InTask, meetAfter);
    }
  // Others' tasks in the queue: a promise to implicit tasks only.
  for (unsigned I = 0; I < sizeof(Leaving) / sizeof(Leaving[0]); ++I) {
    Before = Leaving[I];
    Promised = Most - Left;
    alone(0, flagAfter);
    alone(0, lockAfter);
  }
  if (strcmp(Expected, "any") != 0)
    CHECK((InPlace > 1000) == (strcmp(Expected, "real") != 0),
          "%d tasks in place", InPlace);
  return 0;
}
