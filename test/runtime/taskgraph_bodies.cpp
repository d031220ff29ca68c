// omp_taskgraph: what else a body may do is recorded, or the body runs each
// time: exceptions, reductions, final regions, regions of its own,
// cancellation, variables of its own, threads that come and go.
//
// RUN: %build -pthread -lstdc++
// RUN: %run-each %t
// RUN: env OMP_NUM_THREADS=1 %run %t
// RUN: %run-each --threads 2,8 --policies passive --env KMP_TASK_SCHEDULER=stock %t
// RUN: env OMP_NUM_THREADS=4 KMP_TASKING=0 %run %t

#include "check.h"
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

enum { Runs = 5, Tasks = 20 };
static int Bodies, Ran;
static unsigned Id; // of the graphs of a call of test()

/// Runs \p Body often, and checks how often it was called.
static void repeat(void (*Body)(void *), bool IsRecorded, int TasksEach,
                   const char *What) {
  Bodies = Ran = 0;
  for (int Run = 1; Run <= Runs; ++Run) {
    omp_taskgraph(Id, 0, Body, nullptr, 0);
    CHECK_EQUAL(Ran, Run * TasksEach, What);
  }
  CHECK_EQUAL(Bodies, IsRecorded ? 1 : Runs, What);
}

/// Exceptions that do not leave the body or the task.
static void throwing(void *) {
  add(&Bodies, 1);
  try {
    throw 1;
  } catch (int) {
  }
  for (int I = 0; I < Tasks; ++I)
#pragma omp task firstprivate(I)
    try {
      if (I % 2)
        throw I;
      add(&Ran, 1);
    } catch (int Thrown) {
      CHECK_EQUAL(Thrown, I, "thrown");
      add(&Ran, 1);
    }
}

/// A region of the body's own: its tasks are others'.
static void parallel(void *) {
  add(&Bodies, 1);
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp task
  add(&Ran, 1);
}
static void serialized(void *) {
  add(&Bodies, 1);
#pragma omp task
  add(&Ran, 1);
#pragma omp parallel if (0)
  add(&Ran, 1);
}

/// A variable of the body's own, which it waits for.
static void ownVariable(void *) {
  int Mine = add(&Bodies, 1);
#pragma omp task shared(Mine)
  Mine += 10;
#pragma omp taskwait
  CHECK_EQUAL(Mine, Bodies + 10, "own variable");
  add(&Ran, 1);
}
static void ownOfLoop(void *) {
  int Sum[Tasks] = {};
  add(&Bodies, 1);
#pragma omp taskloop nogroup shared(Sum) num_tasks(4)
  for (int I = 0; I < Tasks; ++I)
    Sum[I] = I;
#pragma omp taskwait
  for (int I = 0; I < Tasks; ++I)
    CHECK_EQUAL(Sum[I], I, "own variable of a loop");
  add(&Ran, 1);
}
static void ownUndeferred(void *) {
  int Mine = add(&Bodies, 1);
#pragma omp task shared(Mine) if (0)
  Mine += 10;
  CHECK_EQUAL(Mine, Bodies + 10, "own variable, undeferred");
  add(&Ran, 1);
}

/// Reductions of the body's own.
static void loopReduction(void *) {
  int Sum = 0;
  add(&Bodies, 1);
#pragma omp taskloop reduction(+ : Sum) num_tasks(4)
  for (int I = 0; I < Tasks; ++I)
    Sum += I;
  CHECK_EQUAL(Sum, Tasks * (Tasks - 1) / 2, "reduction");
  add(&Ran, 1);
}
/// A loop that waits for its tasks, so many that threads share their creation.
static void longLoop(void *) {
  add(&Bodies, 1);
#pragma omp taskloop num_tasks(1000)
  for (int I = 0; I < 1000; ++I)
    add(&Ran, 1);
}
static int Sum;
static void groupReduction(void *) {
  add(&Bodies, 1);
  Sum = 0;
#pragma omp taskgroup task_reduction(+ : Sum)
  for (int I = 0; I < Tasks; ++I)
#pragma omp task in_reduction(+ : Sum) firstprivate(I)
    Sum += I;
  CHECK_EQUAL(Sum, Tasks * (Tasks - 1) / 2, "task_reduction");
  add(&Ran, 1);
}

/// A reduction around it: each run has private copies of its own.
static void partOfReduction(void *) {
  add(&Bodies, 1);
  for (int I = 0; I < Tasks; ++I)
#pragma omp task in_reduction(+ : Sum) firstprivate(I)
    Sum += I;
}
static void testOuterReduction() {
  Bodies = 0;
  for (int Run = 1; Run <= Runs; ++Run) {
    Sum = 7;
#pragma omp taskgroup task_reduction(+ : Sum)
    omp_taskgraph(Id, 0, partOfReduction, nullptr, 0);
    CHECK_EQUAL(Sum, 7 + Tasks * (Tasks - 1) / 2, "outer reduction");
  }
  CHECK_EQUAL(Bodies, 1, "outer reduction");
}

