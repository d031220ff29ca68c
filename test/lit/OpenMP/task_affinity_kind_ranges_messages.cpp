// Where the diagnostics of placements point to, and the ranges that they mark.

// RUN: not %clang_cc1 -fopenmp -std=c++17 -ferror-limit 100 -fno-caret-diagnostics -fdiagnostics-print-source-range-info %s 2>&1 | FileCheck %s

void body();
struct Incomplete;
extern Incomplete Unknown;
struct Explicit { explicit operator int() const; };
void test(int n, double d, int *p, Explicit e) {
  int a[4];
  struct { int field : 3; } bits;
  // CHECK: :[[#@LINE+1]]:33:{[[#@LINE+1]]:33-[[#@LINE+1]]:34}: error: expression must have integral or unscoped enumeration type, not 'double'
#pragma omp task affinity(node: d)
  body();
  // CHECK: :[[#@LINE+1]]:38:{[[#@LINE+1]]:36-[[#@LINE+1]]:41}: error: expression must have integral or unscoped enumeration type, not 'double'
#pragma omp task affinity(node: n, d * 2)
  body();
  // CHECK: :[[#@LINE+1]]:33: error: expression requires explicit conversion from 'Explicit' to 'int'
#pragma omp task affinity(node: e)
  body();
  // CHECK: :[[#@LINE+1]]:35:{[[#@LINE+1]]:33-[[#@LINE+1]]:38}: error: argument to 'affinity' clause must be a non-negative integer value
#pragma omp task affinity(node: 2 - 3)
  body();
  // CHECK: :[[#@LINE+1]]:33: error: OpenMP array section is not allowed here
#pragma omp task affinity(node: a[0:2])
  body();
  // CHECK: :[[#@LINE+1]]:35:{[[#@LINE+1]]:33-[[#@LINE+1]]:38}: error: expected addressable lvalue expression, array element, array section or array shaping expression
#pragma omp task affinity(data: n + 1)
  body();
  // CHECK: :[[#@LINE+1]]:33:{[[#@LINE+1]]:33-[[#@LINE+1]]:40}: error: expected addressable lvalue expression, array element, array section or array shaping expression
#pragma omp task affinity(data: (n + 1))
  body();
  // CHECK: :[[#@LINE+1]]:38:{[[#@LINE+1]]:33-[[#@LINE+1]]:43}: error: expected addressable lvalue expression, array element, array section or array shaping expression
#pragma omp task affinity(data: bits.field)
  body();
  // CHECK: :[[#@LINE+1]]:33:{[[#@LINE+1]]:33-[[#@LINE+1]]:37}: error: expected addressable lvalue expression, array element, array section or array shaping expression
#pragma omp task affinity(data: body)
  body();
  // CHECK: :[[#@LINE+1]]:33:{[[#@LINE+1]]:33-[[#@LINE+1]]:40}: error: expression has incomplete class type 'Incomplete'
#pragma omp task affinity(data: Unknown)
  body();
  // CHECK: :[[#@LINE+1]]:36: error: section length is unspecified and cannot be inferred because subscripted value is not an array
#pragma omp task affinity(data: p[0:])
  body();
  // CHECK: :[[#@LINE+1]]:37:{[[#@LINE+1]]:37-[[#@LINE+1]]:39}: error: section length is evaluated to a negative value -1
#pragma omp task affinity(data: p[0:-1])
  body();
  // CHECK: :[[#@LINE+2]]:45: error: directive '#pragma omp task' cannot contain more than one 'affinity' clause with 'thread', 'node' or 'data' name modifier
  // CHECK: :[[#@LINE+1]]:27: note: 'affinity' clause is specified here
#pragma omp task affinity(node: 1) affinity(thread: 2)
  body();
  // CHECK: :[[#@LINE+1]]:27: error: expected 'thread', 'node' or 'data' in OpenMP clause 'affinity'
#pragma omp task affinity(nodes: 1)
  body();
  // CHECK: :[[#@LINE+1]]:32: error: expected ':' after 'node'
#pragma omp task affinity(node 1)
  body();
  // CHECK: :[[#@LINE+1]]:35: error: expected ','
#pragma omp task affinity(node: 1 strict)
  body();
  // CHECK: :[[#@LINE+1]]:37: error: placement kind 'node' takes one expression and its strictness, not a list
#pragma omp task affinity(node: 1, 2, 3)
  body();
  // CHECK: :[[#@LINE+1]]:30: error: placement kind 'node' cannot stand behind a locator in the same 'affinity' clause
#pragma omp task affinity(a, node: 2)
  body();
  // CHECK: :[[#@LINE+1]]:46: error: placement kind 'node' cannot stand with an iterator in the same 'affinity' clause
#pragma omp task affinity(iterator(i = 0:2): node: i)
  body();
  // CHECK: :[[#@LINE+1]]:46: error: placement kind 'data' cannot stand with an iterator in the same 'affinity' clause
#pragma omp task affinity(iterator(i = 0:2), data: a[i])
  body();
  // CHECK: :[[#@LINE+1]]:32: error: expected expression
#pragma omp task affinity(node:)
  body();
  // CHECK: :[[#@LINE+2]]:34: error: expected ')'
  // CHECK: :[[#@LINE+1]]:26: note: to match this '('
#pragma omp task affinity(node: 1
  body();
  // CHECK: :[[#@LINE+1]]:23: error: unexpected OpenMP clause 'affinity' in directive '#pragma omp taskgroup'
#pragma omp taskgroup affinity(node: 1)
  body();
}
