// RUN: %clang_cc1 -verify -fopenmp -std=c++17 -triple x86_64-unknown-linux-gnu %s
// RUN: %clang_cc1 -verify -fopenmp-simd -std=c++17 -triple x86_64-unknown-linux-gnu %s

// Variables that are declared between the loops of a nest: the clause is
// evaluated in front of the loops, where they have no values.

struct Pair { int First, Second; };

template <typename T> void inTemplate(T *A, T N) {
#pragma omp taskloop collapse(2) affinity(data: A[Row + J]) // expected-error {{'Row' is declared between the loops: the 'affinity' clause cannot use it}}
  for (T I = 0; I < N; ++I) {
    T Row = I * N; // expected-note {{declared here}}
    for (T J = 0; J < N; ++J)
      A[Row + J] = 0;
  }
}
template void inTemplate(int *, int); // expected-note {{in instantiation of function template specialization 'inTemplate<int>' requested here}}

void variables(double *A, int N, Pair P) {
#pragma omp taskloop collapse(2) affinity(node: Row) // expected-error {{'Row' is declared between the loops: the 'affinity' clause cannot use it}}
  for (int I = 0; I < N; ++I) {
    int Row = I * N; // expected-note {{declared here}}
    for (int J = 0; J < N; ++J)
      A[Row + J] = 0;
  }
#pragma omp parallel masked taskloop simd collapse(2) affinity(A[J], A[([&] { return Row; }()) + J]) // expected-error {{'Row' is declared between the loops: the 'affinity' clause cannot use it}}
  for (int I = 0; I < N; ++I) {
    int Row = I * N; // expected-note {{declared here}}
    for (int J = 0; J < N; ++J)
      A[Row + J] = 0;
  }
#pragma omp taskloop collapse(2) affinity(iterator(K = 0 : Row) : A[K]) // expected-error {{'Row' is declared between the loops: the 'affinity' clause cannot use it}}
  for (int I = 0; I < N; ++I) {
    int Row = I * N; // expected-note {{declared here}}
    for (int J = 0; J < N; ++J)
      A[Row + J] = 0;
  }
#pragma omp taskloop collapse(2)
  for (int I = 0; I < N; ++I) {
    auto [X, Y] = P; // expected-note {{declared here}}
    for (int J = 0; J < N; ++J) {
#pragma omp task_iteration affinity(data: A[Y + J]) // expected-error {{'Y' is declared between the loops: the 'affinity' clause cannot use it}}
      A[Y + J] = X;
    }
  }
}

// What has a value without the loop, or needs none.
template <typename T> void others(T *A, int N, Pair (&Pairs)[4]) {
#pragma omp taskloop collapse(2) affinity(data: A[Static + Constant + sizeof(Row) + J])
  for (int I = 0; I < N; ++I) {
    static int Static = 3;
    constexpr int Constant = 4;
    int Row = I;
    for (int J = 0; J < N; ++J)
      A[Static + Constant + Row + J] = 0;
  }
#pragma omp taskloop affinity(data: ({ int Next = I + 1; &A[Next]; }))
  for (int I = 0; I < N; ++I)
    A[I + 1] = 0;
#pragma omp taskloop collapse(2) affinity(data: A[First + J])
  for (auto [First, Second] : Pairs)
    for (int J = 0; J < 4; ++J)
      A[First + J] = Second;
}
template void others(double *, int, Pair (&)[4]);
