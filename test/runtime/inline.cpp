// A task in place is a task: its own children and only these, its own ICVs,
// taskgroups, reductions, questions, nested regions. inline_data.cpp has its
// data.
//
// RUN: %clang -c %S/Inputs/inline_state.c -o %t.state.o
// RUN: %clangxx -std=c++17 -Wno-vla-cxx-extension -I%S/Inputs %s %t.state.o -o %t
// RUN: %run-each --threads 1,2,8 %t
// Code of other compilers: the runtime does it alone.
// RUN: %clangxx -std=c++17 -Wno-vla-cxx-extension -I%S/Inputs -mllvm -openmp-task-inline=false %s %t.state.o -o %t.drafts
// RUN: %run-each --threads 1,2,8 %t.drafts
// Untied tasks as well, of which clang compiles the body in parts.
// RUN: sed -E 's/omp task( |$)/omp task untied\1/' %s > %t.untied.cpp
// RUN: %clangxx -std=c++17 -Wno-vla-cxx-extension -I%S -I%S/Inputs -DTIED=untied %t.untied.cpp %t.state.o -o %t.untied
// RUN: %run-each --threads 1,2,8 %t.untied
// RUN: %clangxx -std=c++17 -Wno-vla-cxx-extension -I%S -I%S/Inputs -mllvm -openmp-task-inline=false -DTIED=untied %t.untied.cpp %t.state.o -o %t.untied_drafts
// RUN: %run-each --threads 1,2,8 %t.untied_drafts
// Real tasks: the test knows the difference.
// RUN: %clangxx -std=c++17 -Wno-vla-cxx-extension -I%S/Inputs -DORDINARY %s %t.state.o -o %t.ordinary
// RUN: %run %t.ordinary

#include "check.h"
#include "inline_teams.h"

static int Grandchildren; // outlive the function that creates their parent

static void ownChildren() {
  int Release = 0, Child = 0, Sibling = 0;
  const bool Alone = omp_get_num_threads() == 1 || !InPlace;
  nextReal();
#pragma omp task shared(Release, Sibling) if (!Alone)
  {
    if (!Alone)
      WAIT_FOR(&Release, 1);
    add(&Sibling, 1);
  }
  nextInPlace();
  const int Outer = inlineDepth();
#pragma omp task shared(Child, Release) firstprivate(Outer)
  {
    checkInPlace(Outer, "waits for its own children");
#pragma omp taskwait
    nextReal();
#pragma omp task shared(Child)
    add(&Child, 1);
#pragma omp taskwait
    CHECK_EQUAL(get(&Child), 1, "taskwait in place");
    nextInPlace();
    int Inner = inlineDepth();
#pragma omp task firstprivate(Inner)
    {
      checkInPlace(Inner, "a child in place of a real task");
      nextReal();
#pragma omp task
      add(&Grandchildren, 1);
      // no taskwait: the grandparent's children are not the parent's
    }
#pragma omp taskwait
    set(&Release, 1);
  }
#pragma omp taskwait
  CHECK_EQUAL(get(&Sibling), 1, "taskwait of the parent");
}

static void ownSettings() {
  int Threads = omp_get_max_threads(), Levels = omp_get_max_active_levels();
  int Dynamic = omp_get_dynamic(), Device = omp_get_default_device(), Chunk;
  omp_sched_t Kind;
  omp_get_schedule(&Kind, &Chunk);
  nextInPlace();
  const int Outer = inlineDepth();
#pragma omp task firstprivate(Threads, Levels, Dynamic, Outer)
  {
    checkInPlace(Outer, "its own settings");
    CHECK_EQUAL(omp_get_max_threads(), Threads, "inherited");
    omp_set_num_threads(Threads + 3);
    omp_set_max_active_levels(Levels + 2);
    omp_set_dynamic(!Dynamic);
    omp_set_default_device(7);
    omp_set_schedule(omp_sched_guided, 17);
    CHECK_EQUAL(omp_get_max_threads(), Threads + 3, "changed");
    nextInPlace();
#pragma omp task firstprivate(Threads)
    {
      CHECK_EQUAL(omp_get_max_threads(), Threads + 3, "inherited twice");
      omp_set_num_threads(Threads + 5);
    }
    CHECK_EQUAL(omp_get_max_threads(), Threads + 3, "a child's setting");
  }
  omp_sched_t KindNow;
  int ChunkNow;
  omp_get_schedule(&KindNow, &ChunkNow);
  CHECK_EQUAL(omp_get_max_threads(), Threads, "nthreads-var");
  CHECK_EQUAL(omp_get_max_active_levels(), Levels, "max-active-levels-var");
  CHECK_EQUAL(omp_get_dynamic(), Dynamic, "dyn-var");
  CHECK_EQUAL(omp_get_default_device(), Device, "default-device-var");
  CHECK_EQUAL(KindNow, Kind, "run-sched-var");
  CHECK_EQUAL(ChunkNow, Chunk, "run-sched-var");
}

