// RUN: %clang_cc1 -verify -fopenmp -std=c++20 -Wunsafe-buffer-usage %s

// What walks the AST sees the expressions of a loop's placement, each once: see
// task_affinity_kind_visitor.cpp.

void body(int);

void matched(int *p, int n) {
#pragma omp taskloop affinity(data: p[1]) // expected-warning {{unsafe buffer access}} expected-note {{code hardening suggestions}}
  for (int i = 0; i < n; ++i)
    body(i);
#pragma omp taskloop affinity(node: p[i]) // expected-warning {{unsafe buffer access}} expected-note {{code hardening suggestions}}
  for (int i = 0; i < n; ++i)
    body(i);
#pragma omp taskloop simd affinity(node: n, p[3]) // expected-warning {{unsafe buffer access}} expected-note {{code hardening suggestions}}
  for (int i = 0; i < n; ++i)
    body(i);
#pragma omp taskloop
  for (int i = 0; i < n; ++i) {
#pragma omp task_iteration affinity(data: p[i]) // expected-warning {{unsafe buffer access}} expected-note {{code hardening suggestions}}
    body(i);
  }
}

template <typename T> void instantiated(T t) {
#pragma omp taskloop affinity(data: t[i]) // expected-warning {{unsafe buffer access}} expected-note {{code hardening suggestions}}
  for (int i = 0; i < 9; ++i)
    body(i);
}
template void instantiated(int *);
