// RUN: %clang_cc1 -verify -fopenmp -fopenmp-version=60 -ferror-limit 100 %s
// RUN: %clang_cc1 -verify -fopenmp -fopenmp-version=51 -ferror-limit 100 %s
// RUN: %clang_cc1 -verify -fopenmp-simd -fopenmp-version=60 -ferror-limit 100 %s

// Directives that the table of directives has, and that are not implemented:
// this crashed.

void body(void);

#pragma omp taskgraph // expected-error {{unexpected OpenMP directive '#pragma omp taskgraph'}}

void test(int n) {
#pragma omp taskgraph // expected-error {{expected an OpenMP directive}}
  body();
#pragma omp taskgraph if(n) nogroup // expected-error {{expected an OpenMP directive}}
  body();
#pragma omp target loop // expected-error {{expected an OpenMP directive}}
  for (int i = 0; i < n; ++i)
    body();
#pragma omp parallel
#pragma omp taskgraph // expected-error {{expected an OpenMP directive}}
  body();
  undeclared = 1; // expected-error {{use of undeclared identifier 'undeclared'}}
}
