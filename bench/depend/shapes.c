//===-- shapes.c - The cost of a task for each form of dependence ---------===//
//
// One thread creates empty tasks; each depends on cells in one simple form. The
// time is that of the whole region. How long the creation took is printed too.
//
// With -s each -a 64 -n 100000000 a long stream goes through a window of 64
// addresses: what the runtime keeps of tasks that have run shows in the peak of
// the memory.
//
//===----------------------------------------------------------------------===//

#include "order.h"

static long Tasks = 300000, Addresses = 1024, Side = 32;
static const char *ShapeName = "each";

/// The cells of an address and of those a third and two thirds further.
typedef struct {
  Cell *Out, *A, *B;
} Three;

static inline long after(long At, long Step) {
  At += Step;
  return At < Addresses ? At : At - Addresses;
}

static inline Three threeAt(long At) {
  return (Three){&Cells[At], &Cells[after(At, Addresses / 3)],
                 &Cells[after(At, Addresses - Addresses / 3)]};
}

static void createNone(void) {
  for (long I = 0, At = 0; I < Tasks; ++I, At = after(At, 1)) {
    Cell *Out = &Cells[At];
#pragma omp task
    write0(Out, (uint64_t)I);
  }
}

static void createEach(void) {
  for (long I = 0, At = 0; I < Tasks; ++I, At = after(At, 1)) {
    Cell *Out = &Cells[At];
#pragma omp task depend(inout : Out[0])
    write0(Out, (uint64_t)I);
  }
}

static void expectEach(void) {
  for (long I = 0; I < Tasks; ++I)
    write0(&Cells[I % Addresses], (uint64_t)I);
}

static void createChain(void) {
  Cell *Out = Cells;
  for (long I = 0; I < Tasks; ++I) {
#pragma omp task depend(inout : Out[0])
    write0(Out, (uint64_t)I);
  }
}

static void expectChain(void) {
  for (long I = 0; I < Tasks; ++I)
    write0(Cells, (uint64_t)I);
}

static void createTwoIn(void) {
  for (long I = 0, At = 0; I < Tasks; ++I, At = after(At, 1)) {
    Three C = threeAt(At);
#pragma omp task depend(in : C.A[0], C.B[0]) depend(inout : C.Out[0])
    write2(C.Out, C.A, C.B, (uint64_t)I);
  }
}

static void expectTwoIn(void) {
  for (long I = 0; I < Tasks; ++I) {
    Three C = threeAt(I % Addresses);
    write2(C.Out, C.A, C.B, (uint64_t)I);
  }
}

/// The cell behind the others is read by all tasks; the first one writes it.
static void createCommon(void) {
  Cell *Common = &Cells[Addresses];
#pragma omp task depend(out : Common[0])
  {
    linger(100000);
    write0(Common, 1);
  }
  for (long I = 1, At = 0; I < Tasks; ++I, At = after(At, 1)) {
    Cell *Out = &Cells[At];
#pragma omp task depend(in : Common[0]) depend(inout : Out[0])
    write1(Out, Common, (uint64_t)I);
  }
}

static void expectCommon(void) {
  Cell *Common = &Cells[Addresses];
  write0(Common, 1);
  for (long I = 1; I < Tasks; ++I)
    write1(&Cells[(I - 1) % Addresses], Common, (uint64_t)I);
}

/// One writes, many read, one writes again; the readers of a write are ready
/// all at once.
static void createStorm(void) {
  Cell *Common = &Cells[Addresses];
  for (long I = 0; I < Tasks;) {
#pragma omp task depend(out : Common[0])
    write0(Common, (uint64_t)I);
    ++I;
    for (long At = 0; At < Addresses && I < Tasks; ++At, ++I) {
      Cell *Out = &Cells[At];
#pragma omp task depend(in : Common[0])
      write1(Out, Common, (uint64_t)I);
    }
  }
}

static void expectStorm(void) {
  Cell *Common = &Cells[Addresses];
  for (long I = 0; I < Tasks; ++I) {
    const long At = I % (Addresses + 1) - 1;
    if (At < 0)
      write0(Common, (uint64_t)I);
    else
      write1(&Cells[At], Common, (uint64_t)I);
  }
}

/// A point of a grid without borders, in two buffers.
typedef struct {
  Cell *To, *From;
  int Here, Up, Down, Left, Right;
} Point;

