// OpenMP 6.0's transparent tasks: what their children come after, and what
// comes after their children; waits in them, whatever the number of threads.
//
// RUN: %build -fopenmp-version=60
// RUN: %run-each %t
// RUN: env OMP_NUM_THREADS=1 %run %t
// RUN: env OMP_NUM_THREADS=4 OMP_CANCELLATION=true %run %t
// RUN: %run-each --threads 2 --policies noblock --env KMP_TASK_SCHEDULER=stock %t

#include "check.h"

enum { Rounds = 50, Chunks = 40 };

static int X, Y;
static omp_lock_t Lock;

/// Is the next one to use X: \p Number have before.
static void use(int Number) {
  dither((unsigned)Number * 31 + 7);
  CHECK_EQUAL(get(&X), Number, "users before");
  add(&X, 1);
}

static void testImport(void) {
#pragma omp task depend(out : X)
  use(0);
#pragma omp task transparent(omp_import)
#pragma omp task depend(in : X)
  use(1);
}

static void testExport(void) {
#pragma omp task transparent(omp_export) depend(out : Y)
#pragma omp task depend(out : X)
  use(0);
#pragma omp task depend(in : X, Y)
  use(1);
}

static void testCousins(void) {
  for (int I = 0; I < 4; ++I)
#pragma omp task transparent(omp_impex) depend(inout : Y) firstprivate(I)
#pragma omp task transparent firstprivate(I)
#pragma omp task depend(inout : X) firstprivate(I)
    use(I);
}

/// A transparent task waits for a child, which waits for a sibling of the
/// task's.
static void testWait(void) {
#pragma omp task depend(out : X)
  use(0);
#pragma omp task transparent
  {
#pragma omp task depend(inout : X)
    use(1);
#pragma omp taskwait
    CHECK_EQUAL(get(&X), 2, "behind a taskwait");
#pragma omp task depend(inout : X)
    use(2);
#pragma omp taskwait depend(in : X)
    CHECK_EQUAL(get(&X), 3, "behind a taskwait with depend");
#pragma omp taskgroup
#pragma omp task depend(inout : X)
    use(3);
    CHECK_EQUAL(get(&X), 4, "behind a taskgroup");
#pragma omp task if (0) depend(inout : X)
    use(4);
  }
}

static void testFinal(void) {
#pragma omp task depend(out : X)
  use(0);
#pragma omp task transparent final(1) depend(inout : Y)
  {
#pragma omp task depend(inout : X)
    use(1);
#pragma omp task if (0) depend(inout : X)
    use(2);
  }
#pragma omp task transparent if (0) depend(inout : Y)
#pragma omp task depend(inout : X)
  use(3);
#pragma omp task depend(inout : X)
  use(4);
}

/// A child names what its own parent does, and the parent waits for it.
static void testOwnParent(void) {
#pragma omp task transparent depend(out : X)
  {
    use(0);
#pragma omp task depend(inout : X)
    use(1);
#pragma omp taskwait
    CHECK_EQUAL(get(&X), 2, "behind a taskwait");
#pragma omp task depend(inout : X)
    use(2);
  }
#pragma omp task depend(inout : X)
  use(3);
}

/// It has to wait itself; its children come behind those before it all the
/// same, and others behind them.
static void testDeferred(void) {
#pragma omp task depend(out : X, Y)
  {
    usleep(1000);
    use(0);
  }
#pragma omp task transparent depend(inout : Y)
  {
#pragma omp task depend(inout : X)
    use(1);
#pragma omp task transparent
#pragma omp task depend(inout : X)
    use(2);
  }
#pragma omp task depend(in : X)
  use(3);
}

static void testUntied(void) {
#pragma omp task depend(out : X)
  use(0);
#pragma omp task transparent untied
  {
#pragma omp taskyield
#pragma omp task depend(inout : X)
    use(1);
#pragma omp taskwait
    CHECK_EQUAL(get(&X), 2, "behind a taskwait");
  }
}

static void testMutex(void) {
  int Inside = 0;
  for (int I = 0; I < 4; ++I)
#pragma omp task transparent depend(mutexinoutset : X) shared(Inside)
  {
    CHECK_EQUAL(add(&Inside, 1), 1, "at a time");
#pragma omp task
    add(&X, 1);
#pragma omp taskwait
    add(&Inside, -1);
  }
#pragma omp taskwait
  CHECK_EQUAL(get(&X), 4, "with a mutex");
}

/// The creator fulfills the event later: it must not wait for the second task.
static void testEvent(void) {
  omp_event_handle_t Event = (omp_event_handle_t)0;
#pragma omp task depend(out : X) detach(Event)
  dither(3);
#pragma omp task transparent depend(inout : X)
#pragma omp task depend(inout : X)
  use(1);
#pragma omp task transparent
#pragma omp task depend(inout : Y)
  dither(4);
  use(0);
  omp_fulfill_event(Event);
#pragma omp taskwait
}

