// Regions of one thread, one inside of the other: the inner one does not wait
// for detached tasks of the outer one, whose events may be fulfilled behind it,
// nor do its tasks depend on them.
//
// RUN: %build
// RUN: %run-each --threads 1,2 %t

#include "check.h"

#include <pthread.h>

enum When { Inside, ByTask, Outside, Behind, NumWhen };

static void *outside(void *Event) {
  omp_fulfill_event(*(omp_event_handle_t *)Event);
  return NULL;
}

static void fulfil(enum When How, omp_event_handle_t Event) {
  pthread_t Outsider;
  if (How == Inside)
    omp_fulfill_event(Event);
  if (How == ByTask) {
#pragma omp task firstprivate(Event)
    omp_fulfill_event(Event);
  }
  if (How == Outside) {
    CHECK_EQUAL(pthread_create(&Outsider, NULL, outside, &Event), 0, "thread");
    pthread_join(Outsider, NULL);
  }
}

/// A region inside of the inner one.
static void innermost(int *Cell) {
  int Ran = 0;
  (void)Cell; // only its address matters
#pragma omp parallel num_threads(1) shared(Ran)
  {
#pragma omp task depend(inout : *Cell) shared(Ran)
    add(&Ran, 1);
#pragma omp taskwait
    CHECK_EQUAL(Ran, 1, "tasks of the innermost region");
  }
}

/// The inner region: a chain of tasks on the same cell as in the outer one.
static void inner(enum When How, omp_event_handle_t Outer, int *Cell,
                  int *Behind) {
  int Ran = 0;
  (void)Cell; // only its address matters
  fulfil(How, Outer);
  omp_event_handle_t Event = (omp_event_handle_t)0;
#pragma omp task detach(Event) depend(inout : *Cell) shared(Ran)
  add(&Ran, 1);
#pragma omp task depend(inout : *Cell) shared(Ran)
  add(&Ran, 1);
  CHECK_EQUAL(Ran, 1, "tasks of the inner region that may run");
  innermost(Cell);
  omp_fulfill_event(Event);
#pragma omp taskwait
  CHECK_EQUAL(Ran, 2, "tasks of the inner region");
#pragma omp barrier
  CHECK_EQUAL(get(Behind), 0, "tasks of the outer region");
}

/// In the outer region.
static void outer(enum When How) {
  int Cell = 0, Ran = 0;
  const int Level = omp_get_level();
  omp_event_handle_t Event = (omp_event_handle_t)0;
#pragma omp task detach(Event) depend(out : Cell)
  {
  }
#pragma omp task depend(in : Cell) shared(Ran)
  add(&Ran, 1);
  for (int I = 0; I < 2; ++I) { // the second finds a used team
#pragma omp parallel num_threads(1) shared(Ran)
    {
      CHECK_EQUAL(omp_get_level(), Level + 1, "level");
      CHECK_EQUAL(omp_get_team_size(Level), 1, "size of the outer team");
      omp_set_num_threads(17);
      inner(I ? How : Behind, Event, &Cell, &Ran);
      CHECK_EQUAL(omp_get_max_threads(), 17, "own settings");
    }
    CHECK(omp_get_max_threads() != 17, "settings of the inner region");
    CHECK_EQUAL(omp_get_level(), Level, "level");
  }
  if (How == Behind)
    omp_fulfill_event(Event);
#pragma omp taskwait
  CHECK_EQUAL(Ran, 1, "tasks of the outer region");
}

int main(void) {
  for (int How = 0; How < NumWhen; ++How) {
#pragma omp parallel num_threads(1)
    {
      outer((enum When)How);
#pragma omp task
      outer((enum When)How);
    }
#pragma omp parallel
    {
#pragma omp parallel num_threads(1)
      outer((enum When)How);
    }
  }
  return 0;
}
