// omp_set_task_affinity: kinds, the next task only, through other constructs,
// per task region, and a bad kind. omp_get_task_affinity: the same.
//
// RUN: %build
// RUN: %run-each %t 2>&1
// RUN: env OMP_NUM_THREADS=3 %run %t bad 2>&1 | FileCheck %s
// RUN: env OMP_NUM_THREADS=3 KMP_WARNINGS=0 %run %t bad 2>&1 | FileCheck --allow-empty --check-prefix=QUIET %s
//
// CHECK: OMP: Warning: omp_set_task_affinity: unknown kind
// QUIET-NOT: Warning

#include "check.h"

_Static_assert(omp_affinity_none == 0 && omp_affinity_thread == 1 &&
                   omp_affinity_node == 2 && omp_affinity_data == 3 &&
                   omp_affinity_numa == omp_affinity_node,
               "the compiler passes the same numbers");

static int Failed;

/// A task that ran on \p Thread is right; noted for a check behind the region.
static void expect(int Thread, const char *What) {
  if (omp_get_thread_num() != Thread) {
    fprintf(stderr, "%s: ran on thread %d, not %d\n", What,
            omp_get_thread_num(), Thread);
    add(&Failed, 1);
  }
}

static void next(int Thread) {
  omp_set_task_affinity(omp_affinity_thread, (uintptr_t)Thread, 1);
}

/// A hint is for one task: of the 200 tasks behind it, the creator must be able
/// to run every single one while the hinted thread is busy.
static void onlyNext(int Me, int Other) {
  int Busy = 0, Free = 0, Ran = 0;
  next(Other);
#pragma omp task shared(Busy, Free)
  {
    expect(Other, "hinted task");
    set(&Busy, 1);
    WAIT_FOR(&Free, 1);
  }
  WAIT_FOR(&Busy, 1);
  for (int I = 0; I < 200; ++I)
#pragma omp task shared(Ran)
    add(&Ran, 1);
  double Start = threadSeconds();
  while (get(&Ran) < 200) {
    if (threadSeconds() - Start > 20)
      FAIL("%d of 200 tasks behind the hinted one ran", get(&Ran));
#pragma omp taskyield
  }
  set(&Free, 1);
#pragma omp taskwait
  (void)Me;
}

/// The hint waits through constructs that create no task of this region.
static void survives(int Other) {
#pragma omp task
  {
    ;
  }
  next(Other);
#pragma omp taskwait
#pragma omp taskyield
#pragma omp taskgroup
  {
    ;
  }
  omp_get_num_nodes();
#pragma omp critical
  {
    ;
  }
#pragma omp flush
#pragma omp task
  expect(Other, "behind taskwait, taskyield and taskgroup");
#pragma omp taskwait

  // A task that this thread runs meanwhile, and that creates tasks, has hints
  // of its own and does not use up this one.
  for (int I = 0; I < 20; ++I)
#pragma omp task
  {
#pragma omp task
    {
      ;
    }
  }
  next(Other);
#pragma omp taskwait
#pragma omp task
  expect(Other, "behind tasks that create tasks");
#pragma omp taskwait
}

/// A child's children do not inherit, and the hint that a task leaves unused
/// ends with it.
static void notInherited(int Me, int Other) {
  int Ran = 0, Free = 0, Busy = 0;
  next(Me);
#pragma omp task shared(Ran)
  {
    expect(Me, "the child");
    next(Other); // unused
  }
#pragma omp taskwait
  // If the grand-children had the hint, nobody could run them.
  next(Other);
#pragma omp task shared(Busy, Free)
  {
    set(&Busy, 1);
    WAIT_FOR(&Free, 1);
  }
  WAIT_FOR(&Busy, 1);
  next(Me);
#pragma omp task shared(Ran, Free)
  {
    next(Other); // for the child that is not created
    if (omp_get_max_threads() < 0) {
#pragma omp task
      {
        ;
      }
    }
    omp_set_task_affinity(omp_affinity_none, 0, 0); // the last call counts
#pragma omp task shared(Ran)
    add(&Ran, 1);
#pragma omp taskwait
  }
#pragma omp taskgroup
  {
#pragma omp task shared(Ran)
    add(&Ran, 1);
  }
  double Start = threadSeconds();
  while (get(&Ran) < 2) {
    if (threadSeconds() - Start > 20)
      FAIL("%d of 2 tasks without a hint ran", get(&Ran));
#pragma omp taskyield
  }
  set(&Free, 1);
#pragma omp taskwait
}

