//===-- metg.c - The smallest task that keeps the threads busy ------------===//
//
// Slaughter et al. ("Task Bench: a parameterized benchmark for evaluating
// parallel runtime performance", SC 2020): points in a row, a task for each
// point in each step; the pattern says which points of the step before it
// reads. METG(50 %) is the minimum effective task granularity: the time that a
// task takes of a thread, the runtime's share included, where half of the
// threads' time is work.
//
// The work is a loop whose iterations need each other, and starts from what the
// task reads: its result shows whether the order was right. With -g 0 the
// program looks for the grain of 50 % by bisection, then runs with that.
//
// With -s the first steps are recorded, and their tasks run again for the later
// ones (omp_taskgraph).
//
//===----------------------------------------------------------------------===//

#include "driver.h"

#include <dlfcn.h>
#include <math.h>
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../taskpool/counters.h"

enum { Cell = 8 }; ///< Words of a cell: a cache line.

static long Width = 8, Radix = 5, Grain = 0, Steps = 0, Fields = 2;
static long Milliseconds = 20, Coarsest = 1 << 18;
static const char *PatternName = "stencil_1d";
static uint64_t *Cells, *Expected;
static long ExpectedSum; ///< Of trivial.
static int Workers;      ///< Processors that can be at work at once.
static int Levels;       ///< Of fft: log2 of the width, at least 1.

static long Period; ///< Steps of the graph that is run again; 0: no graph.
static long Lead;   ///< Steps before it: their tasks differ from later ones.
static long GraphRuns, GraphBodies; ///< Of the last run.

/// omp_taskgraph and omp_taskgraph_reset. Other compilers' omp.h has neither,
/// and any runtime may be loaded.
static void (*Taskgraph)(uintptr_t, int, void (*)(void *), void *, size_t);
enum { Reset = 1 };

/// The points of the step before that a point reads.
typedef struct {
  int Count, First, Stride;
} Inputs;

static Inputs range(long First, long Last) {
  First = First < 0 ? 0 : First;
  Last = Last >= Width ? Width - 1 : Last;
  return (Inputs){(int)(Last - First + 1), (int)First, 1};
}

static Inputs trivial(long Step, long Point) {
  (void)Step;
  (void)Point;
  return (Inputs){0, 0, 1};
}

static Inputs stencil(long Step, long Point) {
  (void)Step;
  return range(Point - 1, Point + 1);
}

static Inputs nearest(long Step, long Point) {
  (void)Step;
  return range(Point - Radix / 2, Point + (Radix - 1) / 2);
}

static Inputs allToAll(long Step, long Point) {
  (void)Step;
  (void)Point;
  return range(0, Width - 1);
}

/// The point itself, and those that the butterfly of this step joins it with.
static Inputs fft(long Step, long Point) {
  long Far = 1L << ((Step - 1) % Levels);
  long First = Point >= Far ? Point - Far : Point;
  long Last = Point + Far < Width ? Point + Far : Point;
  return (Inputs){(int)((Last - First) / Far + 1), (int)First, (int)Far};
}

/// Each point of a step has two children in the next one, as long as there is
/// room; see pointsOf.
static Inputs tree(long Step, long Point) {
  (void)Step;
  return range(Point / 2, Point / 2);
}

static const struct Pattern {
  const char *Name;
  Inputs (*Of)(long Step, long Point);
} Patterns[] = {{"trivial", trivial}, {"stencil_1d", stencil},
                {"fft", fft},         {"tree", tree},
                {"nearest", nearest}, {"all_to_all", allToAll}};
static const struct Pattern *Chosen;

static long pointsOf(long Step) {
  if (Chosen->Of != tree || Step >= 32)
    return Width;
  return Width < 1L << Step ? Width : 1L << Step;
}

static long tasksOf(long Steps) {
  long Tasks = 0;
  for (long Step = 0; Step < Steps; ++Step)
    Tasks += pointsOf(Step);
  return Tasks;
}

static inline uint64_t *row(long Step) {
  return Cells + Step % Fields * Width * Cell;
}

static inline uint64_t kernel(uint64_t Value, long Iterations) {
  for (long I = Iterations; I > 0; --I)
    Value = Value * 0x5851f42d4c957f2du + 0x14057b7ef767814fu;
  return Value;
}

/// What a task does.
static inline void work(uint64_t *Out, const uint64_t *From, Inputs In,
                        long Iterations) {
  uint64_t Value = *Out + 1;
  for (int I = 0; I < In.Count; ++I)
    Value = Value * 31 + From[(In.First + I * In.Stride) * Cell];
  *Out = kernel(Value, Iterations);
}

/// What a task without dependences does. The sum is the same in any order.
static inline void workAlone(long Number, long Iterations) {
  WorkHere += (long)(kernel((uint64_t)Number, Iterations) >> 40);
}

/// Of the first task of a step without dependences. A graph repeats the numbers
/// that it was recorded with.
static inline long firstNumber(long Step) {
  return (Period ? Step % Fields : Step) * Width;
}

