// A task sets a strict hint for its next child. Before it creates that one its
// thread queues a task that another one's end has made ready, where the list
// has plenty. The next child is real all the same, and goes where it should.
//
// RUN: %build
// RUN: %run-each --threads 2 --policies active,passive %t

#include "check.h"

enum Point { Yield, WaitForOne, Event };

static void fill(void) {
  enum { Tasks = 40 };
  for (int I = 0; I < Tasks; ++I) {
#pragma omp task
    dither(7);
  }
}

/// Queues tasks until there are plenty, and one that another one's end makes
/// ready: in a scheduling point, or where the event of a detached task is met.
static void release(enum Point How, int Here, int *Token,
                    omp_event_handle_t *Done) {
  int HasBegun = 0;
  if (How != Event)
    fill();
  omp_set_task_affinity(omp_affinity_thread, (uintptr_t)Here, 1);
  if (How == Event) {
    omp_event_handle_t Mine = (omp_event_handle_t)0;
#pragma omp task depend(out : *Token) detach(Mine) shared(HasBegun)
    set(&HasBegun, 1);
    *Done = Mine;
    while (!get(&HasBegun)) {
#pragma omp taskyield
    }
    fill();
  } else {
#pragma omp task depend(out : *Token)
    ;
  }
#pragma omp task depend(in : *Token)
  dither(7);
}

/// The thread \p Here, which alone is free, sets a hint for \p Other.
static void place(enum Point How, int Here, int Other, int *Hold) {
  int Token = 0, Where = -1;
  omp_event_handle_t Done;
  release(How, Here, &Token, &Done);
  omp_set_task_affinity(omp_affinity_thread, (uintptr_t)Other, 1);
  if (How == Event) {
    omp_fulfill_event(Done);
  } else if (How == WaitForOne) {
#pragma omp taskwait depend(in : Token)
  } else {
#pragma omp taskyield
  }
#pragma omp task shared(Where)
  set(&Where, omp_get_thread_num());
  set(Hold, 1);
#pragma omp taskwait
  CHECK(get(&Where) == Other, "form %d: ran on thread %d, not %d", How,
        get(&Where), Other);
}

int main(void) {
  enum { Rounds = 5 };
  for (int R = 0; R < Rounds; ++R) {
    for (int How = Yield; How <= Event; ++How) {
#pragma omp parallel
#pragma omp single
      {
        const int Here = omp_get_thread_num();
        int Hold = 0, Held = 0;
        omp_set_task_affinity(omp_affinity_thread, (uintptr_t)(1 - Here), 1);
#pragma omp task shared(Hold, Held)
        {
          set(&Held, 1);
          WAIT_FOR(&Hold, 1);
        }
        WAIT_FOR(&Held, 1);
        place((enum Point)How, Here, 1 - Here, &Hold);
      }
    }
  }
  return 0;
}
