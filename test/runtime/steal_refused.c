// Each thread waits for a task that lies among those of another one: whoever
// completes a detached task gets its successors. All others may not run them,
// as they wait, too. So each thread has to look everywhere, by every policy.
//
// RUN: %build
// RUN: %run-each --threads 3,8 --env KMP_TASK_STEAL=producer %t
// RUN: %run-each --threads 3,8 --env KMP_TASK_STEAL=random %t
// RUN: %run-each --policies active --env KMP_TASK_STEAL=producer_order %t
// RUN: %run-each --policies active --env KMP_TASK_STEAL=random_order %t
// RUN: %run-each --policies active --env KMP_TASK_STEAL=round_robin %t
// RUN: %run-each --policies active --env KMP_TASK_STEAL=hierarchical %t
//
// The same where threads share lists:
// RUN: %run-each --threads 8 --policies active --env KMP_TASK_QUEUES=numa --env KMP_TASK_STEAL=producer %t
// RUN: %run-each --threads 8 --policies active --env KMP_TASK_QUEUES=numa --env KMP_TASK_STEAL=random %t
// RUN: %run-each --threads 8 --policies active --env KMP_TASK_QUEUES=adaptive --env KMP_TASK_STEAL=producer %t

#include "check.h"

enum { MaxThreads = 8, Rounds = 4 };

static omp_event_handle_t Events[MaxThreads];
static int Created, Ended[MaxThreads], Fulfilled;

/// All threads of the team at once: each completes the task of the one that is
/// \p Distance before it, then waits for its own.
static void exchange(int Distance, int Round) {
  const int Me = omp_get_thread_num(), Count = omp_get_num_threads();
  int Done = 0, X = 0;
  (void)X; // only its address matters
  set(&Ended[Me], 0);
  omp_event_handle_t Event = (omp_event_handle_t)0;
#pragma omp task detach(Event) depend(out : X)
  set(&Ended[Me], 1);
  Events[Me] = Event;
#pragma omp task depend(in : X) shared(Done)
  set(&Done, 1);
  while (!get(&Ended[Me])) {
#pragma omp taskyield
  }
  // Nobody may take tasks before all lists have one.
  add(&Created, 1);
  WAIT_FOR(&Created, Round * Count);
  omp_fulfill_event(Events[(Me + Count - Distance) % Count]);
  add(&Fulfilled, 1);
  WAIT_FOR(&Fulfilled, Round * Count);
#pragma omp taskwait
  CHECK_EQUAL(get(&Done), 1, "the task that was waited for");
}

int main(void) {
  int Round = 0;
  for (int I = 0; I < Rounds; ++I)
    for (int Distance = 1; Distance < MaxThreads; ++Distance) {
      ++Round;
#pragma omp parallel
      exchange(Distance % omp_get_num_threads(), Round);
    }
  return 0;
}
