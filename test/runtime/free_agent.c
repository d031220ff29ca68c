// OpenMP 6.0's free agents: which tasks threads run that are not in the team,
// what such a task sees, and that all that it creates ends where it has to.
//
// RUN: %build -fopenmp-version=60 -lm
// RUN: %run-each --env OMP_THREADS_RESERVE=free_agent(3) %t
// RUN: %run-each --threads 1,3,8 --policies passive --env OMP_THREADS_RESERVE=structured(1),free_agent(1) %t
// RUN: env OMP_NUM_THREADS=1 OMP_THREADS_RESERVE="free_agent(2)" OMP_CANCELLATION=true %run %t
// RUN: env OMP_NUM_THREADS=4 OMP_THREADS_RESERVE="free_agent(4)" OMP_CANCELLATION=true KMP_TASK_QUEUE_SIZE=1 KMP_TASK_DEPENDENT_LIMIT=1 OMP_MAX_TASK_PRIORITY=3 %run %t
// RUN: %run-each --threads 2 --policies noblock --env OMP_THREADS_RESERVE=structured %t
// RUN: %run-each --threads 2 --policies noblock --env KMP_TASK_SCHEDULER=stock %t

#include "check.h"

#include <fenv.h>

enum { Rounds = 20, Tasks = 24 };

static int OnAgents; ///< tasks, so far

/// In a task of a team of \p Size threads at \p Level: true on a free agent.
static int checkAgent(int Size, int Level) {
  const int IsAgent = omp_is_free_agent();
  const int Number = omp_get_thread_num();
  CHECK_EQUAL(omp_get_num_threads(), Size, "size of the team");
  CHECK_EQUAL(omp_get_level(), Level, "level");
  CHECK_EQUAL(omp_ancestor_is_free_agent(Level), IsAgent, "at its level");
  CHECK_EQUAL(omp_ancestor_is_free_agent(Level + 1), 0, "above");
  CHECK_EQUAL(omp_ancestor_is_free_agent(-1), 0, "below 0");
  if (IsAgent)
    CHECK_EQUAL(Number, omp_unassigned_thread, "number of a free agent");
  else
    CHECK(Number >= 0 && Number < Size, "number %d", Number);
  if (IsAgent)
    add(&OnAgents, 1);
  return IsAgent;
}

/// What belongs to the team stays there.
static void checkMember(void) {
  CHECK_EQUAL(omp_is_free_agent(), 0, "a task of the team's");
  CHECK(omp_get_thread_num() >= 0, "number");
}

/// A task that has no clause stays in the team, and so do its children.
static void testStays(void) {
  int Ran = 0;
  for (int I = 0; I < Tasks; ++I)
#pragma omp task shared(Ran)
  {
    checkMember();
#pragma omp task shared(Ran) threadset(omp_team)
    {
      checkMember();
      add(&Ran, 1);
    }
#pragma omp taskwait
  }
#pragma omp taskwait
  CHECK_EQUAL(Ran, Tasks, "tasks");
}

