// A thread in a `taskwait depend` runs what it waits for, also where that hides
// among others, and none of the other tasks of its own: it would have to end
// them before it goes on.
//
// Patience is long, so that no clock decides; behind it all tasks run.
//
// RUN: %build
// RUN: %run-each --threads 2,3,8 --policies active,passive --env KMP_TASK_TUNING=AwaitPatience=100000000 %t
// RUN: %run-each --threads 2,8 --policies active,passive --env KMP_TASK_TUNING=AwaitPatience=1000 %t impatient
// What an impatient thread looks for is in lists with locks, and in no deque:
// RUN: %run-each --threads 2,8 --policies active,passive --env KMP_TASK_TUNING=AwaitPatience=1000 --env KMP_TASK_QUEUES=machine %t impatient

#include "check.h"

enum { Rounds = 8, Others = 10 };

/// Where the test's thread waits, and how many others it has begun there.
static int Waits, BegunThere;
static int WaitsOn = -1; ///< its number

static void other(void) {
  if (get(&Waits) && omp_get_thread_num() == get(&WaitsOn))
    add(&BegunThere, 1);
}

static void createOthers(int Number) {
  for (int I = 0; I < Number; ++I) {
#pragma omp task
    other();
  }
}

static void beginWait(void) {
  set(&WaitsOn, omp_get_thread_num());
  set(&Waits, 1);
}
static void endWait(void) { set(&Waits, 0); }

/// Keeps all other threads until \p Go is set.
static void holdOthers(int *Held, int *Go) {
  const int Number = omp_get_num_threads() - 1;
  for (int I = 0; I < Number; ++I) {
#pragma omp task firstprivate(Held, Go)
    {
      add(Held, 1);
      WAIT_FOR(Go, 1);
    }
  }
  WAIT_FOR(Held, Number);
}

/// All lies in the deque of the thread that waits, below and above others.
static void chainBelowOthers(void) {
  int X = 0, Y = 0, Held = 0, Go = 0;
  holdOthers(&Held, &Go);
  for (int I = 0; I < 5; ++I) {
    createOthers(2);
#pragma omp task depend(inout : X) shared(X)
    ++X;
#pragma omp task depend(inout : Y) shared(Y)
    ++Y, other();
  }
  createOthers(Others);
  beginWait();
#pragma omp taskwait depend(in : X)
  endWait();
  CHECK_EQUAL(X, 5, "the chain has run");
  set(&Go, 1);
#pragma omp taskwait
}

/// The named task runs elsewhere, for longer than the others take to be
/// created; a taskwait or an undeferred task waits for it.
static void namedElsewhere(int ByUndeferred) {
  int X = 0, Begun = 0;
#pragma omp task depend(out : X) shared(X, Begun)
  {
    set(&Begun, 1);
    usleep(5000);
    X = 1;
  }
  WAIT_FOR(&Begun, 1);
  createOthers(Others);
  beginWait();
  if (ByUndeferred) {
#pragma omp task depend(in : X) if (0)
    endWait();
  } else {
#pragma omp taskwait depend(in : X)
    endWait();
  }
  CHECK_EQUAL(X, 1, "the task has run");
#pragma omp taskwait
}

/// The thread runs the named task itself, for longer than its patience lasts.
/// That was all: it begins no other one behind it.
static void namedOutlastsPatience(void) {
  int X = 0, Held = 0, Go = 0;
  holdOthers(&Held, &Go);
#pragma omp task depend(out : X) shared(X)
  {
    usleep(20000);
    X = 1;
  }
  createOthers(Others);
  beginWait();
#pragma omp taskwait depend(in : X)
  endWait();
  CHECK_EQUAL(X, 1, "the task has run");
  set(&Go, 1);
#pragma omp taskwait
}

