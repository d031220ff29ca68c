// omp_taskgraph: when the body runs, and what the tasks that run instead see.
//
// RUN: %build
// RUN: %run-each %t
// RUN: env OMP_NUM_THREADS=1 %run %t
// RUN: %run-each --threads 2,8 --policies noblock --env KMP_TASK_SCHEDULER=stock %t
// RUN: env OMP_NUM_THREADS=4 OMP_CANCELLATION=true %run %t cancel
// RUN: env OMP_NUM_THREADS=2 OMP_WAIT_POLICY=passive %run %t crowd
// RUN: env OMP_NUM_THREADS=4 %run %t wrong 2> %t.wrong
// RUN: FileCheck --input-file=%t.wrong %s
// CHECK: omp_taskgraph: there is no body.
// CHECK: omp_taskgraph: unknown flags are ignored.
// CHECK: omp_taskgraph: there is no argument, but it has a size.
// CHECK: taskgraph: an untied task cannot be recorded; the region runs its body each time.
// CHECK-NOT: Warning

#include "check.h"

enum { Tasks = 100 };
static int Bodies, Ran;

static void expectCounts(int WantBodies, int WantRan, const char *Where) {
  CHECK_EQUAL(get(&Bodies), WantBodies, Where);
  CHECK_EQUAL(get(&Ran), WantRan, Where);
  set(&Bodies, 0);
  set(&Ran, 0);
}

static void independent(void *Argument) {
  (void)Argument;
  add(&Bodies, 1);
  for (int I = 0; I < Tasks; ++I)
#pragma omp task
    add(&Ran, 1);
}

static void testFlags(void) {
  for (int I = 0; I < 10; ++I)
    omp_taskgraph(1, 0, independent, NULL, 0);
  expectCounts(1, 10 * Tasks, "again");
  omp_taskgraph(2, 0, independent, NULL, 0);
  expectCounts(1, Tasks, "another id");
  int Argument;
  omp_taskgraph(1, 0, independent, &Argument, 0);
  expectCounts(1, Tasks, "another argument");
  omp_taskgraph(1, 0, independent, NULL, 0);
  expectCounts(0, Tasks, "the first argument");
  omp_taskgraph(1, omp_taskgraph_off, independent, NULL, 0);
  expectCounts(1, Tasks, "off");
  omp_taskgraph(1, omp_taskgraph_reset, independent, NULL, 0);
  expectCounts(1, Tasks, "reset");
  omp_taskgraph(1, 0, independent, NULL, 0);
  expectCounts(0, Tasks, "behind reset");
  omp_taskgraph(99, omp_taskgraph_reset | omp_taskgraph_off, independent, NULL,
                0);
  expectCounts(1, Tasks, "an unknown id");
  for (int I = 1; I <= 2; ++I)
    omp_taskgraph((unsigned)I, omp_taskgraph_reset | omp_taskgraph_off,
                  independent, NULL, 0);
  expectCounts(2, 2 * Tasks, "forgotten");
}

// Several threads at once: each has a graph of its own.
static void testThreads(void) {
#pragma omp parallel
  for (int I = 0; I < 20; ++I)
    omp_taskgraph(3, 0, independent, NULL, 0);
  const int Threads = get(&Ran) / Tasks / 20;
  CHECK(get(&Bodies) <= Threads, "%d bodies", Bodies);
  expectCounts(get(&Bodies), 20 * Threads * Tasks, "threads");
  // In teams of other teams.
#pragma omp parallel num_threads(2)
#pragma omp parallel num_threads(2)
#pragma omp single
  omp_taskgraph(3, 0, independent, NULL, 0);
  CHECK_EQUAL(get(&Ran) % Tasks, 0, "nested teams");
  set(&Bodies, 0);
  set(&Ran, 0);
}

// So many that a fixed number of graphs would not do: all are in the region at
// once, twice.
enum { Crowd = 80 };
static int Inside;
static void meeting(void *Argument) {
  (void)Argument;
  add(&Bodies, 1);
#pragma omp task
  {
    add(&Inside, 1);
    WAIT_FOR(&Inside, get(&Ran));
  }
}
static void testCrowd(void) {
  for (int Run = 1; Run <= 2; ++Run) {
    set(&Ran, Run * Crowd);
#pragma omp parallel num_threads(Crowd)
    omp_taskgraph(12, 0, meeting, NULL, 0);
  }
  set(&Ran, 0);
  expectCounts(Crowd, 0, "crowd");
}

