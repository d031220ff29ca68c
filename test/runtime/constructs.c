// Placed tasks together with other constructs: untied, priority, taskloop,
// taskgroup and cancel, mutexinoutset, chains of dependences, detach, nested
// regions, reductions.
//
// RUN: %build
// RUN: %run-each --env OMP_CANCELLATION=true --env OMP_MAX_TASK_PRIORITY=10 %t

#include "check.h"

static int Ran;

static void onThread(int Thread) {
  omp_set_task_affinity(omp_affinity_thread, (uintptr_t)Thread, 1);
}
static void here(int Thread, const char *What) {
  CHECK_EQUAL(omp_get_thread_num(), modulo(Thread, omp_get_num_threads()),
              What);
}

/// Each part of an untied strict task is on its thread.
static void untied(void) {
  for (int I = 0; I < 50; ++I) {
    onThread(I);
#pragma omp task untied firstprivate(I)
    {
      here(I, "untied, first part");
#pragma omp taskyield
      here(I, "untied, behind taskyield");
      onThread(I + 1);
#pragma omp task
      add(&Ran, 1);
#pragma omp taskwait
      here(I, "untied, behind taskwait");
      add(&Ran, 1);
    }
  }
#pragma omp taskwait
  CHECK_EQUAL(Ran, 100, "untied");
}

static void priority(void) {
  for (int I = 0; I < 300; ++I) {
    onThread(I);
#pragma omp task priority(I % 7) firstprivate(I)
    {
      here(I, "priority");
      add(&Ran, 1);
    }
#pragma omp task priority(I % 5)
    add(&Ran, 1);
  }
#pragma omp taskwait
  CHECK_EQUAL(Ran, 600, "priority");
}

/// A hint before a taskloop: the tasks of the loop run on that thread, or the
/// hint is not used by them; each iteration runs once.
static void taskloop(void) {
  static int Seen[1000];
  memset(Seen, 0, sizeof(Seen));
  onThread(1);
#pragma omp taskloop grainsize(10)
  for (int I = 0; I < 1000; ++I)
    add(&Seen[I], 1);
  for (int I = 0; I < 1000; ++I)
    CHECK_EQUAL(Seen[I], 1, "an iteration");
  omp_set_task_affinity(omp_affinity_none, 0, 0);
}

static void cancel(void) {
  for (int Round = 0; Round < 10; ++Round) {
    int Before = get(&Ran);
#pragma omp taskgroup
    {
      for (int I = 0; I < 100; ++I) {
        onThread(I);
#pragma omp task firstprivate(I)
        {
          here(I, "cancelled group");
          add(&Ran, 1);
          if (I == Round) {
#pragma omp cancel taskgroup
          }
#pragma omp cancellation point taskgroup
        }
      }
    }
    int Some = get(&Ran) - Before;
    CHECK(Some >= 1 && Some <= 100, "%d of a cancelled group ran", Some);
  }
}

/// Mutually exclusive tasks on different threads, and a reader behind them.
static void mutex(void) {
  int Inside = 0, Sum = 0, X = 0;
  for (int Round = 0; Round < 5; ++Round) {
    for (int I = 0; I < 16; ++I) {
      onThread(I);
#pragma omp task depend(mutexinoutset : X) shared(Inside, Sum) firstprivate(I)
      {
        here(I, "mutexinoutset");
        CHECK_EQUAL(add(&Inside, 1), 1, "tasks inside");
        ++Sum; // no atomic: exclusive
        dither((unsigned)I);
        add(&Inside, -1);
      }
    }
    onThread(Round);
#pragma omp task depend(in : X) shared(Sum) firstprivate(Round)
    {
      here(Round, "behind mutexinoutset");
      CHECK_EQUAL(Sum, 16 * (Round + 1), "sum");
    }
  }
#pragma omp taskwait
}

