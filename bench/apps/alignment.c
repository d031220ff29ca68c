//===-- alignment.c - Alignment of all pairs of protein sequences ---------===//
//
// The best global alignment of two sequences with affine gap costs (Gotoh,
// 1982), its score only, for every pair: a regular program of tasks of one
// size. The tasks are created by one thread, by all in a worksharing loop, or
// by a taskloop over the pairs.
//
//===----------------------------------------------------------------------===//

#include "driver.h"
#include "random.h"

#include <stdio.h>
#include <string.h>

enum {
  Letters = 20,
  MaxLength = 1000,
  Match = 5,
  Alike = 1,
  Mismatch = -3,
  GapOpen = -8,
  GapExtend = -1,
  Impossible = -1000000
};

enum { BySingle, ByLoop, ByTaskloop };

static long N = 100, Length = 100, How = BySingle;
static unsigned char *Sequences;
static int *Scores, *Expected; ///< N * N; only First < Second is used.

static const unsigned char *sequence(long I) { return Sequences + I * Length; }

/// Points for two letters that face each other. Those of one class, four in a
/// row, are alike.
static int Points[Letters][Letters];

static int larger(int A, int B) { return A > B ? A : B; }

static int align(const unsigned char *A, const unsigned char *B) {
  // Best scores of the current row that end anyhow, and in a gap in B.
  int Best[MaxLength + 1], Gap[MaxLength + 1];
  Best[0] = 0;
  for (long J = 1; J <= Length; ++J) {
    Best[J] = GapOpen + GapExtend * (int)J;
    Gap[J] = Impossible;
  }
  for (long I = 1; I <= Length; ++I) {
    int Diagonal = Best[0];
    // The best score that does not end in a gap in A: a gap after a gap is no
    // gain, so the next gap in A starts from here, and no long chain of
    // operations links a cell with the next.
    int Open = Best[0] = GapOpen + GapExtend * (int)I;
    int GapInA = Impossible;
    const int *PointsOfA = Points[A[I - 1]];
    for (long J = 1; J <= Length; ++J) {
      Gap[J] = larger(Gap[J], Best[J] + GapOpen) + GapExtend;
      GapInA = larger(GapInA, Open + GapOpen) + GapExtend;
      Open = larger(Diagonal + PointsOfA[B[J - 1]], Gap[J]);
      Diagonal = Best[J];
      Best[J] = larger(Open, GapInA);
    }
  }
  return Best[Length];
}

static void prepare(int Threads) {
  (void)Threads;
  for (int A = 0; A < Letters; ++A)
    for (int B = 0; B < Letters; ++B)
      Points[A][B] = A == B ? Match : A / 4 == B / 4 ? Alike : Mismatch;
  Sequences = benchAllocate((size_t)(N * Length));
  size_t Bytes = (size_t)(N * N) * sizeof(int);
  Scores = benchAllocate(Bytes);
  Expected = benchAllocate(Bytes);
  memset(Expected, 0, Bytes);
  // A family: each a mutation of the one before it.
  uint64_t State = 1;
  for (long J = 0; J < Length; ++J)
    Sequences[J] = (unsigned char)randomBelow(&State, Letters);
  for (long I = 1; I < N; ++I) {
    unsigned char *New = Sequences + I * Length;
    long From = randomBelow(&State, 4); // A few letters are lost in front.
    for (long J = 0; J < Length; ++J)
      New[J] = J + From < Length && randomBelow(&State, 10)
                   ? sequence(I - 1)[J + From]
                   : (unsigned char)randomBelow(&State, Letters);
  }
}

static void reset(void) { memset(Scores, 0, (size_t)(N * N) * sizeof(int)); }

static void sequential(void) {
  for (long I = 0; I < N; ++I)
    for (long J = I + 1; J < N; ++J)
      Expected[I * N + J] = align(sequence(I), sequence(J));
}

static void alignWithLater(long I) {
  for (long J = I + 1; J < N; ++J) {
#pragma omp task BENCH_TIED firstprivate(I, J)
    Scores[I * N + J] = align(sequence(I), sequence(J));
  }
}

/// One loop over a rectangle, of which the lower triangle has nothing to do.
static void alignByTaskloop(void) {
#pragma omp taskloop collapse(2)
  for (long I = 0; I < N; ++I)
    for (long J = 0; J < N; ++J)
      if (I < J)
        Scores[I * N + J] = align(sequence(I), sequence(J));
}

static void parallel(void) {
#pragma omp parallel
  {
    if (How == ByTaskloop) {
#pragma omp single
      alignByTaskloop();
    } else if (How == ByLoop) {
#pragma omp for schedule(dynamic)
      for (long I = 0; I < N; ++I)
        alignWithLater(I);
    } else {
#pragma omp single
      for (long I = 0; I < N; ++I)
        alignWithLater(I);
    }
  }
}

static int check(void) {
  // Properties of every alignment: against itself, and in the other order.
  int Right = align(sequence(0), sequence(0)) == Match * Length;
  for (long J = 1; J < N && J < 10; ++J)
    Right &= align(sequence(J), sequence(0)) == Expected[J];
  if (!Right)
    fprintf(stderr, "alignment: the score of a pair depends on its order, or a "
                    "sequence does not match itself\n");
  if (memcmp(Scores, Expected, (size_t)(N * N) * sizeof(int)) != 0) {
    fprintf(stderr, "alignment: not the sequential twin's scores\n");
    return 0;
  }
  return Right;
}

int main(int ArgCount, char **Args) {
  static const BenchOption Options[] = {
      {'n', "sequences", &N, 2, 10000},
      {'l', "letters of each", &Length, 1, MaxLength},
      {'p', "tasks by 0: one thread; 1: all, in a loop; 2: a taskloop", &How,
       BySingle, ByTaskloop},
      {0}};
  static const Benchmark Bench = {
      .Name = "alignment",
      .Summary = "Aligns all pairs of a set of protein sequences.",
      .Options = Options,
      .Prepare = prepare,
      .Reset = reset,
      .Sequential = sequential,
      .Parallel = parallel,
      .Check = check};
  return benchMain(&Bench, ArgCount, Args);
}