// A team of one thread runs the tasks as the body would: in the order of their
// creation, whatever the dependences and priorities allow.
static int Ended[9];
static void ordered(void *Argument) {
  (void)Argument;
  add(&Bodies, 1);
  for (int I = 0; I < 3; ++I) {
#pragma omp task depend(inout : Ended[I]) firstprivate(I)
    Ended[add(&Ran, 1) - 1] = 3 * I;
#pragma omp task depend(mutexinoutset : Ended[I]) priority(I) firstprivate(I)
    Ended[add(&Ran, 1) - 1] = 3 * I + 1;
#pragma omp task if (I != 1) depend(inout : Ended[0]) firstprivate(I)
    Ended[add(&Ran, 1) - 1] = 3 * I + 2;
  }
}
static void testOrder(void) {
#pragma omp parallel num_threads(1)
  for (int Run = 1; Run <= 3; ++Run) {
    omp_taskgraph(13, 0, ordered, NULL, 0);
    for (int I = 0; I < 9; ++I)
      CHECK_EQUAL(Ended[I], I, "order");
    expectCounts(Run == 1, 9, "order");
  }
}

// A task of a graph comes to its own region, and resets it.
static void recursive(void *Argument) {
  add(&Bodies, 1);
  for (int I = 0; I < 2; ++I)
#pragma omp task
  {
    add(&Ran, 1);
    if (Argument)
      omp_taskgraph(4, omp_taskgraph_reset, recursive, *(void **)Argument, 0);
  }
}
static void testRecursion(void) {
  void *End = NULL, *Level = &End, *Top = &Level;
  for (int I = 0; I < 3; ++I)
    omp_taskgraph(4, 0, recursive, Top, 0);
  CHECK_EQUAL(get(&Ran), 3 * (2 + 4 + 8), "recursion");
  set(&Bodies, 0);
  set(&Ran, 0);
}

// What is private is as it was recorded; what is shared is as it is.
static int Shared, Seen[Tasks];
static void values(void *Argument) {
  int *Count = Argument;
  for (int I = 0; I < Tasks; ++I) {
    int Array[3] = {I, I, I};
#pragma omp task firstprivate(Array, I) depend(inout : Shared)
    {
      Array[I % 3] += Shared + *Count;
      Seen[I] = Array[0] + Array[1] + Array[2];
      I = Array[0] = Array[1] = Array[2] = -1;
      ++Shared;
    }
  }
}
static void testValues(void) {
  int Count = 0;
  for (int Run = 0; Run < 5; ++Run) {
    Shared = 1000 * Run;
    Count = Run;
    omp_taskgraph(5, 0, values, &Count, 0);
    for (int I = 0; I < Tasks; ++I)
      CHECK_EQUAL(Seen[I], 3 * I + 1000 * Run + I + Run, "values");
  }
}

// Tasks outside of the graph, before and behind it.
static int Chain;
static void chain(void *Argument) {
  (void)Argument;
  for (int I = 0; I < 10; ++I)
#pragma omp task depend(inout : Chain)
    Chain = 2 * Chain + 1;
}
static void testOutside(void) {
  int Expected = 0;
  for (int Run = 0; Run < 5; ++Run) {
#pragma omp task depend(inout : Chain)
    {
      for (double Start = seconds(); seconds() - Start < 1e-3;)
        ;
      Chain = Run;
    }
    omp_taskgraph(6, 0, chain, NULL, 0);
#pragma omp task depend(inout : Chain)
    Chain += 5;
    Expected = Run;
    for (int I = 0; I < 10; ++I)
      Expected = 2 * Expected + 1;
#pragma omp taskwait
    CHECK_EQUAL(Chain, Expected + 5, "outside");
  }
}

// The size of the graph is in the argument: another one is noticed.
static void sized(void *Argument) {
  add(&Bodies, 1);
  for (int I = 0; I < *(int *)Argument; ++I)
#pragma omp task depend(inout : Chain)
    ++Ran;
}
static void testSizes(void) {
  int Number;
  for (int Run = 0; Run < 10; ++Run) {
    Number = Run % 2 ? 50 : 20;
    omp_taskgraph(10, 0, sized, &Number, sizeof(Number));
    expectCounts(Run < 2, Number, "sizes");
  }
  // By its address alone: it is not.
  omp_taskgraph(11, 0, sized, &Number, 0);
  Number = 1;
  omp_taskgraph(11, 0, sized, &Number, 0);
  expectCounts(1, 2 * 50, "size not told");
  omp_taskgraph(11, omp_taskgraph_reset, sized, &Number, 0);
  expectCounts(1, 1, "size behind reset");
}