/// Writers and readers of one variable, placed in turn, strict or not.
static void chains(void) {
  enum { Chains = 4, Length = 30 };
  int Value[Chains] = {0}, Readers[Chains] = {0};
  for (int I = 0; I < Length; ++I)
    for (int C = 0; C < Chains; ++C) {
      omp_set_task_affinity(I % 2 ? omp_affinity_thread : omp_affinity_node,
                            (uintptr_t)(I + C), C % 2);
#pragma omp task depend(inout : Value[C]) shared(Value, Readers)               \
    firstprivate(C, I)
      {
        CHECK_EQUAL(Value[C], I, "a chain");
        CHECK_EQUAL(get(&Readers[C]), 2 * I, "readers before the writer");
        Value[C] = I + 1;
      }
      for (int R = 0; R < 2; ++R) {
        onThread(I + C + R);
#pragma omp task depend(in : Value[C]) shared(Value, Readers) firstprivate(C, I)
        {
          CHECK_EQUAL(Value[C], I + 1, "a reader");
          add(&Readers[C], 1);
        }
      }
    }
#pragma omp taskwait
  for (int C = 0; C < Chains; ++C)
    CHECK_EQUAL(Value[C], Length, "end of a chain");
}

static void detach(void) {
  for (int I = 0; I < 30; ++I) {
    omp_event_handle_t Event = (omp_event_handle_t)0, Copy = Event;
    int Started = 0, Done = 0, Dep;
    onThread(I);
#pragma omp task detach(Event) shared(Copy, Started) depend(out : Dep)         \
    firstprivate(I)
    {
      here(I, "detached");
      Copy = Event;
      set(&Started, 1);
    }
    onThread(I + 1);
#pragma omp task depend(in : Dep) shared(Done) firstprivate(I)
    {
      here(I + 1, "behind detached");
      CHECK_EQUAL(get(&Done), 1, "started before the event");
      add(&Ran, 1);
    }
    onThread(I + 2);
#pragma omp task shared(Copy, Started, Done) firstprivate(I)
    {
      here(I + 2, "fulfiller");
      while (!get(&Started)) {
#pragma omp taskyield
      }
      set(&Done, 1);
      omp_fulfill_event(Copy);
    }
#pragma omp taskwait
  }
  CHECK_EQUAL(Ran, 30, "detached");
}

static void nested(void) {
  for (int I = 0; I < 4; ++I) {
    onThread(I);
#pragma omp task firstprivate(I)
    {
      here(I, "outer");
#pragma omp parallel num_threads(2)
      {
        onThread(omp_get_thread_num() + 1);
#pragma omp task
        add(&Ran, 1);
#pragma omp single
        for (int J = 0; J < 20; ++J) {
          onThread(J);
#pragma omp task firstprivate(J)
          {
            here(J, "inner");
            add(&Ran, 1);
          }
        }
      }
      here(I, "outer, behind the inner region");
      onThread(I + 1);
#pragma omp task firstprivate(I)
      {
        here(I + 1, "outer child");
        add(&Ran, 1);
      }
#pragma omp taskwait
    }
  }
#pragma omp taskwait
  CHECK_EQUAL(Ran, 4 * 23, "nested");
}

static void reduction(void) {
  for (int Round = 0; Round < 5; ++Round) {
    long Sum = 0;
    int Max = 0;
#pragma omp taskgroup task_reduction(+ : Sum) task_reduction(max : Max)
    for (int I = 1; I <= 100; ++I) {
      onThread(I);
#pragma omp task in_reduction(+ : Sum) in_reduction(max : Max) firstprivate(I)
      {
        here(I, "reduction");
        Sum += I;
        if (Max < I)
          Max = I;
      }
    }
    CHECK_EQUAL(Sum, 5050, "sum");
    CHECK_EQUAL(Max, 100, "max");
  }
}

int main(void) {
  omp_set_max_active_levels(2);
#define TEST(Name)                                                             \
  do {                                                                         \
    Ran = 0;                                                                   \
    _Pragma("omp parallel") { _Pragma("omp single") Name(); }                  \
  } while (0)
  TEST(untied);
  TEST(priority);
  TEST(taskloop);
  TEST(cancel);
  TEST(mutex);
  TEST(chains);
  TEST(detach);
  TEST(nested);
  TEST(reduction);
  return 0;
}
