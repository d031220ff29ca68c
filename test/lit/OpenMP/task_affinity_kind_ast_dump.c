// RUN: %clang_cc1 -fopenmp -ast-dump %s | FileCheck %s
// RUN: %clang_cc1 -fopenmp -ast-dump=json %s | FileCheck %s --check-prefix=JSON
// RUN: %clang_cc1 -fopenmp -emit-pch -o %t %s
// RUN: %clang_cc1 -fopenmp -include-pch %t -ast-dump-all /dev/null | FileCheck %s

void body(void);

void test(int n, int *p) {
  // CHECK: OMPTaskDirective
  // CHECK-NEXT: |-OMPAffinityClause {{.+}} <col:18, col:46> node strict
  // CHECK-NEXT: | `-BinaryOperator {{.+}} 'int' '%'
#pragma omp task affinity(node: n % 4, strict)
  body();
  // CHECK: OMPTaskDirective
  // CHECK-NEXT: |-OMPAffinityClause {{.+}} <col:18, col:39> thread{{$}}
  // CHECK-NEXT: | |-ImplicitCastExpr {{.+}} 'int' <LValueToRValue>
  // CHECK-NEXT: | | `-DeclRefExpr {{.+}} 'n' 'int'
  // CHECK-NEXT: | `-IntegerLiteral {{.+}} 'int' 1
#pragma omp task affinity(thread: n, 1)
  body();
  // CHECK: OMPTaskDirective
  // CHECK-NEXT: |-OMPAffinityClause {{.+}} <col:18, col:34> data{{$}}
  // CHECK-NEXT: | `-ImplicitCastExpr {{.+}} 'int *' <LValueToRValue>
#pragma omp task affinity(data: p)
  body();
  // CHECK: OMPTaskDirective
  // CHECK-NEXT: |-OMPAffinityClause {{.+}} <col:18, col:31>{{$}}
#pragma omp task affinity(p[n])
  body();
}

// JSON: "kind": "OMPAffinityClause",
// JSON: "placementKind": "node",
// JSON-NEXT: "strict": true,
// JSON-NEXT: "inner": [
// JSON: "kind": "BinaryOperator",
// JSON: "kind": "OMPAffinityClause",
// JSON: "placementKind": "thread",
// JSON-NEXT: "inner": [
// JSON: "kind": "OMPAffinityClause",
// JSON: "placementKind": "data",
// JSON-NEXT: "inner": [
