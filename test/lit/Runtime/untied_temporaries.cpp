// RUN: %clangxx -std=c++17 -w -fopenmp -O0 %s -o %t && %t
// RUN: %clangxx -std=c++17 -w -fopenmp -O2 %s -o %t && %t
// RUN: %clangxx -std=c++17 -w -fopenmp -O2 -mllvm -openmp-task-inline=false %s -o %t && %t

// What an untied task keeps across a task scheduling point, beside variables:
// they were in the frame of an earlier call of the task's function.

#include <cstdio>
#include <initializer_list>
#include <utility>

static int Failures, Destroyed;

#define EXPECT(Condition)                                                      \
  ((Condition) ? (void)0 : (void)(++Failures, printf("line %d\n", __LINE__)))

/// Leaves its mark where a frame was.
__attribute__((noinline)) static int overwrite(int Value) {
  volatile long Room[300];
  for (volatile long &Cell : Room)
    Cell = Value;
  return Room[Value];
}

struct Object {
  int Value;
  explicit Object(int V) : Value(V) {}
  ~Object() {
    Value = -1;
    ++Destroyed;
  }
  const Object *begin() const { return this; }
  const Object *end() const { return this + 1; }
};

static void temporaries() {
#pragma omp task untied
  {
    const Object &Extended = Object(7);
    overwrite(1);
#pragma omp taskyield
    overwrite(2);
    EXPECT(Extended.Value == 7 && Destroyed == 0);
  }
#pragma omp taskwait
  EXPECT(Destroyed == 1);
#pragma omp task untied
  {
    int Sum = 0;
    for (const Object &Element : Object(5)) {
#pragma omp taskyield
      overwrite(3);
      Sum += Element.Value;
    }
    EXPECT(Sum == 5 && Destroyed == 2);
  }
#pragma omp taskwait
#pragma omp task untied
  {
    int Sum = 0;
    for (int Element : {1, 2, 3}) {
#pragma omp taskyield
      overwrite(4);
      Sum += Element;
    }
    EXPECT(Sum == 6);
  }
#pragma omp taskwait
}

static void handler() {
#pragma omp task untied
  try {
    overwrite(1);
    throw 5;
  } catch (int Exception) {
#pragma omp taskyield
    overwrite(2);
    EXPECT(Exception == 5);
  }
#pragma omp taskwait
}

static void memory() {
#pragma omp task untied
  {
    int *Allocated = (int *)__builtin_alloca(2 * sizeof(int));
    Allocated[1] = 3;
#pragma omp taskyield
    overwrite(6);
    EXPECT(Allocated[1] == 3);
  }
#pragma omp taskwait
#pragma omp task untied
  {
    auto [First, Second] = std::pair(overwrite(1), 2);
#pragma omp taskyield
    overwrite(6);
    EXPECT(First == 1 && Second == 2);
  }
#pragma omp taskwait
}

struct Keeper {
  const Object &Kept = Object(8);
};

static void expressions() {
#pragma omp task untied
  {
    Keeper Keeps{};
    overwrite(1);
#pragma omp taskyield
    overwrite(2);
    EXPECT(Keeps.Kept.Value == 8);
  }
#pragma omp taskwait
#pragma omp task untied
  {
    int Sum = overwrite(2) + ({
#pragma omp taskyield
                overwrite(3);
              });
    EXPECT(Sum == 5);
  }
#pragma omp taskwait
}

static void loop() {
#pragma omp task untied
  {
    int Sum = 0;
#pragma omp unroll partial(2)
    for (int I = 0; I < 6; ++I) {
      int Copy = I;
#pragma omp taskyield
      overwrite(3);
      Sum += Copy;
    }
    EXPECT(Sum == 15);
  }
#pragma omp taskwait
}

int main() {
#pragma omp parallel num_threads(2)
#pragma omp single
  {
    temporaries();
    handler();
    memory();
    expressions();
    loop();
  }
  return Failures != 0;
}
