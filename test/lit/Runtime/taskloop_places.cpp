// RUN: %clangxx -fopenmp -O0 -std=c++17 -Wall -Werror -Wno-vla-cxx-extension -Wno-compound-token-split-by-macro %s -o %t.O0 && env OMP_NUM_THREADS=4 %t.O0 | FileCheck %s
// RUN: %clangxx -fopenmp -O2 -std=c++17 -Wall -Werror -Wno-vla-cxx-extension -Wno-compound-token-split-by-macro %s -o %t.O2 && env OMP_NUM_THREADS=4 %t.O2 | FileCheck %s
// RUN: env OMP_NUM_THREADS=1 %t.O2 | FileCheck %s

// What the code of a taskloop answers to the runtime's questions. The program
// stands in for the runtime: it asks for parts of 1 to 5 iterations, and
// compares the memory that is named with what all iterations of the part name.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <vector>

struct Range {
  uintptr_t Begin, End;
};
struct Part {
  uint64_t First, Last;
  std::vector<Range> Set;
};

static int Kind, Strict, Checked, Failures;
static uint64_t Next, Last, PartSize = 1;
static std::vector<Part> Parts;
static std::vector<Range> Expected;

extern "C" {
void __kmpc_taskloop_5(void *, int, void *, int, uint64_t *, uint64_t *,
                       int64_t, int, int, uint64_t, int, void *);

void *__kmpc_taskloop_places(void *, int32_t, int32_t K, uint64_t Lb,
                             uint64_t Ub, int64_t, int32_t, uint64_t, int32_t) {
  Kind = K;
  Next = Lb;
  Last = Ub;
  Parts.clear();
  return &Parts;
}
int32_t __kmpc_taskloop_places_next(void *, uint64_t *F, uint64_t *L) {
  if (Next > Last)
    return 0;
  *F = Next;
  *L = std::min(Next + PartSize - 1, Last);
  Parts.push_back({*F, *L, {}});
  Next = *L + 1;
  return 1;
}
void __kmpc_taskloop_places_set(void *, uintptr_t Value, size_t Len,
                                int32_t S) {
  Parts.back().Set.push_back({Value, Value + Len});
  Strict = S;
}
void __kmpc_taskloop_placed(void *Loc, int Gtid, void *Task, int If,
                            uint64_t *Lb, uint64_t *Ub, int64_t St, int Nogroup,
                            int Sched, uint64_t Grainsize, int Modifier,
                            void *Dup, void *Places) {
  if (!Places && !Expected.empty())
    ++Failures;
  __kmpc_taskloop_5(Loc, Gtid, Task, If, Lb, Ub, St, Nogroup, Sched, Grainsize,
                    Modifier, Dup);
}
}

/// Returns true if each part names the memory of its iterations.
static bool isRight(int ExpectedKind) {
  if (Expected.empty())
    return Parts.empty();
  uint64_t At = 0;
  for (const Part &P : Parts) {
    if (P.First != At || P.Last < P.First || P.Last >= Expected.size() ||
        P.Set.size() != 1)
      return false;
    Range All = Expected[P.First];
    if (ExpectedKind >= 3)
      for (uint64_t I = P.First; I <= P.Last; ++I) {
        All.Begin = std::min(All.Begin, Expected[I].Begin);
        All.End = std::max(All.End, Expected[I].End);
      }
    if (P.Set[0].Begin != All.Begin || P.Set[0].End != All.End)
      return false;
    At = P.Last + 1;
  }
  return At == Expected.size() && Kind == ExpectedKind;
}

static void check(const char *What, int Line, int ExpectedKind) {
  ++Checked;
  if (isRight(ExpectedKind))
    return;
  ++Failures;
  std::printf("line %d, parts of %d: %s: kind %d, %d iterations\n", Line,
              (int)PartSize, What, Kind, (int)Expected.size());
  for (const Part &P : Parts)
    for (const Range &R : P.Set)
      std::printf("  %d..%d: %zx to %zx, not %zx to %zx\n", (int)P.First,
                  (int)P.Last, R.Begin, R.End, Expected[P.First].Begin,
                  Expected[P.Last].End);
}

static void expect(const void *P, size_t Len) {
  Expected.push_back({uintptr_t(P), uintptr_t(P) + Len});
}
static void expect(intptr_t Value) {
  Expected.push_back({uintptr_t(Value), uintptr_t(Value)});
}

