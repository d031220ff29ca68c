//===-- strassen-product.c - Matrix product by seven products -------------===//
//
// V. Strassen, "Gaussian elimination is not optimal", 1969. Each product is a
// task that makes its own operands.
//
//===----------------------------------------------------------------------===//

#include "driver.h"
#include "random.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long LogN = 10, Leaf = 16, CutOff = 0;
static long N;
static double *A, *B, *C, *Expected;

/// A square part of a matrix whose rows are Stride apart.
typedef struct {
  double *At;
  long Stride;
} Square;

static Square part(Square M, long Half, int Row, int Column) {
  return (Square){M.At + Row * Half * M.Stride + Column * Half, M.Stride};
}

static void plainProduct(Square X, Square Y, Square To, long Size) {
  for (long I = 0; I < Size; ++I) {
    double *Row = To.At + I * To.Stride;
    memset(Row, 0, (size_t)Size * sizeof(double));
    for (long K = 0; K < Size; ++K) {
      double Factor = X.At[I * X.Stride + K];
      const double *YRow = Y.At + K * Y.Stride;
      for (long J = 0; J < Size; ++J)
        Row[J] += Factor * YRow[J];
    }
  }
}

/// To = X + Sign * Y
static void combine(Square X, double Sign, Square Y, Square To, long Size) {
  for (long I = 0; I < Size; ++I)
    for (long J = 0; J < Size; ++J)
      To.At[I * To.Stride + J] =
          X.At[I * X.Stride + J] + Sign * Y.At[I * Y.Stride + J];
}

/// A factor of one of the seven products: a quarter, or two with a sign.
typedef struct {
  signed char Row, Column, Sign, Row2, Column2;
} Factor;

static const Factor Left[7] = {
    {0, 0, 1, 1, 1}, {1, 0, 1, 1, 1},  {0, 0, 0, 0, 0}, {1, 1, 0, 0, 0},
    {0, 0, 1, 0, 1}, {1, 0, -1, 0, 0}, {0, 1, -1, 1, 1}};
static const Factor Right[7] = {
    {0, 0, 1, 1, 1}, {0, 0, 0, 0, 0}, {0, 1, -1, 1, 1}, {1, 0, -1, 0, 0},
    {1, 1, 0, 0, 0}, {0, 0, 1, 0, 1}, {1, 0, 1, 1, 1}};

/// The factor, in \p Space if it has to be computed.
static Square operand(Square M, Factor F, long Half, double *Space) {
  Square First = part(M, Half, F.Row, F.Column);
  if (!F.Sign)
    return First;
  Square To = {Space, Half};
  combine(First, F.Sign, part(M, Half, F.Row2, F.Column2), To, Half);
  return To;
}

/// The quarters of the result from the seven products.
static void assemble(const double *P, Square To, long Half) {
  long Area = Half * Half;
  for (long I = 0; I < Half; ++I) {
    double *Upper = To.At + I * To.Stride, *Lower = Upper + Half * To.Stride;
    for (long J = 0; J < Half; ++J) {
      const double *M = P + I * Half + J;
      Upper[J] = M[0] + M[3 * Area] - M[4 * Area] + M[6 * Area];
      Upper[J + Half] = M[2 * Area] + M[4 * Area];
      Lower[J] = M[Area] + M[3 * Area];
      Lower[J + Half] = M[0] - M[Area] + M[2 * Area] + M[5 * Area];
    }
  }
}

static double *allocate(long Values) {
  double *Memory = malloc((size_t)Values * sizeof(double));
  if (!Memory)
    benchFail("not enough memory for %ld numbers", Values);
  return Memory;
}

static void productSequential(Square X, Square Y, Square To, long Size) {
  if (Size <= Leaf) {
    plainProduct(X, Y, To, Size);
    return;
  }
  long Half = Size / 2, Area = Half * Half;
  double *Space = allocate(9 * Area);
  for (int I = 0; I < 7; ++I)
    productSequential(operand(X, Left[I], Half, Space + 7 * Area),
                      operand(Y, Right[I], Half, Space + 8 * Area),
                      (Square){Space + I * Area, Half}, Half);
  assemble(Space, To, Half);
  free(Space);
}

static void productTasks(Square X, Square Y, Square To, long Size) {
  if (Size <= Leaf || Size <= CutOff) {
    productSequential(X, Y, To, Size);
    return;
  }
  long Half = Size / 2, Area = Half * Half;
  double *Products = allocate(7 * Area);
  for (int I = 0; I < 7; ++I) {
#pragma omp task BENCH_TIED firstprivate(I, X, Y, Half, Area, Products)
    {
      double *Space = allocate(2 * Area);
      productTasks(operand(X, Left[I], Half, Space),
                   operand(Y, Right[I], Half, Space + Area),
                   (Square){Products + I * Area, Half}, Half);
      free(Space);
    }
  }
#pragma omp taskwait
  assemble(Products, To, Half);
  free(Products);
}

static void prepare(int Threads) {
  (void)Threads;
  N = 1L << LogN;
  size_t Bytes = (size_t)(N * N) * sizeof(double);
  A = benchAllocate(Bytes);
  B = benchAllocate(Bytes);
  C = benchAllocate(Bytes);
  Expected = benchAllocate(Bytes);
  uint64_t State = 1;
  for (long I = 0; I < N * N; ++I) {
    A[I] = randomUnit(&State) - 0.5;
    B[I] = randomUnit(&State) - 0.5;
  }
}

static void reset(void) { memset(C, 0, (size_t)(N * N) * sizeof(double)); }

static void sequential(void) {
  productSequential((Square){A, N}, (Square){B, N}, (Square){Expected, N}, N);
}

static void parallel(void) {
#pragma omp parallel
#pragma omp single
  productTasks((Square){A, N}, (Square){B, N}, (Square){C, N}, N);
}

static int check(void) {
  if (memcmp(C, Expected, (size_t)(N * N) * sizeof(double)) != 0) {
    fprintf(stderr, "strassen-product: not the sequential twin's result\n");
    return 0;
  }
  uint64_t State = 2;
  for (int Sample = 0; Sample < 100; ++Sample) {
    long Row = randomBelow(&State, (uint32_t)N);
    long Column = randomBelow(&State, (uint32_t)N);
    double Sum = 0;
    for (long K = 0; K < N; ++K)
      Sum += A[Row * N + K] * B[K * N + Column];
    if (!(fabs(Sum - C[Row * N + Column]) < 1e-9)) {
      fprintf(stderr,
              "strassen-product: row %ld, column %ld: %g instead of %g\n", Row,
              Column, C[Row * N + Column], Sum);
      return 0;
    }
  }
  return 1;
}

int main(int ArgCount, char **Args) {
  static const BenchOption Options[] = {
      {'n', "binary logarithm of the matrix size", &LogN, 1, 13},
      {'l', "size of a leaf, multiplied plainly", &Leaf, 1, 1L << 13},
      {'c', "cut-off: size that is multiplied without tasks; 0: none", &CutOff,
       0, 1L << 13},
      {0}};
  static const Benchmark Bench = {
      .Name = "strassen-product",
      .Summary = "Multiplies two matrices by Strassen's method.",
      .Options = Options,
      .Prepare = prepare,
      .Reset = reset,
      .Sequential = sequential,
      .Parallel = parallel,
      .Check = check};
  return benchMain(&Bench, ArgCount, Args);
}
