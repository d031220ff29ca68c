//===-- stencil.c - Sweeps over a grid by loops ---------------------------===//
//
// Jacobi's method for the Poisson equation on a square: what a program gets
// that creates no tasks at all. A runtime made for tasks must not cost it
// anything. Or, for comparison, with a taskloop for each sweep.
//
//===----------------------------------------------------------------------===//

#include "driver.h"

#include <stdio.h>
#include <string.h>

static long N = 1024, Sweeps = 100, ByTaskloop = 0;
static double *Grid, *Next, *Expected;

static size_t bytes(void) { return (size_t)(N * N) * sizeof(double); }

static void sweepRow(const double *From, double *To, long Row) {
  const double *At = From + Row * N;
  for (long J = 1; J < N - 1; ++J)
    To[Row * N + J] = 0.25 * (At[J - 1] + At[J + 1] + At[J - N] + At[J + N]);
}

static void sequential(void) {
  for (long S = 0; S < Sweeps; ++S) {
    for (long I = 1; I < N - 1; ++I)
      sweepRow(S % 2 ? Next : Grid, S % 2 ? Grid : Next, I);
  }
  memcpy(Expected, Sweeps % 2 ? Next : Grid, bytes());
}

static void sweepByTaskloops(void) {
  for (long S = 0; S < Sweeps; ++S) {
#pragma omp taskloop
    for (long I = 1; I < N - 1; ++I)
      sweepRow(S % 2 ? Next : Grid, S % 2 ? Grid : Next, I);
  }
}

static void parallel(void) {
  if (ByTaskloop) {
#pragma omp parallel
#pragma omp single
    sweepByTaskloops();
    return;
  }
#pragma omp parallel
  for (long S = 0; S < Sweeps; ++S) {
#pragma omp for
    for (long I = 1; I < N - 1; ++I)
      sweepRow(S % 2 ? Next : Grid, S % 2 ? Grid : Next, I);
  }
}

static void prepare(int Threads) {
  (void)Threads;
  Grid = benchAllocate(bytes());
  Next = benchAllocate(bytes());
  Expected = benchAllocate(bytes());
}

/// One side of the square is hot.
static void reset(void) {
  memset(Grid, 0, bytes());
  for (long J = 0; J < N; ++J)
    Grid[J] = 1;
  memcpy(Next, Grid, bytes());
}

static int check(void) {
  const double *Result = Sweeps % 2 ? Next : Grid;
  int Right = memcmp(Result, Expected, bytes()) == 0;
  // Heat comes from the side only, one row a sweep.
  long Row = Sweeps < N - 2 ? Sweeps : N - 2;
  Right &= Result[Row * N + N / 2] > 0 && Result[Row * N + N / 2] < 1;
  if (!Right)
    fprintf(stderr, "stencil: not the sequential twin's grid\n");
  return Right;
}

int main(int ArgCount, char **Args) {
  static const BenchOption Options[] = {
      {'n', "points per side", &N, 3, 30000},
      {'t', "sweeps", &Sweeps, 1, 1000000},
      {'p', "0: worksharing loops; 1: taskloops", &ByTaskloop, 0, 1},
      {0}};
  static const Benchmark Bench = {
      .Name = "stencil",
      .Summary = "Sweeps over a grid by worksharing loops, or by taskloops.",
      .Options = Options,
      .Prepare = prepare,
      .Reset = reset,
      .Sequential = sequential,
      .Parallel = parallel,
      .Check = check};
  return benchMain(&Bench, ArgCount, Args);
}
