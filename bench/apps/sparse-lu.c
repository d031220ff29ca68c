//===-- sparse-lu.c - LU factorization of a sparse matrix of blocks -------===//
//
// Blocks of the matrix may be missing (all zero); the factorization fills some
// in. Each step factorizes the diagonal block, solves its row and column, and
// updates what is left: a task for each block. They are created by one thread,
// by all in worksharing loops, or by taskloops. Without pivoting: the diagonal
// dominates.
//
//===----------------------------------------------------------------------===//

#include "driver.h"
#include "random.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BySingle, ByLoop, ByTaskloop };

static long Blocks = 40, Size = 24, How = BySingle;
/// Pointers to Blocks * Blocks blocks of Size * Size values, null if missing.
static double **Original, **Matrix, **Expected;

static double **block(double **M, long Row, long Column) {
  return &M[Row * Blocks + Column];
}

static double *newBlock(void) {
  size_t Bytes = (size_t)(Size * Size) * sizeof(double);
  return memset(benchAllocate(Bytes), 0, Bytes);
}

/// Diagonal = L * U, both kept in its place.
static void factorize(double *D) {
  for (long K = 0; K < Size; ++K)
    for (long I = K + 1; I < Size; ++I) {
      double Factor = D[I * Size + K] /= D[K * Size + K];
      for (long J = K + 1; J < Size; ++J)
        D[I * Size + J] -= Factor * D[K * Size + J];
    }
}

/// Row block = L^-1 * row block
static void solveRow(const double *D, double *R) {
  for (long K = 0; K < Size; ++K)
    for (long I = K + 1; I < Size; ++I)
      for (long J = 0; J < Size; ++J)
        R[I * Size + J] -= D[I * Size + K] * R[K * Size + J];
}

/// Column block = column block * U^-1
static void solveColumn(const double *D, double *C) {
  for (long I = 0; I < Size; ++I)
    for (long K = 0; K < Size; ++K) {
      double Factor = C[I * Size + K] /= D[K * Size + K];
      for (long J = K + 1; J < Size; ++J)
        C[I * Size + J] -= Factor * D[K * Size + J];
    }
}

static void update(const double *C, const double *R, double *To) {
  for (long I = 0; I < Size; ++I)
    for (long K = 0; K < Size; ++K)
      for (long J = 0; J < Size; ++J)
        To[I * Size + J] -= C[I * Size + K] * R[K * Size + J];
}

static void updateBlock(double **M, long I, long J, long K) {
  double **To = block(M, I, J);
  if (!*To)
    *To = newBlock();
  update(*block(M, I, K), *block(M, K, J), *To);
}

static void luSequential(double **M) {
  for (long K = 0; K < Blocks; ++K) {
    double *Diagonal = *block(M, K, K);
    factorize(Diagonal);
    for (long I = K + 1; I < Blocks; ++I) {
      if (*block(M, K, I))
        solveRow(Diagonal, *block(M, K, I));
      if (*block(M, I, K))
        solveColumn(Diagonal, *block(M, I, K));
    }
    for (long I = K + 1; I < Blocks; ++I)
      for (long J = K + 1; *block(M, I, K) && J < Blocks; ++J)
        if (*block(M, K, J))
          updateBlock(M, I, J, K);
  }
}

static void solveTasks(double **M, long K, long I) {
  double *Diagonal = *block(M, K, K);
  double *Row = *block(M, K, I), *Column = *block(M, I, K);
  if (Row) {
#pragma omp task BENCH_TIED firstprivate(Diagonal, Row)
    solveRow(Diagonal, Row);
  }
  if (Column) {
#pragma omp task BENCH_TIED firstprivate(Diagonal, Column)
    solveColumn(Diagonal, Column);
  }
}

static void updateTasks(double **M, long K, long I) {
  if (!*block(M, I, K))
    return;
  for (long J = K + 1; J < Blocks; ++J) {
    if (!*block(M, K, J))
      continue;
#pragma omp task BENCH_TIED firstprivate(M, I, J, K)
    updateBlock(M, I, J, K);
  }
}

static void luBySingle(double **M) {
#pragma omp parallel
#pragma omp single
  for (long K = 0; K < Blocks; ++K) {
    factorize(*block(M, K, K));
    for (long I = K + 1; I < Blocks; ++I)
      solveTasks(M, K, I);
#pragma omp taskwait
    for (long I = K + 1; I < Blocks; ++I)
      updateTasks(M, K, I);
#pragma omp taskwait
  }
}

static void luByLoop(double **M) {
#pragma omp parallel
  for (long K = 0; K < Blocks; ++K) {
#pragma omp single
    factorize(*block(M, K, K));
#pragma omp for
    for (long I = K + 1; I < Blocks; ++I)
      solveTasks(M, K, I);
#pragma omp for
    for (long I = K + 1; I < Blocks; ++I)
      updateTasks(M, K, I);
  }
}

