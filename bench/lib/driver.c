//===-- driver.c - What every task benchmark does around its kernel -------===//

#include "driver.h"

#include <dlfcn.h>
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <x86intrin.h>

enum { MaxOptions = 8, CacheLine = 64 };

static const char *ProgramName = "bench";

void benchFail(const char *Format, ...) {
  va_list Arguments;
  fprintf(stderr, "%s: error: ", ProgramName);
  va_start(Arguments, Format);
  vfprintf(stderr, Format, Arguments);
  va_end(Arguments);
  fputc('\n', stderr);
  exit(BenchUsage);
}

void *benchAllocate(size_t Bytes) {
  void *Memory =
      aligned_alloc(CacheLine, (Bytes + CacheLine - 1) / CacheLine * CacheLine);
  if (!Memory)
    benchFail("not enough memory for %zu bytes", Bytes);
  return Memory;
}

double benchSeconds(void) {
  struct timespec Now;
  clock_gettime(CLOCK_MONOTONIC, &Now);
  return (double)Now.tv_sec + 1e-9 * (double)Now.tv_nsec;
}

double benchCyclesPerSecond(void) {
  double Start = benchSeconds(), Now;
  uint64_t Cycles = __rdtsc();
  do
    Now = benchSeconds();
  while (Now < Start + 0.01);
  return (double)(__rdtsc() - Cycles) / (Now - Start);
}

static int compareDoubles(const void *A, const void *B) {
  double X = *(const double *)A, Y = *(const double *)B;
  return (X > Y) - (X < Y);
}

double benchMedian(double *Values, int Count) {
  qsort(Values, (size_t)Count, sizeof(double), compareDoubles);
  return (Values[(Count - 1) / 2] + Values[Count / 2]) / 2;
}

static long Repetitions = 3;
static const BenchOption RepetitionsOption = {
    'r', "timed runs, after one to warm up", &Repetitions, 1, 100000};

static void printOption(FILE *Out, const BenchOption *Option) {
  fprintf(Out, "  -%c NUMBER   %s (default %ld)\n", Option->Letter,
          Option->Meaning, *Option->Value);
}

static void usage(FILE *Out, const Benchmark *Bench) {
  fprintf(Out, "Usage: %s [options]\n\n%s\n\n", Bench->Name, Bench->Summary);
  for (const BenchOption *Option = Bench->Options; Option->Letter; ++Option)
    printOption(Out, Option);
  printOption(Out, &RepetitionsOption);
  fprintf(Out, "  -h, --help  this text\n\n"
               "The number of threads is OMP_NUM_THREADS.\n"
               "Exit status: 0, 1 = wrong result, 2 = bad input.\n");
}

static void setNumber(const BenchOption *Option, const char *Text) {
  char *End;
  errno = 0;
  long Value = strtol(Text, &End, 10);
  if (End == Text || *End || errno || Value < Option->Min ||
      Value > Option->Max)
    benchFail("-%c %s: %s: must be a whole number from %ld to %ld",
              Option->Letter, Text, Option->Meaning, Option->Min, Option->Max);
  *Option->Value = Value;
}

static void parse(const Benchmark *Bench, int ArgCount, char **Args) {
  static const struct option Long[] = {{"help", no_argument, NULL, 'h'},
                                       {NULL, 0, NULL, 0}};
  char Letters[5 + 2 * MaxOptions] = "hr:"; // The rest is zero.
  for (int I = 0; Bench->Options[I].Letter; ++I) {
    if (I == MaxOptions)
      benchFail("more than %d options", MaxOptions);
    Letters[3 + 2 * I] = Bench->Options[I].Letter;
    Letters[4 + 2 * I] = ':';
  }
  int Letter;
  while ((Letter = getopt_long(ArgCount, Args, Letters, Long, NULL)) != -1) {
    if (Letter == 'h') {
      usage(stdout, Bench);
      exit(BenchOk);
    }
    if (Letter == '?') { // getopt has said what is wrong.
      usage(stderr, Bench);
      exit(BenchUsage);
    }
    const BenchOption *Option = Bench->Options;
    while (Option->Letter && Option->Letter != Letter)
      ++Option;
    setNumber(Option->Letter ? Option : &RepetitionsOption, optarg);
  }
  if (optind < ArgCount)
    benchFail("unexpected argument '%s'; see --help", Args[optind]);
}

/// The file of the parallel runtime that was really loaded.
static const char *runtimePath(char Path[PATH_MAX]) {
  void *Symbol = dlsym(RTLD_DEFAULT, runtimeSymbol());
  Dl_info Info;
  if (!Symbol || !dladdr(Symbol, &Info) || !realpath(Info.dli_fname, Path))
    benchFail("cannot find the file of %s among the loaded libraries",
              runtimeSymbol());
  return Path;
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
  ProgramName = Bench->Name;
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
  for (const BenchOption *Option = Bench->Options; Option->Letter; ++Option)
    printf(" -%c %ld", Option->Letter, *Option->Value);
  printf("\ncheck %s\nruntime %s\nthreads %d\n", Right ? "ok" : "FAILED",
         runtimePath(Path), Threads);
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
