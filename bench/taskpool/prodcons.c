//===-- prodcons.c - Some threads create tasks, the others run them -------===//
//
// The synthetic benchmark of Agathos, Kallimanis, Dimakopoulos ("Speeding up
// OpenMP tasking", Euro-Par 2012, section 4.1). A parallel region of nthr
// threads; nprod of them create 16 million tasks in equal shares; the rest go
// to the region's end at once and run tasks there. A task is a loop of a random
// number of iterations from 0 to maxload.
//
// The random number is drawn by the producer; its figure 4 was not at hand to
// see whether the paper's was.
//
//===----------------------------------------------------------------------===//

#include "driver.h"
#include "random.h"

#include <omp.h>
#include <stdint.h>
#include <stdio.h>

#include "counters.h"

static long WantedProducers = 1, MaxLoad = 128, Tasks = 16000000;
static long Producers;
static long ExpectedWork;
static Counts All, Consumers;

/// One multiplication an iteration, each after the one before it: some three
/// cycles. A volatile variable, as the paper has it, takes one cycle or five by
/// where its stack happens to lie, so other runtimes seemed faster or slower.
static inline void work(long Load) {
  unsigned long Product = 1;
  for (long I = 0; I < Load; ++I) {
    Product *= 0x9e3779b97f4a7c15u;
    __asm__ volatile("" : "+r"(Product));
  }
}

/// The producer's stream of loads.
static inline uint64_t firstState(long Producer) {
  return randomMix((uint64_t)Producer + 1);
}

static inline long share(long Producer) {
  return Tasks / Producers + (Producer < Tasks % Producers);
}

static void prepare(int Threads) {
  long Half = Threads > 1 ? Threads / 2 : 1;
  Producers = WantedProducers ? WantedProducers : Half;
  if (Producers > Threads)
    benchFail("-p %ld: more producers than the %d threads of the team",
              Producers, Threads);
}

static void reset(void) { clearCounts(); }

static void sequential(void) {
  ExpectedWork = 0;
  for (long P = 0; P < Producers; ++P) {
    uint64_t State = firstState(P);
    for (long I = 0; I < share(P); ++I) {
      long Load = randomBelow(&State, (uint32_t)MaxLoad + 1);
      work(Load);
      ExpectedWork += Load;
    }
  }
}

/// A function: what a thread counts may not stand in an untied task.
static void runTask(long Load) {
  work(Load);
  ++TasksHere;
  WorkHere += Load;
}

static void parallel(void) {
#pragma omp parallel
  {
    long Me = omp_get_thread_num();
    if (Me < Producers) {
      uint64_t State = firstState(Me);
      for (long I = 0; I < share(Me); ++I) {
        long Load = randomBelow(&State, (uint32_t)MaxLoad + 1);
#pragma omp task BENCH_TIED firstprivate(Load)
        runTask(Load);
      }
    }
  }
}

static int check(void) {
  All = sumCounts(0);
  Consumers = sumCounts((int)Producers);
  if (All.Tasks != Tasks)
    fprintf(stderr, "prodcons: %ld of %ld tasks ran\n", All.Tasks, Tasks);
  if (All.Work != ExpectedWork)
    fprintf(stderr, "prodcons: %ld iterations, expected %ld\n", All.Work,
            ExpectedWork);
  return All.Tasks == Tasks && All.Work == ExpectedWork;
}

static void report(double Parallel, double Sequential) {
  (void)Sequential;
  printf("tasks %ld\ntasks_per_second %.0f\nby_consumers_percent %.1f\n", Tasks,
         (double)Tasks / Parallel,
         100.0 * (double)Consumers.Tasks / (double)Tasks);
}

int main(int ArgCount, char **Args) {
  static const BenchOption Options[] = {
      {'p', "threads that create tasks (nprod); 0: half of them",
       &WantedProducers, 0, 65536},
      {'l', "most iterations of a task's loop (maxload)", &MaxLoad, 0, 1 << 30},
      {'n', "tasks", &Tasks, 1, 1000000000},
      {0}};
  static const Benchmark Bench = {
      .Name = "prodcons",
      .Summary = "Some threads of a team create tasks, the others only run "
                 "them. Prints the tasks\nper second, and how many of the "
                 "last run's were run by threads that create none.",
      .Options = Options,
      .Prepare = prepare,
      .Reset = reset,
      .Sequential = sequential,
      .Parallel = parallel,
      .Check = check,
      .Report = report};
  return benchMain(&Bench, ArgCount, Args);
}
