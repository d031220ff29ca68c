//===-- fib.c - Fibonacci numbers, a task for every call ------------------===//
//
// The cost of an inlined task, as Podobas, Brorsson, Faxen ("A comparison of
// some recent task-based parallel programming models", section 3.1) define it:
// the time on one thread, less that of the same recursion by function calls,
// divided by the number of tasks. No cut-off: nearly all of the time is what
// the runtime takes to create, find, run and finish a task.
//
// A team of one thread is a special case in every runtime. With -a 1 the team
// has all its threads, but the others wait outside of the runtime: the price
// of a task that could have been stolen, and was not.
//
//===----------------------------------------------------------------------===//

#include "driver.h"

#include <omp.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>

static long N = 27, Alone = 0;
static long Expected, Result;
static atomic_int Finished;

__attribute__((noinline)) static long fibSequential(int N) {
  if (N < 2)
    return N;
  return fibSequential(N - 1) + fibSequential(N - 2);
}

static long fibTasks(int N) {
  if (N < 2)
    return N;
  long A, B;
#pragma omp task BENCH_TIED shared(A)
  A = fibTasks(N - 1);
#pragma omp task BENCH_TIED shared(B)
  B = fibTasks(N - 2);
#pragma omp taskwait
  return A + B;
}

static void sequential(void) { Expected = fibSequential((int)N); }

static void parallel(void) {
  Result = 0;
  Finished = 0;
#pragma omp parallel
  {
    if (omp_get_thread_num() == 0) {
      Result = fibTasks((int)N);
      Finished = 1;
    }
    // Where a processor has several threads, the working one needs it too.
    while (Alone && !Finished)
      sched_yield();
  }
}

static int check(void) {
  if (Result != Expected)
    fprintf(stderr, "fib: the tasks found %ld, the calls %ld\n", Result,
            Expected);
  return Result == Expected;
}

static void report(double Parallel, double Sequential) {
  // A call for every task, and the first one.
  const double Calls = 2.0 * (double)fibSequential((int)N + 1) - 1;
  const double Tasks = Calls > 1 ? Calls - 1 : 1;
  const double OverCall = (Parallel - Sequential) / Tasks;
  printf("tasks %.0f\nns_per_task %.2f\nns_per_sequential_call %.2f\n"
         "ns_over_call %.2f\ncycles_over_call %.0f\n",
         Calls - 1, 1e9 * Parallel / Tasks, 1e9 * Sequential / Calls,
         1e9 * OverCall, benchCyclesPerSecond() * OverCall);
}

int main(int ArgCount, char **Args) {
  static const BenchOption Options[] = {
      {'n', "index of the Fibonacci number", &N, 1, 45},
      {'a', "1: the other threads wait outside of the runtime", &Alone, 0, 1},
      {0}};
  static const Benchmark Fib = {
      .Name = "fib",
      .Summary = "Computes a Fibonacci number with a task for every call, and "
                 "prints the\nnanoseconds per task: in all, and over a "
                 "function call.",
      .Options = Options,
      .Sequential = sequential,
      .Parallel = parallel,
      .Check = check,
      .Report = report};
  return benchMain(&Fib, ArgCount, Args);
}
