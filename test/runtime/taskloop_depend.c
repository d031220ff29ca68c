// Taskloops whose tasks have dependences, by task_iteration: random loops
// against an order that is worked out pair by pair, and a sweep against the
// sequential one.
//
// REQUIRES: clause
// RUN: %build -Wno-sign-compare -Wno-unused-but-set-variable
// RUN: %run-each --threads 1,2,4,8 %t
// RUN: %run-each --threads 3,8 --env KMP_TASK_DEPENDENT_LIMIT=4 %t
// RUN: %run-each --threads 2,4 --env OMP_CANCELLATION=true %t

#include "check.h"
#include <sys/resource.h>

enum { Cells = 8, MaxTrips = 120, MaxItems = 6, Rounds = 150, Side = 24 };
enum Kind { None, In, Out, Mutex, Set, Kinds };

static char Memory[Cells];
static unsigned Seed;

static unsigned draw(unsigned Below) {
  Seed = Seed * 1103515245 + 12345;
  return (Seed >> 16) % Below;
}

//===-- Random dependences ------------------------------------------------===//

/// What the iterations name of each kind: Item[Start[k][i]] up to
/// Item[Start[k][i + 1]] are the cells of iteration i.
static struct {
  int Trips, Grain;
  int Start[Kinds][MaxTrips + 1];
  int Item[Kinds][MaxTrips * MaxItems];
  int Guard[MaxTrips]; ///< the conditions of the 'if' clause, for Set
} L;

static enum Kind Use[MaxTrips][Cells]; ///< of each task
static int Done[MaxTrips], Inside[Cells], Begun;

/// Draws a loop, and finds how each of its tasks uses each cell.
static void drawLoop(void) {
  memset(Use, 0, sizeof(Use));
  memset(Done, 0, sizeof(Done));
  L.Trips = (int)draw(MaxTrips) + 1;
  L.Grain = (int)draw(9) + 1;
  const unsigned Density = draw(12) + 2;
  for (int K = In; K < Kinds; ++K) {
    int Count = 0;
    for (int I = 0; I < L.Trips; ++I) {
      L.Start[K][I] = Count;
      for (int N = 0; N < MaxItems; ++N)
        if (draw(Density) == 0)
          L.Item[K][Count++] = (int)draw(Cells);
    }
    L.Start[K][L.Trips] = Count;
  }
  for (int I = 0; I < L.Trips; ++I) {
    L.Guard[I] = draw(3) != 0;
    for (int K = In; K < Kinds; ++K)
      for (int N = L.Start[K][I]; N < L.Start[K][I + 1]; ++N) {
        enum Kind *U = &Use[I / L.Grain][L.Item[K][N]];
        if (K != Set || L.Guard[I])
          *U = *U == None || *U == (enum Kind)K ? (enum Kind)K : Out;
      }
  }
}

static int isOrdered(int First, int Then) {
  for (int C = 0; C < Cells; ++C)
    if (Use[First][C] != None && Use[Then][C] != None &&
        (Use[First][C] != Use[Then][C] || Use[First][C] == Out))
      return 1;
  return 0;
}

static void iteration(int I) {
  const int T = I / L.Grain;
  if (I % L.Grain == 0) {
    add(&Begun, 1);
    for (int Before = 0; Before < T; ++Before)
      if (isOrdered(Before, T))
        CHECK_EQUAL(get(&Done[Before]), 1, "an earlier task has ended");
    for (int C = 0; C < Cells; ++C)
      if (Use[T][C] == Mutex)
        CHECK_EQUAL(add(&Inside[C], 1), 1, "tasks that hold a mutex");
  }
  if (I % L.Grain == L.Grain - 1 || I == L.Trips - 1) {
    for (int C = 0; C < Cells; ++C)
      if (Use[T][C] == Mutex)
        add(&Inside[C], -1);
    set(&Done[T], 1);
  }
}

#define DEPENDS                                                                \
  depend(iterator(K = L.Start[In][I] : L.Start[In][I + 1]),                    \
         in : Memory[L.Item[In][K]])                                           \
      depend(iterator(K = L.Start[Out][I] : L.Start[Out][I + 1]),              \
             inout : Memory[L.Item[Out][K]])                                   \
          depend(iterator(K = L.Start[Mutex][I] : L.Start[Mutex][I + 1]),      \
                 mutexinoutset : Memory[L.Item[Mutex][K]])
#define GUARDED                                                                \
  depend(iterator(K = L.Start[Set][I] : L.Start[Set][I + 1]),                  \
         inoutset : Memory[L.Item[Set][K]]) if (L.Guard[I])
#define PRAGMA(X) _Pragma(#X)
#define ITERATION(X) PRAGMA(omp task_iteration X)

