/* Programs of known work on the machine that they run on, for the laboratory
 * to predict: see docs/lab.md, "Trust". Prints lines of a name, the number of
 * threads and a time in ns: `kernel` lines are parts that the prediction is
 * made of, measured without any task; `run` lines are what it is compared with.
 *
 * Part of Locus, task affinity for OpenMP.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include <math.h>
#include <omp.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
  Tries = 7,
  FibOf = 30,
  TreeDepth = 12,
  FlatTasks = 20000,
  ShortTasks = 200
};
enum { Grid = 2048, Block = 128, Blocks = Grid / Block, Steps = 10 };
enum { Tile = 128, Tiles = 12 };

static int compare(const void *A, const void *B) {
  const double X = *(const double *)A, Y = *(const double *)B;
  return (X > Y) - (X < Y);
}

static double now(void) {
  struct timespec T;
  clock_gettime(CLOCK_MONOTONIC, &T);
  return 1e9 * (double)T.tv_sec + (double)T.tv_nsec;
}

static void report(const char *Kind, const char *Name, int Threads,
                   void (*Do)(void), double Parts) {
  double Times[Tries];
  Do();
  for (int I = 0; I < Tries; ++I) {
    const double Begin = now();
    Do();
    Times[I] = (now() - Begin) / Parts;
  }
  qsort(Times, Tries, sizeof(double), compare);
  printf("%s %s %d %.3f\n", Kind, Name, Threads, Times[Tries / 2]);
  fflush(stdout);
}

/* A loop of so many steps that wait for each other. */
static volatile long Sink;
__attribute__((noinline)) static void work(long Steps2) {
  unsigned long X = 1;
  for (long I = 0; I < Steps2; ++I)
    __asm__ volatile("add %0, %0" : "+r"(X));
  Sink = (long)X;
}
static long LeafSteps = 1;

/*===-- fib
 * ----------------------------------------------------------------===*/

__attribute__((noinline)) static long fibSerial(int N) {
  __asm__ volatile("" : "+r"(N));
  if (N < 2)
    return N;
  return fibSerial(N - 1) + fibSerial(N - 2);
}
__attribute__((noinline)) static long fib(int N) {
  long X, Y;
  __asm__ volatile("" : "+r"(N));
  if (N < 2)
    return N;
#pragma omp task shared(X)
  X = fib(N - 1);
#pragma omp task shared(Y)
  Y = fib(N - 2);
#pragma omp taskwait
  return X + Y;
}
static void doFibSerial(void) { Sink = fibSerial(FibOf); }
static void doFib(void) {
#pragma omp parallel
#pragma omp single
  Sink = fib(FibOf);
}

/*===-- a tree with leaves of 1 us, and one of 20 us
 * -----------------------===*/

static void doLeaf(void) {
  for (int I = 0; I < 1000; ++I)
    work(LeafSteps);
}
__attribute__((noinline)) static void tree(int Depth) {
  if (Depth == 0) {
    work(LeafSteps);
    return;
  }
#pragma omp task
  tree(Depth - 1);
#pragma omp task
  tree(Depth - 1);
#pragma omp taskwait
}
static void doTree(void) {
#pragma omp parallel
#pragma omp single
  tree(TreeDepth);
}

/*===-- one producer
 * -------------------------------------------------------===*/

static void doFlat(void) {
#pragma omp parallel
#pragma omp single
  for (int I = 0; I < FlatTasks; ++I) {
#pragma omp task
    work(LeafSteps);
  }
}

/*===-- what a task costs where nobody steals
 * ------------------------------===*/

static int Go;
/* The other thread is busy: it looks for no task. */
static void aside(void (*Do)(void)) {
  Go = 0;
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() == 0) {
    Do();
    __atomic_store_n(&Go, 1, __ATOMIC_RELEASE);
  } else {
    while (!__atomic_load_n(&Go, __ATOMIC_ACQUIRE))
      sched_yield();
  }
}
static void shortTasks(void) {
  for (int I = 0; I < ShortTasks; ++I) {
#pragma omp task
    __asm__ volatile("");
  }
#pragma omp taskwait
}
static char Items[ShortTasks * 64];
static void dependTasks(void) {
  for (int I = 0; I < ShortTasks; ++I) {
#pragma omp task depend(inout : Items[64 * I])
    __asm__ volatile("");
  }
#pragma omp taskwait
}
static void manyShort(void) {
  for (int I = 0; I < 100; ++I)
    shortTasks();
}
static void manyDepend(void) {
  for (int I = 0; I < 100; ++I)
    dependTasks();
}
static void doShort(void) { aside(manyShort); }
static void doDepend(void) { aside(manyDepend); }
/* A function with a result, as a call and as a task with a taskwait. */
__attribute__((noinline)) static long half(long N) {
  __asm__ volatile("" : "+r"(N));
  return N / 2;
}
static void doCall(void) {
  long Sum = 0;
  for (int I = 0; I < 1000000; ++I)
    Sum += half(I);
  Sink = Sum;
}
static void doInPlace(void) { /* a team of one: all in place */
#pragma omp parallel num_threads(1)
  {
    long Sum = 0;
    for (int I = 0; I < 1000000; ++I) {
      long X;
#pragma omp task shared(X)
      X = half(I);
#pragma omp taskwait
      Sum += X;
    }
    Sink = Sum;
  }
}
static void doRegion(void) {
#pragma omp parallel
  __asm__ volatile("");
}