// Runs a taskloop with PRAGMA over the loops, in all sizes of parts. EXPECTED is
// what an iteration names.
#define PRAGMA(...) _Pragma(#__VA_ARGS__)
#define CHECK_LOOP(KIND, DIRECTIVE, EXPECTED, ...)                             \
  Expected.clear();                                                            \
  __VA_ARGS__ { expect EXPECTED; }                                             \
  for (PartSize = 1; PartSize < 6; ++PartSize) {                               \
    Parts.clear();                                                             \
    PRAGMA(DIRECTIVE)                                                          \
    __VA_ARGS__ {}                                                             \
    check(#DIRECTIVE " " #__VA_ARGS__, __LINE__, KIND);                        \
  }

static double A[1000];
static int M[20][30];

// Types and directions of the loop variable.
template <typename T> static void types() {
  CHECK_LOOP(3, omp taskloop affinity(data: A[I]), (&A[I], 8),
             for (T I = 0; I < 13; ++I))
  CHECK_LOOP(3, omp taskloop affinity(data: A[I]), (&A[I], 8),
             for (T I = 100; I > 2; I -= 3))
  CHECK_LOOP(3, omp taskloop affinity(data: A[I : 7]), (&A[I], 56),
             for (T I = 3; I <= 100; I = I + 7))
  CHECK_LOOP(3, omp taskloop affinity(data: A[120 - I]), (&A[120 - I], 8),
             for (T I = 0; 5 != I; I++))
  CHECK_LOOP(3, omp taskloop affinity(data: A[I]), (&A[I], 8),
             for (T I = 5; I < 5; ++I))
  CHECK_LOOP(3, omp taskloop affinity(data: A[I]), (&A[I], 8),
             for (T I = 9; I < 4; ++I))
}

static void kinds(int N, int *P) {
  CHECK_LOOP(1, omp taskloop affinity(thread: 3 - I), (3 - I),
             for (int I = 0; I < N; ++I))
  CHECK_LOOP(2, omp taskloop affinity(node: I * N), (I * N),
             for (int I = -N; I < N; ++I))
  CHECK_LOOP(4, omp taskloop affinity(A[2 * I]), (&A[2 * I], 8),
             for (int I = 0; I < N; ++I))
  // A pointer: from the first to the last, with no extent of its own.
  CHECK_LOOP(3, omp taskloop affinity(data: P + I), (P + I, 0),
             for (int I = 0; I < N; ++I))
  CHECK_LOOP(3, omp taskloop affinity(data: P), (P, 0),
             for (int I = 0; I < N; ++I))
  CHECK_LOOP(3, omp taskloop affinity(data: M[I]), (&M[I], 120),
             for (int I = 0; I < 20; ++I))
  CHECK_LOOP(3, omp taskloop affinity(data: ([2][5]) & P[10 * I]),
             (P + 10 * I, 40), for (int I = 0; I < N; ++I))
  CHECK_LOOP(3, omp taskloop affinity(data: ({ int J = I + 1; &A[J]; })),
             (&A[I + 1], 0), for (int I = 0; I < N; ++I))
}

static void forms(int N, int *P) {
  CHECK_LOOP(3, omp taskloop simd affinity(data: P[I]), (P + I, 4),
             for (int I = 0; I < N; ++I))
  CHECK_LOOP(3, omp parallel masked taskloop affinity(data: P[I]), (P + I, 4),
             for (int I = 0; I < N; ++I))
  CHECK_LOOP(3, omp parallel masked taskloop simd affinity(data: P[I]),
             (P + I, 4), for (int I = 0; I < N; ++I))
  CHECK_LOOP(3, omp parallel master taskloop affinity(data: P[I]), (P + I, 4),
             for (int I = 0; I < N; ++I))
  CHECK_LOOP(3, omp parallel master taskloop simd affinity(data: P[I]),
             (P + I, 4), for (int I = 0; I < N; ++I))
  CHECK_LOOP(3, omp masked taskloop affinity(data: P[I]), (P + I, 4),
             for (int I = 0; I < N; ++I))
  CHECK_LOOP(3, omp masked taskloop simd affinity(data: P[I]), (P + I, 4),
             for (int I = 0; I < N; ++I))
  CHECK_LOOP(3, omp master taskloop affinity(data: P[I]), (P + I, 4),
             for (int I = 0; I < N; ++I))
  CHECK_LOOP(3, omp master taskloop simd affinity(data: P[I]), (P + I, 4),
             for (int I = 0; I < N; ++I))
  // Declared outside.
  int J;
  CHECK_LOOP(3, omp taskloop affinity(data: P[J]), (P + J, 4),
             for (J = 2; J < N; ++J))
}

static void nests() {
  CHECK_LOOP(2, omp taskloop collapse(2) affinity(node: 30 * I + J),
             (30 * I + J),
             for (int I = 0; I < 20; ++I) for (long J = 0; J < 30; J += 4))
  // Within a row: what lies between.
  CHECK_LOOP(3, omp taskloop collapse(2) affinity(data: M[I][J]), (&M[I][J], 4),
             for (unsigned I = 0; I < 1; ++I) for (int J = 29; J >= 0; --J))
}

static void ranges() {
  std::vector<double> V(17);
  CHECK_LOOP(3, omp taskloop affinity(data: X), (&X, 8), for (double &X : V))
  CHECK_LOOP(3, omp taskloop affinity(data: X, strict), (&X, 4),
             for (auto &X : M[3]))
  CHECK_LOOP(3, omp taskloop affinity(data: *X), (&*X, 8),
             for (auto X = V.begin(); X < V.end(); ++X))
  CHECK_LOOP(3, omp taskloop affinity(data: *X), (X, 8),
             for (double *X = A; X != A + 9; X += 3))
}

// Where the other variables come from.
struct Member {
  int *Field;
  int Values[40];
  void test(int &Reference) {
    CHECK_LOOP(3, omp taskloop affinity(data: Field[I]), (Field + I, 4),
               for (int I = 0; I < 9; ++I))
    CHECK_LOOP(3, omp taskloop affinity(data: this->Values[I]), (Values + I, 4),
               for (int I = 0; I < 9; ++I))
    CHECK_LOOP(1, omp taskloop affinity(thread: Reference + I), (Reference + I),
               for (int I = 0; I < 9; ++I))
    auto Lambda = [&, Copy = Field](auto Step) {
      CHECK_LOOP(3, omp taskloop affinity(data: Copy[I]), (Copy + I, 4),
                 for (int I = 0; I < 9; I += Step))
      CHECK_LOOP(3, omp taskloop affinity(data: Values[I + Reference]),
                 (Values + I + Reference, 4), for (int I = 0; I < 9; I += Step))
    };
    Lambda(1);
    Lambda(2L);
    // A loop variable that the lambda captures is not the one it captured.
    int J = 99;
    auto Counter = [&, this] {
      for (PartSize = 1; PartSize < 6; ++PartSize) {
#pragma omp taskloop affinity(data: Field[J])
        for (J = 0; J < 9; ++J) {
        }
        Expected.clear();
        for (int I = 0; I < 9; ++I)
          expect(Field + I, 4);
        check("counter of a lambda", __LINE__, 3);
      }
    };
    Counter();
    ++Checked;
    Failures += J != 99;
  }
};

static int *Global;
static thread_local int *Local;

static void variables(int N, int *P) {
  // The clause means the variable of the task that meets the construct.
  int *Q = P + 3;
  CHECK_LOOP(3, omp taskloop private(Q) affinity(data: Q[I]), (Q + I, 4),
             for (int I = 0; I < N; ++I))
  CHECK_LOOP(3, omp taskloop firstprivate(Q) affinity(data: Q[I]), (Q + I, 4),
             for (int I = 0; I < N; ++I))
  CHECK_LOOP(3, omp taskloop default(none) affinity(data: Q[I]), (Q + I, 4),
             for (int I = 0; I < 5; ++I))
  static int *Static;
  Global = Static = Local = Q;
  CHECK_LOOP(3, omp taskloop affinity(data: Global[I]), (Q + I, 4),
             for (int I = 0; I < N; ++I))
  CHECK_LOOP(3, omp taskloop private(Global) affinity(data: Global[I]),
             (Q + I, 4), for (int I = 0; I < N; ++I))
  CHECK_LOOP(3, omp taskloop firstprivate(Static) affinity(data: Static[I]),
             (Q + I, 4), for (int I = 0; I < N; ++I))
  CHECK_LOOP(3, omp taskloop affinity(data: Local[I]), (Q + I, 4),
             for (int I = 0; I < N; ++I))
  int Vla[N][3];
  CHECK_LOOP(3, omp taskloop affinity(data: Vla[I]), (Vla[I], 12),
             for (int I = 0; I < N; ++I))
  CHECK_LOOP(2, omp taskloop affinity(node: [&] { return I + N; }()), (I + N),
             for (int I = 0; I < N; ++I))
}

// A region in a region: captured variables are those of the inner one.
static void nested(int N, int *P) {
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp task firstprivate(P, N)
  {
    CHECK_LOOP(3, omp taskloop affinity(data: P[I]), (P + I, 4),
               for (int I = 0; I < N; ++I))
    int J;
    CHECK_LOOP(3, omp taskloop affinity(data: P[J]), (P + J, 4),
               for (J = 0; J < N; ++J))
    // Private around the loop, in a lambda and in a region of its own.
    int *R = nullptr;
    auto Lambda = [&] {
#pragma omp parallel num_threads(1) private(R)
      {
        R = P + 2;
        CHECK_LOOP(3, omp taskloop affinity(data: R[I]), (P + 2 + I, 4),
                   for (int I = 0; I < N; ++I))
      }
    };
    Lambda();
  }
}

static void strictness() {
  for (int S = 0; S < 2; ++S) {
#pragma omp taskloop affinity(node: I, S)
    for (int I = 0; I < 3; ++I) {
    }
    ++Checked;
    Failures += Strict != S;
  }
}

int main() {
  types<int>();
  types<unsigned>();
  types<long>();
  types<unsigned long>();
  types<signed char>();
  types<unsigned char>();
  types<short>();
  types<unsigned short>();
  static int P[1000];
  kinds(12, P);
  kinds(0, P);
  forms(11, P);
  nests();
  ranges();
  int Seven = 7;
  Member{P, {}}.test(Seven);
  variables(10, P);
  nested(8, P);
  strictness();
  // CHECK-NOT: line
  // CHECK: checks, 0 failures
  std::printf("%d checks, %d failures\n", Checked, Failures);
  return Failures != 0;
}
