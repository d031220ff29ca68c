// RUN: %clang_cc1 -verify -fopenmp %s
// RUN: %clang_cc1 -verify -fopenmp -x c++ %s

// A parenthesized array section where none is allowed: it was misread.

void body(void);

void test(int n, int *p) {
  int a[4];
#pragma omp task priority((a[0:2])) // expected-error {{OpenMP array section is not allowed here}}
  body();
#pragma omp task final(((p[0:n]))) // expected-error {{OpenMP array section is not allowed here}}
  body();
#pragma omp task affinity(p[-(a[0:2])]) // expected-error {{OpenMP array section is not allowed here}}
  body();
}
