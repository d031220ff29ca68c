// A creator that runs ahead has no more tasks with dependences than the limit
// says, and comes to its end whatever these wait for.
//
// RUN: %build
// RUN: %run-each --threads 1,2,3,8 %t
// RUN: %run-each --threads 1,2,8 --env KMP_TASK_DEPENDENT_LIMIT=8 %t
// RUN: %run-each --threads 2,8 --env KMP_TASK_DEPENDENT_LIMIT=100 %t
// RUN: %run-each --threads 2 --env KMP_TASK_DEPENDENT_LIMIT=0 %t
// RUN: %run-each --threads 2 --policies active --env KMP_TASK_SCHEDULER=stock %t

#include "check.h"

enum { Tasks = 20000, Cells = 16, Apart = 64 };

static char Cell[Cells * Apart];
static int Created, Ended, Farthest;

/// The most tasks that a creator may have that have not ended; 0 = any number.
static int limit(void) {
  const char *Scheduler = getenv("KMP_TASK_SCHEDULER");
  if (Scheduler && strcmp(Scheduler, "stock") == 0)
    return 0;
  const char *Text = getenv("KMP_TASK_DEPENDENT_LIMIT");
  return Text ? atoi(Text) : 256 + 32 * omp_get_num_threads();
}

static void noteDistance(void) {
  int Distance = add(&Created, 1) - get(&Ended);
  if (Distance > Farthest)
    Farthest = Distance;
}

/// One of the other tasks can always be run by the creator: the limit holds
/// exactly, but for what others have not told yet.
static void stream(void) {
  int Limit = 0;
  Created = Ended = Farthest = 0;
#pragma omp parallel
#pragma omp single
  {
    Limit = limit();
    for (int I = 0; I < Tasks; ++I) {
      noteDistance();
#pragma omp task depend(inout : Cell[I % Cells * Apart])
      add(&Ended, 1);
    }
  }
  CHECK_EQUAL(Ended, Tasks, "tasks of a stream");
  // A task in place has no node, and does not count.
  if (Limit && omp_get_max_threads() == 1)
    CHECK(Farthest <= Limit + 1, "%d tasks, limit %d", Farthest, Limit);
}

/// All wait for the first one, which waits for the creator's last word: there
/// is nothing to run, and the creator goes on.
static void behindOne(void) {
  int IsMade = 0, Ran = 0;
#pragma omp parallel if (omp_get_max_threads() > 1)
#pragma omp single
  if (omp_get_num_threads() > 1) {
    int HasBegun = 0;
#pragma omp task depend(out : Cell[0]) shared(IsMade, HasBegun)
    {
      set(&HasBegun, 1);
      WAIT_FOR(&IsMade, 1);
    }
    WAIT_FOR(&HasBegun, 1); // not on this thread
    for (int I = 0; I < 3000; ++I) {
#pragma omp task depend(in : Cell[0]) shared(Ran)
      add(&Ran, 1);
    }
    CHECK_EQUAL(get(&Ran), 0, "tasks behind one that runs");
    set(&IsMade, 1);
  } else {
    Ran = 3000;
  }
  CHECK_EQUAL(Ran, 3000, "tasks behind one");
}

/// They wait for a detached task whose event comes after the last of them.
static void behindEvent(void) {
  int Ran = 0;
#pragma omp parallel
#pragma omp single
  {
    omp_event_handle_t Event;
#pragma omp task detach(Event) depend(out : Cell[0])
    {
    }
    for (int I = 0; I < 3000; ++I) {
#pragma omp task depend(inout : Cell[0]) shared(Ran)
      add(&Ran, 1);
#pragma omp taskyield
    }
    CHECK_EQUAL(get(&Ran), 0, "tasks behind an event");
    omp_fulfill_event(Event);
  }
  CHECK_EQUAL(Ran, 3000, "tasks behind an event");
}

/// The creator holds a lock that other tasks want, which are not its children:
/// it may not be given one of them to run.
static void withLock(void) {
  omp_lock_t Lock;
  int Ran = 0, Held = 0;
  omp_init_lock(&Lock);
#pragma omp parallel
#pragma omp single
  {
#pragma omp task shared(Lock, Held)
    {
      omp_set_lock(&Lock);
      set(&Held, 1);
      for (int I = 0; I < 2000; ++I) {
#pragma omp task depend(inout : Cell[I % Cells * Apart]) shared(Ran)
        add(&Ran, 1);
      }
      omp_unset_lock(&Lock);
    }
    if (omp_get_num_threads() > 1)
      WAIT_FOR(&Held, 1);
    for (int I = 0; I < 100; ++I) {
#pragma omp task shared(Lock, Ran)
      {
        omp_set_lock(&Lock);
        ++Ran, --Ran;
        omp_unset_lock(&Lock);
      }
    }
  }
  omp_destroy_lock(&Lock);
  CHECK_EQUAL(Ran, 2000, "tasks of a creator with a lock");
}

/// Creators below creators.
static void nested(int Depth, int *Ran) {
  char Mine[Cells];
  for (int I = 0; I < 64; ++I) {
#pragma omp task depend(inout : Mine[I % Cells]) shared(Ran) firstprivate(Depth)
    {
      add(Ran, 1);
      if (Depth > 1)
        nested(Depth - 1, Ran);
    }
  }
#pragma omp taskwait
}

int main(void) {
  for (int Round = 0; Round < 3; ++Round) {
    stream();
    behindOne();
    behindEvent();
    withLock();
    int Ran = 0;
#pragma omp parallel
#pragma omp single
    nested(3, &Ran);
    CHECK_EQUAL(Ran, 64 + 64 * 64 + 64 * 64 * 64, "tasks of nested creators");
  }
  return 0;
}
