// The options and directives that the clause depends on.

// An extension can be switched off; the standard clause stays.
// RUN: %clang_cc1 -verify=noext -fopenmp -fno-openmp-extensions %s
// RUN: %clang_cc1 -verify=noext -fopenmp-simd -fno-openmp-extensions %s
// RUN: %clang_cc1 -verify=noext -fopenmp -fno-openmp-extensions -x c++ %s

// There is no clause below OpenMP 5.0.
// RUN: %clang_cc1 -verify=omp45 -fopenmp -fopenmp-version=45 %s
// RUN: %clang_cc1 -verify=omp45 -fopenmp -fopenmp-version=45 -x c++ %s

// From there on there is.
// RUN: %clang_cc1 -verify=ok -fopenmp -fopenmp-version=50 %s
// RUN: %clang_cc1 -verify=ok -fopenmp -fopenmp-version=51 %s
// RUN: %clang_cc1 -verify=ok -fopenmp -fopenmp-version=52 %s
// RUN: %clang_cc1 -verify=ok -fopenmp -fopenmp-version=60 %s
// ok-no-diagnostics

// Without -fopenmp the pragma means nothing.
// RUN: %clang_cc1 -verify=ok %s

void body(void);

void f(int n, int *p) {
#pragma omp task affinity(node: n) // noext-error {{OpenMP clause 'affinity(node:)' is only available as extension, use '-fopenmp-extensions'}} omp45-error {{unexpected OpenMP clause 'affinity' in directive '#pragma omp task'}}
  body();
#pragma omp task affinity(data: p, strict) // noext-error {{OpenMP clause 'affinity(data:)' is only available as extension, use '-fopenmp-extensions'}} omp45-error {{unexpected OpenMP clause 'affinity' in directive '#pragma omp task'}}
  body();
#pragma omp task affinity(p[n]) // omp45-error {{unexpected OpenMP clause 'affinity' in directive '#pragma omp task'}}
  body();
}
