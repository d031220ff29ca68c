// RUN: %clang_cc1 -verify=expected,new -fopenmp -fopenmp-version=60 -ferror-limit 100 %s
// RUN: %clang_cc1 -verify=expected,old -fopenmp -fopenmp-version=51 -ferror-limit 100 %s
// RUN: %clang_cc1 -verify=expected,new -fopenmp-simd -fopenmp-version=60 -ferror-limit 100 %s

// Clauses that the table of clauses has, and that the parser does not know:
// this was an endless loop. What is behind them is not parsed, up to a comma.

void body(void);

void test(int n) {
#pragma omp task transparent(n) // expected-error {{unexpected OpenMP clause 'transparent' in directive '#pragma omp task'}}
  body();
#pragma omp task replayable // expected-error {{unexpected OpenMP clause 'replayable' in directive '#pragma omp task'}}
  body();
#pragma omp task replayable(1), shared(unknown) // expected-error {{unexpected OpenMP clause 'replayable' in directive '#pragma omp task'}} expected-error {{use of undeclared identifier 'unknown'}}
  body();
#pragma omp task untied transparent // expected-error {{unexpected OpenMP clause 'transparent' in directive '#pragma omp task'}}
  body();
#pragma omp parallel memscope(all) // expected-error {{unexpected OpenMP clause 'memscope' in directive '#pragma omp parallel'}}
  body();
#pragma omp task threadset(omp_pool) // old-error {{unexpected OpenMP clause 'threadset' in directive '#pragma omp task'}}
  body();
}
