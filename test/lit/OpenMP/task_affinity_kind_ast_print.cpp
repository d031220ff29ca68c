// RUN: %clang_cc1 -verify -fopenmp -std=c++17 -ast-print %s | FileCheck %s
// RUN: %clang_cc1 -fopenmp -x c++ -std=c++17 -emit-pch -o %t %s
// RUN: %clang_cc1 -fopenmp -std=c++17 -include-pch %t -verify %s -ast-print | FileCheck %s

// RUN: %clang_cc1 -verify -fopenmp-simd -std=c++17 -ast-print %s | FileCheck %s
// RUN: %clang_cc1 -fopenmp-simd -x c++ -std=c++17 -emit-pch -o %t %s
// RUN: %clang_cc1 -fopenmp-simd -std=c++17 -include-pch %t -verify %s -ast-print | FileCheck %s

// expected-no-diagnostics

#ifndef HEADER
#define HEADER

void foo();

// CHECK-LABEL: template <typename T, int N> void templ(T *p, T t) {
// CHECK-NEXT: #pragma omp task affinity(thread: N, strict)
// CHECK-NEXT: foo();
// CHECK-NEXT: #pragma omp task affinity(node: t + N, N > 3)
// CHECK-NEXT: foo();
// CHECK-NEXT: #pragma omp task affinity(data: p[:N]) affinity(p[0])
// CHECK-NEXT: foo();
// CHECK: template<> void templ<int, 5>(int *p, int t) {
// CHECK-NEXT: #pragma omp task affinity(thread: 5, strict)
// CHECK-NEXT: foo();
// CHECK-NEXT: #pragma omp task affinity(node: t + 5, 5 > 3)
// CHECK-NEXT: foo();
// CHECK-NEXT: #pragma omp task affinity(data: p[:5]) affinity(p[0])
// CHECK-NEXT: foo();
template <typename T, int N> void templ(T *p, T t) {
#pragma omp task affinity(thread: N, strict)
  foo();
#pragma omp task affinity(node: t + N, N > 3)
  foo();
#pragma omp task affinity(data: p[:N]) affinity(p[0])
  foo();
}

// CHECK-LABEL: int main(int argc, char **argv)
int main(int argc, char **argv) {
  int *p = &argc, m[4], strict = 0;
  // CHECK: #pragma omp task affinity(thread: argc)
#pragma omp task affinity(thread:argc)
  foo();
  // CHECK: #pragma omp task affinity(node: argc++ % 4, 1)
#pragma omp task affinity(node : argc++ % 4 , 1)
  foo();
  // CHECK: #pragma omp task affinity(data: p, strict)
#pragma omp task affinity(data: p, strict)
  foo();
  // CHECK: #pragma omp task affinity(data: m[2], (strict))
#pragma omp task affinity(data: m[2], (strict))
  foo();
  // CHECK: #pragma omp task affinity(data: m[1:2])
#pragma omp task affinity(data: (m[1:2]))
  foo();
  // CHECK: #pragma omp task affinity(data: ([argc][2])p)
#pragma omp task affinity(data: ([argc][2])p)
  foo();
  // CHECK: #pragma omp task if(argc) affinity(m) affinity(node: (argc++ , 1)) affinity(iterator(int i = 0:2) : p[i])
#pragma omp task if(argc) affinity(m) affinity(node: (argc++, 1)) affinity(iterator(int i = 0:2) : p[i])
  foo();
  templ<int, 5>(p, argc);
  return 0;
}

#endif
