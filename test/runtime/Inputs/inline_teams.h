// What tests of tasks in place share: the teams and tasks to run them in.

#ifndef LOCUS_TEST_INLINE_TEAMS_H
#define LOCUS_TEST_INLINE_TEAMS_H

#include "check.h"
#include "inline_state.h"

#ifndef TIED
#define TIED // or untied
#endif

#ifdef ORDINARY
static const int InPlace = 0;
#define nextInPlace() (nextReal(), 0)
#else
static const int InPlace = 1;
#endif

/// In a task that has been told to run in place.
static void checkInPlace(int Outer, const char *What) {
  CHECK_EQUAL(inlineDepth() - Outer, InPlace, What);
}

static void warmUp() {
  static int Some; // gcc leaves an empty task out
  nextReal();
#pragma omp task
  add(&Some, 1);
#pragma omp taskwait
  if (InPlace)
    CHECK(nextInPlace(), "the runtime has not said how a task ends");
}

/// Calls \p Test(round) in the initial team, in an implicit task of a team, in
/// all of them at once, and in explicit tasks, some of them in place.
static void inAllTeams(void (*Test)(int)) {
  int Threads = 0;
#pragma omp parallel // before this, omp_in_final() is always 0
  add(&Threads, 1);
  for (int Round = 0; Round < 5; ++Round) {
    Test(Round);
#pragma omp parallel
    {
#pragma omp single
      Test(Round);
      Test(Round);
#pragma omp barrier
#pragma omp single
      for (int I = 0; I < 8; ++I) {
#pragma omp task TIED firstprivate(I)
        {
          Test(I);
        }
      }
    }
  }
}

#endif
