// A task in place fulfils an event. The successors of the detached task may run
// at once, on top of it; they and their children have nothing to do with it.
//
// RUN: %clang -c %S/Inputs/inline_state.c -o %t.state.o
// RUN: %clang -c %S/Inputs/detached.c -o %t.detached.o
// RUN: %clang -I%S/Inputs %s %t.state.o %t.detached.o -o %t
// RUN: %run-each --threads 1,2,4 --policies active --env KMP_TASK_QUEUE_SIZE=1 %t
// RUN: %clang -I%S/Inputs -mllvm -openmp-task-inline=false %s %t.state.o %t.detached.o -o %t.drafts
// RUN: %run-each --threads 1,2,4 --policies active --env KMP_TASK_QUEUE_SIZE=1 %t.drafts

#include "check.h"
#include "detached.h"
#include "inline_state.h"

enum Form { Plain, Deep, Group, Final, Undeferred, Untied, NumForms };

/// The body of the successor.
static void follow(int *Done) {
  int First = 0, Second = 0;
  CHECK_EQUAL(omp_in_explicit_task(), 1, "the successor");
  CHECK_EQUAL(omp_in_final(), 0, "the successor");
  nextReal();
#pragma omp task shared(First) depend(out : First)
  First = 1;
#pragma omp task shared(First, Second) depend(in : First)
  Second = First + 1;
#pragma omp taskwait
  CHECK_EQUAL(get(&Second), 2, "the successor's children");
  set(Done, 1);
}

/// The body of the task that fulfils, which is in place in \p Levels tasks that
/// libomp does not know.
static void fulfil(omp_event_handle_t Event, int Levels) {
  int Child = 0;
  if (Levels)
    CHECK_EQUAL(inlineDepth(), Levels, "in place");
  omp_fulfill_event(Event);
  CHECK_EQUAL(omp_in_explicit_task(), 1, "the task that fulfils");
  nextReal();
#pragma omp task shared(Child)
  set(&Child, 1);
#pragma omp taskwait
  CHECK_EQUAL(get(&Child), 1, "the child of the task that fulfils");
}

static void create(enum Form How, omp_event_handle_t Event) {
  nextInPlace();
  switch (How) {
  case Plain:
#pragma omp task firstprivate(Event)
    fulfil(Event, 1);
    break;
  case Deep:
#pragma omp task firstprivate(Event)
  {
#pragma omp task firstprivate(Event)
    fulfil(Event, 2);
#pragma omp taskwait
  } break;
  case Group:
#pragma omp taskgroup
  {
#pragma omp task firstprivate(Event)
    fulfil(Event, 1);
  } break;
  case Final: // is a real task, but its children are in place
#pragma omp task final(1) firstprivate(Event)
  {
    nextInPlace();
#pragma omp task firstprivate(Event)
    fulfil(Event, 1);
    CHECK_EQUAL(omp_in_final(), 1, "the parent of the task that fulfils");
  } break;
  case Undeferred: // in place if clang alone decides
#pragma omp task if (0) firstprivate(Event)
    fulfil(Event, 0);
    break;
  default:
#pragma omp task untied firstprivate(Event)
    fulfil(Event, 1);
  }
}

/// By the one thread of its team that runs tasks.
static void all(void) {
  for (int How = 0; How < NumForms; ++How) {
    int Cell = 0, Other = 0, Done = 0;
    omp_event_handle_t Event = detachedTask(&Cell);
#pragma omp task depend(in : Cell) shared(Done)
    follow(&Done);
    // Fills the queue, so that the successor runs at once if it may.
    nextReal();
#pragma omp task shared(Other)
    add(&Other, 1);
    create((enum Form)How, Event);
    CHECK_EQUAL(omp_in_explicit_task(), 0, "the creator");
#pragma omp taskwait
    CHECK_EQUAL(get(&Other), 1, "tasks");
    CHECK_EQUAL(Done, 1, "successors");
  }
}

int main(void) {
  int Over = 0;
#pragma omp parallel
  if (omp_get_thread_num() == 0) {
    all();
#pragma omp parallel num_threads(1)
    all();
    set(&Over, 1);
  } else {
    WAIT_FOR(&Over, 1);
  }
  all(); // the initial team; before the first region omp_in_final() is always 0
  return 0;
}