/*===-- Jacobi: blocks beside each other in memory
 * -------------------------===*/

typedef double BlockOf[Block][Block];
static BlockOf (*Old)[Blocks], (*New)[Blocks];
static void update(BlockOf (*From)[Blocks], BlockOf (*To)[Blocks], int I,
                   int J) {
  for (int R = 0; R < Block; ++R)
    for (int C = 0; C < Block; ++C) {
      const double N = R   ? From[I][J][R - 1][C]
                       : I ? From[I - 1][J][Block - 1][C]
                           : 0;
      const double S = R + 1 < Block    ? From[I][J][R + 1][C]
                       : I + 1 < Blocks ? From[I + 1][J][0][C]
                                        : 0;
      const double W = C   ? From[I][J][R][C - 1]
                       : J ? From[I][J - 1][R][Block - 1]
                           : 0;
      const double E = C + 1 < Block    ? From[I][J][R][C + 1]
                       : J + 1 < Blocks ? From[I][J + 1][R][0]
                                        : 0;
      To[I][J][R][C] = 0.25 * (N + S + W + E);
    }
}
static void doJacobiSerial(void) {
  for (int T = 0; T < Steps; ++T)
    for (int I = 0; I < Blocks; ++I)
      for (int J = 0; J < Blocks; ++J)
        update(T % 2 ? New : Old, T % 2 ? Old : New, I, J);
}
static void jacobi(void) {
  for (int T = 0; T < Steps; ++T) {
    BlockOf(*From)[Blocks] = T % 2 ? New : Old,
    (*To)[Blocks] = T % 2 ? Old : New;
    for (int I = 0; I < Blocks; ++I)
      for (int J = 0; J < Blocks; ++J) {
        const int U = I ? I - 1 : I, D = I + 1 < Blocks ? I + 1 : I;
        const int L = J ? J - 1 : J, R = J + 1 < Blocks ? J + 1 : J;
#pragma omp task depend(in : From[I][J], From[U][J], From[D][J], From[I][L],   \
                            From[I][R]) depend(out : To[I][J])
        update(From, To, I, J);
      }
  }
#pragma omp taskwait
}
static void doJacobi(void) {
#pragma omp parallel
#pragma omp single
  jacobi();
}

/*===-- Cholesky
 * -----------------------------------------------------------===*/

