//===-- graphs.c - Task graphs of tiled factorizations, tasks empty -------===//
//
// The graphs of Cholesky's factorization and of sparse LU without their
// arithmetic: what the runtime takes for graphs as they occur. A cell stands
// for a tile; a task that would write a tile hashes into its cell.
//
//===----------------------------------------------------------------------===//

#include "order.h"

#include "random.h"

static long Tiles = 64, Density = 30;
static const char *GraphName = "cholesky";
static char *Present; ///< Sparse LU: which tiles are not zero.

static inline Cell *tile(long Row, long Column) {
  return &Cells[Row * Tiles + Column];
}

/// Numbers that tell the kinds of tasks apart.
enum { Factor = 1, Solve, SolveOther, Update };

/// Each of these is a task, or its work is done at once: the twin.
static inline void factor(int AsTask, Cell *A) {
  if (!AsTask) {
    write0(A, Factor);
    return;
  }
#pragma omp task depend(inout : A[0])
  write0(A, Factor);
}

static inline void solve(int AsTask, Cell *Out, Cell *A, uint64_t Kind) {
  if (!AsTask) {
    write1(Out, A, Kind);
    return;
  }
#pragma omp task depend(in : A[0]) depend(inout : Out[0])
  write1(Out, A, Kind);
}

static inline void update(int AsTask, Cell *Out, Cell *A, Cell *B) {
  if (!AsTask) {
    write2(Out, A, B, Update);
    return;
  }
#pragma omp task depend(in : A[0], B[0]) depend(inout : Out[0])
  write2(Out, A, B, Update);
}

__attribute__((always_inline)) static inline void cholesky(int AsTasks) {
  for (long K = 0; K < Tiles; ++K) {
    factor(AsTasks, tile(K, K));
    for (long I = K + 1; I < Tiles; ++I)
      solve(AsTasks, tile(I, K), tile(K, K), Solve);
    for (long I = K + 1; I < Tiles; ++I) {
      for (long J = K + 1; J < I; ++J)
        update(AsTasks, tile(I, J), tile(I, K), tile(J, K));
      solve(AsTasks, tile(I, I), tile(I, K), Update);
    }
  }
}

static void createCholesky(void) { cholesky(1); }
static void expectCholesky(void) { cholesky(0); }

static inline char *present(long Row, long Column) {
  return &Present[Row * Tiles + Column];
}

/// Three diagonals, and others by chance.
static void fillPattern(void) {
  uint64_t State = 1;
  for (long I = 0; I < Tiles * Tiles; ++I) {
    long Off = I / Tiles - I % Tiles;
    int Chosen = randomBelow(&State, 100) < Density;
    Present[I] = (char)(Chosen || (Off >= -1 && Off <= 1));
  }
}

__attribute__((always_inline)) static inline void lu(int AsTasks) {
  for (long K = 0; K < Tiles; ++K) {
    factor(AsTasks, tile(K, K));
    for (long J = K + 1; J < Tiles; ++J)
      if (*present(K, J))
        solve(AsTasks, tile(K, J), tile(K, K), Solve);
    for (long I = K + 1; I < Tiles; ++I)
      if (*present(I, K))
        solve(AsTasks, tile(I, K), tile(K, K), SolveOther);
    for (long I = K + 1; I < Tiles; ++I)
      for (long J = K + 1; J < Tiles; ++J)
        if (*present(I, K) && *present(K, J)) {
          *present(I, J) = 1;
          update(AsTasks, tile(I, J), tile(I, K), tile(K, J));
        }
  }
}

static void createLu(void) { lu(1); }
static void expectLu(void) { lu(0); }

static int Sparse;

static void prepare(int Threads) {
  (void)Threads;
  Sparse = strcmp(GraphName, "lu") == 0;
  if (!Sparse && strcmp(GraphName, "cholesky") != 0)
    benchFail("-p %s: no such graph; see --help", GraphName);
  takeCells(Tiles * Tiles);
  Present = benchAllocate((size_t)(Tiles * Tiles));
}

static void reset(void) {
  resetCells();
  fillPattern();
}

static void sequential(void) {
  expectCells(Sparse ? expectLu : expectCholesky);
}

static void parallel(void) { createTasks(Sparse ? createLu : createCholesky); }

int main(int ArgCount, char **Args) {
  static const BenchOption Options[] = {
      {'p', "cholesky or lu (default cholesky)", .Text = &GraphName,
       .ValueName = "GRAPH"},
      {'n', "tiles per side of the matrix", &Tiles, 1, 2000},
      {'d', "lu: percent of the tiles off the three diagonals", &Density, 0,
       100},
      BODY_OPTION,
      {0}};
  static const Benchmark Bench = {
      .Name = "depend-graphs",
      .Summary = "One thread creates the task graph of a tiled factorization, "
                 "Cholesky's or\nsparse LU; the tasks are empty.",
      .Options = Options,
      .Prepare = prepare,
      .Reset = reset,
      .Sequential = sequential,
      .Parallel = parallel,
      .Check = checkCells,
      .Report = reportTasks};
  return benchMain(&Bench, ArgCount, Args);
}
