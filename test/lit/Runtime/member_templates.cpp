// RUN: %clangxx -w -fopenmp -O0 %s -o %t && env OMP_NUM_THREADS=3 %t
// RUN: %clangxx -w -fopenmp -O2 %s -o %t && env OMP_NUM_THREADS=3 %t

// Clauses that name members in member templates and generic lambdas of a class
// that is no template: when these are instantiated, the members in the bodies
// were left as they are. The program changed the member itself, or the compiler
// crashed.

#include <stdio.h>

static int Failures;

#define EXPECT(Is, Wanted)                                                     \
  if ((Is) != (Wanted)) {                                                      \
    printf("line %d: %ld, not %ld\n", __LINE__, (long)(Is), (long)(Wanted));   \
    Failures++;                                                                \
  }

struct Members {
  long F = 3;
  int Array[2] = {1, 2};

  // What cannot capture the copy uses the member.
  template <typename T> void withoutDefault(T) {
    long Value = -1;
#pragma omp parallel firstprivate(F) num_threads(1)
    {
      F = 7;
      Value = [this] { return F; }();
    }
    EXPECT(Value, 3)
  }

  // Directives with several regions, and no clause for the member.
  void combined() {
    long Sum = 0;
#pragma omp parallel master taskloop default(firstprivate) reduction(+ : Sum)
    for (int I = 0; I < 10; ++I)
      Sum += F;
    EXPECT(Sum, 30)
#pragma omp teams distribute parallel for default(firstprivate)                \
    reduction(+ : Sum)
    for (int I = 0; I < 10; ++I)
      Sum += F;
    EXPECT(Sum, 60)
#pragma omp parallel default(firstprivate) shared(Sum) num_threads(1)
    {
      // A directive without a region.
#pragma omp atomic
      Sum += F;
    }
    EXPECT(Sum, 63)
  }

  template <typename T> void copies(T) {
    long Outer = -1, Inner = -1;
#pragma omp task private(F) shared(Outer, Inner)
    {
      F = 7;
#pragma omp task shared(Inner)
      Inner = F;
#pragma omp taskwait
      Outer = F;
    }
#pragma omp taskwait
    EXPECT(Outer, 7)
    EXPECT(Inner, 7)
    EXPECT(F, 3)
    auto Lambda = [&](auto Value) {
#pragma omp task firstprivate(F, Array) shared(Outer)
      {
        F += Value;
        Array[0] = Value;
        Outer = F;
      }
#pragma omp taskwait
    };
    Lambda(5);
    EXPECT(Outer, 8)
    EXPECT(F, 3)
    EXPECT(Array[0], 1)
  }

  // An ordinary lambda in a directive in a generic lambda.
  template <typename T> void lambdasInGeneric(T N) {
    long Inner = 0;
    auto Generic = [&](auto Value) {
#pragma omp parallel num_threads(1) firstprivate(F)
      {
        F += Value;
        auto Lambda = [&](long Added) {
          F += Added;
          return F;
        };
        Inner = Lambda(2);
      }
    };
    Generic(N);
    EXPECT(Inner, 10)
    EXPECT(F, 3)
  }

  template <typename T> void clauses(T N) {
#pragma omp parallel num_threads(2) private(F)
    {
#pragma omp single copyprivate(F)
      F = N;
      EXPECT(F, N)
    }
#pragma omp simd linear(F)
    for (T I = 0; I < N; ++I)
      ++F;
    EXPECT(F, 8)
#pragma omp parallel for num_threads(2) linear(F : 2)
    for (T I = 0; I < N; ++I)
      F += 2;
    EXPECT(F, 18)
#pragma omp taskloop lastprivate(F)
    for (F = 0; F < N; ++F)
      ;
    EXPECT(F, N)
#pragma omp parallel for num_threads(2) private(F) collapse(2)
    for (F = 0; F < N; ++F)
      for (T I = 0; I < N; ++I)
        ;
    EXPECT(F, N)
    F = 3;
  }

  /// A combined directive with a default clause has copies of the copy.
  void defaults() {
    long Seen = -1;
#pragma omp parallel num_threads(1) private(F)
    {
      F = 7;
#pragma omp parallel master taskloop default(firstprivate) shared(Seen)
      for (int I = 0; I < 3; ++I)
        Seen = F;
      EXPECT(Seen, 7)
#pragma omp parallel masked taskloop default(private)
      for (int I = 0; I < 3; ++I)
        F = I;
      EXPECT(F, 7)
    }
    EXPECT(F, 3)
  }

  template <typename T> void loops(T N) {
#pragma omp taskloop reduction(+ : F)
    for (T I = 0; I < N; ++I)
      F += I;
    EXPECT(F, 13)
#pragma omp taskloop lastprivate(F) private(Array)
    for (T I = 0; I < N; ++I) {
      Array[0] = 9;
      F = I;
    }
    EXPECT(F, 4)
    EXPECT(Array[0], 1)
#pragma omp parallel for num_threads(2) reduction(+ : F)
    for (T I = 0; I < N; ++I)
      F += I;
    EXPECT(F, 14)
    F = 3;
  }

  template <typename T> void reductions(T N) {
#pragma omp taskgroup task_reduction(+ : F, Array[1])
    for (T I = 0; I < N; ++I) {
#pragma omp task in_reduction(+ : F)
      F += I;
#pragma omp task in_reduction(+ : Array[1])
      Array[1] += I;
    }
    EXPECT(F, 13)
    EXPECT(Array[1], 12)
    F = 3;
    Array[1] = 2;
  }

  /// A lambda that is not generic uses the copy that the region around has.
  template <typename T> void lambdas(T) {
    long Plain = -1, Nested = -1;
#pragma omp parallel num_threads(1) private(F)
    {
      F = 10;
      [&] { Plain = F; }();
#pragma omp task shared(Nested)
      [&] { Nested = F; }();
#pragma omp taskwait
    }
    EXPECT(Plain, 10)
    EXPECT(Nested, 10)
    EXPECT(F, 3)
  }

  /// The directives are all inside of the generic lambda.
  void generic() {
    long Inner = -1;
    auto Region = [&](auto Value) {
#pragma omp parallel num_threads(1) private(F)
      {
        F = Value;
#pragma omp task shared(Inner)
        Inner = F;
#pragma omp taskwait
      }
    };
    Region(10);
    EXPECT(Inner, 10)
    EXPECT(F, 3)
  }

  template <typename T> void all(T N) {
    copies(N);
    lambdas(N);
    lambdasInGeneric(N);
    generic();
    clauses(N);
    defaults();
    loops(N);
    reductions(N);
  }
};

int main() {
  Members M;
#pragma omp parallel
#pragma omp single
  {
    M.all(5);
    M.all(5L);
  }
  Members Others;
  Others.withoutDefault(0);
  Others.combined();
  return Failures != 0;
}
