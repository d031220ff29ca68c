// A task in place that meets a barrier lets others begin: it waits for what the
// end of a detached task has made ready. One that ends the program does not, as
// in any explicit task.
//
// RUN: %clang -c %S/Inputs/inline_state.c -o %t.state.o
// RUN: %clang -c %S/Inputs/detached.c -o %t.detached.o
// RUN: %clang -I%S/Inputs %s %t.state.o %t.detached.o -o %t
// RUN: %clang -I%S/Inputs -mllvm -openmp-task-inline=false %s %t.state.o %t.detached.o -o %t.drafts
// RUN: %run %t barrier | FileCheck %s
// RUN: %run %t exit | FileCheck --allow-empty --check-prefix=EXIT %s
// RUN: %run %t.drafts barrier | FileCheck %s
// RUN: %run %t.drafts exit | FileCheck --allow-empty --check-prefix=EXIT %s
// CHECK: the successor has run
// EXIT-NOT: the successor has run

#include "check.h"
#include "detached.h"
#include "inline_state.h"

#include <pthread.h>

static omp_event_handle_t Event;

static void *outside(void *Unused) {
  omp_fulfill_event(Event);
  return Unused;
}

/// The body of the successor.
static void follow(void) {
  static const char Text[] = "the successor has run\n";
  int Child = 0;
  nextReal();
#pragma omp task shared(Child)
  set(&Child, 1);
#pragma omp taskwait
  CHECK_EQUAL(Child, 1, "its child");
  CHECK_EQUAL(omp_in_explicit_task(), 1, "the successor");
  // The C library may have closed stdout.
  CHECK_EQUAL(write(STDOUT_FILENO, Text, strlen(Text)), strlen(Text), "write");
}

/// OpenMP allows none in a task, but where the team is one thread it works.
static void orphanedBarrier(void) {
#pragma omp barrier
}

int main(int argc, char **argv) {
  const int Exits = argc == 2 && strcmp(argv[1], "exit") == 0;
  int Cell = 0, Begun = 0;
  pthread_t Outsider;
  Event = detachedTask(&Cell);
#pragma omp task depend(in : Cell)
  follow();
  CHECK_EQUAL(pthread_create(&Outsider, NULL, outside, NULL), 0, "a thread");
  pthread_join(Outsider, NULL);
  nextInPlace();
#pragma omp task shared(Begun)
  {
    Begun = 1;
    CHECK_EQUAL(inlineDepth(), 1, "in place");
    if (Exits)
      exit(0);
    orphanedBarrier();
    CHECK_EQUAL(omp_in_explicit_task(), 1, "the task behind its barrier");
  }
  CHECK_EQUAL(Begun, 1, "runs at once");
  CHECK_EQUAL(omp_in_explicit_task(), 0, "the initial task");
  return 0;
}
