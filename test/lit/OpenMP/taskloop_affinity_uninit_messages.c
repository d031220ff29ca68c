// RUN: %clang_cc1 -verify -fopenmp -Wall -Wextra -Wconditional-uninitialized %s
// RUN: %clang_cc1 -verify -fopenmp -Wall -Wextra -Wconditional-uninitialized -x c++ %s

// The expressions of a loop's clause are evaluated where its variables have
// values; data-sharing rules are those of the task that meets the construct.

void body(unsigned long);

void initialized(double *a, unsigned long n) {
  unsigned long i;
#pragma omp taskloop affinity(data: a[i])
  for (i = 0; i < n; ++i)
    body(i);
  unsigned long k = 2; // Used in the clause only.
  k = 3;
#pragma omp taskloop affinity(node: k + i)
  for (unsigned long i = 0; i < n; ++i)
    body(i);
}

void sharing(double *a, unsigned long n) {
  unsigned long i;
#pragma omp parallel default(none) shared(a, n)
#pragma omp single
#pragma omp taskloop default(none) shared(n) affinity(data: a[i])
  for (i = 0; i < n; ++i)
    body(i);
#pragma omp parallel default(none) shared(n) // expected-note {{explicit data sharing attribute requested here}}
#pragma omp single
#pragma omp taskloop affinity(data: a[i]) // expected-error {{variable 'a' must have explicitly specified data sharing attributes}}
  for (unsigned long i = 0; i < n; ++i)
    body(i);
}

void conditions(double *a, unsigned long n, int c) {
  unsigned long i;
#pragma omp taskloop
  for (i = 0; i < n; ++i) {
#pragma omp task_iteration affinity(a[i]) if(i)
#pragma omp task_iteration depend(in: a[i]) if(i % 3)
    body(i);
  }
#pragma omp parallel default(none) shared(a, n, c)
#pragma omp single
#pragma omp taskloop default(none) shared(n) private(c)
  for (i = 0; i < n; ++i) {
#pragma omp task_iteration affinity(a[i]) if(i + c)
    body(i);
  }
#pragma omp parallel default(none) shared(n, a) // expected-note {{explicit data sharing attribute requested here}}
#pragma omp single
#pragma omp taskloop
  for (unsigned long i = 0; i < n; ++i) {
#pragma omp task_iteration affinity(a[i]) if(c) // expected-error {{variable 'c' must have explicitly specified data sharing attributes}}
    body(i);
  }
}
