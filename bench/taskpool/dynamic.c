//===-- dynamic.c - Tasks that create tasks -------------------------------===//
//
// The dynamic workload of Hofmann and Runger ("Towards an adaptive task pool
// implementation", section 5.2), after Korch and Rauber: a task of parameter i
// creates one of i - 2 and one of i - 1 between computations. At the start
// there are those of k - 1, ..., 0; k = 12 makes 1204 tasks in all.
//
// The paper's factor f is -f / 10, so that tasks can be made small.
//
//===----------------------------------------------------------------------===//

#include "driver.h"

#include <omp.h>
#include <stdio.h>

#include "counters.h"
#include "pi.h"

static long K = 17, Tenths = 10;
static Counts Expected;

static void compute(long Times) { WorkHere += computePi(Times * Tenths / 10); }

static void taskSequential(int I) {
  ++TasksHere;
  if (I <= 0) {
    compute(100);
    return;
  }
  compute(10);
  taskSequential(I - 2);
  compute(50);
  taskSequential(I - 1);
  compute(100);
}

static void syntheticTask(int I) {
  ++TasksHere;
  if (I <= 0) {
    compute(100);
    return;
  }
  compute(10);
#pragma omp task BENCH_TIED firstprivate(I)
  syntheticTask(I - 2);
  compute(50);
#pragma omp task BENCH_TIED firstprivate(I)
  syntheticTask(I - 1);
  compute(100);
}

static void reset(void) { clearCounts(); }

static void sequential(void) {
  for (int I = (int)K - 1; I >= 0; --I)
    taskSequential(I);
  Expected = (Counts){TasksHere, WorkHere};
}

static void parallel(void) {
#pragma omp parallel
#pragma omp single
  for (int I = (int)K - 1; I >= 0; --I) {
#pragma omp task BENCH_TIED firstprivate(I)
    syntheticTask(I);
  }
}

static int check(void) {
  Counts All = sumCounts(0);
  if (All.Tasks != Expected.Tasks || All.Work != Expected.Work)
    fprintf(stderr,
            "dynamic: %ld tasks computed Pi %ld times, expected %ld and %ld\n",
            All.Tasks, All.Work, Expected.Tasks, Expected.Work);
  if (K == 12 && All.Tasks != 1204)
    fprintf(stderr, "dynamic: %ld tasks, the paper counts 1204\n", All.Tasks);
  return All.Tasks == Expected.Tasks && All.Work == Expected.Work &&
         (K != 12 || All.Tasks == 1204);
}

static void report(double Parallel, double Sequential) {
  printf("tasks %ld\nns_per_task %.1f\nspeedup %.2f\n", Expected.Tasks,
         1e9 * Parallel / (double)Expected.Tasks, Sequential / Parallel);
}

int main(int ArgCount, char **Args) {
  static const BenchOption Options[] = {
      {'k', "tasks at the start", &K, 1, 40},
      {'f', "ten times the factor for the size of a task", &Tenths, 1,
       1000000000},
      {0}};
  static const Benchmark Bench = {
      .Name = "dynamic",
      .Summary = "Tasks that compute and create two smaller ones each.",
      .Options = Options,
      .Reset = reset,
      .Sequential = sequential,
      .Parallel = parallel,
      .Check = check,
      .Report = report};
  return benchMain(&Bench, ArgCount, Args);
}