/// A thread that runs the second task in the taskyield does not wait there for
/// its child.
static void testYield(void) {
  omp_event_handle_t Event = (omp_event_handle_t)0;
#pragma omp task depend(out : X) detach(Event)
  dither(3);
#pragma omp task transparent
#pragma omp task depend(inout : X)
  use(1);
#pragma omp taskyield
  use(0);
  omp_fulfill_event(Event);
}

/// What a taskwait waits for has children, which the next one comes after.
static void testTaskwait(void) {
#pragma omp task transparent
#pragma omp task depend(out : X)
  {
    usleep(100);
    use(0);
  }
#pragma omp taskwait
#pragma omp task depend(inout : X)
  use(1);
}

/// Many come after the second transparent task. That does not make it one that
/// the first one, which waits, waits for: it begins elsewhere, or later.
static void testFollowers(void) {
  enum { Followers = 260 }; // fewer than a creator may run ahead
  omp_event_handle_t Event = (omp_event_handle_t)0;
  int HasBegun = 0;
  if (omp_get_num_threads() == 1)
    return;
#pragma omp task transparent depend(out : X) shared(Event, HasBegun)
  {
    omp_event_handle_t Mine = (omp_event_handle_t)0;
#pragma omp task detach(Mine)
    dither(1);
    Event = Mine;
    set(&HasBegun, 1);
#pragma omp taskwait
  }
  WAIT_FOR(&HasBegun, 1);
#pragma omp task transparent depend(out : Y)
  {
#pragma omp task depend(in : X)
    dither(2);
#pragma omp taskwait
  }
  for (int I = 0; I < Followers; ++I)
#pragma omp task depend(in : Y)
    dither(3);
  usleep(2000);
  omp_fulfill_event(Event);
#pragma omp taskwait
}

/// Undeferred, and what comes behind it waits for its event.
static void testUndeferredEvent(void) {
  int HasRun = 0;
  omp_event_handle_t Event = (omp_event_handle_t)0;
#pragma omp task depend(out : Y)
  usleep(200);
#pragma omp task transparent detach(Event) if (0) depend(out : X) shared(HasRun)
  {
    use(0);
    set(&HasRun, 1);
  }
  CHECK(get(&HasRun), "an undeferred one is over");
#pragma omp task depend(in : X)
  CHECK_EQUAL(get(&X), 2, "behind the event");
  add(&X, 1);
  omp_fulfill_event(Event);
}

static void testLoop(void) {
#pragma omp task depend(out : X)
  use(0);
#pragma omp taskloop transparent(omp_impex) num_tasks(Chunks) nogroup
  for (int I = 0; I < Chunks; ++I)
#pragma omp task depend(inoutset : X)
  {
    CHECK(get(&X) >= 1, "of the loop");
    add(&X, 1);
  }
#pragma omp task depend(in : X)
  use(1 + Chunks);
}

static int NumInside;
#pragma omp threadprivate(NumInside)

/// Waits in a transparent task, which holds a lock: what the thread runs there
/// does not want it, as no descendant of the task waits for that.
static void testLocks(void) {
  for (int I = 0; I < 8; ++I) {
#pragma omp task depend(out : X)
    dither(1);
#pragma omp task transparent
    {
      omp_set_lock(&Lock);
      ++NumInside;
#pragma omp task depend(in : X)
      dither(2);
#pragma omp taskwait
      CHECK_EQUAL(NumInside, 1, "tasks with the lock on top of each other");
      --NumInside;
      omp_unset_lock(&Lock);
#pragma omp critical
#pragma omp taskgroup
#pragma omp task depend(in : X)
      dither(3);
    }
#pragma omp task depend(inout : Y)
    {
      omp_set_lock(&Lock);
      CHECK_EQUAL(NumInside, 0, "on top of a task with the lock");
      omp_unset_lock(&Lock);
#pragma omp critical
      dither(4);
    }
  }
}

/// A transparent task, which waits for its children while all other threads are
/// in such a task, too. These wait for what nobody has begun.
static void waitInside(int *NumInside, int Threads) {
  int Z[Chunks] = {0}, Gate;
  omp_event_handle_t Event = (omp_event_handle_t)0;
#pragma omp task depend(out : Gate) detach(Event)
  dither(1);
  for (int I = 0; I < Chunks; ++I)
#pragma omp task depend(in : Gate) depend(out : Z[I]) shared(Z)
    set(&Z[I], 1);
#pragma omp task transparent shared(Z)
  {
    add(NumInside, 1);
    WAIT_FOR(NumInside, Threads);
    omp_fulfill_event(Event);
    for (int J = 0; J < Chunks - 1; ++J)
#pragma omp task depend(in : Z[J], Z[J + 1]) shared(Z)
      CHECK(get(&Z[J]) && get(&Z[J + 1]), "%d begins", J);
#pragma omp taskwait
  }
#pragma omp taskwait
}

/// Each thread in a task of its own: none is free to begin another one's.
static void testAllWait(void) {
  int NumInside = 0;
#pragma omp parallel
#pragma omp task if (0) shared(NumInside)
  waitInside(&NumInside, omp_get_num_threads());
}