static inline Inputs inputs(long Step, long Point) {
  return Step ? Chosen->Of(Step, Point) : (Inputs){0, 0, 1};
}

static void runTwin(void) {
  for (long Step = 0; Step < Steps; ++Step) {
    const long Number = firstNumber(Step);
    for (long Point = 0; Point < pointsOf(Step); ++Point) {
      if (Chosen->Of == trivial)
        workAlone(Number + Point, Grain);
      else
        work(row(Step) + Point * Cell, row(Step + Fields - 1),
             inputs(Step, Point), Grain);
    }
  }
}

/// An array of dependences whose length is known at run time lies on the stack;
/// it goes when this function returns.
__attribute__((noinline)) static void createTask(uint64_t *Out, uint64_t *From,
                                                 Inputs In) {
  const long Iterations = Grain;
#pragma omp task depend(out : Out[0])                                          \
    depend(iterator(I = 0 : In.Count),                                         \
               in : From[(In.First + I * In.Stride) * Cell])
  work(Out, From, In, Iterations);
}

static inline void createAlone(long Number) {
  const long Iterations = Grain;
#pragma omp task
  workAlone(Number, Iterations);
}

static void createSteps(long First, long Behind) {
  for (long Step = First; Step < Behind; ++Step) {
    const long Number = firstNumber(Step);
    for (long Point = 0; Point < pointsOf(Step); ++Point) {
      if (Chosen->Of == trivial)
        createAlone(Number + Point);
      else
        createTask(row(Step) + Point * Cell, row(Step + Fields - 1),
                   inputs(Step, Point));
    }
  }
}

/// The body of the graph. Any later period has the same tasks.
static void createPeriod(void *Unused) {
  (void)Unused;
  ++GraphBodies;
  createSteps(Lead, Lead + Period);
}

/// Each run records anew: the grain may be another one.
static long runPeriods(void) {
  long Step = Lead;
  for (; Step + Period <= Steps; Step += Period)
    Taskgraph(0, GraphRuns++ ? 0 : Reset, createPeriod, NULL, 0);
  return Step;
}

static void parallel(void) {
  GraphRuns = GraphBodies = 0;
#pragma omp parallel
#pragma omp single
  {
    long First = 0;
    if (Period && Lead + Period <= Steps) {
      createSteps(0, Lead);
      First = runPeriods();
    }
    createSteps(First, Steps);
  }
}

static size_t bytes(void) {
  return (size_t)(Fields * Width * Cell) * sizeof(uint64_t);
}

static void reset(void) {
  memset(Cells, 0, bytes());
  clearCounts();
}

static void sequential(void) {
  runTwin();
  memcpy(Expected, Cells, bytes());
  ExpectedSum = WorkHere;
}

static int check(void) {
  int Right = memcmp(Cells, Expected, bytes()) == 0;
  Right &= sumCounts(0).Work == ExpectedSum;
  if (!Right)
    fprintf(stderr, "metg: not the sequential twin's cells\n");
  return Right;
}

/// The share of work in the threads' time, and that time for a task.
typedef struct {
  double Efficiency, Granularity;
} Share;

static Share shareOf(double Parallel, double Sequential) {
  return (Share){Sequential / Workers / Parallel,
                 Parallel * Workers / (double)tasksOf(Steps)};
}

static double timed(void (*Run)(void)) {
  reset();
  double Start = benchSeconds();
  Run();
  return benchSeconds() - Start;
}

/// So many steps that the region takes the time wanted, at \p Granularity.
static void chooseSteps(double Granularity) {
  double Wanted = 1e-3 * (double)Milliseconds * Workers / Granularity;
  Steps = 2 + (long)(Wanted / (double)Width);
}

enum { Trials = 3, MostProbes = 64 };
static struct {
  long Grain;
  Share At;
} Probes[MostProbes];
static int ProbeCount;

/// Measures a grain, with medians over both kinds of run.
static Share probe(long Iterations) {
  double Parallel[Trials], Sequential[Trials];
  Grain = Iterations;
  // Few at first, to see how many it must be.
  for (long Most = 5; Most <= 500; Most *= 10) {
    Steps = Most;
    chooseSteps(shareOf(timed(parallel), 1).Granularity);
    if (Steps <= Most)
      break;
  }
  for (int I = 0; I < Trials; ++I) {
    Sequential[I] = timed(sequential);
    Parallel[I] = timed(parallel);
    if (!check())
      exit(BenchCheckFailed);
  }
  Share Found =
      shareOf(benchMedian(Parallel, Trials), benchMedian(Sequential, Trials));
  Probes[ProbeCount].Grain = Iterations;
  Probes[ProbeCount++].At = Found;
  return Found;
}

static double Metg; ///< Seconds; 0 where the grain was given.
static int Crossed; ///< Whether both sides of one half were met.
static const double Half = 0.5;

/// The granularity where the efficiency is one half, between two others. The
/// logarithm goes straight between them.
static double between(Share Low, Share High) {
  double Part = (Half - Low.Efficiency) / (High.Efficiency - Low.Efficiency);
  return exp(log(Low.Granularity) +
             Part * (log(High.Granularity) - log(Low.Granularity)));
}

