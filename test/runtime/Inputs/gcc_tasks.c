// What gcc's tasks say by GOMP_task's last arguments and by omp_fulfill_event.

#include "check.h"

#pragma weak omp_set_task_affinity
void omp_set_task_affinity(int Kind, uintptr_t Value, int Strict);

typedef struct {
  int Numbers[50];
} Big;

/// The event is fulfilled by the task itself, and by another task, at any time.
static void detached(int Round) {
  int Done = 0, Saw = 0, Order = 0;
  Big Copy = {{Round}};
  omp_event_handle_t Own, Other;
#pragma omp task detach(Own) shared(Done) firstprivate(Copy)
  {
    CHECK_EQUAL(Copy.Numbers[0], Round, "firstprivate beside the event");
    set(&Done, 1);
    omp_fulfill_event(Own);
  }
#pragma omp taskwait
  CHECK_EQUAL(get(&Done), 1, "after the taskwait");

#pragma omp task detach(Other) shared(Done, Order) depend(out : Order)
  set(&Done, 2);
#pragma omp task shared(Saw, Order) depend(in : Order)
  Saw = Order;
#pragma omp task shared(Order) firstprivate(Other)
  {
    dither((unsigned)Round);
    Order = 7;
    omp_fulfill_event(Other);
  }
#pragma omp taskwait
  CHECK_EQUAL(get(&Done), 2, "the detached task");
  CHECK_EQUAL(Saw, 7, "a dependence on a detached task");
}

/// Not deferred, and with more data than fits in registers.
static void undeferred(int Round) {
  Big Copy = {{Round}};
  int Ran = 0;
  omp_event_handle_t Event;
#pragma omp task detach(Event) if (0) firstprivate(Copy) shared(Ran)
  {
    Ran = 1 + (Copy.Numbers[0] == Round);
    omp_fulfill_event(Event);
  }
  CHECK_EQUAL(Ran, 2, "undeferred");
#pragma omp taskwait
}

static int Sequence[10], Count;

static void run(int Priority) {
  Sequence[get(&Count)] = Priority;
  add(&Count, 1);
}

/// One thread takes all of them, after they have all been made.
static void priorities(void) {
  int Held = 0, Made = 0;
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() == 0) {
    omp_set_task_affinity(1, 1, 1);
#pragma omp task shared(Held, Made)
    {
      CHECK_EQUAL(omp_get_thread_num(), 1, "the holding task's thread");
      set(&Held, 1);
      WAIT_FOR(&Made, 1);
    }
    WAIT_FOR(&Held, 1);
    for (int I = 0; I < 8; ++I) {
      int Priority = 1 + (I * 3) % 8;
#pragma omp task priority(Priority) firstprivate(Priority)
      run(Priority);
    }
#pragma omp taskloop nogroup priority(9) num_tasks(2)
    for (int I = 0; I < 2; ++I)
      run(9);
    set(&Made, 1);
    WAIT_FOR(&Count, 10);
  }
  for (int I = 0; I < 10; ++I)
    CHECK_EQUAL(Sequence[I], I < 2 ? 9 : 10 - I, "priority of the next task");
}

int main(void) {
  CHECK(omp_set_task_affinity, "not our runtime");
  for (int Round = 0; Round < 200; ++Round) {
#pragma omp parallel
#pragma omp single
    {
      detached(Round);
      undeferred(Round);
    }
  }
  if (omp_get_max_task_priority() >= 9)
    priorities();
  return 0;
}
