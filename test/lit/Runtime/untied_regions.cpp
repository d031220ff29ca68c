// RUN: %clangxx -fopenmp -O0 %s -o %t && %t
// RUN: %clangxx -fopenmp -O2 %s -o %t && %t
// RUN: %clangxx -fopenmp -O2 -mllvm -openmp-task-inline=false %s -o %t && %t

// Task scheduling points in inner regions of an untied task. The task went on
// behind them in another call of its function, which did not have the variables
// of the region; and a critical region was left in the middle.

#include <atomic>
#include <cstdio>

static std::atomic<int> Failures, Alive;

static void expect(int Is, int Wanted, int Line) {
  if (Is == Wanted)
    return;
  printf("line %d: %d, not %d\n", Line, Is, Wanted);
  ++Failures;
}
#define EXPECT(Is, Wanted) expect(Is, Wanted, __LINE__)

struct Object {
  int Value;
  explicit Object(int V) : Value(V) { ++Alive; }
  ~Object() { --Alive; }
};

/// Leaves its mark where a frame was.
static int overwrite(int Value) {
  volatile int Room[500];
  for (volatile int &Cell : Room)
    Cell = Value;
  return Room[Value];
}

static void group() {
#pragma omp task untied
  {
    int Before = overwrite(1);
#pragma omp taskgroup
    {
      Object Local(2);
      int Sum = 0;
      for (int I = 0; I < 3; ++I) {
        int Copy = I;
#pragma omp task firstprivate(Copy) shared(Sum)
        {
          overwrite(Copy);
#pragma omp atomic
          Sum += Copy;
        }
        EXPECT(Copy, I);
      }
#pragma omp taskwait
      overwrite(4);
      EXPECT(Sum, 3);
      EXPECT(Local.Value, 2);
    }
    EXPECT(Before, 1);
#pragma omp taskyield
    overwrite(5);
    EXPECT(Before, 1);
  }
}

static int Inside, Entries; // of the critical region

static void critical() {
#pragma omp task untied
#pragma omp critical
  {
    Object Local(++Inside);
#pragma omp task if (0)
    overwrite(6);
    EXPECT(Local.Value, 1);
    EXPECT(Inside--, 1);
    ++Entries;
  }
}

static void nested(int Levels) {
#pragma omp task untied
  {
    const int Level = Levels;
#pragma omp taskgroup
    {
      int Local = Level;
      if (Level > 0)
        nested(Level - 1);
#pragma omp parallel num_threads(2)
      {
        int Own = Local;
#pragma omp task untied firstprivate(Own)
        {
          int Copy = Own;
#pragma omp taskyield
          EXPECT(Copy, Own);
        }
#pragma omp taskwait
        EXPECT(Own, Level);
      }
      overwrite(7);
      EXPECT(Local, Level);
    }
  }
}

int main() {
#pragma omp parallel num_threads(4)
#pragma omp single
  for (int I = 0; I < 100; ++I) {
    group();
    critical();
    if (I % 10 == 0)
      nested(3);
  }
  EXPECT(Entries, 100);
  EXPECT(Alive, 0);
  return Failures != 0;
}
