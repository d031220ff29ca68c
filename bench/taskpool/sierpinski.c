//===-- sierpinski.c - A random walk on a growing Sierpinski carpet -------===//
//
// The irregular application of Hofmann and Runger ("Towards an adaptive task
// pool implementation", section 5.3), written from that description: the
// probability distribution of a walker on a random Sierpinski carpet, step by
// step by the master equation
//   p_i(t) = sum over neighbours j of G_ij p_j(t-1) + (1 - L_i) p_i(t-1).
// The walker takes one of four directions by chance and stays if the tile there
// is not valid: G_ij = 1/4, L_i = a quarter of the number of valid neighbours.
//
// The carpet is a grid of iterators, squares of 5^level tiles per side, built
// recursively from generators of 5 x 5. A task a step updates one iterator.
// Where the distribution reaches a border, a new iterator is put behind it.
//
// What differs from the paper: its generators are shown only in a figure, so
// those here are our own (A: few valid tiles, B: many, C: nine of them mixed by
// chance); and an iterator is added once a border tile's probability exceeds
// Reach, not 0: below that the walker is held back by the border.
//
//===----------------------------------------------------------------------===//

#include "driver.h"
#include "random.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { Side = 5, GridSide = 129, Directions = 4, Generators = 9 };
enum { SetA = 1, SetB = 2, SetC = 3 };
static const double Reach = 1e-20;

static const char *const Patterns[Generators] = {
    "..#....#..#####..#....#..", "####.#.######.######.#.##", // A, B
    "#.####.######.######.####", "####.##.######.######.###",
    "#####.#.######.#.########", ".####.##.######.##.####.#",
    "##.####.#######.######.##", "#.#.###############.###.#",
    "#####.#.#######.#.#######"};
static const int StepX[Directions] = {1, 0, -1, 0};
static const int StepY[Directions] = {0, 1, 0, -1};

/// A square of tiles with a rim of one tile, which belongs to the neighbours.
typedef struct Iterator {
  int X, Y; ///< In the grid.
  struct Iterator *Neighbours[Directions];
  double *Old, *New;    ///< Probabilities of Width * Width tiles.
  unsigned char *Valid; ///< Of the same tiles.
  int Tiles;            ///< The valid ones without the rim: their places,
  int *Places;
  double *Stays; ///< and the chance that the walker stays there.
  int Grows; ///< The distribution has reached a border behind which is nothing.
} Iterator;

static long Level = 3, Steps = 500, Set = SetB, Seed = 1;
static long Inner, Width; ///< Tiles per side without and with the rim.
static Iterator *Grid[GridSide][GridSide];
static Iterator **Carpet; ///< Those that exist, in the order of their making.
static long Count;
static uint64_t Expected;
static long ExpectedCount;

static const char *chooseGenerator(uint64_t *State) {
  if (Set == SetC)
    return Patterns[randomBelow(State, Generators)];
  return Patterns[Set == SetA ? 0 : 1];
}

/// Marks the valid tiles of a square of 5^\p Depth tiles per side.
static void construct(Iterator *I, long Row, long Column, long Depth,
                      uint64_t *State) {
  if (Depth == 0) {
    I->Valid[Row * Width + Column] = 1;
    return;
  }
  long Part = 1;
  for (long D = 1; D < Depth; ++D)
    Part *= Side;
  const char *Pattern = chooseGenerator(State);
  for (int R = 0; R < Side; ++R)
    for (int C = 0; C < Side; ++C)
      if (Pattern[R * Side + C] == '#')
        construct(I, Row + R * Part, Column + C * Part, Depth - 1, State);
}

