// RUN: %clang_cc1 -fopenmp -ast-dump %s | FileCheck %s
// RUN: %clang_cc1 -fopenmp -ast-dump=json %s | FileCheck %s --check-prefix=JSON
// RUN: %clang_cc1 -fopenmp -emit-pch -o %t %s
// RUN: %clang_cc1 -fopenmp -include-pch %t -ast-dump-all /dev/null | FileCheck %s

void body(int);

void test(int n, int *p) {
  // CHECK: OMPTaskLoopDirective
  // CHECK-NEXT: |-OMPAffinityClause {{.+}} <col:22, col:49> data strict
  // CHECK-NEXT: | `-ArraySubscriptExpr
  // CHECK: | `-DeclRefExpr {{.+}} 'int' lvalue Var [[I:0x[0-9a-f]+]] 'i' 'int'
  // CHECK: `-CapturedStmt
  // CHECK: VarDecl [[I]] {{.+}} used i 'int' cinit
#pragma omp taskloop affinity(data: p[i], strict)
  for (int i = 0; i < n; ++i)
    body(i);
  // CHECK: OMPTaskLoopDirective
  // CHECK-NEXT: |-OMPAffinityClause {{.+}} <line:[[@LINE+3]]:28, col:41>{{$}}
#pragma omp taskloop
  for (int i = 0; i < n; ++i)
#pragma omp task_iteration affinity(p[i])
    body(i);
}

// JSON: "kind": "OMPAffinityClause",
// JSON: "placementKind": "data",
// JSON-NEXT: "strict": true,