/// Children of such tasks, of all kinds, which are waited for.
static void testChildren(void) {
  const int Size = omp_get_num_threads(), Level = omp_get_level();
  int Ran = 0, Locked = 0;
  for (int I = 0; I < Tasks; ++I)
#pragma omp task threadset(omp_pool) shared(Ran, Locked)
  {
    const int IsAgent = checkAgent(Size, Level);
    int Mine = 0;
#pragma omp task shared(Mine, Ran)
    {
      checkMember();
      add(&Mine, 1);
      add(&Ran, 1);
    }
#pragma omp task threadset(omp_pool) shared(Mine, Ran)
    {
      checkAgent(Size, Level);
      add(&Mine, 1);
      add(&Ran, 1);
    }
#pragma omp task if (0) shared(Mine)
    {
      CHECK_EQUAL(omp_is_free_agent(), IsAgent, "undeferred");
      add(&Mine, 1);
    }
#pragma omp task untied shared(Mine)
    {
#pragma omp task shared(Mine)
      add(&Mine, 1);
#pragma omp taskyield
#pragma omp taskwait
      add(&Mine, 1);
    }
#pragma omp task final(1) shared(Mine)
    {
#pragma omp task shared(Mine)
      add(&Mine, 1);
    }
#pragma omp task depend(mutexinoutset : Locked) shared(Mine, Locked)
    {
      const int Before = Locked;
      dither((unsigned)I);
      Locked = Before + 1;
      add(&Mine, 1);
    }
#pragma omp task depend(mutexinoutset : Locked) shared(Locked) priority(1)
    {
      const int Before = Locked;
      Locked = Before + 1;
    }
#pragma omp taskwait
    CHECK_EQUAL(get(&Mine), 7, "children");
    CHECK_EQUAL(omp_is_free_agent(), IsAgent, "tied");
  }
#pragma omp taskwait
  CHECK_EQUAL(Ran, 2 * Tasks, "tasks");
}

/// Dependences between tasks of both kinds, in both directions.
static void testOrder(void) {
  int X = 0, Y[Tasks] = {0};
  for (int I = 0; I < Tasks; ++I) {
    switch (I % 3) {
    case 0:
#pragma omp task threadset(omp_pool) depend(inout : X) shared(X)
      CHECK_EQUAL(X++, I, "before");
      break;
    case 1:
#pragma omp task depend(inout : X) shared(X)
    {
      checkMember();
      CHECK_EQUAL(X++, I, "before");
    } break;
    default:
#pragma omp task depend(inout : X) shared(X) affinity(node : I, strict)
    {
      checkMember();
      CHECK_EQUAL(X++, I, "before");
    }
    }
#pragma omp task threadset(omp_pool) depend(in : X) depend(out : Y[I])         \
    shared(X, Y)
    Y[I] = X;
  }
#pragma omp taskwait depend(in : X, Y[0])
  CHECK_EQUAL(X, Tasks, "steps");
#pragma omp taskwait
  for (int I = 0; I < Tasks; ++I)
    CHECK_EQUAL(Y[I], I + 1, "seen");
}

/// Descendants that nobody but the taskgroup waits for.
static void testGroup(void) {
  int Ran = 0;
#pragma omp taskgroup
  for (int I = 0; I < Tasks; ++I)
#pragma omp task threadset(omp_pool) shared(Ran)
    for (int J = 0; J < 3; ++J)
#pragma omp task shared(Ran) affinity(thread : J)
    {
      checkMember();
#pragma omp task threadset(omp_pool) shared(Ran)
      {
        dither((unsigned)(I * J));
        add(&Ran, 1);
      }
    }
  CHECK_EQUAL(Ran, 3 * Tasks, "descendants");
}

static void testReduction(void) {
  int Sum = 0;
#pragma omp taskgroup task_reduction(+ : Sum)
  for (int I = 0; I < Tasks; ++I)
#pragma omp task threadset(omp_pool) in_reduction(+ : Sum)
  {
    Sum += I;
#pragma omp task threadset(omp_pool) in_reduction(+ : Sum)
    Sum += 1000;
  }
  CHECK_EQUAL(Sum, Tasks * (Tasks - 1) / 2 + 1000 * Tasks, "sum");
  Sum = 0;
  for (int I = 0; I < Tasks; ++I)
#pragma omp task threadset(omp_pool) shared(Sum)
  {
    int Mine = 0;
#pragma omp taskgroup task_reduction(+ : Mine)
    for (int J = 0; J < 10; ++J)
#pragma omp task in_reduction(+ : Mine)
    {
#pragma omp task threadset(omp_pool) in_reduction(+ : Mine)
      Mine += J;
    }
    CHECK_EQUAL(Mine, 45, "sum of a task");
    add(&Sum, Mine);
  }
#pragma omp taskwait
  CHECK_EQUAL(Sum, 45 * Tasks, "sum");
}