typedef double TileOf[Tile][Tile];
static TileOf (*A)[Tiles], (*Saved)[Tiles];
static void potrf(TileOf T) {
  for (int K = 0; K < Tile; ++K) {
    T[K][K] = sqrt(T[K][K]);
    for (int I = K + 1; I < Tile; ++I)
      T[I][K] /= T[K][K];
    for (int I = K + 1; I < Tile; ++I)
      for (int J = K + 1; J <= I; ++J)
        T[I][J] -= T[I][K] * T[J][K];
  }
}
static void trsm(TileOf L, TileOf B) {
  for (int I = 0; I < Tile; ++I)
    for (int K = 0; K < Tile; ++K) {
      double Sum = B[I][K];
      for (int J = 0; J < K; ++J)
        Sum -= B[I][J] * L[K][J];
      B[I][K] = Sum / L[K][K];
    }
}
static void gemm(TileOf X, TileOf Y, TileOf C) {
  for (int I = 0; I < Tile; ++I)
    for (int J = 0; J < Tile; ++J) {
      double Sum = 0;
      for (int K = 0; K < Tile; ++K)
        Sum += X[I][K] * Y[J][K];
      C[I][J] -= Sum;
    }
}
static void restore(void) { memcpy(A, Saved, sizeof(TileOf) * Tiles * Tiles); }
static void cholesky(void) {
  for (int K = 0; K < Tiles; ++K) {
#pragma omp task depend(inout : A[K][K])
    potrf(A[K][K]);
    for (int I = K + 1; I < Tiles; ++I) {
#pragma omp task depend(in : A[K][K]) depend(inout : A[I][K])
      trsm(A[K][K], A[I][K]);
    }
    for (int I = K + 1; I < Tiles; ++I)
      for (int J = K + 1; J <= I; ++J) {
#pragma omp task depend(in : A[I][K], A[J][K]) depend(inout : A[I][J])
        gemm(A[I][K], A[J][K], A[I][J]);
      }
  }
#pragma omp taskwait
}
static void doCholesky(void) {
  restore();
#pragma omp parallel
#pragma omp single
  cholesky();
}
static double InPotrf, InTrsm, InGemm;
static void doCholeskySerial(void) {
  restore();
  InPotrf = InTrsm = InGemm = 0;
  double At = now(), Then;
  for (int K = 0; K < Tiles; ++K) {
    potrf(A[K][K]);
    InPotrf += (Then = now()) - At, At = Then;
    for (int I = K + 1; I < Tiles; ++I)
      trsm(A[K][K], A[I][K]);
    InTrsm += (Then = now()) - At, At = Then;
    for (int I = K + 1; I < Tiles; ++I)
      for (int J = K + 1; J <= I; ++J)
        gemm(A[I][K], A[J][K], A[I][J]);
    InGemm += (Then = now()) - At, At = Then;
  }
}

static void makeData(void) {
  const size_t GridBytes = sizeof(double) * Grid * Grid;
  Old = aligned_alloc(4096, GridBytes);
  New = aligned_alloc(4096, GridBytes);
  A = aligned_alloc(4096, sizeof(TileOf) * Tiles * Tiles);
  Saved = aligned_alloc(4096, sizeof(TileOf) * Tiles * Tiles);
  memset(Old, 0, GridBytes);
  memset(New, 0, GridBytes);
  for (int I = 0; I < Tiles; ++I)
    for (int J = 0; J < Tiles; ++J)
      for (int R = 0; R < Tile; ++R)
        for (int C = 0; C < Tile; ++C)
          Saved[I][J][R][C] =
              I == J && R == C ? 2.0 * Tile * Tiles : 1.0 / (1 + abs(R - C));
}

int main(void) {
  makeData();
  report("kernel", "fib", 1, doFibSerial, 1);
  LeafSteps = 4000;
  report("kernel", "leaf1us", 1, doLeaf, 1000);
  LeafSteps = 80000;
  report("kernel", "leaf20us", 1, doLeaf, 1000);
  LeafSteps = 2000;
  report("kernel", "leaf500ns", 1, doLeaf, 1000);
  report("kernel", "jacobi", 1, doJacobiSerial,
         (double)Steps * Blocks * Blocks);
  report("kernel", "restore", 1, restore, 1);
  double Sums[3] = {0, 0, 0};
  for (int I = 0; I < Tries; ++I) {
    doCholeskySerial();
    Sums[0] += InPotrf, Sums[1] += InTrsm, Sums[2] += InGemm;
  }
  const int Pairs = Tiles * (Tiles - 1) / 2,
            Triples = Tiles * (Tiles * Tiles - 1) / 6;
  printf("kernel potrf 1 %.3f\n", Sums[0] / Tries / Tiles);
  printf("kernel trsm 1 %.3f\n", Sums[1] / Tries / Pairs);
  printf("kernel gemm 1 %.3f\n", Sums[2] / Tries / Triples);
  report("task", "call", 1, doCall, 1e6);
  report("task", "inplace", 1, doInPlace, 1e6);
  report("task", "short", 2, doShort, 100.0 * ShortTasks);
  report("task", "depend", 2, doDepend, 100.0 * ShortTasks);
  for (int Threads = 1; Threads <= 2; ++Threads) {
    omp_set_num_threads(Threads);
    report("task", "region", Threads, doRegion, 1);
    report("run", "fib", Threads, doFib, 1);
    LeafSteps = 4000;
    report("run", "tree1us", Threads, doTree, 1);
    LeafSteps = 80000;
    report("run", "flat20us", Threads, doFlat, 10);
    LeafSteps = 2000;
    report("run", "flat500ns", Threads, doFlat, 1);
    report("run", "jacobi", Threads, doJacobi, 1);
    report("run", "cholesky", Threads, doCholesky, 1);
  }
  return 0;
}
