// exit() in an explicit task of a team of one thread, where a detached task has
// not completed: the event is not fulfilled, or the task itself is below. The
// program ends, and waits for none of them.
//
// RUN: %build
// RUN: %run %t itself
// RUN: %run %t successor
// RUN: %run %t other
// RUN: %run %t region

#include "check.h"

static void itself(void) {
  omp_event_handle_t Event = (omp_event_handle_t)0;
#pragma omp task detach(Event)
  exit(0);
}

static void successor(void) {
  int Cell;
  (void)Cell; // only its address matters
  omp_event_handle_t Event = (omp_event_handle_t)0;
#pragma omp task detach(Event) depend(out : Cell)
  {
  }
#pragma omp task depend(in : Cell)
  exit(0);
  omp_fulfill_event(Event);
#pragma omp taskwait
}

static void other(void) {
  omp_event_handle_t Event = (omp_event_handle_t)0;
#pragma omp task detach(Event)
  {
  }
#pragma omp task
  exit(0);
#pragma omp taskwait
}

int main(int argc, char **argv) {
  const char *Case = argc == 2 ? argv[1] : "";
  alarm(60); // it could wait for ever
  if (strcmp(Case, "itself") == 0)
    itself();
  if (strcmp(Case, "successor") == 0)
    successor();
  if (strcmp(Case, "other") == 0)
    other();
  if (strcmp(Case, "region") == 0) {
#pragma omp parallel num_threads(1)
    other();
  }
  FAIL("the program has not ended");
}
