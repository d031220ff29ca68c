// RUN: %clangxx -w -fopenmp -O0 %s -o %t && %t
// RUN: %clangxx -w -fopenmp -O2 %s -o %t && %t

// Members of which a directive has a private copy, in directives and lambdas
// inside of it: tasks without a clause of their own took the member itself, and
// so did all directives inside of a reduction of an element.

#include <stdio.h>

static int Failures;

#define P_(...) _Pragma(#__VA_ARGS__)
#define P(...) P_(omp __VA_ARGS__)
#define EXPECT(Is, Wanted)                                                     \
  if ((Is) != (Wanted)) {                                                      \
    printf("line %d: %ld, not %ld\n", __LINE__, (long)(Is), (long)(Wanted));   \
    Failures++;                                                                \
  }
#define ONCE for (int I = 0; I < 1; ++I)

struct Object {
  long Value;
  Object(long V = 1) : Value(V) {}
  Object(const Object &O) : Value(O.Value) {}
  ~Object() { Value = -1; }
};

template <typename T> struct Members {
  T F = 3;
  Object O{4};
  T Array[4] = {1, 5, 1, 1};

  void read(int Line, long Number, long Value, long Wanted) {
    if (Number == Wanted && Value == Wanted + 1)
      return;
    printf("line %d: %ld and %ld, not %ld and %ld\n", Line, Number, Value,
           Wanted, Wanted + 1);
    Failures++;
  }

// Directives inside of a copy that has the value 7.
#define INSIDE(...)                                                            \
  {                                                                            \
    P(__VA_ARGS__) {                                                           \
      F = 7;                                                                   \
      O.Value = 8;                                                             \
      P(task) read(__LINE__, F, O.Value, 7);                                   \
      P(taskloop) ONCE read(__LINE__, F, O.Value, 7);                          \
      P(critical) P(task) P(task) read(__LINE__, F, O.Value, 7);               \
      P(task default(shared)) read(__LINE__, F, O.Value, 7);                   \
      P(task firstprivate(F, O)) read(__LINE__, F, O.Value, 7);                \
      P(task) {                                                                \
        F += 1;                                                                \
        O.Value += 1;                                                          \
        read(__LINE__, F, O.Value, 8);                                         \
      }                                                                        \
      P(taskwait)                                                              \
      read(__LINE__, F, O.Value, 7);                                           \
      [&] {                                                                    \
        P(task firstprivate(F, O)) read(__LINE__, F, O.Value, 7);              \
        P(taskloop firstprivate(F, O)) ONCE read(__LINE__, F, O.Value, 7);     \
        P(taskwait)                                                            \
      }();                                                                     \
      P(taskwait)                                                              \
    }                                                                          \
    P(taskwait)                                                                \
    read(__LINE__, F, O.Value, 3);                                             \
  }
#define LOOP(...)                                                              \
  {P(__VA_ARGS__) ONCE{F = 7;                                                  \
  O.Value = 8;                                                                 \
  P(task) read(__LINE__, F, O.Value, 7);                                       \
  P(taskloop) ONCE read(__LINE__, F, O.Value, 7);                              \
  P(taskwait)                                                                  \
  }                                                                            \
  }

  void copies() {
    INSIDE(parallel private(F, O) num_threads(1))
    INSIDE(parallel firstprivate(F, O) num_threads(1))
    INSIDE(task private(F, O))
    INSIDE(task firstprivate(F, O))
    LOOP(taskloop private(F, O))
    read(__LINE__, F, O.Value, 3);
    LOOP(taskloop lastprivate(F, O))
    read(__LINE__, F, O.Value, 7);
    LOOP(parallel for private(F, O))
  }

  // A copy of a copy, through a directive that shares it.
  void deeper() {
#pragma omp task firstprivate(O)
    {
      O.Value = 8;
#pragma omp task private(F) default(shared)
      {
        F = 7;
#pragma omp task
        read(__LINE__, F, O.Value, 7);
#pragma omp taskwait
      }
#pragma omp taskwait
    }
#pragma omp taskwait
  }

  void elements() {
#pragma omp parallel reduction(+ : Array[1]) num_threads(1)
    {
      EXPECT(Array[1], 0)
#pragma omp critical
      EXPECT(Array[1], 0)
#pragma omp single
      Array[1] += 2;
      EXPECT(Array[1], 2)
    }
    EXPECT(Array[1], 7)
#pragma omp parallel for reduction(+ : Array[2 : 2]) num_threads(2)
    for (int I = 0; I < 10; ++I) {
#pragma omp critical
      Array[2] += I;
      Array[3] += 1;
    }
    EXPECT(Array[2], 46)
    EXPECT(Array[3], 11)
  }
};

int main() {
  Members<long> L;
  L.copies();
  L.deeper();
  L.elements();
  Members<double> D;
  D.copies();
  D.deeper();
  D.elements();
  return Failures != 0;
}