/// Regions in such tasks.
static void testRegions(void) {
  const int Size = omp_get_num_threads(), Level = omp_get_level();
  int Ran = 0;
  for (int I = 0; I < Tasks / 4; ++I)
#pragma omp task threadset(omp_pool) shared(Ran)
  {
    const int IsAgent = checkAgent(Size, Level);
    int Inner = 0;
#pragma omp parallel num_threads(1 + I % 3) shared(Inner) if (I % 4)
    {
      CHECK_EQUAL(omp_get_level(), Level + 1, "inner level");
      CHECK_EQUAL(omp_ancestor_is_free_agent(Level), IsAgent, "outer thread");
      CHECK_EQUAL(omp_is_free_agent(), IsAgent && omp_get_thread_num() == 0,
                  "inner thread");
      if (IsAgent)
        CHECK_EQUAL(omp_get_ancestor_thread_num(Level + 1),
                    omp_get_thread_num(), "number");
#pragma omp for
      for (int J = 0; J < 12; ++J)
#pragma omp task shared(Inner)
        add(&Inner, 1);
    }
    CHECK_EQUAL(Inner, 12, "tasks of the inner region");
    CHECK_EQUAL(checkAgent(Size, Level), IsAgent, "tied");
#pragma omp task shared(Ran)
    add(&Ran, 1);
  }
#pragma omp taskwait
  while (get(&Ran) < Tasks / 4) {
#pragma omp taskyield
  }
}

static void testLoop(void) {
  int Ran = 0;
#pragma omp taskloop grainsize(1) threadset(omp_pool) shared(Ran)
  for (int I = 0; I < 3 * Tasks; ++I)
    add(&Ran, 1);
  CHECK_EQUAL(Ran, 3 * Tasks, "iterations");
#pragma omp taskloop num_tasks(100) nogroup threadset(omp_pool) shared(Ran)
  for (int I = 0; I < 10 * Tasks; ++I)
    add(&Ran, 1);
#pragma omp taskwait
  CHECK_EQUAL(Ran, 13 * Tasks, "iterations");
  int Sum = 0;
#pragma omp taskloop grainsize(2) threadset(omp_pool) reduction(+ : Sum)
  for (int I = 0; I < Tasks; ++I)
    Sum += I;
  CHECK_EQUAL(Sum, Tasks * (Tasks - 1) / 2, "sum");
}

static void testDetach(void) {
  int Ran = 0, X = 0;
#pragma omp taskgroup
  for (int I = 0; I < Tasks / 2; ++I)
#pragma omp task threadset(omp_pool) shared(Ran, X)
  {
    omp_event_handle_t Event;
    int Z = 0;
#pragma omp task detach(Event) depend(out : Z) shared(Ran)
    add(&Ran, 1);
#pragma omp task depend(in : Z) shared(Ran)
    add(&Ran, 1);
#pragma omp task threadset(omp_pool)
    omp_fulfill_event(Event);
#pragma omp taskwait
  }
  CHECK_EQUAL(Ran, Tasks / 2 * 2, "tasks");
}

static void testCancel(int Round) {
  int Ran = 0;
#pragma omp taskgroup
  for (int I = 0; I < Tasks; ++I)
#pragma omp task threadset(omp_pool) shared(Ran)
  {
    add(&Ran, 1);
#pragma omp task shared(Ran)
    if (add(&Ran, 1) > Round) {
#pragma omp cancel taskgroup
    }
#pragma omp cancellation point taskgroup
#pragma omp taskwait
  }
  CHECK(omp_get_cancellation() || Ran == 2 * Tasks, "%d tasks", Ran);
}

