//===-- fib.c - Fibonacci numbers, a task for every call ------------------===//
//
// No cut-off: nearly all of the time is what the runtime takes to create, find,
// run and finish a task. The sequential twin is the same recursion without the
// tasks: it gives the result to compare with, and the price of a call.
//
//===----------------------------------------------------------------------===//

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { ExitOk = 0, ExitCheckFailed = 1, ExitUsage = 2 };

__attribute__((noinline)) static long fibSequential(int N) {
  if (N < 2)
    return N;
  return fibSequential(N - 1) + fibSequential(N - 2);
}

static long fibTasks(int N) {
  if (N < 2)
    return N;
  long A, B;
#pragma omp task shared(A)
  A = fibTasks(N - 1);
#pragma omp task shared(B)
  B = fibTasks(N - 2);
#pragma omp taskwait
  return A + B;
}

static void usage(FILE *Out) {
  fprintf(Out,
          "Usage: fib [-n NUMBER] [-r REPETITIONS]\n\n"
          "Computes a Fibonacci number with a task for every call and prints "
          "the nanoseconds\nper task, median of the repetitions.\n\n"
          "  -n NUMBER        which one, 1 to 45 (default 27)\n"
          "  -r REPETITIONS   timed runs after one to warm up (default 5)\n"
          "  -h, --help       this text\n\n"
          "The number of threads is OpenMP's: OMP_NUM_THREADS.\n"
          "Exit status: 0, 1 = wrong result, 2 = bad input.\n");
}

static int number(const char *Text, char Letter, int Max) {
  char *End;
  errno = 0;
  long Value = strtol(Text, &End, 10);
  if (End == Text || *End || errno || Value < 1 || Value > Max) {
    fprintf(stderr, "fib: error: -%c %s: must be a whole number from 1 to %d\n",
            Letter, Text, Max);
    exit(ExitUsage);
  }
  return (int)Value;
}

static int compareDoubles(const void *A, const void *B) {
  double X = *(const double *)A, Y = *(const double *)B;
  return (X > Y) - (X < Y);
}

static double median(double *Values, int Count) {
  qsort(Values, (size_t)Count, sizeof(double), compareDoubles);
  return (Values[(Count - 1) / 2] + Values[Count / 2]) / 2;
}

/// The file of the OpenMP runtime that was really loaded.
static const char *runtimePath(char Path[PATH_MAX]) {
  void *Symbol = dlsym(RTLD_DEFAULT, "omp_get_max_threads");
  Dl_info Info;
  if (!Symbol || !dladdr(Symbol, &Info) || !realpath(Info.dli_fname, Path))
    return "unknown";
  return Path;
}

/// Runs fibTasks from one thread of a team. Adds to \p Seconds.
static long timedRun(int N, double *Seconds, int *Threads) {
  long Result = 0;
#pragma omp parallel shared(Result)
#pragma omp single
  {
    *Threads = omp_get_num_threads();
    double Start = omp_get_wtime();
    Result = fibTasks(N);
    *Seconds = omp_get_wtime() - Start;
  }
  return Result;
}

int main(int ArgCount, char **Args) {
  int N = 27, Repetitions = 5, Letter;
  static const struct option Long[] = {{"help", no_argument, NULL, 'h'},
                                       {NULL, 0, NULL, 0}};
  while ((Letter = getopt_long(ArgCount, Args, "n:r:h", Long, NULL)) != -1) {
    switch (Letter) {
    case 'n':
      N = number(optarg, 'n', 45);
      break;
    case 'r':
      Repetitions = number(optarg, 'r', 100000);
      break;
    case 'h':
      usage(stdout);
      return ExitOk;
    default:
      usage(stderr);
      return ExitUsage;
    }
  }
  if (optind < ArgCount) {
    fprintf(stderr, "fib: error: unexpected argument '%s'; see --help\n",
            Args[optind]);
    return ExitUsage;
  }

  // The first call into the runtime starts it; that is nobody's time.
  double Start = omp_get_wtime();
  Start = omp_get_wtime();
  const long Expected = fibSequential(N);
  const double SequentialSeconds = omp_get_wtime() - Start;
  // A call for every task, and the first one.
  const double Calls = 2.0 * (double)fibSequential(N + 1) - 1;

  double *Seconds = malloc((size_t)Repetitions * sizeof(double));
  if (!Seconds) {
    fprintf(stderr, "fib: error: not enough memory for %d repetitions\n",
            Repetitions);
    return ExitUsage;
  }
  int Right = 1, Threads = 0;
  double WarmUp;
  Right &= timedRun(N, &WarmUp, &Threads) == Expected;
  for (int I = 0; I < Repetitions; ++I)
    Right &= timedRun(N, &Seconds[I], &Threads) == Expected;

  char Path[PATH_MAX];
  printf("fib %d\nresult %ld\ncheck %s\nruntime %s\nthreads %d\ntasks %.0f\n",
         N, Expected, Right ? "ok" : "FAILED", runtimePath(Path), Threads,
         Calls - 1);
  printf("seconds");
  for (int I = 0; I < Repetitions; ++I)
    printf(" %.6f", Seconds[I]);
  printf("\nns_per_task %.1f\nns_per_sequential_call %.2f\n",
         N < 2 ? 0 : 1e9 * median(Seconds, Repetitions) / (Calls - 1),
         1e9 * SequentialSeconds / Calls);
  free(Seconds);
  return Right ? ExitOk : ExitCheckFailed;
}
