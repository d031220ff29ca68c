// RUN: %clang_cc1 -verify -fopenmp -std=c++20 -Wunsafe-buffer-usage %s
// RUN: %clang_cc1 -analyze -analyzer-checker=core,deadcode.DeadStores -verify=analyzer -fopenmp -std=c++20 %s

// What walks the AST sees the expressions of a placement. The warning is made
// with AST matchers on top of RecursiveASTVisitor, the dead stores are searched
// with the CFG.

void body();

void matched(int *p, int n) {
#pragma omp task affinity(data: p[1]) // expected-warning {{unsafe buffer access}} expected-note {{code hardening suggestions}}
  body();
#pragma omp task affinity(node: p[2]) // expected-warning {{unsafe buffer access}} expected-note {{code hardening suggestions}}
  body();
#pragma omp task affinity(node: n, p[3]) // expected-warning {{unsafe buffer access}} expected-note {{code hardening suggestions}}
  body();
#pragma omp task affinity(thread: [&] { return p[4]; }()) // expected-warning {{unsafe buffer access}} expected-note {{code hardening suggestions}}
  body();
}

template <typename T> void instantiated(T t) {
#pragma omp task affinity(data: t[1]) // expected-warning {{unsafe buffer access}} expected-note {{code hardening suggestions}}
  body();
}
template void instantiated(int *);

void stored(int *p) {
  int i = 1, n = 2, s = 3, unread;
  unread = 4; // analyzer-warning {{Value stored to 'unread' is never read}}
#pragma omp task affinity(data: p[i:n], s)
  body();
  i = 5;
#pragma omp task affinity(node: i)
  body();
}