/// Copies the border tiles of each neighbour to the rim. \p Bytes of a tile.
static void copyRim(char *To, char *const From[Directions], size_t Bytes) {
  for (long K = 1; K <= Inner; ++K) {
    const long Rim[Directions] = {K * Width + Inner + 1,
                                  (Inner + 1) * Width + K, K * Width, K};
    const long Border[Directions] = {K * Width + 1, Width + K,
                                     K * Width + Inner, Inner * Width + K};
    for (int D = 0; D < Directions; ++D)
      if (From[D])
        memcpy(To + (size_t)Rim[D] * Bytes, From[D] + (size_t)Border[D] * Bytes,
               Bytes);
  }
}

static void findChances(Iterator *I) {
  char *Valid[Directions];
  for (int D = 0; D < Directions; ++D)
    Valid[D] = I->Neighbours[D] ? (char *)I->Neighbours[D]->Valid : NULL;
  copyRim((char *)I->Valid, Valid, 1);
  for (int T = 0; T < I->Tiles; ++T) {
    const unsigned char *At = I->Valid + I->Places[T];
    I->Stays[T] = 1 - 0.25 * (At[1] + At[-1] + At[Width] + At[-Width]);
  }
}

static void *zeros(size_t Bytes) {
  return memset(benchAllocate(Bytes), 0, Bytes);
}

/// Puts a new iterator into the grid. Its tiles depend on its place only.
static void addIterator(int X, int Y) {
  if (X < 0 || Y < 0 || X >= GridSide || Y >= GridSide)
    benchFail("the carpet grows over %d iterators per side: take fewer steps "
              "(-t) or a higher level (-l)",
              GridSide);
  if (Grid[Y][X])
    return;
  size_t Area = (size_t)(Width * Width);
  Iterator *New = zeros(sizeof(Iterator));
  New->X = X;
  New->Y = Y;
  New->Old = zeros(Area * sizeof(double));
  New->New = zeros(Area * sizeof(double));
  New->Valid = zeros(Area);
  uint64_t State =
      randomMix((uint64_t)(Seed * GridSide + Y) * GridSide + (uint64_t)X + 1);
  construct(New, 1, 1, Level, &State);
  New->Places = benchAllocate(Area * sizeof(int));
  for (size_t T = 0; T < Area; ++T)
    if (New->Valid[T])
      New->Places[New->Tiles++] = (int)T;
  New->Stays = benchAllocate(Area * sizeof(double));
  Grid[Y][X] = New;
  Carpet[Count++] = New;
  for (int D = 0; D < Directions; ++D) {
    int NearX = X + StepX[D], NearY = Y + StepY[D];
    if (NearX < 0 || NearY < 0 || NearX >= GridSide || NearY >= GridSide)
      continue;
    Iterator *Near = Grid[NearY][NearX];
    New->Neighbours[D] = Near;
    if (Near) {
      Near->Neighbours[(D + 2) % Directions] = New;
      findChances(Near);
    }
  }
  findChances(New);
}

/// One step of one iterator: the work of a task. Reads its neighbours' old
/// probabilities, writes only its own.
static void update(Iterator *I) {
  char *From[Directions];
  int Complete = 1;
  for (int D = 0; D < Directions; ++D) {
    From[D] = I->Neighbours[D] ? (char *)I->Neighbours[D]->Old : NULL;
    Complete &= From[D] != NULL;
  }
  copyRim((char *)I->Old, From, sizeof(double));
  for (int T = 0; T < I->Tiles; ++T) {
    const double *At = I->Old + I->Places[T];
    I->New[I->Places[T]] =
        0.25 * (At[1] + At[-1] + At[Width] + At[-Width]) + I->Stays[T] * At[0];
  }
  if (Complete)
    return;
  for (long K = 1; K <= Inner; ++K)
    I->Grows |= I->New[K * Width + Inner] > Reach ||
                I->New[Inner * Width + K] > Reach ||
                I->New[K * Width + 1] > Reach || I->New[Width + K] > Reach;
}