static void simple(void *) {
  add(&Bodies, 1);
  for (int I = 0; I < Tasks; ++I)
#pragma omp task
    add(&Ran, 1);
}
/// A final task has no deferred ones; it may run what others have recorded.
static void testFinal() {
  Bodies = Ran = 0;
  omp_taskgraph(Id, 0, simple, nullptr, 0);
  for (int Run = 0; Run < Runs; ++Run) {
#pragma omp task final(true)
    omp_taskgraph(Id, 0, simple, nullptr, 0);
#pragma omp taskwait
  }
  CHECK_EQUAL(Bodies, 1 + Runs, "final");
  CHECK_EQUAL(Ran, (1 + Runs) * Tasks, "final");
}

/// Graphs move between threads: this one is recorded by a thread that is gone.
static void *runOnce(void *) {
#pragma omp parallel num_threads(2)
#pragma omp single
  omp_taskgraph(Id, 0, simple, nullptr, 0);
  return nullptr;
}
static void testThreads() {
  Bodies = Ran = 0;
  for (int Run = 1; Run <= Runs; ++Run) {
    pthread_t Other;
    CHECK(pthread_create(&Other, nullptr, runOnce, nullptr) == 0);
    CHECK(pthread_join(Other, nullptr) == 0);
    CHECK_EQUAL(Ran, (2 * Run - 1) * Tasks, "another thread");
    omp_taskgraph(Id, 0, simple, nullptr, 0);
    CHECK_EQUAL(Ran, 2 * Run * Tasks, "this thread");
  }
  CHECK_EQUAL(Bodies, 1, "threads");
}

/// Other addresses, in the argument: recorded for each.
struct Where {
  int *At;
};
static void addressed(void *Given) {
  int *At = static_cast<Where *>(Given)->At;
  add(&Bodies, 1);
  for (int I = 0; I < Tasks; ++I)
#pragma omp task depend(inout : *At) firstprivate(At)
    ++*At;
}
static void testAddresses() {
  static int Data[2];
  static Where Now;
  Bodies = Data[0] = Data[1] = 0;
  for (int Run = 0; Run < 2 * Runs; ++Run) {
    Now.At = &Data[Run % 2];
    omp_taskgraph(Id, 0, addressed, &Now, sizeof(Now));
  }
  CHECK_EQUAL(Bodies, 2, "addresses");
  CHECK_EQUAL(Data[0], Runs * Tasks, "addresses");
  CHECK_EQUAL(Data[1], Runs * Tasks, "addresses");
}

/// An exception that leaves the body ends the program.
static void leaving(void *) { throw 1; }
static void testLeaving() {
  const pid_t Child = fork();
  if (Child == 0) {
    signal(SIGABRT, SIG_DFL);
    try {
      omp_taskgraph(1, 0, leaving, nullptr, 0);
    } catch (int) {
    }
    _exit(0);
  }
  int Status = 0;
  CHECK(Child > 0 && waitpid(Child, &Status, 0) == Child);
  CHECK(WIFSIGNALED(Status) && WTERMSIG(Status) == SIGABRT, "status %x",
        Status);
}

/// Constructs that all threads of the team have to come to, with and without a
/// barrier.
static void barrier(void *) {
  add(&Bodies, 1);
#pragma omp task
  add(&Ran, 1);
#pragma omp barrier
}
static void singleThread(void *) {
  add(&Bodies, 1);
#pragma omp single nowait
#pragma omp task
  add(&Ran, 1);
}
static void staticLoop(void *) {
  add(&Bodies, 1);
#pragma omp for nowait
  for (int I = 0; I < Tasks; ++I)
    add(&Ran, 1);
}
static void dynamicLoop(void *) {
  add(&Bodies, 1);
#pragma omp for schedule(dynamic) nowait
  for (int I = 0; I < Tasks; ++I)
    add(&Ran, 1);
}
static void sections(void *) {
  add(&Bodies, 1);
#pragma omp sections
  {
#pragma omp section
    add(&Ran, 1);
#pragma omp section
    add(&Ran, 1);
  }
}

/// Whatever the team: each thread runs the body each time.
static void meet(void (*Body)(void *), int RunsEach, int RunsOfThread) {
  int Threads = 0;
  Bodies = Ran = 0;
#pragma omp parallel reduction(+ : Threads)
  {
    Threads = 1;
    for (int Run = 0; Run < Runs; ++Run)
      omp_taskgraph(Id, 0, Body, nullptr, 0);
  }
  CHECK_EQUAL(Bodies, Runs * Threads, "each thread");
  CHECK_EQUAL(Ran, Runs * (RunsEach + RunsOfThread * Threads), "together");
}
static void testMeetings() {
  ++Id;
  meet(barrier, 0, 1);
  meet(singleThread, 1, 0);
  meet(staticLoop, Tasks, 0);
  meet(dynamicLoop, Tasks, 0);
  meet(sections, 2, 0);
}

static void test() {
  ++Id;
  repeat(throwing, true, Tasks, "exceptions");
  repeat(parallel, false, 1, "parallel");
  repeat(serialized, false, 2, "serialized");
  repeat(ownVariable, false, 1, "own variable");
  repeat(ownOfLoop, false, 1, "own of a loop");
  repeat(ownUndeferred, false, 1, "own, undeferred");
  repeat(loopReduction, false, 1, "loop reduction");
  repeat(longLoop, false, 1000, "long loop");
  repeat(groupReduction, false, 1, "group reduction");
  testOuterReduction();
  testFinal();
  testAddresses();
}

int main() {
  testLeaving();
#pragma omp parallel
#pragma omp single
  test();
  test(); // without a team
  testMeetings();
  ++Id;
  testThreads();
  return 0;
}
