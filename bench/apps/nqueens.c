//===-- nqueens.c - Placements of N queens, a task for each safe square ---===//
//
// Counts all ways to put N queens on a board of N rows so that none attacks
// another. Every task copies its board, tries one row, and waits for the tasks
// of the next: a deep tree, unbalanced by pruning.
//
//===----------------------------------------------------------------------===//

#include "driver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MaxN = 16 };

static long N = 12, CutOff = 0;
static long Expected, Result;

/// Whether no queen of the rows before \p Row attacks \p Column of it.
static int safe(const signed char *Board, int Row, int Column) {
  for (int I = 0; I < Row; ++I) {
    int Distance = abs(Board[I] - Column);
    if (Distance == 0 || Distance == Row - I)
      return 0;
  }
  return 1;
}

static void place(signed char *Copy, const signed char *Board, int Row,
                  int Column) {
  memcpy(Copy, Board, (size_t)Row);
  Copy[Row] = (signed char)Column;
}

static long solveSequential(const signed char *Board, int Row) {
  if (Row == N)
    return 1;
  long Sum = 0;
  for (int Column = 0; Column < N; ++Column) {
    if (!safe(Board, Row, Column))
      continue;
    signed char Copy[MaxN];
    place(Copy, Board, Row, Column);
    Sum += solveSequential(Copy, Row + 1);
  }
  return Sum;
}

static long solveTasks(const signed char *Board, int Row) {
  if (Row == N)
    return 1;
  if (CutOff && Row >= CutOff)
    return solveSequential(Board, Row);
  long Counts[MaxN];
  for (int Column = 0; Column < N; ++Column) {
    Counts[Column] = 0;
    if (!safe(Board, Row, Column))
      continue;
#pragma omp task BENCH_TIED shared(Counts) firstprivate(Board, Row, Column)
    {
      signed char Copy[MaxN];
      place(Copy, Board, Row, Column);
      Counts[Column] = solveTasks(Copy, Row + 1);
    }
  }
#pragma omp taskwait
  long Sum = 0;
  for (int Column = 0; Column < N; ++Column)
    Sum += Counts[Column];
  return Sum;
}

static void sequential(void) {
  signed char Board[MaxN];
  Expected = solveSequential(Board, 0);
}

static void parallel(void) {
  Result = 0;
#pragma omp parallel
#pragma omp single
  {
    signed char Board[MaxN];
    Result = solveTasks(Board, 0);
  }
}

/// Known since Gauss and Nauck for 8: both kernels could share a fault.
static int check(void) {
  static const long Known[MaxN + 1] = {
      1,   1,   0,    0,     2,     10,     4,       40,      92,
      352, 724, 2680, 14200, 73712, 365596, 2279184, 14772512};
  if (Result != Known[N] || Expected != Known[N])
    fprintf(stderr,
            "nqueens: %ld solutions, the sequential twin %ld, not %ld\n",
            Result, Expected, Known[N]);
  return Result == Known[N] && Expected == Known[N];
}

int main(int ArgCount, char **Args) {
  static const BenchOption Options[] = {
      {'n', "queens", &N, 1, MaxN},
      {'c', "cut-off: rows that create tasks; 0: all", &CutOff, 0, MaxN},
      {0}};
  static const Benchmark Bench = {
      .Name = "nqueens",
      .Summary =
          "Counts the placements of queens, a task for each safe square.",
      .Options = Options,
      .Sequential = sequential,
      .Parallel = parallel,
      .Check = check};
  return benchMain(&Bench, ArgCount, Args);
}
