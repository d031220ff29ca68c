// Random trees of tied, untied and undeferred tasks, most of them strict, on
// few nodes: threads start tasks on top of waiting ones that they do not
// descend from, and parts of untied tasks go on there. Nobody may wait in a
// circle, or for a task that no thread may run.
//
// RUN: %build
// RUN: env HWLOC_SYNTHETIC="node:2 pu:1" OMP_NUM_THREADS=2 %run %t
// RUN: env HWLOC_SYNTHETIC="node:2 pu:1" OMP_NUM_THREADS=4 %run %t
// RUN: env HWLOC_SYNTHETIC="node:4 pu:1" OMP_NUM_THREADS=4 %run %t
// RUN: env HWLOC_SYNTHETIC="node:4 pu:1" OMP_NUM_THREADS=8 %run %t

#include "check.h"

enum { Rounds = 40, Depth = 6 };

static int Ran;

/// A different number for each \p Child of the task with \p Seed.
static unsigned childOf(unsigned Seed, unsigned Child) {
  Seed = (Seed ^ (Child + 1) * 0x9e3779b9u) * 0x85ebca6bu;
  return (Seed ^ Seed >> 15) * 0xc2b2ae35u;
}

/// A number below \p Limit, a different one for each \p Use of a seed.
static unsigned choose(unsigned Seed, unsigned Use, unsigned Limit) {
  return (childOf(Seed, 1000 + Use) >> 8) % Limit;
}

static int countChildren(unsigned Seed, int Levels) {
  return Levels > 0 ? 1 + (int)choose(Seed, 0, 3) : 0;
}

static int countTasks(unsigned Seed, int Levels) {
  int Sum = 1;
  for (int I = 0; I < countChildren(Seed, Levels); ++I)
    Sum += countTasks(childOf(Seed, (unsigned)I), Levels - 1);
  return Sum;
}

static void create(unsigned Seed, int Levels);

static void runTied(unsigned Seed, int Levels) {
  add(&Ran, 1);
  dither(Seed);
  if (choose(Seed, 1, 4) == 0) {
#pragma omp taskgroup
    for (int I = 0; I < countChildren(Seed, Levels); ++I)
      create(childOf(Seed, (unsigned)I), Levels - 1);
    return;
  }
  for (int I = 0; I < countChildren(Seed, Levels); ++I) {
    create(childOf(Seed, (unsigned)I), Levels - 1);
    if (choose(Seed, 1, 4) == 1) {
#pragma omp taskyield
    }
  }
#pragma omp taskwait
}

static void create(unsigned Seed, int Levels) {
  const int Strict = choose(Seed, 2, 10) < 7;
  if (choose(Seed, 3, 5) > 2)
    omp_set_task_affinity(omp_affinity_node, choose(Seed, 4, 8), Strict);
  else if (choose(Seed, 3, 5) > 0)
    omp_set_task_affinity(omp_affinity_thread, choose(Seed, 4, 8), Strict);
  switch (choose(Seed, 5, 8)) {
  case 0:
#pragma omp task if (0) firstprivate(Seed, Levels)
    runTied(Seed, Levels);
    break;
  case 1:
  case 2:
  case 3:
#pragma omp task firstprivate(Seed, Levels)
    runTied(Seed, Levels);
    break;
  default:
#pragma omp task untied firstprivate(Seed, Levels)
  {
    // Each taskyield begins another part.
    const int Children = countChildren(Seed, Levels);
    add(&Ran, 1);
    dither(Seed);
    if (Children > 0)
      create(childOf(Seed, 0), Levels - 1);
#pragma omp taskyield
    if (Children > 1)
      create(childOf(Seed, 1), Levels - 1);
    if (choose(Seed, 6, 2)) {
#pragma omp taskwait
    }
#pragma omp taskyield
    if (Children > 2)
      create(childOf(Seed, 2), Levels - 1);
#pragma omp taskwait
  }
  }
}

int main(void) {
  for (unsigned Round = 0; Round < Rounds; ++Round) {
    Ran = 0;
    int Expected = 0;
#pragma omp parallel
#pragma omp single
    for (unsigned Tree = 0; Tree < 3; ++Tree) {
      const unsigned Seed = childOf(Round, Tree);
      Expected += countTasks(Seed, Depth);
      create(Seed, Depth);
    }
    CHECK_EQUAL(Ran, Expected, "tasks");
  }
  return 0;
}
