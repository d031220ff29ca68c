// RUN: %clangxx -std=c++20 -w -fopenmp -fopenmp-version=60 -O0 %s -o %t && %t
// RUN: %clangxx -std=c++20 -w -fopenmp -fopenmp-version=60 -O2 %s -o %t && %t
// RUN: %clangxx -std=c++20 -w -fopenmp-simd -fopenmp-version=60 -O0 %s -o %t && %t

// Loop transformations in regions, and directives in transformed loops. The
// compiler crashed: in a region's transformed loop it did not find the
// variables of the region, and a directive in any transformed loop took what
// stood for the region for one of OpenMP's.

#include <cstdio>

static int Failures;
static void expect(const char *What, long Is, long Wanted) {
  if (Is == Wanted)
    return;
  std::printf("%s: %ld, not %ld\n", What, Is, Wanted);
  ++Failures;
}

#define P_(...) _Pragma(#__VA_ARGS__)
#define P(...) P_(omp __VA_ARGS__)

#define ONE(Body)                                                              \
  for (int I = 0; I < N; ++I) {                                                \
    int Copy = I + Extra;                                                      \
    Body                                                                       \
  }
#define TWO(Body)                                                              \
  for (int K = 0; K < 3; ++K)                                                  \
    for (int I = 0; I < N + 1; ++I) {                                          \
      int Copy = I + K + Extra;                                                \
      Body                                                                     \
    }

// Bodies: each adds the value of Copy to Sum.
#define PLAIN Sum += Copy;
#define YIELD                                                                  \
  P(taskyield)                                                                 \
  Sum += Copy;
#define TASKS                                                                  \
  P(task shared(Sum))                                                          \
  P(atomic)                                                                    \
  Sum += Copy;
#define REGION                                                                 \
  P(parallel for reduction(+ : Sum) num_threads(2))                            \
  for (int Q = 0; Q < 3; ++Q)                                                  \
    Sum += Q == 1 ? Copy : 0;
#define LOCKED                                                                 \
  P(critical)                                                                  \
  Sum += Copy;

#define CASE(Region, Transformation, Loop, Body, Wanted)                       \
  {                                                                            \
    Sum = 0;                                                                   \
    Region { Transformation Loop(Body) }                                       \
    P(taskwait)                                                                \
    expect(#Region #Transformation #Body, Sum, Wanted);                        \
  }
#define BODIES(Region, Transformation, Loop, Wanted)                           \
  CASE(Region, Transformation, Loop, PLAIN, Wanted)                            \
  CASE(Region, Transformation, Loop, YIELD, Wanted)                            \
  CASE(Region, Transformation, Loop, TASKS P(taskwait), Wanted)                \
  CASE(Region, Transformation, Loop, REGION, Wanted)                           \
  CASE(Region, Transformation, Loop, LOCKED, Wanted)
#define TRANSFORMATIONS(Region, First, Second)                                 \
  BODIES(Region, P(tile sizes(3)), ONE, First)                                 \
  BODIES(Region, P(stripe sizes(2)), ONE, First)                               \
  BODIES(Region, P(reverse), ONE, First)                                       \
  BODIES(Region, P(unroll partial(2)), ONE, First)                             \
  BODIES(Region, P(tile sizes(2, 2)), TWO, Second)                             \
  BODIES(Region, P(interchange), TWO, Second)

static void regions(int N, long Extra) {
  // Of I in 0..N-1, of I in 0..N and K in 0..2, and Extra with each.
  long First = N * (N - 1) / 2 + N * Extra;
  long Second = 3 * (N + 1) * N / 2 + 3 * (N + 1) + 3 * (N + 1) * Extra;
  long Sum;
  TRANSFORMATIONS(, First, Second)
  TRANSFORMATIONS(P(task shared(Sum)), First, Second)
  TRANSFORMATIONS(P(task untied shared(Sum)), First, Second)
  TRANSFORMATIONS(P(taskgroup), First, Second)
  TRANSFORMATIONS(P(parallel num_threads(2)) P(single), First, Second)
}

template <typename T> static T inTemplate(T N) {
  T Sum = 0;
#pragma omp task shared(Sum) firstprivate(N)
  {
#pragma omp tile sizes(2)
    for (T I = 0; I < N; ++I) {
#pragma omp taskyield
      Sum += I;
    }
  }
#pragma omp taskwait
  return Sum;
}

struct Object {
  long Sum = 0;
  int Array[4] = {1, 2, 3, 4};
  void run(int N) {
#pragma omp task
    {
#pragma omp tile sizes(3)
      for (int I = 0; I < N; ++I) {
#pragma omp task if (0)
        Sum += I;
      }
#pragma omp reverse
      for (int Element : Array)
        Sum = 10 * Sum + Element;
    }
#pragma omp taskwait
  }
};

static void lambdas(int N) {
  long Sum = 0;
  auto Add = [&](auto M) {
#pragma omp task shared(Sum)
    {
#pragma omp tile sizes(2)
      for (int I = 0; I < M; ++I) {
#pragma omp taskyield
        Sum += I;
      }
    }
#pragma omp taskwait
#pragma omp tile sizes(2)
    for (int I = 0; I < M; ++I)
      Sum += I;
  };
  Add(N);
  Add(5L);
  expect("lambdas", Sum, N * (N - 1) + 20);
}

int main() {
  regions(7, 3);
#pragma omp parallel num_threads(2)
#pragma omp single
  regions(5, 2);
  expect("template", inTemplate(6) + inTemplate(7L), 36);
  Object O;
  O.run(4);
  expect("member", O.Sum, 64321);
  lambdas(6);
  return Failures != 0;
}
