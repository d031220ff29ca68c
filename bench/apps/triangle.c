//===-- triangle.c - A long task beside a taskloop of growing iterations --===//
//
// The form of the taskloop example of the OpenMP Examples document: in a
// taskgroup, a long task, and beside it a taskloop with nogroup and a grain
// size, of which iteration I runs an inner loop I times. So the tasks of one
// loop differ by a factor of N, and the thread with the long task has less
// time for them.
//
//===----------------------------------------------------------------------===//

#include "driver.h"
#include "random.h"

#include <stdio.h>
#include <string.h>

static long N = 10000, Grain = 500, Long = 25000000;
static uint64_t *Sums, *Expected; ///< of N iterations, and of the long task

static uint64_t chain(uint64_t Value, long Times) {
  while (Times-- > 0)
    Value = randomMix(Value + 1);
  return Value;
}

static void iterate(uint64_t *To, long I) { To[I] = chain((uint64_t)I, I); }

static void sequential(void) {
  for (long I = 0; I < N; ++I)
    iterate(Expected, I);
  Expected[N] = chain(1, Long);
}

static void parallel(void) {
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup
  {
#pragma omp task
    Sums[N] = chain(1, Long);
#pragma omp taskloop grainsize(Grain) nogroup
    for (long I = 0; I < N; ++I)
      iterate(Sums, I);
  }
}

static size_t bytes(void) { return (size_t)(N + 1) * sizeof(uint64_t); }

static void prepare(int Threads) {
  (void)Threads;
  Sums = benchAllocate(bytes());
  Expected = benchAllocate(bytes());
}

static void reset(void) { memset(Sums, 0, bytes()); }

static int check(void) {
  int Right = memcmp(Sums, Expected, bytes()) == 0;
  if (!Right)
    fprintf(stderr, "triangle: not the sequential twin's sums\n");
  return Right;
}

int main(int ArgCount, char **Args) {
  static const BenchOption Options[] = {
      {'n', "iterations of the taskloop", &N, 1, 100000000},
      {'g', "its grain size", &Grain, 1, 100000000},
      {'l', "iterations in the long task", &Long, 0, 100000000000},
      {0}};
  static const Benchmark Bench = {
      .Name = "triangle",
      .Summary = "A long task beside a taskloop whose iterations grow.",
      .Options = Options,
      .Prepare = prepare,
      .Reset = reset,
      .Sequential = sequential,
      .Parallel = parallel,
      .Check = check};
  return benchMain(&Bench, ArgCount, Args);
}