/// A task of the first loop has a block of the row and one of the column; one
/// of the second a block of what is left.
static void luByTaskloop(double **M) {
#pragma omp parallel
#pragma omp single
  for (long K = 0; K < Blocks; ++K) {
    double *Diagonal = *block(M, K, K);
    factorize(Diagonal);
#pragma omp taskloop grainsize(1)
    for (long I = K + 1; I < Blocks; ++I) {
      if (*block(M, K, I))
        solveRow(Diagonal, *block(M, K, I));
      if (*block(M, I, K))
        solveColumn(Diagonal, *block(M, I, K));
    }
#pragma omp taskloop collapse(2)
    for (long I = K + 1; I < Blocks; ++I)
      for (long J = K + 1; J < Blocks; ++J)
        if (*block(M, I, K) && *block(M, K, J))
          updateBlock(M, I, J, K);
  }
}

static void copy(double **From, double **To) {
  for (long I = 0; I < Blocks * Blocks; ++I) {
    free(To[I]);
    To[I] = NULL;
    if (From[I]) {
      To[I] = newBlock();
      memcpy(To[I], From[I], (size_t)(Size * Size) * sizeof(double));
    }
  }
}

static double **newMatrix(void) {
  size_t Bytes = (size_t)(Blocks * Blocks) * sizeof(double *);
  return memset(benchAllocate(Bytes), 0, Bytes);
}

static void prepare(int Threads) {
  (void)Threads;
  Original = newMatrix();
  Matrix = newMatrix();
  Expected = newMatrix();
  uint64_t State = 1;
  for (long I = 0; I < Blocks; ++I)
    for (long J = 0; J < Blocks; ++J) {
      // The diagonal, its neighbours, and one of four elsewhere.
      if (labs(I - J) > 1 && randomBelow(&State, 4))
        continue;
      double *New = *block(Original, I, J) = newBlock();
      for (long K = 0; K < Size * Size; ++K)
        New[K] = randomUnit(&State) - 0.5;
      for (long K = 0; I == J && K < Size; ++K)
        New[K * Size + K] += (double)(Blocks * Size);
    }
}

static void reset(void) { copy(Original, Matrix); }

static void sequential(void) {
  luSequential(Matrix);
  copy(Matrix, Expected);
}

static void parallel(void) {
  if (How == ByTaskloop)
    luByTaskloop(Matrix);
  else if (How == ByLoop)
    luByLoop(Matrix);
  else
    luBySingle(Matrix);
}

static double valueOf(double **M, long Row, long Column) {
  const double *B = *block(M, Row / Size, Column / Size);
  return B ? B[Row % Size * Size + Column % Size] : 0;
}

static int sameBlock(const double *A, const double *B) {
  return A && B ? !memcmp(A, B, (size_t)(Size * Size) * sizeof(double))
                : A == B;
}

static int check(void) {
  for (long I = 0; I < Blocks * Blocks; ++I)
    if (!sameBlock(Matrix[I], Expected[I])) {
      fprintf(stderr,
              "sparse-lu: block %ld of row %ld is not the sequential "
              "twin's\n",
              I % Blocks, I / Blocks);
      return 0;
    }
  // L * U has to be the original.
  uint64_t State = 2;
  for (int Sample = 0; Sample < 1000; ++Sample) {
    long Row = randomBelow(&State, (uint32_t)(Blocks * Size));
    long Column = randomBelow(&State, (uint32_t)(Blocks * Size));
    double Sum = 0;
    for (long K = 0; K <= Row && K <= Column; ++K)
      Sum +=
          (K == Row ? 1 : valueOf(Matrix, Row, K)) * valueOf(Matrix, K, Column);
    if (!(fabs(Sum - valueOf(Original, Row, Column)) < 1e-9 * Blocks * Size)) {
      fprintf(stderr, "sparse-lu: row %ld, column %ld of L * U is %g, not %g\n",
              Row, Column, Sum, valueOf(Original, Row, Column));
      return 0;
    }
  }
  return 1;
}

int main(int ArgCount, char **Args) {
  static const BenchOption Options[] = {
      {'n', "blocks per side", &Blocks, 1, 1000},
      {'b', "values per side of a block", &Size, 1, 1000},
      {'p', "tasks by 0: one thread; 1: all, in loops; 2: taskloops", &How,
       BySingle, ByTaskloop},
      {0}};
  static const Benchmark Bench = {
      .Name = "sparse-lu",
      .Summary = "Factorizes a sparse matrix of blocks into L and U.",
      .Options = Options,
      .Prepare = prepare,
      .Reset = reset,
      .Sequential = sequential,
      .Parallel = parallel,
      .Check = check};
  return benchMain(&Bench, ArgCount, Args);
}
