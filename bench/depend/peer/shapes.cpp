//===-- shapes.cpp - Forms of dependence, for other libraries -------------===//
//
// The tasks of ../shapes.c as what each reads and writes, and the program
// around them: what the libraries' own files run.
//
//===----------------------------------------------------------------------===//

#include "shapes.h"
#include "driver.h"

#include <cstdio>
#include <cstring>

long Tasks = 300000;
std::vector<Cell> Cells;

static long Addresses = 1024, Side = 32;
static const char *ShapeName = "each";

static Access accessNone(long I) { return {{}, 0, I}; }
static Access accessEach(long I) { return {{}, 0, I % Addresses}; }
static Access accessChain(long) { return {{}, 0, 0}; }

static Access accessTwoIn(long I) {
  const long Third = Addresses / 3;
  return {{(I + Third) % Addresses, (I + Addresses - Third) % Addresses},
          2,
          I % Addresses};
}

static Access accessCommon(long I) {
  if (I == 0)
    return {{}, 0, Addresses};
  return {{Addresses}, 1, (I - 1) % Addresses};
}

static Access accessStencil(long I) {
  const long Size = Side * Side, Row = I % Size / Side, Column = I % Side;
  const long From = I / Size % 2 * Size, To = Size - From;
  auto At = [&](long Row, long Column) {
    return From + (Row + Side) % Side * Side + (Column + Side) % Side;
  };
  return {{At(Row, Column), At(Row - 1, Column), At(Row + 1, Column),
           At(Row, Column - 1), At(Row, Column + 1)},
          5,
          To + Row * Side + Column};
}

static const struct Shape {
  const char *Name;
  Access (*Of)(long);
} Shapes[] = {{"none", accessNone},     {"each", accessEach},
              {"chain", accessChain},   {"two-in", accessTwoIn},
              {"common", accessCommon}, {"stencil", accessStencil}};
static const Shape *Chosen;

static std::vector<Cell> Expected;
static std::vector<char> Ran; ///< By task.
static bool Hashing;
static long AlwaysHash, RunsStarted;
static std::vector<double> Creations;
static const char *Name;
static void (*RunTasks)();

Access accessOf(long I) { return Chosen->Of(I); }

static uint64_t fold(uint64_t Hash, uint64_t Value) {
  return ((Hash ^ Value) + 1) * 0x9e3779b97f4a7c15u;
}

void work(long I) {
  ++Ran[I];
  if (!Hashing)
    return;
  const Access A = accessOf(I);
  uint64_t Hash = fold(fold(0, uint64_t(I)), Cells[A.Out].Value);
  for (int J = 0; J < A.InCount; ++J)
    Hash = fold(Hash, Cells[A.In[J]].Value);
  Cells[A.Out].Value = Hash;
}

static void prepare(int) {
  for (const Shape &S : Shapes)
    if (std::strcmp(S.Name, ShapeName) == 0)
      Chosen = &S;
  if (!Chosen)
    benchFail("-s %s: no such shape; see --help", ShapeName);
  if (Addresses == 0 || Chosen->Of == accessNone)
    Addresses = Tasks;
  if (Chosen->Of == accessTwoIn && Addresses < 3)
    benchFail("-a %ld: two-in needs 3 addresses", Addresses);
  const bool Grid = Chosen->Of == accessStencil;
  if (Grid)
    Tasks = (Tasks + Side * Side - 1) / (Side * Side) * (Side * Side);
  Cells.resize(size_t(Grid ? 2 * Side * Side : Addresses + 1));
  Ran.resize(size_t(Tasks));
}

void noteCreation(double Seconds) {
  if (RunsStarted > 1)
    Creations.push_back(Seconds);
}

static void reset() {
  Cells.assign(Cells.size(), Cell{0});
  Ran.assign(Ran.size(), 0);
}

static void sequential() {
  Hashing = true;
  for (long I = 0; I < Tasks; ++I)
    work(I);
  Expected = Cells;
}

static void parallel() {
  Hashing = RunsStarted++ == 0 || AlwaysHash;
  RunTasks();
}

static int check() {
  long Wrong = 0, Missing = 0;
  for (size_t I = 0; Hashing && I < Cells.size(); ++I)
    Wrong += Cells[I].Value != Expected[I].Value;
  for (char Times : Ran)
    Missing += Times != 1;
  if (Wrong || Missing)
    std::fprintf(stderr,
                 "%s: %ld cells are wrong, %ld tasks did not run once\n", Name,
                 Wrong, Missing);
  return !Wrong && !Missing;
}

static void report(double Parallel, double) {
  std::printf("tasks %ld\nns_per_task %.2f\nns_creation %.2f\n", Tasks,
              1e9 * Parallel / double(Tasks),
              1e9 * benchMedian(Creations.data(), int(Creations.size())) /
                  double(Tasks));
}

int shapesMain(int ArgCount, char **Args, const char *TheName,
               const char *Summary, void (*TheRun)()) {
  Name = TheName;
  RunTasks = TheRun;
  static const BenchOption Options[] = {
      {'s', "none, each, chain, two-in, common or stencil (default each)",
       nullptr, 0, 0, &ShapeName, "SHAPE"},
      {'n', "tasks; stencil: rounded up to whole sweeps", &Tasks, 1, 100000000},
      {'a', "addresses of each, two-in and common; 0: one for each task",
       &Addresses, 0, 100000000},
      {'g', "points per side of the stencil's grid", &Side, 3, 10000},
      {'b', "1: tasks hash in the timed runs too", &AlwaysHash, 0, 1},
      {0, nullptr, nullptr, 0, 0}};
  const Benchmark Bench = {TheName,    Summary,  Options, prepare, reset,
                           sequential, parallel, check,   report};
  return benchMain(&Bench, ArgCount, Args);
}
