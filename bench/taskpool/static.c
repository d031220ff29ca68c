//===-- static.c - Tasks that are all there before the work starts --------===//
//
// The static workload of Hofmann and Runger ("Towards an adaptive task pool
// implementation", section 5.1): tasks of one size, a multiple of the number of
// threads and at least 10 for each, are put into the pool before the execution
// starts. By default every thread puts in its share, which is the paper's equal
// distribution to several queues; -p 1 lets one thread put in all.
//
// The threads wait for each other outside of the runtime until all tasks are
// in. A runtime that bounds its queues runs tasks before; the time is that of
// the whole region.
//
//===----------------------------------------------------------------------===//

#include "driver.h"

#include <omp.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>

#include "counters.h"
#include "pi.h"

enum { LeastPerThread = 10 };

static long Tasks = 100000, Size = 10, Inserting = 0;
static int Team;
static long Inserters; ///< Threads that put tasks in.
static long Expected;
static atomic_int Ready;

static void prepare(int Threads) {
  Team = Threads;
  Inserters = Inserting ? Inserting : Threads;
  if (Inserters > Threads)
    benchFail("-p %ld: more than the %d threads of the team", Inserters,
              Threads);
  if (Tasks < LeastPerThread * (long)Threads)
    benchFail("-n %ld: fewer than %d tasks for each of %d threads", Tasks,
              LeastPerThread, Threads);
  Tasks = (Tasks + Threads - 1) / Threads * Threads;
}

static void reset(void) {
  clearCounts();
  Ready = 0;
}

static void sequential(void) {
  Expected = 0;
  for (long I = 0; I < Tasks; ++I)
    Expected += computePi(Size);
}

/// A function: what a thread counts may not stand in an untied task.
static void runTask(void) {
  WorkHere += computePi(Size);
  ++TasksHere;
}

static void parallel(void) {
#pragma omp parallel
  {
    long Me = omp_get_thread_num();
    long Share =
        Me < Inserters ? Tasks / Inserters + (Me < Tasks % Inserters) : 0;
    for (long I = 0; I < Share; ++I) {
#pragma omp task BENCH_TIED
      runTask();
    }
    ++Ready;
    while (Ready < Team)
      sched_yield();
  }
}

static int check(void) {
  Counts All = sumCounts(0);
  if (All.Tasks != Tasks || All.Work != Tasks * Size || Expected != All.Work)
    fprintf(stderr,
            "static: %ld tasks computed Pi %ld times, expected %ld and %ld\n",
            All.Tasks, All.Work, Tasks, Tasks * Size);
  return All.Tasks == Tasks && All.Work == Tasks * Size && Expected == All.Work;
}

static void report(double Parallel, double Sequential) {
  printf("tasks %ld\nns_per_task %.1f\nspeedup %.2f\n", Tasks,
         1e9 * Parallel / (double)Tasks, Sequential / Parallel);
}

int main(int ArgCount, char **Args) {
  static const BenchOption Options[] = {
      {'n', "tasks, rounded up to a multiple of the threads", &Tasks, 1,
       1000000000},
      {'s', "computations of Pi in each", &Size, 1, 1000000000},
      {'p', "threads that put them in; 0: all", &Inserting, 0, 65536},
      {0}};
  static const Benchmark Bench = {
      .Name = "static",
      .Summary = "Tasks of one size, put in before the execution starts.",
      .Options = Options,
      .Prepare = prepare,
      .Reset = reset,
      .Sequential = sequential,
      .Parallel = parallel,
      .Check = check,
      .Report = report};
  return benchMain(&Bench, ArgCount, Args);
}
