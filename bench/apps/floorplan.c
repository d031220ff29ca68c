//===-- floorplan.c - The smallest plan that holds all cells --------------===//
//
// Cells of several possible shapes are put on a board one after another, each
// to the right of an earlier one or below it. The rectangle around them all is
// to be small: branch and bound, with the best area so far shared by all tasks.
// The search tree is very irregular, and its size depends on the order in which
// the tasks run: the area found does not.
//
//===----------------------------------------------------------------------===//

#include "driver.h"
#include "random.h"

#include <stdio.h>
#include <stdlib.h>

enum { BoardSize = 64, MaxCells = 20, MaxShapes = 3 };

typedef struct {
  int Width, Height;
} Shape;

typedef struct {
  int Count;
  Shape Shapes[MaxShapes];
} Cell;

typedef struct {
  int X, Y, Width, Height;
} Place;

/// The cells placed so far. Each task has its own.
typedef struct {
  uint64_t Rows[BoardSize]; ///< A bit for every square that is taken.
  Place Places[MaxCells];
  int Count;
  int Width, Height; ///< Of the rectangle around them.
} Plan;

static long N = 12, CutOff = 0, Seed = 1;
static Cell Cells[MaxCells];
static int Best;
static int Expected;

static uint64_t columns(int X, int Width) {
  return (~(uint64_t)0 >> (BoardSize - Width)) << X;
}

static int fits(const Plan *P, Place At) {
  if (At.X + At.Width > BoardSize || At.Y + At.Height > BoardSize)
    return 0;
  uint64_t Mask = columns(At.X, At.Width);
  for (int Y = At.Y; Y < At.Y + At.Height; ++Y)
    if (P->Rows[Y] & Mask)
      return 0;
  return 1;
}

static void put(Plan *P, Place At) {
  uint64_t Mask = columns(At.X, At.Width);
  for (int Y = At.Y; Y < At.Y + At.Height; ++Y)
    P->Rows[Y] |= Mask;
  P->Places[P->Count++] = At;
  if (At.X + At.Width > P->Width)
    P->Width = At.X + At.Width;
  if (At.Y + At.Height > P->Height)
    P->Height = At.Y + At.Height;
}

static int areaWith(const Plan *P, Place At) {
  int Width = At.X + At.Width, Height = At.Y + At.Height;
  return (Width > P->Width ? Width : P->Width) *
         (Height > P->Height ? Height : P->Height);
}

static int bestNow(void) {
  int Value;
#pragma omp atomic read
  Value = Best;
  return Value;
}

static void improve(int Area) {
#pragma omp critical
  if (Area < Best) {
#pragma omp atomic write
    Best = Area;
  }
}

/// The next cell in one of its shapes beside place number \p Option / 2.
static Place candidate(const Plan *P, Shape S, int Option) {
  if (P->Count == 0)
    return (Place){0, 0, S.Width, S.Height};
  Place Beside = P->Places[Option / 2];
  return Option % 2
             ? (Place){Beside.X, Beside.Y + Beside.Height, S.Width, S.Height}
             : (Place){Beside.X + Beside.Width, Beside.Y, S.Width, S.Height};
}

static int candidates(const Plan *P) { return P->Count ? 2 * P->Count : 1; }

static int promising(const Plan *P, Place At) {
  return fits(P, At) && areaWith(P, At) < bestNow();
}

static void searchSequential(const Plan *P) {
  if (P->Count == N) {
    improve(P->Width * P->Height);
    return;
  }
  const Cell *Next = &Cells[P->Count];
  for (int S = 0; S < Next->Count; ++S)
    for (int Option = 0; Option < candidates(P); ++Option) {
      Place At = candidate(P, Next->Shapes[S], Option);
      if (!promising(P, At))
        continue;
      Plan Copy = *P;
      put(&Copy, At);
      searchSequential(&Copy);
    }
}

static void searchTasks(const Plan *P) {
  if (P->Count == N) {
    improve(P->Width * P->Height);
    return;
  }
  if (CutOff && P->Count >= CutOff) {
    searchSequential(P);
    return;
  }
  const Cell *Next = &Cells[P->Count];
  for (int S = 0; S < Next->Count; ++S)
    for (int Option = 0; Option < candidates(P); ++Option) {
      Place At = candidate(P, Next->Shapes[S], Option);
      if (!promising(P, At))
        continue;
#pragma omp task BENCH_TIED firstprivate(P, At)
      // The bound may have come down since the task was created.
      if (areaWith(P, At) < bestNow()) {
        Plan Copy = *P;
        put(&Copy, At);
        searchTasks(&Copy);
      }
    }
#pragma omp taskwait
}

static void prepare(int Threads) {
  (void)Threads;
  uint64_t State = (uint64_t)Seed;
  for (long I = 0; I < N; ++I) {
    int Width = 1 + (int)randomBelow(&State, 5);
    int Height = 2 + (int)randomBelow(&State, 6);
    Cell *C = &Cells[I];
    C->Shapes[C->Count++] = (Shape){Width, Height};
    if (Width != Height)
      C->Shapes[C->Count++] = (Shape){Height, Width};
    // The same area in another form.
    if (Width % 2 == 0)
      C->Shapes[C->Count++] = (Shape){Width / 2, Height * 2};
  }
}

static void reset(void) { Best = BoardSize * BoardSize + 1; }

static void sequential(void) {
  Plan Empty = {.Count = 0};
  searchSequential(&Empty);
  Expected = Best;
}

static void parallel(void) {
#pragma omp parallel
#pragma omp single
  {
    Plan Empty = {.Count = 0};
    searchTasks(&Empty);
  }
}

static int check(void) {
  int Needed = 0;
  for (long I = 0; I < N; ++I)
    Needed += Cells[I].Shapes[0].Width * Cells[I].Shapes[0].Height;
  if (Best != Expected)
    fprintf(stderr, "floorplan: the tasks found area %d, the calls %d\n", Best,
            Expected);
  if (Best < Needed)
    fprintf(stderr, "floorplan: area %d does not hold cells of %d\n", Best,
            Needed);
  return Best == Expected && Best >= Needed;
}

int main(int ArgCount, char **Args) {
  static const BenchOption Options[] = {
      {'n', "cells", &N, 1, MaxCells},
      {'s', "seed of their shapes", &Seed, 0, 1L << 62},
      {'c', "cut-off: cells whose places are tasks; 0: all", &CutOff, 0,
       MaxCells},
      {0}};
  static const Benchmark Bench = {
      .Name = "floorplan",
      .Summary = "Finds the smallest rectangle that holds a set of cells.",
      .Options = Options,
      .Prepare = prepare,
      .Reset = reset,
      .Sequential = sequential,
      .Parallel = parallel,
      .Check = check};
  return benchMain(&Bench, ArgCount, Args);
}