/// Between two steps: what was new becomes old, and the carpet grows.
static void turn(void) {
  long Before = Count;
  for (long I = 0; I < Before; ++I) {
    double *Swap = Carpet[I]->Old;
    Carpet[I]->Old = Carpet[I]->New;
    Carpet[I]->New = Swap;
  }
  for (long I = 0; I < Before; ++I) {
    Iterator *Grown = Carpet[I];
    for (int D = 0; Grown->Grows && D < Directions; ++D)
      addIterator(Grown->X + StepX[D], Grown->Y + StepY[D]);
    Grown->Grows = 0;
  }
}

static void prepare(int Threads) {
  (void)Threads;
  Inner = 1;
  for (long I = 0; I < Level; ++I)
    Inner *= Side;
  Width = Inner + 2;
  Carpet = benchAllocate(GridSide * GridSide * sizeof(Iterator *));
}

static void reset(void) {
  for (long I = 0; I < Count; ++I) {
    Iterator *Last = Carpet[I];
    Grid[Last->Y][Last->X] = NULL;
    free(Last->Old);
    free(Last->New);
    free(Last->Valid);
    free(Last->Places);
    free(Last->Stays);
    free(Last);
  }
  Count = 0;
  addIterator(GridSide / 2, GridSide / 2);
  Carpet[0]->Old[(1 + Inner / 2) * Width + 1 + Inner / 2] = 1;
}

/// A number that depends on every probability, bit by bit; sums them up.
static uint64_t fingerprint(double *Sum) {
  uint64_t Print = 0;
  *Sum = 0;
  for (long I = 0; I < Count; ++I)
    for (int T = 0; T < Carpet[I]->Tiles; ++T) {
      double Value = Carpet[I]->Old[Carpet[I]->Places[T]];
      uint64_t Bits;
      memcpy(&Bits, &Value, sizeof(Bits));
      Print = randomMix(Print * 31 + Bits);
      *Sum += Value;
    }
  return Print;
}

static void sequential(void) {
  for (long T = 0; T < Steps; ++T) {
    for (long I = 0; I < Count; ++I)
      update(Carpet[I]);
    turn();
  }
  double Sum;
  Expected = fingerprint(&Sum);
  ExpectedCount = Count;
}

static void parallel(void) {
#pragma omp parallel
#pragma omp single
  for (long T = 0; T < Steps; ++T) {
    for (long I = 0; I < Count; ++I) {
#pragma omp task BENCH_TIED firstprivate(I)
      update(Carpet[I]);
    }
#pragma omp taskwait
    turn();
  }
}

static int check(void) {
  double Sum;
  uint64_t Print = fingerprint(&Sum);
  int Right = Print == Expected && Count == ExpectedCount;
  if (!Right)
    fprintf(stderr, "sierpinski: not the sequential twin's distribution\n");
  if (!(fabs(Sum - 1) < 1e-12 * (double)(Steps + 10))) {
    fprintf(stderr, "sierpinski: the probabilities sum up to 1 + %g\n",
            Sum - 1);
    Right = 0;
  }
  return Right;
}

static void report(double Parallel, double Sequential) {
  printf("iterators %ld\nspeedup %.2f\n", Count, Sequential / Parallel);
}

int main(int ArgCount, char **Args) {
  static const BenchOption Options[] = {
      {'l', "level of the iterators, 5^level tiles per side", &Level, 1, 4},
      {'t', "steps in time", &Steps, 1, 1000000},
      {'g', "generators; 1: few valid tiles, 2: many, 3: mixed by chance", &Set,
       SetA, SetC},
      {'s', "seed of the mixture", &Seed, 0, 1000000},
      {0}};
  static const Benchmark Bench = {
      .Name = "sierpinski",
      .Summary = "The distribution of a random walker on a Sierpinski carpet "
                 "that grows, by the\nmaster equation: a task for each part of "
                 "the carpet and step.",
      .Options = Options,
      .Prepare = prepare,
      .Reset = reset,
      .Sequential = sequential,
      .Parallel = parallel,
      .Check = check,
      .Report = report};
  return benchMain(&Bench, ArgCount, Args);
}
