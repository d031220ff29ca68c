// omp_taskgraph: a taskwait in the body waits, in each run, for what it waits
// for in the first one: also for tasks that are not the graph's, and that a
// task of the graph may have to let go on.
//
// RUN: %build
// RUN: %run-each %t
// RUN: env OMP_NUM_THREADS=1 %run %t
// RUN: %run-each --threads 2,8 --policies passive --env KMP_TASK_SCHEDULER=stock %t

#include "check.h"

enum { Runs = 6 };
static int Bodies, Earlier, Ran, Data;
static omp_event_handle_t Event;

/// A task that is not the graph's, and takes a while.
static void beSlow(int *Done) {
  for (double Start = threadSeconds(); threadSeconds() - Start < 1e-3;)
    ;
  set(Done, 1);
}

// A child of the same task, created before, without dependences.
static void waitForEarlier(void *Argument) {
  (void)Argument;
  add(&Bodies, 1);
#pragma omp task
  add(&Ran, 1);
#pragma omp taskwait
#pragma omp task
  {
    CHECK_EQUAL(get(&Earlier), 1, "behind taskwait");
    add(&Ran, 1);
  }
}
static void testEarlier(void) {
  for (int Run = 1; Run <= Runs; ++Run) {
    set(&Earlier, 0);
#pragma omp task
    beSlow(&Earlier);
    omp_taskgraph(1, 0, waitForEarlier, NULL, 0);
    CHECK_EQUAL(Ran, 2 * Run, "tasks");
  }
  CHECK_EQUAL(Bodies, 1, "recorded");
}

// The same before the first and behind the last task, and two in a row.
static void onlyWaits(void *Argument) {
  int *Behind = Argument;
#pragma omp taskwait
#pragma omp taskwait
#pragma omp task firstprivate(Behind)
  *Behind = 10 * get(&Earlier) + 1;
#pragma omp taskwait
}
static void testEdges(void) {
  for (int Run = 1; Run <= Runs; ++Run) {
    Data = 0;
    set(&Earlier, 0);
#pragma omp task
    beSlow(&Earlier);
    omp_taskgraph(2, 0, onlyWaits, &Data, 0);
    CHECK_EQUAL(Data, 11, "edges");
  }
}

// What the taskwait waits for ends by an event that a task of the graph
// fulfills before the taskwait.
static void fulfillThenWait(void *Argument) {
  (void)Argument;
#pragma omp task
  {
    beSlow(&Earlier);
    omp_fulfill_event(Event);
  }
#pragma omp taskwait
#pragma omp task
  {
    CHECK_EQUAL(get(&Earlier) + get(&Data), 2, "behind the event");
    add(&Ran, 1);
  }
}
static void testEvent(void) {
  Ran = 0;
  for (int Run = 1; Run <= Runs; ++Run) {
    set(&Earlier, 0);
    set(&Data, 0);
#pragma omp task detach(Event)
    set(&Data, 1);
    omp_taskgraph(3, 0, fulfillThenWait, NULL, 0);
    CHECK_EQUAL(Ran, Run, "event");
  }
}

// The same by dependences, of tasks, of a taskwait and of an undeferred task.
static int Chain, Other;
static void fulfillThenDepend(void *Argument) {
  (void)Argument;
#pragma omp task
  {
    beSlow(&Earlier);
    omp_fulfill_event(Event);
  }
#pragma omp task depend(inout : Chain)
  CHECK_EQUAL(++Chain, 2, "first");
#pragma omp taskwait depend(in : Chain)
#pragma omp task depend(inout : Chain) if (0)
  CHECK_EQUAL(++Chain, 3, "second");
#pragma omp task
  CHECK_EQUAL(Chain, 3, "last");
}
static void testDependentEvent(void) {
  for (int Run = 1; Run <= Runs; ++Run) {
    Chain = 0;
    set(&Earlier, 0);
#pragma omp task detach(Event) depend(out : Chain)
    Chain = 1;
#pragma omp task depend(in : Chain) depend(out : Other) // behind it
    Other = Chain;
    omp_taskgraph(4, 0, fulfillThenDepend, NULL, 0);
    CHECK_EQUAL(Chain, 3, "event, by dependences");
#pragma omp taskwait
    CHECK_EQUAL(Other, 1, "behind the event");
  }
}

// A graph in a task that has children: it waits for that task's alone.
static void testInTask(void) {
  for (int Run = 0; Run < Runs; ++Run) {
#pragma omp task
    {
      int Mine = 0;
#pragma omp task shared(Mine)
      beSlow(&Mine);
      omp_taskgraph(5, 0, onlyWaits, &Data, 0);
      CHECK_EQUAL(Mine, 1, "its child");
    }
#pragma omp taskwait
  }
}

// A task of the graph has a child that ends by an event, which a later task
// fulfills: in a team of one thread libomp counts such a child, and would count
// those around it.
static void childByEvent(void *Argument) {
  (void)Argument;
#pragma omp task depend(inout : Chain)
  {
#pragma omp task detach(Event)
    add(&Data, 1);
#pragma omp task depend(out : Other)
    Other = 1;
  }
#pragma omp task depend(inout : Chain)
  omp_fulfill_event(Event);
}
static void testChildByEvent(void) {
  for (int Run = 1; Run <= Runs; ++Run) {
    Data = Other = 0;
    omp_taskgraph(6, 0, childByEvent, NULL, 0);
    CHECK_EQUAL(get(&Data), 1, "child by event");
    CHECK_EQUAL(Other, 1, "its sibling");
  }
#pragma omp task
  omp_taskgraph(6, 0, childByEvent, NULL, 0);
#pragma omp taskwait
  CHECK_EQUAL(get(&Data), 2, "child by event, in a task");
}

int main(void) {
#pragma omp parallel
#pragma omp single
  {
    testEarlier();
    testEdges();
    testEvent();
    testDependentEvent();
    testInTask();
    testChildByEvent();
  }
  // Without a team.
  testEdges();
  testEvent();
  testDependentEvent();
  testInTask();
  testChildByEvent();
  return 0;
}