static inline Point pointAt(long Sweep, long Row, long Column) {
  Cell *Buffers[] = {Cells, Cells + Side * Side};
  long Above = Row ? Row - 1 : Side - 1, Below = Row < Side - 1 ? Row + 1 : 0;
  long Before = Column ? Column - 1 : Side - 1;
  long Behind = Column < Side - 1 ? Column + 1 : 0;
  return (Point){Buffers[(Sweep + 1) % 2],     Buffers[Sweep % 2],
                 (int)(Row * Side + Column),   (int)(Above * Side + Column),
                 (int)(Below * Side + Column), (int)(Row * Side + Before),
                 (int)(Row * Side + Behind)};
}

static inline void sweepPoint(Point P) {
  ++TasksHere;
  if (!Hashing)
    return;
  uint64_t Hash = dawdle(fold((uint64_t)P.Here, P.From[P.Here].Value));
  Hash = fold(fold(Hash, P.From[P.Up].Value), P.From[P.Down].Value);
  Hash = fold(fold(Hash, P.From[P.Left].Value), P.From[P.Right].Value);
  P.To[P.Here].Value = dawdle(fold(Hash, P.To[P.Here].Value));
}

static inline void createPoint(Point P) {
#pragma omp task depend(in : P.From[P.Here], P.From[P.Up], P.From[P.Down])     \
    depend(in : P.From[P.Left], P.From[P.Right]) depend(out : P.To[P.Here])
  sweepPoint(P);
}

static void createStencil(void) {
  for (long Sweep = 0; Sweep * Side * Side < Tasks; ++Sweep)
    for (long Row = 0; Row < Side; ++Row)
      for (long Column = 0; Column < Side; ++Column)
        createPoint(pointAt(Sweep, Row, Column));
}

static void expectStencil(void) {
  for (long Sweep = 0; Sweep * Side * Side < Tasks; ++Sweep)
    for (long I = 0; I < Side * Side; ++I)
      sweepPoint(pointAt(Sweep, I / Side, I % Side));
}

static const struct Shape {
  const char *Name;
  void (*Create)(void), (*Expect)(void);
} Shapes[] = {
    {"none", createNone, expectEach},
    {"each", createEach, expectEach},
    {"chain", createChain, expectChain},
    {"two-in", createTwoIn, expectTwoIn},
    {"common", createCommon, expectCommon},
    {"storm", createStorm, expectStorm},
    {"stencil", createStencil, expectStencil},
};
static const struct Shape *Chosen;

static void prepare(int Threads) {
  (void)Threads;
  const int Count = sizeof(Shapes) / sizeof(*Shapes);
  for (int I = 0; I < Count; ++I)
    if (strcmp(Shapes[I].Name, ShapeName) == 0)
      Chosen = &Shapes[I];
  if (!Chosen)
    benchFail("-s %s: no such shape; see --help", ShapeName);
  // Without dependences, no two tasks may write one cell.
  if (Addresses == 0 || Chosen->Create == createNone)
    Addresses = Tasks;
  if (Chosen->Create == createTwoIn && Addresses < 3)
    benchFail("-a %ld: two-in needs 3 addresses", Addresses);
  takeCells(Chosen->Create == createStencil ? 2 * Side * Side : Addresses + 1);
}

static void sequential(void) { expectCells(Chosen->Expect); }

static void parallel(void) { createTasks(Chosen->Create); }

int main(int ArgCount, char **Args) {
  static const BenchOption Options[] = {
      {'s', "none, each, chain, two-in, common, storm, stencil (default each)",
       .Text = &ShapeName, .ValueName = "SHAPE"},
      {'n', "tasks; stencil: rounded up to whole sweeps", &Tasks, 1,
       10000000000},
      {'a', "addresses of each, two-in, common; readers of storm; 0: as tasks",
       &Addresses, 0, 1000000000},
      {'g', "points per side of the stencil's grid", &Side, 3, 10000},
      BODY_OPTION,
      {0}};
  static const Benchmark Bench = {
      .Name = "depend-shapes",
      .Summary =
          "One thread creates empty tasks with dependences of one form:\n"
          "  none     no dependence\n"
          "  each     inout of one of many addresses, in turn\n"
          "  chain    inout of the same address\n"
          "  two-in   in of two addresses, inout of a third\n"
          "  common   in of the same address, inout of one of many\n"
          "  storm    out of an address, in of it by many, again and again\n"
          "  stencil  in of five points of a grid, out of a point of another",
      .Options = Options,
      .Prepare = prepare,
      .Reset = resetCells,
      .Sequential = sequential,
      .Parallel = parallel,
      .Check = checkCells,
      .Report = reportTasks};
  return benchMain(&Bench, ArgCount, Args);
}
