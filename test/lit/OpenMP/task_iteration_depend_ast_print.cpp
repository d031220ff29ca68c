// RUN: %clang_cc1 -verify -fopenmp -std=c++17 -ast-print %s | FileCheck %s
// RUN: %clang_cc1 -fopenmp -x c++ -std=c++17 -emit-pch -o %t %s
// RUN: %clang_cc1 -fopenmp -std=c++17 -include-pch %t -verify %s -ast-print | FileCheck %s
// RUN: %clang_cc1 -verify -fopenmp-simd -std=c++17 -ast-print %s | FileCheck %s
// RUN: %clang_cc1 -fopenmp -std=c++17 -ast-dump %s | FileCheck %s --check-prefix=DUMP
// RUN: %clang_cc1 -fopenmp -std=c++17 -include-pch %t -ast-dump-all %s | FileCheck %s --check-prefix=DUMP

// expected-no-diagnostics

#ifndef HEADER
#define HEADER

void body(long);

// CHECK-LABEL: template <typename T, int N> void templ(T *a, T n) {
// CHECK-NEXT: #pragma omp taskloop grainsize(2) depend(in : a[i - N]) depend(inout : a[i:1],n)
// CHECK-NEXT: for (T i = N; i < n; ++i)
// CHECK: #pragma omp taskloop collapse(2) depend(iterator(T k = 0:i), in : a[k]) affinity(a[i]) depend(out : omp_all_memory)
// CHECK: #pragma omp taskloop if(taskloop: n) depend(in : n) affinity(a[0]) if(task_iteration: i % N) depend(in : a[i]) affinity(a[i]) if(task_iteration: !i) depend(inout : a[0]) depend(in : a[1])
// CHECK: template<> void templ<int, 2>(int *a, int n) {
// CHECK-NEXT: #pragma omp taskloop grainsize(2) depend(in : a[i - 2]) depend(inout : a[i:1],n)
// CHECK-NEXT: for (int i = 2; i < n; ++i)
// CHECK: #pragma omp taskloop collapse(2) depend(iterator(int k = 0:i), in : a[k]) affinity(a[i]) depend(out : omp_all_memory)
// CHECK: #pragma omp taskloop if(taskloop: n) depend(in : n) affinity(a[0]) if(task_iteration: i % 2) depend(in : a[i]) affinity(a[i]) if(task_iteration: !i) depend(inout : a[0]) depend(in : a[1])

// DUMP: FunctionDecl {{.+}} dumped 'void (int *, int)'
// DUMP: OMPTaskLoopDirective
// DUMP-NEXT: |-OMPDependClause
// DUMP-NEXT: | `-ArraySubscriptExpr
// DUMP: | `-DeclRefExpr {{.+}} 'int' lvalue Var [[I:0x[0-9a-f]+]] 'i' 'int'
// DUMP: `-CapturedStmt
// DUMP: VarDecl [[I]] {{.+}} used i 'int' cinit
// DUMP: OMPTaskLoopDirective
// DUMP-NEXT: |-OMPDependClause
// DUMP: |-OMPIfClause
// DUMP-NEXT: | `-ImplicitCastExpr {{.+}} 'bool' <IntegralToBoolean>
// DUMP: | `-DeclRefExpr {{.+}} 'int' lvalue Var [[J:0x[0-9a-f]+]] 'j' 'int'
// DUMP-NEXT: |-OMPDependClause
// DUMP: `-CapturedStmt
// DUMP: VarDecl [[J]] {{.+}} used j 'int' cinit
void dumped(int *p, int n) {
#pragma omp taskloop
  for (int i = 0; i < n; ++i) {
#pragma omp task_iteration depend(out : p[i])
    body(i);
  }
#pragma omp taskloop
  for (int j = 0; j < n; ++j) {
#pragma omp task_iteration depend(out : p[j]) if (j)
#pragma omp task_iteration depend(in : n)
    body(j);
  }
}

template <typename T, int N> void templ(T *a, T n) {
#pragma omp taskloop grainsize(2)
  for (T i = N; i < n; ++i) {
#pragma omp task_iteration depend(in : a[i - N]), depend(inout : a[i : 1], n)
    body(i);
  }
#pragma omp taskloop collapse(2)
  for (T i = 0; i < n; ++i)
    for (T j = 0; j < n; ++j) {
#pragma omp task_iteration depend(iterator(T k = 0 : i), in : a[k]), affinity(a[i])
#pragma omp task_iteration depend(out : omp_all_memory)
      body(j);
    }
  // What has no condition comes first.
#pragma omp taskloop depend(in : n) if (taskloop : n)
  for (T i = 0; i < n; ++i) {
#pragma omp task_iteration depend(in : a[i]), if (i % N) affinity(a[i])
#pragma omp task_iteration affinity(a[0])
#pragma omp task_iteration if (task_iteration : !i) depend(inout : a[0]), depend(in : a[1])
    body(i);
  }
}
void use(int *p) { templ<int, 2>(p, 5); }

#endif
