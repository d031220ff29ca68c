//===-- driver.c - What every task benchmark does around its kernel -------===//

#include "driver.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <x86intrin.h>

enum { CacheLine = 64 };

void *benchAllocate(size_t Bytes) {
  void *Memory =
      aligned_alloc(CacheLine, (Bytes + CacheLine - 1) / CacheLine * CacheLine);
  if (!Memory)
    benchFail("not enough memory for %zu bytes", Bytes);
  return Memory;
}

double benchCyclesPerSecond(void) {
  double Start = benchSeconds(), Now;
  uint64_t Cycles = __rdtsc();
  do
    Now = benchSeconds();
  while (Now < Start + 0.01);
  return (double)(__rdtsc() - Cycles) / (Now - Start);
}

static long Repetitions = 3;

/// Reads the program's options, and -r.
static void parse(const Benchmark *Bench, int ArgCount, char **Args) {
  BenchOption Options[BenchMostOptions + 1] = {{0}};
  int Count = 0;
  for (; Bench->Options[Count].Letter; ++Count) {
    if (Count == BenchMostOptions - 1)
      benchFail("more than %d options", Count);
    Options[Count] = Bench->Options[Count];
  }
  Options[Count].Letter = 'r';
  Options[Count].Meaning = "timed runs after one to warm up";
  Options[Count].Number = &Repetitions;
  Options[Count].Min = 1;
  Options[Count].Max = 100000;
  BenchCommand Command = {Bench->Name, "[options]", Bench->Summary, Options};
  benchParse(&Command, ArgCount, Args);
}

/// Time of all threads on a processor, in the system too.
static double cpuSeconds(void) {
  struct timespec Now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &Now);
  return (double)Now.tv_sec + 1e-9 * (double)Now.tv_nsec;
}

/// Seconds of one run.
typedef struct {
  double Wall, Cpu;
} Times;

static Times timed(const Benchmark *Bench, void (*Kernel)(void)) {
  if (Bench->Reset)
    Bench->Reset();
  double Wall = benchSeconds(), Cpu = cpuSeconds();
  Kernel();
  return (Times){benchSeconds() - Wall, cpuSeconds() - Cpu};
}

static void printSeconds(const char *Name, const double *Seconds) {
  printf("%s", Name);
  for (long I = 0; I < Repetitions; ++I)
    printf(" %.6f", Seconds[I]);
  printf("\n");
}

int benchMain(const Benchmark *Bench, int ArgCount, char **Args) {
  parse(Bench, ArgCount, Args);
  // The first region starts the runtime; that is nobody's time.
  int Threads = runtimeThreads();
  if (Bench->Prepare)
    Bench->Prepare(Threads);

  size_t Bytes = (size_t)Repetitions * sizeof(double);
  double *Sequential = benchAllocate(Bytes), *Parallel = benchAllocate(Bytes);
  double *Cpu = benchAllocate(Bytes);
  for (long I = 0; I < Repetitions; ++I)
    Sequential[I] = timed(Bench, Bench->Sequential).Wall;
  timed(Bench, Bench->Parallel);
  int Right = Bench->Check();
  for (long I = 0; I < Repetitions; ++I) {
    Times Run = timed(Bench, Bench->Parallel);
    Parallel[I] = Run.Wall;
    Cpu[I] = Run.Cpu;
    Right &= Bench->Check();
  }

  char Path[PATH_MAX];
  printf("program %s\nparameters", Bench->Name);
  for (const BenchOption *Option = Bench->Options; Option->Letter; ++Option) {
    if (Option->Text)
      printf(" -%c %s", Option->Letter, *Option->Text);
    else
      printf(" -%c %ld", Option->Letter, *Option->Number);
  }
  printf("\ncheck %s\nruntime %s\nthreads %d\n", Right ? "ok" : "FAILED",
         benchRuntimePath(Path), Threads);
  printSeconds("seconds", Parallel);
  printSeconds("seconds_cpu", Cpu);
  printSeconds("seconds_sequential", Sequential);
  if (Bench->Report)
    Bench->Report(benchMedian(Parallel, (int)Repetitions),
                  benchMedian(Sequential, (int)Repetitions));
  free(Sequential);
  free(Parallel);
  free(Cpu);
  return Right ? BenchOk : BenchCheckFailed;
}
