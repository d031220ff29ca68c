//===-- fib.cpp - Fibonacci numbers without cut-off, with oneTBB ----------===//
//
// The usual form: one call of each pair is spawned, the other one is made.
//
//===----------------------------------------------------------------------===//

#include "driver.h"
#include "tbb.h"

#include <cstdio>

#include <tbb/task_group.h>

static long N = 27;
static long Expected, Result;

__attribute__((noinline)) static long fibSequential(int N) {
  if (N < 2)
    return N;
  return fibSequential(N - 1) + fibSequential(N - 2);
}

static long fibTasks(int N) {
  if (N < 2)
    return N;
  long A, B;
  tbb::task_group Group;
  Group.run([&] { A = fibTasks(N - 1); });
  B = fibTasks(N - 2);
  Group.wait();
  return A + B;
}

static void sequential() { Expected = fibSequential(static_cast<int>(N)); }

static void parallel() {
  benchArena().execute([] { Result = fibTasks(static_cast<int>(N)); });
}

static int check() {
  if (Result != Expected)
    std::fprintf(stderr, "fib-tbb: the tasks found %ld, the calls %ld\n",
                 Result, Expected);
  return Result == Expected;
}

static void report(double Parallel, double Sequential) {
  const double Calls = 2.0 * double(fibSequential(int(N) + 1)) - 1;
  const double PerTask = Calls > 1 ? Calls - 1 : 1;
  std::printf("tasks %.0f\nns_per_task %.2f\nns_per_sequential_call %.2f\n",
              (Calls - 1) / 2, 1e9 * Parallel / PerTask,
              1e9 * Sequential / Calls);
}

int main(int ArgCount, char **Args) {
  static const BenchOption Options[] = {
      {'n', "index of the Fibonacci number", &N, 1, 45},
      {0, nullptr, nullptr, 0, 0}};
  static const Benchmark Bench = {
      "fib-tbb",
      "Computes a Fibonacci number with oneTBB and no cut-off. ns_per_task is "
      "per call,\nas where OpenMP has a task for each.",
      Options,
      nullptr,
      nullptr,
      sequential,
      parallel,
      check,
      report};
  return benchMain(&Bench, ArgCount, Args);
}