static void randomLoops(int Threads) {
  for (int R = 0; R < Rounds; ++R) {
    Seed = (unsigned)(1000 * Threads + R);
    drawLoop();
    const int How = (int)draw(6), Deferred = How != 5;
    Begun = 0;
#pragma omp parallel
#pragma omp single
    switch (How) {
    case 0:
#pragma omp taskloop grainsize(strict : L.Grain) untied
      for (int I = 0; I < L.Trips; ++I) {
        ITERATION(DEPENDS)
        ITERATION(GUARDED)
        iteration(I);
      }
      CHECK_EQUAL(get(&Begun), (L.Trips + L.Grain - 1) / L.Grain, "tasks");
      break;
    case 1:
#pragma omp taskloop grainsize(strict : L.Grain) affinity(node : I)
      for (int I = 0; I < L.Trips; ++I) {
        ITERATION(DEPENDS)
        ITERATION(GUARDED)
        iteration(I);
      }
      CHECK_EQUAL(get(&Begun), (L.Trips + L.Grain - 1) / L.Grain, "tasks");
      break;
    default:
#pragma omp taskloop grainsize(strict : L.Grain) nogroup if (Deferred)         \
    final(How == 4)
      for (int I = 0; I < L.Trips; ++I) {
        ITERATION(DEPENDS)
        ITERATION(GUARDED)
        iteration(I);
      }
      if (!Deferred)
        CHECK_EQUAL(get(&Begun), (L.Trips + L.Grain - 1) / L.Grain, "at once");
#pragma omp taskwait
    }
    CHECK_EQUAL(Begun, (L.Trips + L.Grain - 1) / L.Grain, "tasks");
  }
}

//===-- A sweep -----------------------------------------------------------===//

static double Grid[Side + 2][Side + 2], Expected[Side + 2][Side + 2];

static double relax(double (*G)[Side + 2], int I, int J) {
  return 0.3 * (G[I - 1][J] + G[I][J - 1]) + 0.2 * (G[I + 1][J] + G[I][J + 1]);
}

/// Gauss and Seidel's method: several sweeps at once, each behind the one
/// before. Chunks as the runtime likes, which end amid rows.
static void sweeps(int Steps, int Tasks) {
  for (int I = 0; I < Side + 2; ++I)
    for (int J = 0; J < Side + 2; ++J)
      Grid[I][J] = Expected[I][J] = (I * 7 + J * 3) % 11;
  for (int S = 0; S < Steps; ++S)
    for (int I = 1; I <= Side; ++I)
      for (int J = 1; J <= Side; ++J)
        Expected[I][J] = relax(Expected, I, J);
#pragma omp parallel
#pragma omp single
  for (int S = 0; S < Steps; ++S)
#pragma omp taskloop collapse(2) num_tasks(Tasks) nogroup
    for (int I = 1; I <= Side; ++I)
      for (int J = 1; J <= Side; ++J) {
#pragma omp task_iteration depend(inout : Grid[I][J]) depend(                  \
        in : Grid[I - 1][J], Grid[I][J - 1], Grid[I + 1][J], Grid[I][J + 1])
        Grid[I][J] = relax(Grid, I, J);
      }
  CHECK(memcmp(Grid, Expected, sizeof(Grid)) == 0, "%d sweeps of %d tasks",
        Steps, Tasks);
}

//===-- Other tasks, other clauses ----------------------------------------===//

static int A[65], B[64];

/// Before and behind a loop, and between two with chunks of other sizes.
static void others(void) {
  int Sum = -1;
  memset(A, 0, sizeof(A));
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(out : A[0])
    A[0] = 1;
#pragma omp taskloop nogroup grainsize(3)
    for (int I = 1; I <= 64; ++I) {
#pragma omp task_iteration depend(inout : A[I]) depend(in : A[I - 1])
      A[I] = A[I - 1] + 1;
    }
#pragma omp taskloop nogroup grainsize(strict : 4)
    for (int I = 1; I <= 64; ++I) {
#pragma omp task_iteration depend(inout : A[I])
#pragma omp task_iteration depend(in : A[I - 4]) if (I % 4 == 0)
      A[I] += A[I - 1];
    }
#pragma omp task depend(in : A[64]) shared(Sum)
    Sum = A[64];
#pragma omp taskwait
  }
  int Last = 1;
  for (int I = 1; I <= 64; ++I)
    Last += I + 1;
  CHECK_EQUAL(Sum, Last, "a chain of loops and tasks");
}

/// All memory, and objects that stand for dependences.
static void objects(void) {
  omp_depend_t Object[8];
  int Order = 0;
  memset(A, 0, sizeof(A));
#pragma omp parallel
#pragma omp single
  {
    for (int I = 0; I < 8; ++I) {
#pragma omp depobj(Object[I]) depend(inout : A[I])
    }
#pragma omp taskloop nogroup grainsize(strict : 1)
    for (int I = 0; I < 32; ++I) {
#pragma omp task_iteration depend(depobj : Object[I % 8])
      A[I % 8] = A[I % 8] * 3 + I;
    }
#pragma omp taskloop nogroup grainsize(strict : 1)
    for (int I = 0; I < 16; ++I) {
#pragma omp task_iteration depend(out : omp_all_memory) if (I % 5 == 0)
#pragma omp task_iteration depend(inout : A[I % 8])
      if (I % 5 == 0)
        CHECK_EQUAL(add(&Order, 1), I + 1, "before all later ones");
      else
        CHECK(add(&Order, 1) > I / 5 * 5 + 1, "behind the one for all");
    }
#pragma omp taskwait
    for (int I = 0; I < 8; ++I) {
#pragma omp depobj(Object[I]) destroy
    }
  }
  for (int I = 0; I < 8; ++I)
    CHECK_EQUAL(A[I], ((I * 3 + I + 8) * 3 + I + 16) * 3 + I + 24, "in order");
}