/// Finds the grain of half efficiency: by doubling, then by bisection. Where
/// the finest grain is enough, or none is, it stays at that.
static void search(void) {
  const long Finest = 1;
  long Low = 0, High = Finest;
  Share AtLow = {0, 0}, AtHigh = probe(Finest);
  while (AtHigh.Efficiency < Half && High < Coarsest) {
    Low = High;
    AtLow = AtHigh;
    High *= High < 32 ? 32 : 2;
    AtHigh = probe(High);
  }
  for (int I = 0; I < 4 && Low && High > Low + 1; ++I) {
    long Middle = (long)sqrt((double)Low * (double)High);
    Share At = probe(Middle);
    if (At.Efficiency < Half) {
      Low = Middle;
      AtLow = At;
    } else {
      High = Middle;
      AtHigh = At;
    }
  }
  Crossed = Low && AtHigh.Efficiency >= Half;
  Metg = Crossed ? between(AtLow, AtHigh) : AtHigh.Granularity;
  Grain = High;
  chooseSteps(AtHigh.Granularity);
}

/// A graph must end where the rows, and the butterflies of fft, begin anew.
static void preparePeriod(void) {
  *(void **)&Taskgraph = dlsym(RTLD_DEFAULT, "omp_taskgraph");
  if (!Taskgraph)
    benchFail("-s %ld: this OpenMP runtime has no omp_taskgraph", Period);
  const long Unit = Chosen->Of == fft ? Fields * Levels : Fields;
  Period = (Period + Unit - 1) / Unit * Unit;
  // The first step reads nothing, and a tree takes Levels more to fill the row.
  Lead = Levels + 1;
}

static void prepare(int Threads) {
  const int Count = sizeof(Patterns) / sizeof(*Patterns);
  for (int I = 0; I < Count; ++I)
    if (strcmp(Patterns[I].Name, PatternName) == 0)
      Chosen = &Patterns[I];
  if (!Chosen)
    benchFail("-p %s: no such pattern; see --help", PatternName);
  Workers = Threads < runtimeProcessors() ? Threads : runtimeProcessors();
  Workers = Workers < Width ? Workers : (int)Width;
  for (Levels = 1; 2L << Levels <= Width; ++Levels)
    ;
  if (Period)
    preparePeriod();
  Cells = benchAllocate(bytes());
  Expected = benchAllocate(bytes());
  long WantedSteps = Steps;
  if (!Grain)
    search();
  if (WantedSteps)
    Steps = WantedSteps;
  else if (!Metg)
    Steps = 1000;
}

static void report(double Parallel, double Sequential) {
  Share Last = shareOf(Parallel, Sequential);
  printf("tasks %ld\nworkers %d\nns_per_task %.1f\nns_granularity %.1f\n"
         "efficiency %.3f\n",
         tasksOf(Steps), Workers, 1e9 * Parallel / (double)tasksOf(Steps),
         1e9 * Last.Granularity, Last.Efficiency);
  if (Period)
    printf("graph_runs %ld\ngraph_bodies %ld\n", GraphRuns, GraphBodies);
  if (!Metg)
    return;
  printf("ns_metg %.1f\nmetg_found %d\ncurve", 1e9 * Metg, Crossed);
  for (int I = 0; I < ProbeCount; ++I)
    printf(" %ld:%.0f:%.3f", Probes[I].Grain, 1e9 * Probes[I].At.Granularity,
           Probes[I].At.Efficiency);
  printf("\n");
}

int main(int ArgCount, char **Args) {
  static const BenchOption Options[] = {
      {'p', "the pattern (default stencil_1d)", .Text = &PatternName,
       .ValueName = "PATTERN"},
      {'w', "points, the tasks of a step", &Width, 1, 100000},
      {'t', "steps; 0: as many as the time allows, 1000 with -g", &Steps, 0,
       100000000},
      {'g', "iterations of a task; 0: look for the METG", &Grain, 0, 1L << 40},
      {'k', "points that a task of nearest reads", &Radix, 1, 100000},
      {'f', "rows of memory that the steps use in turn", &Fields, 2, 100000},
      {'m', "milliseconds of a run while it looks for the METG", &Milliseconds,
       1, 100000},
      {'s', "steps that are recorded and run again, rounded up; 0: none",
       &Period, 0, 1000000},
      {'c', "the most iterations that it tries", &Coarsest, 1, 1L << 40},
      {0}};
  static const Benchmark Bench = {
      .Name = "metg",
      .Summary =
          "Looks for the smallest tasks with which half of the threads' time "
          "is work,\nMETG(50 %). Patterns: trivial, stencil_1d, fft, tree, "
          "nearest, all_to_all.\nThe curve that it prints is grain:ns a "
          "task:efficiency.",
      .Options = Options,
      .Prepare = prepare,
      .Reset = reset,
      .Sequential = sequential,
      .Parallel = parallel,
      .Check = check,
      .Report = report};
  return benchMain(&Bench, ArgCount, Args);
}
