// Variables that are firstprivate and lastprivate in a taskloop: each task
// begins with the value that the variable had, the last one's comes out, and
// objects are copied and destroyed in pairs.
//
// REQUIRES: product
// RUN: %clangxx -std=c++17 -Wno-pass-failed -Wno-sign-compare -O0 %s -o %t && %run-each --threads 1,2,8 --policies active %t
// RUN: %clangxx -std=c++17 -Wno-pass-failed -Wno-sign-compare -O2 %s -o %t && %run-each --threads 1,2,8 --policies active,passive %t

#include "check.h"

static int Alive;
struct Box {
  int Value;
  int *Own;
  explicit Box(int Value = 0) : Value(Value), Own(new int(Value)) {
    add(&Alive, 1);
  }
  Box(const Box &Other) : Value(Other.Value), Own(new int(*Other.Own)) {
    add(&Alive, 1);
  }
  Box &operator=(const Box &Other) {
    Value = Other.Value;
    *Own = *Other.Own;
    return *this;
  }
  ~Box() {
    delete Own;
    add(&Alive, -1);
  }
};

static void scalars(int N) {
  int A = 100;
  long B[4] = {1, 2, 3, 4}, Other = -1;
#pragma omp taskloop firstprivate(A, B) lastprivate(A, B) grainsize(3)
  for (int I = 0; I < N; ++I) {
    CHECK(B[3] == 4, "an array's value before");
    A = I * 2;
    B[1] = I;
  }
  CHECK_EQUAL(A, N ? 2 * (N - 1) : 100, "a scalar");
  CHECK_EQUAL(B[1], N ? N - 1 : 2, "an array");
#pragma omp taskloop firstprivate(A) lastprivate(A, Other) num_tasks(3)
  for (int I = 0; I < N; ++I)
    A = I, Other = I + 1;
  CHECK_EQUAL(Other, N ? N : -1, "beside one that is lastprivate only");
}

static void objects(int N) {
  Box A(7), B[2], C(9);
  B[0].Value = 5;
#pragma omp taskloop firstprivate(A, B) lastprivate(A) lastprivate(B)          \
    firstprivate(C) num_tasks(4)
  for (int I = 0; I < N; ++I) {
    CHECK(A.Value == 7 || A.Value < 0, "the value before is %d", A.Value);
    CHECK(C.Value == 9 && *A.Own <= 7, "the value before");
    A.Value = -1 - I;
    *A.Own = -1 - I;
    B[0].Value = I;
  }
  CHECK_EQUAL(A.Value, N ? -N : 7, "an object");
  CHECK_EQUAL(*A.Own, N ? -N : 7, "what it owns");
  CHECK_EQUAL(B[0].Value, N ? N - 1 : 5, "an array of objects");
}

/// A reference, and variables that a lambda has captured, by reference and not.
static void captured(int N) {
  int A = 1, B = 2;
  int &Ref = A;
#pragma omp taskloop firstprivate(Ref) lastprivate(Ref) nogroup
  for (int I = 0; I < N; ++I)
    Ref = I + 10;
#pragma omp taskwait
  CHECK_EQUAL(A, N ? N + 9 : 1, "a reference");
  auto ByReference = [&] {
#pragma omp taskloop firstprivate(B) lastprivate(B) grainsize(2)
    for (int I = 0; I < N; ++I)
      B = I + 20;
  };
  ByReference();
  CHECK_EQUAL(B, N ? N + 19 : 2, "in a lambda");
  auto ByCopy = [=]() mutable {
#pragma omp taskloop firstprivate(B) lastprivate(B) grainsize(2)
    for (int I = 0; I < N; ++I)
      B = I + 30;
    return B;
  };
  CHECK_EQUAL(ByCopy(), N ? N + 29 : 2, "in a lambda, a copy");
}

template <class T> static void constructs(T N) {
  T A = 3, B = 3, C = 3, D = 3;
#pragma omp taskloop simd firstprivate(A) lastprivate(A) grainsize(4)
  for (T I = 0; I < N; ++I)
    A = I + 1;
  CHECK_EQUAL(A, N ? N : T(3), "taskloop simd");
#pragma omp parallel master taskloop firstprivate(B) lastprivate(B)
  for (T I = 0; I < N; ++I)
    B = I + 1;
  CHECK_EQUAL(B, N ? N : T(3), "parallel master taskloop");
#pragma omp parallel masked taskloop simd firstprivate(C) lastprivate(C)
  for (T I = 0; I < N; ++I)
    C = I + 1;
  CHECK_EQUAL(C, N ? N : T(3), "parallel masked taskloop simd");
#pragma omp parallel
#pragma omp masked taskloop firstprivate(D) lastprivate(D) num_tasks(5)
  for (T I = 0; I < N; ++I)
    D = I + 1;
  CHECK_EQUAL(D, N ? N : T(3), "masked taskloop");
}

static void collapsed(int N, int M) {
  Box A(1);
#pragma omp taskloop collapse(2) firstprivate(A) lastprivate(A) num_tasks(5)
  for (int I = 0; I < N; ++I)
    for (int J = 0; J < M; J += 2)
      A.Value = I * 100 + J;
  CHECK_EQUAL(A.Value, N && M ? (N - 1) * 100 + (M - 1) / 2 * 2 : 1,
              "collapsed");
}

int main() {
#pragma omp parallel
#pragma omp single
  for (int Round = 0; Round < 20; ++Round)
    for (int N = 0; N < 30; N += N < 5 ? 1 : 8) {
      scalars(N);
      objects(N);
      captured(N);
      collapsed(N, 5);
      collapsed(4, N);
    }
  for (int N = 0; N < 30; N += 7) {
    scalars(N), objects(N), captured(N), collapsed(N, 3);
    constructs<int>(N), constructs<unsigned char>(N), constructs<long>(N);
  }
  CHECK_EQUAL(Alive, 0, "objects that are left");
  return 0;
}