static void groups() {
  int Done = 0;
#pragma omp taskgroup
  {
    nextInPlace();
    const int Outer = inlineDepth();
#pragma omp task shared(Done) firstprivate(Outer)
    {
      checkInPlace(Outer, "member of a group");
      for (int I = 0; I < 10; ++I) {
        nextReal();
#pragma omp task shared(Done)
        add(&Done, 1);
      }
    }
  }
  CHECK_EQUAL(get(&Done), 10, "a task in place belongs to the group");
  int After = 0;
  nextInPlace();
  const int Outer = inlineDepth();
#pragma omp task shared(Done, After) firstprivate(Outer)
  {
    checkInPlace(Outer, "a group of its own");
#pragma omp taskgroup
    {
      nextReal();
#pragma omp task shared(Done)
      {
        nextReal();
#pragma omp task shared(Done)
        add(&Done, 1);
      }
    }
    CHECK_EQUAL(get(&Done), 11, "end of a group in place");
    After = 1;
  }
#pragma omp taskwait
  CHECK_EQUAL(After, 1, "runs");
}

static void reductions() {
  long Sum = 0;
#pragma omp taskgroup task_reduction(+ : Sum)
  {
    for (int I = 1; I <= 20; ++I) {
      if (I % 2)
        nextInPlace();
      else
        nextReal();
#pragma omp task in_reduction(+ : Sum) firstprivate(I)
      {
        Sum += I;
        nextReal();
#pragma omp task in_reduction(+ : Sum) firstprivate(I)
        Sum += 100 * I;
      }
    }
  }
  CHECK_EQUAL(Sum, 210 * 101, "in_reduction");
  long Loop = 0;
  nextInPlace();
#pragma omp task shared(Loop)
  {
    long Here = 0;
#pragma omp taskloop reduction(+ : Here)
    for (int I = 0; I < 100; ++I)
      Here += I;
    Loop = Here;
  }
#pragma omp taskwait
  CHECK_EQUAL(Loop, 4950, "taskloop in place");
}

static void dependences() {
  int Value = 0, Seen = -1, Event = 0;
  nextInPlace();
#pragma omp task shared(Value, Seen, Event)
  {
#pragma omp task depend(out : Value) shared(Value)
    Value = 5;
#pragma omp task depend(in : Value) shared(Value, Seen)
    Seen = Value;
#pragma omp taskwait depend(in : Value)
    CHECK_EQUAL(Value, 5, "taskwait depend");
    omp_event_handle_t Handle;
#pragma omp task detach(Handle) shared(Event)
    add(&Event, 1);
    nextReal();
#pragma omp task firstprivate(Handle) shared(Event)
    {
      add(&Event, 10);
      omp_fulfill_event(Handle);
    }
#pragma omp taskwait
    CHECK_EQUAL(Seen, 5, "depend");
    CHECK_EQUAL(Event, 11, "detach");
  }
#pragma omp taskwait
}

static int Own;
#pragma omp threadprivate(Own)