/// What has a hint and a priority obeys the mutex, whoever makes it ready.
static void testPriority(void) {
  static char Data[8192];
#pragma omp taskgroup
  for (int I = 0; I < Tasks / 4; ++I)
#pragma omp task threadset(omp_pool)
  {
    int Locked = 0, Inside = 0;
    for (int J = 0; J < 10; ++J) {
#pragma omp task affinity(Data[0 : 4096]) priority(J % 3)                      \
    depend(mutexinoutset : Locked) shared(Inside)
      {
        CHECK_EQUAL(add(&Inside, 1), 1, "tasks with the mutex");
        dither((unsigned)J);
        add(&Inside, -1);
      }
    }
#pragma omp taskwait
  }
}

/// A free agent rounds as the creator does, whatever the one before it did.
static void testRounding(int Round) {
  static const int Modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD};
  const int Mode = Modes[Round % 3], Before = fegetround();
  fesetround(Mode);
#pragma omp taskgroup
  for (int I = 0; I < Tasks; ++I)
#pragma omp task threadset(omp_pool)
  {
    if (omp_is_free_agent())
      CHECK_EQUAL(fegetround(), Mode, "rounding");
    dither((unsigned)I);
  }
  fesetround(Before);
}

/// Where there are leagues there are no free agents.
static void testTeams(void) {
  int Ran = 0;
#pragma omp teams num_teams(2) thread_limit(2) shared(Ran)
#pragma omp parallel num_threads(2) shared(Ran)
  {
    const int League = omp_get_team_num();
    for (int I = 0; I < Tasks; ++I)
#pragma omp task threadset(omp_pool) shared(Ran)
    {
      checkMember();
      CHECK_EQUAL(omp_get_team_num(), League, "number in the league");
      add(&Ran, 1);
    }
  }
  CHECK(Ran >= 2 * Tasks, "%d tasks", Ran);
}

static void testAll(int Round) {
  testStays();
  testChildren();
  testOrder();
  testGroup();
  testReduction();
  testRegions();
  testLoop();
  testDetach();
  testPriority();
  testCancel(Round);
}

/// A free agent begins while nobody else can, if there are some.
static void testAlone(void) {
  const char *Reserved = getenv("OMP_THREADS_RESERVE");
  const char *Scheduler = getenv("KMP_TASK_SCHEDULER");
  if (!Reserved || !strstr(Reserved, "free_agent") || Scheduler)
    return;
  int Begun = 0;
#pragma omp task threadset(omp_pool) shared(Begun)
  {
    CHECK_EQUAL(checkAgent(1, 0), 1, "free agent");
#pragma omp task shared(Begun)
    {
      checkMember();
      add(&Begun, 1);
    }
    add(&Begun, 1);
  }
  WAIT_FOR(&Begun, 1);
#pragma omp taskwait
  while (get(&Begun) < 2) {
#pragma omp taskyield
  }
}

int main(void) {
  omp_set_max_active_levels(3);
  for (int Round = 0; Round < Rounds; ++Round) {
    testAlone();
    testAll(Round);
    testRounding(Round);
    testTeams();
    int Left = 0;
#pragma omp parallel num_threads(1 + Round % 4)
    {
#pragma omp single nowait
      testAll(Round);
      // The region's end waits for them.
      for (int I = 0; I < Tasks; ++I)
#pragma omp task threadset(omp_pool) shared(Left)
#pragma omp task shared(Left)
#pragma omp task threadset(omp_pool) shared(Left)
        add(&Left, 1);
    }
    CHECK_EQUAL(Left, (1 + Round % 4) * Tasks, "left to the region's end");
  }
  const char *Reserved = getenv("OMP_THREADS_RESERVE");
  if (!Reserved || !strstr(Reserved, "free_agent") ||
      getenv("KMP_TASK_SCHEDULER"))
    CHECK(OnAgents == 0 || !Reserved, "%d tasks on free agents", OnAgents);
  else
    CHECK(OnAgents > 0, "no task was on a free agent");
  return 0;
}