/// The named task waits for two of its own that want two threads.
static void childrenOfNamed(void) {
  int X = 0, Begun = 0, Meet = 0;
#pragma omp task depend(out : X) shared(X, Begun, Meet)
  {
    set(&Begun, 1);
    for (int I = 0; I < 2; ++I) {
#pragma omp task shared(Meet)
      {
        add(&Meet, 1);
        WAIT_FOR(&Meet, 2);
      }
    }
#pragma omp taskwait
    X = 1;
  }
  WAIT_FOR(&Begun, 1);
  createOthers(Others);
  beginWait();
#pragma omp taskwait depend(in : X)
  endWait();
  CHECK_EQUAL(X, 1, "the task has run");
#pragma omp taskwait
}

/// Each step belongs to another thread.
static void strictSteps(void) {
  int X = 0;
  for (int I = 0; I < 3 * omp_get_num_threads(); ++I) {
#pragma omp task depend(inout : X) shared(X) affinity(thread : I, strict)
    ++X;
    createOthers(1);
  }
  beginWait();
#pragma omp taskwait depend(in : X)
  endWait();
  CHECK_EQUAL(X, 3 * omp_get_num_threads(), "all steps have run");
#pragma omp taskwait
}

/// A taskwait below a taskwait, each for a chain, with others in both.
static void nested(int Depth) {
  int X = 0;
  createOthers(3);
  for (int I = 0; I < 3; ++I) {
#pragma omp task depend(inout : X) shared(X) firstprivate(Depth)
    {
      if (Depth > 0)
        nested(Depth - 1);
      ++X;
    }
    createOthers(1);
  }
#pragma omp taskwait depend(in : X)
  CHECK_EQUAL(X, 3, "the chain has run");
}

/// Two threads wait, each for a task that only the other one may run.
static void crosswise(void) {
  int Begun = 0;
  for (int I = 0; I < 2; ++I) {
#pragma omp task affinity(thread : I, strict) shared(Begun) firstprivate(I)
    {
      int X = 0;
      add(&Begun, 1);
      WAIT_FOR(&Begun, 2);
      createOthers(3);
#pragma omp task depend(out : X) affinity(thread : 1 - I, strict) shared(X)
      X = 1;
#pragma omp taskwait depend(in : X)
      CHECK_EQUAL(X, 1, "the other one has run it");
#pragma omp taskwait
    }
  }
#pragma omp taskwait
}

/// What the named task waits for is fulfilled by one of the others.
static void event(void) {
  int X = 0, Held = 0, Go = 0;
  omp_event_handle_t Event = (omp_event_handle_t)0;
  holdOthers(&Held, &Go);
#pragma omp task depend(out : X) shared(X) detach(Event)
  X = 1;
#pragma omp task firstprivate(Event)
  omp_fulfill_event(Event);
#pragma omp taskwait depend(in : X)
  CHECK_EQUAL(X, 1, "the task has run");
  set(&Go, 1);
#pragma omp taskwait
}

/// The named task needs an other one, which nothing tells. Behind its patience
/// the thread runs that.
static void flag(void) {
  int X = 0, Begun = 0, Set = 0;
#pragma omp task depend(out : X) shared(X, Begun, Set)
  {
    set(&Begun, 1);
    WAIT_FOR(&Set, 1);
    X = 1;
  }
  WAIT_FOR(&Begun, 1);
#pragma omp task shared(Set)
  set(&Set, 1);
#pragma omp taskwait depend(in : X)
  CHECK_EQUAL(X, 1, "the task has run");
#pragma omp taskwait
}

int main(int Count, char **Arguments) {
  const int IsImpatient = Count > 1 && strcmp(Arguments[1], "impatient") == 0;
#pragma omp parallel
#pragma omp single
  if (IsImpatient) {
    for (int Round = 0; Round < Rounds; ++Round)
      flag(), crosswise(), nested(3), event(), namedOutlastsPatience();
  } else {
    for (int Round = 0; Round < Rounds; ++Round) {
      chainBelowOthers();
      namedElsewhere(0);
      namedElsewhere(1);
      childrenOfNamed();
      strictSteps();
      crosswise();
      nested(3);
      event();
    }
  }
  CHECK_EQUAL(BegunThere, 0, "other tasks that the thread began in a wait");
  return 0;
}