/// Objects that some iterations only depend on.
static void guardedObjects(void) {
  omp_depend_t Object[8];
  memset(A, 0, sizeof(A));
#pragma omp parallel
#pragma omp single
  {
    for (int I = 0; I < 8; ++I) {
#pragma omp depobj(Object[I]) depend(inout : A[I])
    }
    // Iterations of a multiple of 8 come behind all, and before all, of
    // their 8.
#pragma omp taskloop nogroup grainsize(strict : 1)
    for (int I = 0; I < 64; ++I) {
#pragma omp task_iteration depend(depobj : Object[I % 8])
#pragma omp task_iteration depend(iterator(K = 1 : 8),                         \
                                      depobj : Object[K]) if (I % 8 == 0)
      A[I % 8]++;
      for (int K = 0; K < 8 && I % 8 == 0; ++K)
        CHECK_EQUAL(A[K], I / 8 + (K == 0), "between the rounds");
    }
#pragma omp taskwait
    for (int I = 0; I < 8; ++I) {
#pragma omp depobj(Object[I]) destroy
    }
  }
}

/// Data of the loop: each clause does what it does without dependences.
static void clauses(void) {
  int Total = 0, Last = -1, First = 5, Wrong = 0, Down = 0;
  unsigned Chain = 1, Model = 1;
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskloop reduction(+ : Total) lastprivate(Last)                    \
    firstprivate(First) grainsize(3) mergeable
    for (int I = 0; I < 50; ++I) {
#pragma omp task_iteration depend(inout : B[I % 7])
      Total += I;
      Last = I;
      Wrong += First != 5;
    }
#pragma omp taskloop grainsize(2)
    for (unsigned I = 40; I > 3; I -= 3) {
#pragma omp task_iteration depend(inout : Chain)
      Chain = Chain * 31 + I;
    }
    // A nest that is not rectangular.
#pragma omp taskloop collapse(2) num_tasks(9)
    for (int I = 0; I < 9; ++I)
      for (int J = 0; J < I; ++J) {
#pragma omp task_iteration depend(inout : Down)
        Down = Down * 3 + I - J;
      }
    // None at all.
    for (int N = -2; N < 1; ++N)
#pragma omp taskloop
      for (int I = 0; I < N; ++I) {
#pragma omp task_iteration depend(inout : A[I])
        FAIL("there is no iteration");
      }
  }
  for (unsigned I = 40; I > 3; I -= 3)
    Model = Model * 31 + I;
  int DownModel = 0;
  for (int I = 0; I < 9; ++I)
    for (int J = 0; J < I; ++J)
      DownModel = DownModel * 3 + I - J;
  CHECK_EQUAL(Total, 49 * 50 / 2, "reduction");
  CHECK_EQUAL(Last, 49, "lastprivate");
  CHECK_EQUAL(Wrong, 0, "firstprivate");
  CHECK_EQUAL(Chain, Model, "descending");
  CHECK_EQUAL(Down, DownModel, "not rectangular");
}

/// A cancelled loop: whatever has not begun is discarded, those that wait too.
static void cancelled(void) {
  int Ran = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskloop grainsize(strict : 1)
    for (int I = 0; I < 64; ++I) {
#pragma omp task_iteration depend(inout : A[0])
      add(&Ran, 1);
#pragma omp cancel taskgroup
    }
  }
  CHECK(omp_get_cancellation() ? Ran == 1 : Ran == 64, "%d have run", Ran);
}

static long peakKiB(void) {
  struct rusage Usage;
  CHECK(getrusage(RUSAGE_SELF, &Usage) == 0);
  return Usage.ru_maxrss;
}

/// Two tasks with very many iterations: what these have in common is kept once.
/// For each of them it would take 24 MiB.
static void large(void) {
  static char Far[1 << 10];
  const long Before = peakKiB();
  long Ran = 0;
#pragma omp parallel
#pragma omp single
#pragma omp taskloop num_tasks(2) shared(Ran)
  for (int I = 0; I < 1 << 20; ++I) {
#pragma omp task_iteration depend(inout : Ran) depend(out : Far[I & 0x3ff])
    ++Ran;
  }
  CHECK_EQUAL(Ran, 1 << 20, "iterations");
  CHECK(peakKiB() - Before < 8 << 10, "%ld KiB", peakKiB() - Before);
}

int main(void) {
  int Threads = 0;
#pragma omp parallel
#pragma omp single
  Threads = omp_get_num_threads();
  randomLoops(Threads);
  for (int Tasks = 1; Tasks < 200; Tasks = Tasks * 2 + 1)
    sweeps(3, Tasks);
  sweeps(2, Side * Side);
  others();
  objects();
  guardedObjects();
  clauses();
  cancelled();
  large();
  return 0;
}
