// RUN: %clang_cc1 -verify -fopenmp -std=c++17 -ast-print %s | FileCheck %s
// RUN: %clang_cc1 -fopenmp -x c++ -std=c++17 -emit-pch -o %t %s
// RUN: %clang_cc1 -fopenmp -std=c++17 -include-pch %t -verify %s -ast-print | FileCheck %s
// RUN: %clang_cc1 -verify -fopenmp-simd -std=c++17 -ast-print %s | FileCheck %s

// expected-no-diagnostics

#ifndef HEADER
#define HEADER

void body(long);

// Clauses of task_iteration are those of its taskloop.
// CHECK-LABEL: template <typename T, int N, typename P> void templ(P *a, T n) {
// CHECK-NEXT: #pragma omp taskloop grainsize(2) affinity(data: a[i:N], strict)
// CHECK-NEXT: for (T i = 0; i < n; ++i)
// CHECK: #pragma omp taskloop collapse(N) affinity(node: i + N) affinity(a[i])
// CHECK-NEXT: for (T i = 0; i < n; ++i) {
// CHECK-NEXT: for (T j = 0; j < n; ++j) {
// CHECK-NEXT: body(j);
// CHECK: #pragma omp taskloop simd affinity(a[i],n) affinity(iterator(T k = 0:n) : a[k + i])
// CHECK: #pragma omp masked taskloop affinity(data: a[i + x], x)
// CHECK: template<> void templ<int, 2, double>(double *a, int n) {
// CHECK-NEXT: #pragma omp taskloop grainsize(2) affinity(data: a[i:2], strict)
// CHECK-NEXT: for (int i = 0; i < n; ++i)
// CHECK: #pragma omp taskloop collapse(2) affinity(node: i + 2) affinity(a[i])
// CHECK: #pragma omp taskloop simd affinity(a[i],n) affinity(iterator(int k = 0:n) : a[k + i])
// CHECK: #pragma omp masked taskloop affinity(data: a[i + x], x)
template <typename T, int N, typename P> void templ(P *a, T n) {
#pragma omp taskloop affinity(data: a[i:N], strict) grainsize(2)
  for (T i = 0; i < n; ++i)
    body(i);
#pragma omp taskloop collapse(N)
  for (T i = 0; i < n; ++i) {
#pragma omp task_iteration affinity(node : i + N) affinity(a[i])
    for (T j = 0; j < n; ++j) {
      body(j);
    }
  }
#pragma omp taskloop simd affinity(a[i], n) affinity(iterator(T k = 0:n): a[k + i])
  for (auto i = n; i > N; --i)
    body(i);
#ifndef ROUND_TRIP // The names of lambdas differ.
  auto l = [=](auto x) {
#pragma omp masked taskloop affinity(data: a[i + x], x)
    for (T i = 0; i < n; ++i)
      body(i);
  };
  l(1);
#endif
}

#ifndef ROUND_TRIP // Neither are those of ranges the same.
struct Range {
  long *begin();
  long *end();
};

// CHECK-LABEL: void ranges(
template <typename V> void ranges(V &v) {
  // CHECK: #pragma omp taskloop affinity(data: x)
  // CHECK-NEXT: for (auto &x : v)
#pragma omp taskloop affinity(data: x)
  for (auto &x : v)
    body(x);
}
template void ranges(Range &);
#endif

// CHECK-LABEL: void forms(
void forms(double *d, int n) {
  int i;
  templ<int, 2>(d, 5);
  // CHECK: #pragma omp parallel masked taskloop simd collapse(2) affinity(thread: i * 5 + j)
#pragma omp parallel masked taskloop simd affinity(thread: i * 5 + j) collapse(2)
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < 5; ++j)
      body(i);
  // CHECK: #pragma omp taskloop affinity(data: d[i:1])
  // CHECK-NEXT: for (i = 0; i < n; ++i)
#pragma omp taskloop affinity(data: d[i:1])
  for (i = 0; i < n; ++i)
    body(i);
  // CHECK: #pragma omp parallel master taskloop affinity(data: ([n][2])d)
#pragma omp parallel master taskloop affinity(data: ([n][2])d)
  for (i = 0; i < n; ++i)
    body(i);
}

#endif
