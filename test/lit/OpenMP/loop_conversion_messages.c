// RUN: %clang_cc1 -verify=none -fopenmp -Wall -Wextra -Wconversion -Wsign-conversion -Wshorten-64-to-32 %s
// RUN: %clang_cc1 -verify=none -x c++ -std=c++20 -fopenmp -Wall -Wextra -Wconversion -Wsign-conversion -Wshorten-64-to-32 -Wold-style-cast %s
// RUN: %clang_cc1 -verify -fopenmp -Wall -Wextra -Wconversion -Wsign-conversion -Wshorten-64-to-32 -DWARN %s
// none-no-diagnostics

// Bounds and counters of a taskloop are converted by the compiler. It warns of
// the user's conversions only.

typedef unsigned long size_t;

void loops(int n, size_t m, long l, double *d) {
#pragma omp taskloop
  for (int i = 0; i < n; ++i)
    d[i] = 1;
#pragma omp taskloop grainsize(4)
  for (long i = 0; i < l; ++i)
    d[i] = 1;
#pragma omp taskloop num_tasks(n)
  for (size_t i = 0; i < m; ++i)
    d[i] = 1;
#pragma omp taskloop collapse(2) priority(n)
  for (unsigned char i = 0; i < 4; ++i)
    for (short j = 3; j >= 0; --j)
      d[4 * i + j] = 1;
#pragma omp taskloop grainsize(m) affinity(data : d[i])
  for (unsigned i = 0; i < 10u; i += 3)
    d[i] = 1;
#pragma omp taskloop simd
  for (int i = n; i > 0; i -= n)
    d[i] = 1;
#pragma omp parallel master taskloop
  for (double *p = d; p < d + n; ++p)
    *p = 1;
#pragma omp taskloop collapse(2)
  for (int i = 0; i < n; ++i)
    for (long j = 0; j < l; ++j)
      d[j] = i;
}

void clauses(int n, size_t m, double *d) {
#pragma omp task affinity(thread : n, n > 2) priority(n) depend(iterator(unsigned k = 0 : 4), in : d[k])
  d[0] = 2;
#pragma omp task affinity(node : m)
  d[0] = 2;
#pragma omp task depend(iterator(size_t k = 0 : m, short j = 0 : 3), in : d[k], d[j])
  d[0] = 2;
}

#ifdef WARN
void warned(int n, long l, short *s) {
#pragma omp taskloop
  for (int i = 0; i < n; ++i)
    s[i] = n; // expected-warning {{implicit conversion loses integer precision: 'int' to 'short'}}
#pragma omp taskloop
  for (int i = l; i < n; ++i) // expected-warning 2 {{implicit conversion loses integer precision: 'long' to 'int'}}
    s[i] = 1;
}
#endif
