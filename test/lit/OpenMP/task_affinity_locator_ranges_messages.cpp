// What is wrong about a locator is said as by the compiler that ours is made
// from: the same words at the same columns, with the same ranges.

// RUN: not %stock_cc1 -fopenmp -fno-caret-diagnostics -fdiagnostics-print-source-range-info %s > %t.stock 2>&1
// RUN: not %clang_cc1 -fopenmp -fno-caret-diagnostics -fdiagnostics-print-source-range-info %s > %t.ours 2>&1
// RUN: diff %t.stock %t.ours
// RUN: FileCheck %s < %t.ours

void body();
int f(int);
struct Bits {
  int field : 3;
};

void test(int n, int *p, Bits b) {
  // CHECK: :[[#@LINE+1]]:27:{[[#@LINE+1]]:27-[[#@LINE+1]]:31}: error: expected addressable lvalue expression
#pragma omp task affinity(f(n))
  body();
  // CHECK: :[[#@LINE+1]]:27:{[[#@LINE+1]]:27-[[#@LINE+1]]:33}: error: expected addressable lvalue expression
#pragma omp task affinity((f(n)))
  body();
#pragma omp task affinity(p[0], (n + 1), n + 1, 1)
  body();
#pragma omp task affinity((b.field), b.field, (((n))), f)
  body();
#pragma omp task affinity(undeclared, in: n)
  body();
#pragma omp task affinity(iterator(i = 0:4): (p[i] + 1), i)
  body();
#pragma omp task affinity(iterator(i = 0:4), p[i])
  body();
#pragma omp task affinity(p[0:], p[0:-1], ([-1])p, p + 1)
  body();
#pragma omp task affinity(
  body();
#pragma omp task affinity(n
  body();
#pragma omp task affinity(n,)
  body();
#pragma omp task affinity(n p)
  body();
#pragma omp parallel for affinity(n)
  for (int i = 0; i < n; ++i)
    body();
}