// A taskloop, final tasks, hints.
static int Threads[Tasks];
static void others(void *Argument) {
  (void)Argument;
  add(&Bodies, 1);
#pragma omp taskloop nogroup num_tasks(7)
  for (int I = 0; I < Tasks; ++I)
    add(&Ran, 1);
#pragma omp task final(1)
  {
#pragma omp task
    add(&Ran, 1);
  }
  for (int I = 0; I < 8; ++I) {
    omp_set_task_affinity(omp_affinity_thread, (uintptr_t)I, 1);
#pragma omp task firstprivate(I)
    Threads[I] = omp_get_thread_num();
  }
}
static void testOthers(void) {
  for (int Run = 0; Run < 5; ++Run) {
    memset(Threads, -1, sizeof(Threads));
    omp_taskgraph(7, 0, others, NULL, 0);
    for (int I = 0; I < 8; ++I)
      CHECK_EQUAL(Threads[I], I % omp_get_num_threads(), "strict");
  }
  expectCounts(1, 5 * (Tasks + 1), "others");
}

// Regions that cannot be recorded run their body each time.
static void untied(void *Argument) {
  (void)Argument;
  add(&Bodies, 1);
#pragma omp task untied
  add(&Ran, 1);
}
static void detached(void *Argument) {
  (void)Argument;
  omp_event_handle_t Event = (omp_event_handle_t)0;
  add(&Bodies, 1);
#pragma omp task detach(Event)
  add(&Ran, 1);
  omp_fulfill_event(Event);
}
static void grouped(void *Argument) {
  (void)Argument;
  add(&Bodies, 1);
#pragma omp taskgroup
#pragma omp task
  add(&Ran, 1);
}
static void nested(void *Argument) {
  (void)Argument;
  add(&Bodies, 1);
#pragma omp task
  add(&Ran, 1);
  omp_taskgraph(8, 0, independent, NULL, 0);
}
static void testUnfit(void) {
  void (*const Each[])(void *) = {untied, detached, grouped};
  for (int I = 0; I < 3; ++I) {
    for (int Run = 0; Run < 4; ++Run)
      omp_taskgraph(8, 0, Each[I], NULL, 0);
    expectCounts(4, 4, "unfit");
  }
  for (int Run = 0; Run < 4; ++Run)
    omp_taskgraph(8, 0, nested, NULL, 0);
  expectCounts(4 + 1, 4 + 4 * Tasks, "nested");
}

// A cancelled region: tasks that have not begun do not run, and it ends.
static void cancelled(void *Argument) {
  for (int I = 0; I < Tasks; ++I)
#pragma omp task depend(inout : Chain) firstprivate(I, Argument)
  {
    add(&Ran, 1);
    if (*(int *)Argument && I == 10) {
#pragma omp cancel taskgroup
    }
  }
}
static void testCancel(void) {
  int Cancels = 0;
  for (int Run = 0; Run < 6; ++Run) {
    Cancels = Run % 2;
    omp_taskgraph(9, 0, cancelled, &Cancels, 0);
    expectCounts(0, Cancels ? 11 : Tasks, "cancel");
  }
}

// Many ids, and graphs that are recorded again and again.
static void testMany(void) {
  for (unsigned Id = 0; Id < 500; ++Id)
    omp_taskgraph(Id, 0, independent, NULL, 0);
  for (unsigned Id = 0; Id < 500; ++Id)
    omp_taskgraph(Id, 0, independent, NULL, 0);
  expectCounts(500, 1000 * Tasks, "many");
  for (unsigned I = 0; I < 300; ++I)
    omp_taskgraph(1, I % 2 ? omp_taskgraph_reset : 0, independent, NULL, 0);
  expectCounts(150, 300 * Tasks, "reset again and again");
}

int main(int Count, char **Arguments) {
  const char *What = Count > 1 ? Arguments[1] : "";
  if (strcmp(What, "crowd") == 0) {
    testCrowd();
    return 0;
  }
#pragma omp parallel
#pragma omp single
  if (strcmp(What, "cancel") == 0) {
    testCancel();
  } else if (strcmp(What, "wrong") == 0) {
    omp_taskgraph(1, 0, NULL, NULL, 0);
    omp_taskgraph(1, 4, independent, NULL, 0);
    omp_taskgraph(1, omp_taskgraph_off, independent, NULL, 8);
    expectCounts(2, 2 * Tasks, "wrong");
    testUnfit();
  } else {
    testFlags();
    testOrder();
    testRecursion();
    testValues();
    testOutside();
    testSizes();
    if (!getenv("KMP_TASK_SCHEDULER")) // where hints bind
      testOthers();
    testMany();
  }
  if (!*What)
    testThreads();
  return 0;
}
