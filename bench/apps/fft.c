//===-- fft.c - Fast Fourier transform, recursive -------------------------===//
//
// Cooley and Tukey, radix 2, decimation in time, out of place. Tasks for the
// two halves, then the butterflies that join them, halved into tasks again.
//
//===----------------------------------------------------------------------===//

#include "driver.h"
#include "random.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct {
  double Re, Im;
} Complex;

static long LogN = 19, Leaf = 16, CutOff = 0;
static long N;
static Complex *In, *Out, *Expected;
static Complex *Roots; ///< Roots[k] = exp(-2 pi i k / N), the first half.

static Complex add(Complex A, Complex B) {
  return (Complex){A.Re + B.Re, A.Im + B.Im};
}
static Complex subtract(Complex A, Complex B) {
  return (Complex){A.Re - B.Re, A.Im - B.Im};
}
static Complex multiply(Complex A, Complex B) {
  return (Complex){A.Re * B.Re - A.Im * B.Im, A.Re * B.Im + A.Im * B.Re};
}

/// Butterflies \p First to \p Last - 1 of the transform of 2 * \p Half values
/// at \p To. \p Stride is N / (2 * Half).
static void joinSequential(Complex *To, long Half, long Stride, long First,
                           long Last) {
  for (long K = First; K < Last; ++K) {
    Complex Even = To[K];
    Complex Odd = multiply(Roots[K * Stride], To[K + Half]);
    To[K] = add(Even, Odd);
    To[K + Half] = subtract(Even, Odd);
  }
}

/// Transforms \p Size values From[0], From[Stride], ... to \p To.
static void fftSequential(Complex *To, const Complex *From, long Size,
                          long Stride) {
  if (Size == 1) {
    To[0] = From[0];
    return;
  }
  if (Size == 2) {
    Complex Even = From[0], Odd = From[Stride];
    To[0] = add(Even, Odd);
    To[1] = subtract(Even, Odd);
    return;
  }
  long Half = Size / 2;
  fftSequential(To, From, Half, 2 * Stride);
  fftSequential(To + Half, From + Stride, Half, 2 * Stride);
  joinSequential(To, Half, Stride, 0, Half);
}

static void joinTasks(Complex *To, long Half, long Stride, long First,
                      long Last) {
  if (Last - First <= Leaf || Last - First <= CutOff) {
    joinSequential(To, Half, Stride, First, Last);
    return;
  }
  long Middle = First + (Last - First) / 2;
#pragma omp task BENCH_TIED
  joinTasks(To, Half, Stride, First, Middle);
#pragma omp task BENCH_TIED
  joinTasks(To, Half, Stride, Middle, Last);
#pragma omp taskwait
}

static void fftTasks(Complex *To, const Complex *From, long Size, long Stride) {
  if (Size <= Leaf || Size <= CutOff) {
    fftSequential(To, From, Size, Stride);
    return;
  }
  long Half = Size / 2;
#pragma omp task BENCH_TIED
  fftTasks(To, From, Half, 2 * Stride);
#pragma omp task BENCH_TIED
  fftTasks(To + Half, From + Stride, Half, 2 * Stride);
#pragma omp taskwait
  joinTasks(To, Half, Stride, 0, Half);
}

static void prepare(int Threads) {
  (void)Threads;
  N = 1L << LogN;
  size_t Bytes = (size_t)N * sizeof(Complex);
  In = benchAllocate(Bytes);
  Out = benchAllocate(Bytes);
  Expected = benchAllocate(Bytes);
  Roots = benchAllocate(Bytes);
  uint64_t State = 1;
  for (long I = 0; I < N; ++I) {
    In[I] = (Complex){randomUnit(&State), randomUnit(&State)};
    Out[I] = Expected[I] = (Complex){0, 0};
    double Angle = -2 * M_PI * (double)I / (double)N;
    Roots[I] = (Complex){cos(Angle), sin(Angle)};
  }
}

static void reset(void) { memset(Out, 0, (size_t)N * sizeof(Complex)); }

static void sequential(void) { fftSequential(Expected, In, N, 1); }

static void parallel(void) {
#pragma omp parallel
#pragma omp single
  fftTasks(Out, In, N, 1);
}

/// One value of the transform by its definition.
static Complex definition(long K) {
  Complex Sum = {0, 0};
  for (long I = 0; I < N; ++I)
    Sum = add(Sum, multiply(In[I], Roots[I * K % N]));
  return Sum;
}

static int check(void) {
  // The same operations in the same order give the same bits.
  if (memcmp(Out, Expected, (size_t)N * sizeof(Complex)) != 0) {
    fprintf(stderr, "fft: not the sequential twin's result\n");
    return 0;
  }
  for (long K = 0; K < N; K += N / 4 + 1) {
    Complex Error = subtract(Out[K], definition(K));
    if (!(hypot(Error.Re, Error.Im) < 1e-9 * (double)N)) {
      fprintf(stderr, "fft: value %ld is not the sum that defines it\n", K);
      return 0;
    }
  }
  return 1;
}

int main(int ArgCount, char **Args) {
  static const BenchOption Options[] = {
      {'n', "binary logarithm of the length of the vector", &LogN, 1, 28},
      {'l', "length of a leaf", &Leaf, 2, 1L << 28},
      {'c', "cut-off: length that is done without tasks; 0: none", &CutOff, 0,
       1L << 28},
      {0}};
  static const Benchmark Bench = {
      .Name = "fft",
      .Summary = "Fourier transform of a vector by recursive halving.",
      .Options = Options,
      .Prepare = prepare,
      .Reset = reset,
      .Sequential = sequential,
      .Parallel = parallel,
      .Check = check};
  return benchMain(&Bench, ArgCount, Args);
}