/// A graph with such a task is not recorded: its children would be ordered
/// among themselves only.
static void body(void *Unused) {
  (void)Unused;
#pragma omp task depend(out : X)
  use(0);
#pragma omp task transparent if (0)
#pragma omp task depend(inout : X)
  use(1);
}
static void testGraph(void) {
  for (int I = 0; I < 3; ++I) {
    set(&X, 0);
    omp_taskgraph(1, 0, body, NULL, 0);
    CHECK_EQUAL(get(&X), 2, "behind the graph");
  }
}

static void addTask(void *Unused) {
  (void)Unused;
#pragma omp task depend(inout : Y)
  add(&Y, 1);
}
/// A graph that has been recorded waits for nobody else's tasks, whatever the
/// table of the task: one of these wants the lock.
static void testGraphWait(void) {
  omp_taskgraph(2, 0, addTask, NULL, 0);
#pragma omp task depend(out : X)
  {
    dither(5);
    omp_set_lock(&Lock);
    add(&X, 1);
    omp_unset_lock(&Lock);
  }
#pragma omp task transparent if (0)
  {
    omp_set_lock(&Lock);
    omp_taskgraph(2, 0, addTask, NULL, 0);
    omp_unset_lock(&Lock);
  }
#pragma omp taskwait
  CHECK_EQUAL(get(&X), 1, "behind all");
  CHECK_EQUAL(get(&Y), 2, "behind two graphs");
}

/// A thread whose list is full releases tasks: it does not begin the second one
/// before it has released the first, which the child there waits for.
static void testRelease(void) {
  enum { Many = 600 };
  const int Others = omp_get_num_threads() - 1;
  int HasRun = 0, NumBusy = 0, IsOver = 0;
  omp_event_handle_t Event = (omp_event_handle_t)0;
  if (Others == 0)
    return;
#pragma omp task depend(out : X) detach(Event) shared(HasRun)
  set(&HasRun, 1);
  WAIT_FOR(&HasRun, 1);
#pragma omp task depend(in : X) depend(out : Y)
  use(0);
#pragma omp task transparent depend(in : X)
  {
#pragma omp task depend(in : Y)
    use(1);
#pragma omp taskwait
  }
  for (int I = 0; I < Others; ++I)
#pragma omp task shared(NumBusy, IsOver)
  {
    add(&NumBusy, 1);
    WAIT_FOR(&IsOver, 1);
  }
  WAIT_FOR(&NumBusy, Others);
  for (int I = 0; I < Many; ++I)
#pragma omp task
    dither(1);
  omp_fulfill_event(Event);
  set(&IsOver, 1);
#pragma omp taskwait
}

/// The value decides when the program runs.
static void testValue(omp_impex_t Value) {
#pragma omp task depend(out : X)
  use(0);
#pragma omp task transparent(Value)
  {
#pragma omp task depend(inout : Y)
    add(&Y, 1);
#pragma omp taskwait
  }
}

/// While it waits, the thread may run what its implicit task has created, and
/// nothing else: no tied task of another one.
static void testConstraint(void) {
  int Waits = 0;
  omp_event_handle_t Event = (omp_event_handle_t)0;
  X = 0;
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() == 0) {
#pragma omp task depend(out : X) detach(Event)
    dither(1);
    // The other one of the team knows the event.
    add(&X, 1);
#pragma omp task transparent
    {
#pragma omp task depend(in : X)
      dither(2);
      set(&Waits, 1);
#pragma omp taskwait
      set(&Waits, 0);
    }
  } else {
    WAIT_FOR(&X, 1);
    WAIT_FOR(&Waits, 1);
    for (int I = 0; I < Chunks; ++I)
#pragma omp task
      CHECK(omp_get_thread_num() != 0 || !get(&Waits), "on top of another's");
    usleep(1000);
    omp_fulfill_event(Event);
  }
}

static void inTeam(void (*Test)(void), int IsInTask) {
  for (int I = 0; I < Rounds; ++I) {
    X = Y = 0;
#pragma omp parallel
#pragma omp single nowait
    if (IsInTask) {
#pragma omp task transparent depend(out : Y) firstprivate(Test)
      Test();
    } else {
      Test();
    }
  }
}

static void testValues(void) {
  testValue(omp_not_impex);
#pragma omp taskwait
  X = 0;
  testValue(omp_export);
}

int main(void) {
  void (*const Tests[])(void) = {
      testImport,    testExport,    testCousins,         testWait,
      testFinal,     testOwnParent, testDeferred,        testUntied,
      testMutex,     testEvent,     testUndeferredEvent, testLoop,
      testValues,    testLocks,     testYield,           testTaskwait,
      testFollowers, testGraph,     testGraphWait,       testRelease};
  omp_init_lock(&Lock);
  for (size_t I = 0; I < sizeof(Tests) / sizeof(*Tests); ++I) {
    inTeam(Tests[I], 0);
    inTeam(Tests[I], 1);
  }
  for (int I = 0; I < Rounds; ++I)
    testAllWait();
  if (omp_get_max_threads() > 1)
    for (int I = 0; I < Rounds; ++I)
      testConstraint();
  return 0;
}
