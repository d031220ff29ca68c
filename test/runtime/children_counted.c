// A task that has created many children waits for all of them, and no longer,
// whatever it does in between: its thread counts children in advance, and must
// give the rest back wherever it waits, looks for tasks, or leaves the task.
//
// RUN: %build
// RUN: %run-each %t

#include "check.h"

enum { MostChildren = 75 };

static int Ended;

static void child(unsigned Seed) {
  dither(Seed);
  add(&Ended, 1);
}

static void create(int Children) {
  for (int I = 0; I < Children; ++I)
#pragma omp task firstprivate(I)
    child((unsigned)I);
}

/// What a creator does with some children counted in advance.
enum {
  Nothing,
  Yield,
  Undeferred,
  UndeferredCreator,
  Untied,
  Group,
  WaitDepend,
  Region,
  SerialRegion,
  Final,
  Detached,
  Grandchildren,
  Loop,
  SplitLoop,
  NumSwitches
};

/// Returns how many children and other descendants it makes that count.
static int switchTask(int What) {
  int Token = 0;
  switch (What) {
  case Yield: {
#pragma omp taskyield
    return 0;
  }
  case Undeferred:
#pragma omp task if (0)
    child(1);
    return 1;
  case UndeferredCreator:
#pragma omp task if (0)
  {
    create(20);
#pragma omp taskwait
    child(1);
  }
    return 21;
  case Untied:
#pragma omp task untied
  {
    create(20);
#pragma omp taskyield
    create(20);
    // Each of these ends a part, on whichever thread it is.
    for (int I = 0; I < 20; ++I)
#pragma omp task firstprivate(I)
      child((unsigned)I);
#pragma omp taskwait
    child(1);
  }
    return 61;
  case Group: {
    int Before = get(&Ended);
#pragma omp taskgroup
    create(20);
    CHECK(get(&Ended) >= Before + 20, "the taskgroup ended early");
    return 20;
  }
  case WaitDepend:
#pragma omp task depend(out : Token) shared(Token)
  {
    child(1);
    set(&Token, 1);
  }
#pragma omp taskwait depend(in : Token)
    CHECK_EQUAL(get(&Token), 1, "taskwait depend");
    return 1;
  case Region:
#pragma omp parallel num_threads(2)
    create(20);
    return 40;
  case SerialRegion:
#pragma omp parallel num_threads(1)
    create(20);
    return 20;
  case Final:
#pragma omp task final(1)
    create(20);
    return 20;
  case Detached: {
    omp_event_handle_t Event = (omp_event_handle_t)0;
#pragma omp task detach(Event)
    {
      create(20);
#pragma omp taskwait
    }
#pragma omp task firstprivate(Event)
    omp_fulfill_event(Event);
    return 20;
  }
  case Grandchildren:
#pragma omp task
  {
    create(20);
#pragma omp taskwait
    create(20);
#pragma omp taskwait
  }
    return 40;
  case Loop:
#pragma omp taskloop grainsize(1)
    for (int I = 0; I < 20; ++I)
      child((unsigned)I);
    return 20;
  case SplitLoop: // by tasks that make some of its tasks each
#pragma omp taskloop grainsize(1) nogroup
    for (int I = 0; I < 300; ++I)
      child((unsigned)I);
    return 300;
  }
  return 0;
}

/// \p First children, then \p What, then \p Second more; all have ended behind.
static void wave(int First, int What, int Second) {
#pragma omp taskgroup
  {
    create(First);
    switchTask(What);
    create(Second);
  }
}

/// As wave(), and what ends before the taskwait is counted exactly.
static void waitForAll(int First, int What, int Second) {
  set(&Ended, 0);
  create(First);
  int All = First + Second + switchTask(What);
  create(Second);
#pragma omp taskwait
  CHECK_EQUAL(get(&Ended), All, "children behind taskwait");
}

/// The creator enters a barrier without a task to run: all have run elsewhere.
static void barrierWithNothingToRun(int Children) {
  set(&Ended, 0);
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 0 && omp_get_num_threads() == 2) {
      create(Children);
      WAIT_FOR(&Ended, Children);
    }
#pragma omp barrier
  }
}

int main(void) {
  omp_set_max_active_levels(2);
  for (int Children = 5; Children < MostChildren; Children += 7)
    barrierWithNothingToRun(Children);
  for (int What = 0; What < NumSwitches; ++What)
    for (int First = 0; First < MostChildren; First += 11) {
      int Second = MostChildren - First;
    // The creator is an implicit task, then explicit ones, tied and not, that
    // wait, and such that end without.
#pragma omp parallel
#pragma omp single
      waitForAll(First, What, Second);
#pragma omp parallel
#pragma omp single
      {
#pragma omp task
        waitForAll(First, What, Second);
#pragma omp taskwait
#pragma omp task untied
        waitForAll(First, What, Second);
#pragma omp taskwait
#pragma omp taskgroup
        {
#pragma omp task
          {
            create(First);
            switchTask(What);
            create(Second);
          }
        }
      }
      set(&Ended, 0);
      int Expected = 0;
#pragma omp parallel
      {
#pragma omp single nowait
        {
          create(First);
          Expected = switchTask(What);
        }
#pragma omp barrier
      // The creator goes on behind the barrier.
#pragma omp single nowait
        create(Second);
      }
      CHECK_EQUAL(get(&Ended), First + Second + Expected, "region");
#pragma omp parallel
#pragma omp single
      wave(First, What, Second);
    }
  return 0;
}