/// Everything that asks where it is.
static void questions() {
  const int Me = omp_get_thread_num(), Team = omp_get_num_threads(),
            Level = omp_get_level(), Active = omp_get_active_level();
  Own = Me + 1;
  const int Outer = inlineDepth();
  nextInPlace();
#pragma omp task firstprivate(Outer)
  {
    checkInPlace(Outer, "questions");
    if (InPlace)
      CHECK_EQUAL(omp_get_thread_num(), Me, "thread");
    CHECK_EQUAL(omp_get_num_threads(), Team, "team");
    CHECK_EQUAL(omp_get_level(), Level, "level");
    CHECK_EQUAL(omp_get_active_level(), Active, "active level");
    CHECK_EQUAL(omp_in_final(), 0, "final");
    CHECK_EQUAL(omp_in_explicit_task(), 1, "explicit");
    if (InPlace)
      CHECK_EQUAL(Own, Me + 1, "threadprivate");
#pragma omp critical
    Own = InPlace ? -2 : Own;
    checkInPlace(Outer, "questions need no real task");
  }
#pragma omp taskwait
  CHECK_EQUAL(Own, InPlace ? -2 : Me + 1, "threadprivate");
  int Ran = 0;
  nextReal();
#pragma omp task final(1) shared(Ran)
  {
    CHECK_EQUAL(omp_in_final(), 1, "final");
    nextInPlace();
#pragma omp task shared(Ran)
    {
      CHECK_EQUAL(omp_in_final(), 1, "descendant of final");
      nextReal();
#pragma omp task shared(Ran)
      {
        CHECK_EQUAL(omp_in_final(), 1, "real descendant of final");
        Ran = 1;
      }
    }
    CHECK_EQUAL(Ran, 1, "included");
  }
#pragma omp taskwait
  CHECK_EQUAL(Ran, 1, "final");
  nextInPlace();
#pragma omp task if (0) shared(Ran)
  Ran = 2;
  CHECK_EQUAL(Ran, 2, "undeferred");
}

static void nested() {
  int Sum = 0, Here = omp_get_level();
  nextInPlace();
#pragma omp task shared(Sum) firstprivate(Here)
  {
#pragma omp parallel num_threads(2) reduction(+ : Sum)
    {
      CHECK_EQUAL(inlineDepth(), 0, "a new region");
      CHECK_EQUAL(omp_get_level(), Here + 1, "level");
#pragma omp task
      {
      }
#pragma omp taskwait
      Sum += 1;
#pragma omp single
      {
        nextReal();
#pragma omp task
        {
        }
        nextInPlace();
#pragma omp task
        {
        }
      }
    }
#pragma omp taskyield
    CHECK_EQUAL(omp_get_level(), Here, "level after the region");
    nextReal();
#pragma omp task shared(Sum)
    add(&Sum, 100);
#pragma omp taskwait
  }
#pragma omp taskwait
  CHECK(Sum == 101 || Sum == 102, "nested region: %d", Sum);
}

static void hints() {
  int Ran = 0;
  nextInPlace();
  omp_set_task_affinity(omp_affinity_thread, (uintptr_t)omp_get_thread_num(),
                        1);
  CHECK(!isOffered(), "a task with a place is swallowed");
#pragma omp task shared(Ran)
  {
    CHECK_EQUAL(inlineDepth(), 0, "a task with a place");
    Ran = 1;
  }
#pragma omp taskwait
  CHECK_EQUAL(Ran, 1, "placed");
}

/// The runtime gets to know all levels, the outermost first.
static long known(int Levels) {
  if (Levels == 0) {
    int Done = 0;
    nextReal();
#pragma omp task shared(Done)
    Done = 1;
#pragma omp taskwait
    CHECK_EQUAL(inlineDepth(), 0, "all known");
    return Done;
  }
  long Below = 0;
  nextInPlace();
#pragma omp task shared(Below)
  {
    omp_set_num_threads(Levels + 1);
    Below = known(Levels - 1);
    CHECK_EQUAL(omp_get_max_threads(), Levels + 1, "settings of a level");
  }
#pragma omp taskwait
  return Below;
}

static void all(int) {
  warmUp();
  CHECK_EQUAL(inlineDepth(), 0, "known");
  ownChildren();
  ownSettings();
  groups();
  reductions();
  dependences();
  questions();
  nested();
  hints();
  const int Threads = omp_get_max_threads();
  CHECK_EQUAL(known(20), 1, "known");
  CHECK_EQUAL(omp_get_max_threads(), Threads, "settings");
  CHECK_EQUAL(inlineDepth(), 0, "depth at the end");
}

int main() {
  inAllTeams(all);
  return 0;
}