static void overwritten(int Me, int Other) {
  next(Me);
  next(Other);
#pragma omp task
  expect(Other, "the last call counts");
  omp_set_task_affinity(omp_affinity_numa, 0, 1);
#pragma omp task
  if (nodeHere() != 0)
    FAIL("kind numa: on node %d, not 0", nodeHere());
#pragma omp taskwait
}

/// An undeferred task uses the hint up.
static void usedUpByUndeferred(int Me, int Other) {
  int Busy = 0, Free = 0, Ran = 0;
  next(Other);
#pragma omp task shared(Busy, Free)
  {
    set(&Busy, 1);
    WAIT_FOR(&Free, 1);
  }
  WAIT_FOR(&Busy, 1);
  next(Other);
#pragma omp task if (0)
  expect(Me, "undeferred");
#pragma omp task shared(Ran)
  set(&Ran, 1);
  double Start = threadSeconds();
  while (!get(&Ran)) {
    if (threadSeconds() - Start > 20)
      FAIL("the hint of the undeferred task went to the next one");
#pragma omp taskyield
  }
  set(&Free, 1);
#pragma omp taskwait
}

static void expectNext(omp_affinitykind_t Kind, uintptr_t Value, int Strict,
                       const char *When) {
  omp_affinitykind_t GotKind = omp_affinity_data;
  uintptr_t GotValue = 17;
  int GotStrict = 17;
  omp_get_task_affinity(&GotKind, &GotValue, &GotStrict);
  if (GotKind != Kind || GotValue != Value || GotStrict != Strict)
    FAIL("%s: kind %d, value %lu, strict %d", When, (int)GotKind,
         (unsigned long)GotValue, GotStrict);
}

/// The value belongs to a task region, for its next task: neither a child nor
/// the tasks behind the next one have it.
static void isKnown(int Other) {
  expectNext(omp_affinity_none, 0, 0, "before");
  next(Other);
  expectNext(omp_affinity_thread, (uintptr_t)Other, 1, "set");
#pragma omp task
  expectNext(omp_affinity_none, 0, 0, "in the child");
  expectNext(omp_affinity_none, 0, 0, "used up");
  omp_set_task_affinity(omp_affinity_data, (uintptr_t)&Failed, 0);
  expectNext(omp_affinity_data, (uintptr_t)&Failed, 0, "data");
  omp_set_task_affinity(omp_affinity_none, 5, 1);
  expectNext(omp_affinity_none, 0, 0, "taken back");
#pragma omp taskwait
}

static void badKind(void) {
  int Ran = 0;
  omp_set_task_affinity((omp_affinitykind_t)17, 1, 1);
#pragma omp task shared(Ran)
  set(&Ran, 1);
#pragma omp taskwait
  CHECK_EQUAL(Ran, 1, "a task behind a bad kind");
}

int main(int argc, char **argv) {
  if (argc > 1 && strcmp(argv[1], "bad") == 0) {
    badKind();
    return 0;
  }
  // Outside of a parallel region: the first call of all.
  next(1);
#pragma omp task
  expect(0, "in the initial team");

#pragma omp parallel
#pragma omp masked
  for (int Round = 0; Round < 20; ++Round) {
    onlyNext(0, 1);
    survives(1);
    notInherited(0, 1);
    overwritten(0, 1);
    usedUpByUndeferred(0, 1);
    isKnown(1);
  }

  // An implicit task's unused hint does not reach the next region.
#pragma omp parallel
  next(1);
#pragma omp parallel
  {
    int Free = 0, Busy = 0, Ran = 0;
#pragma omp masked
    {
#pragma omp task shared(Ran)
      set(&Ran, 1);
      double Start = threadSeconds();
      while (!get(&Ran)) {
        if (threadSeconds() - Start > 20)
          FAIL("the hint of the last region is still there");
#pragma omp taskyield
      }
    }
    (void)Free, (void)Busy;
  }
  CHECK_EQUAL(Failed, 0, "tasks on wrong threads");
  return 0;
}
