// A detachable task that cancellation discards is complete, though nobody
// fulfils its event: neither a taskgroup nor the end of the region waits for
// it. In stock libomp they do. To fulfil the event all the same does no harm.
//
// RUN: %build
// RUN: %run-each --threads 2,3,8 --env OMP_CANCELLATION=true %t

#include "check.h"

enum { Rounds = 300, Tasks = 20 };

static int Begun, Ended;

/// The tasks fulfil their events, or their creator does.
static void create(int InBody) {
  for (int I = 0; I < Tasks; ++I) {
    omp_event_handle_t Event = (omp_event_handle_t)0;
#pragma omp task detach(Event) firstprivate(InBody)
    {
      add(&Begun, 1);
      if (InBody)
        omp_fulfill_event(Event);
      add(&Ended, 1);
    }
    if (!InBody)
      omp_fulfill_event(Event);
  }
}

int main(void) {
  CHECK(omp_get_cancellation(), "cancellation is not on");
  for (int Round = 0; Round < Rounds; ++Round) {
    const int InBody = Round % 2, IsDeeper = Round / 2 % 2,
              IsBefore = Round / 4 % 2;
    Begun = Ended = 0;
#pragma omp parallel
#pragma omp single nowait
    {
      int After = 0;
#pragma omp taskgroup
      {
        if (IsBefore) {
#pragma omp task if (0)
          {
#pragma omp cancel taskgroup
          }
        }
        if (IsDeeper) {
#pragma omp task if (!IsBefore)
          create(InBody);
        } else
          create(InBody);
#pragma omp task
        {
#pragma omp cancel taskgroup
        }
      }
      CHECK_EQUAL(get(&Begun), get(&Ended), "behind the taskgroup");
      if (IsBefore)
        CHECK_EQUAL(get(&Begun), 0, "tasks of a cancelled taskgroup");
#pragma omp task shared(After)
      add(&After, 1);
#pragma omp taskwait
      CHECK_EQUAL(After, 1, "a task behind it");
    }

    // The region waits for all that has begun.
    Begun = Ended = 0;
#pragma omp parallel
    {
#pragma omp single nowait
      {
#pragma omp task
        create(InBody);
      }
      if (omp_get_thread_num() == omp_get_num_threads() - 1) {
#pragma omp cancel parallel
      }
#pragma omp barrier
    }
    CHECK_EQUAL(Begun, Ended, "behind the region");
  }
  return 0;
}
