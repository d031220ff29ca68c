// RUN: %clang_cc1 -verify -fopenmp -std=c99 -triple x86_64-unknown-linux-gnu -emit-llvm %s -o - | FileCheck %s
// RUN: %clang_cc1 -verify -fopenmp -std=c23 -triple x86_64-unknown-linux-gnu -emit-llvm %s -o - | FileCheck %s
// RUN: %clang_cc1 -fopenmp -std=c99 -triple x86_64-unknown-linux-gnu -emit-pch -o %t %s
// RUN: %clang_cc1 -fopenmp -std=c99 -triple x86_64-unknown-linux-gnu -include-pch %t -verify %s -emit-llvm -o - | FileCheck %s
// expected-no-diagnostics

// What the expressions can be made of in C.

#ifndef HEADER
#define HEADER

void body(void);
int *get(void);

struct S {
  int bits : 4;
  double member;
  int array[4];
  struct S *next;
};
enum E { Zero, One };

// CHECK-LABEL: define {{.*}}@integers(
void integers(int n, enum E e, _Bool b, struct S *s, unsigned char c) {
  // CHECK: call void @__kmpc_omp_task_affinity({{.+}}, i32 2, i64 %{{.+}}, i64 0, i32 0)
#pragma omp task affinity(node: s->bits)
  body();
  // CHECK: call void @__kmpc_omp_task_affinity({{.+}}, i32 2, i64 %{{.+}}, i64 0, i32 1)
#pragma omp task affinity(node: e, One)
  body();
  // CHECK: call void @__kmpc_omp_task_affinity({{.+}}, i32 1, i64 %{{.+}}, i64 0, i32 %{{.+}})
#pragma omp task affinity(thread: c, b)
  body();
#ifndef ROUND_TRIP // Clang prints statements on lines of their own, in clauses as well.
  // CHECK: call void @__kmpc_omp_task_affinity({{.+}}, i32 1, i64 %{{.+}}, i64 0, i32 0)
#pragma omp task affinity(thread: ({ int k = n; k * 2; }))
  body();
#endif
  // CHECK: call void @__kmpc_omp_task_affinity({{.+}}, i32 1, i64 %{{.+}}, i64 0, i32 1)
#pragma omp task affinity(thread: n ? 1 : 2, sizeof(int))
  body();
}

// CHECK-LABEL: define {{.*}}@memory(
void memory(int n, int *p, int (*rows)[8], struct S *s, void *v) {
  int local[5], vla[n];
  static int constant[3];
  // CHECK: call void @__kmpc_omp_task_affinity({{.+}}, i32 3, i64 %{{.+}}, i64 0, i32 0)
#pragma omp task affinity(data: p)
  body();
  // CHECK: call void @__kmpc_omp_task_affinity({{.+}}, i32 3, i64 %{{.+}}, i64 0, i32 1)
#pragma omp task affinity(data: v, strict)
  body();
  // CHECK: call void @__kmpc_omp_task_affinity({{.+}}, i32 3, i64 %{{.+}}, i64 4, i32 0)
#pragma omp task affinity(data: *p)
  body();
  // CHECK: call void @__kmpc_omp_task_affinity({{.+}}, i32 3, i64 %{{.+}}, i64 20, i32 0)
#pragma omp task affinity(data: local)
  body();
  // CHECK: call void @__kmpc_omp_task_affinity({{.+}}, i32 3, i64 ptrtoint (ptr @memory.constant to i64), i64 12, i32 0)
#pragma omp task affinity(data: constant)
  body();
  // CHECK: call void @__kmpc_omp_task_affinity({{.+}}, i32 3, i64 %{{.+}}, i64 %{{.+}}, i32 0)
#pragma omp task affinity(data: vla)
  body();
  // CHECK: call void @__kmpc_omp_task_affinity({{.+}}, i32 3, i64 %{{.+}}, i64 4, i32 0)
#pragma omp task affinity(data: vla[n - 1])
  body();
  // CHECK: call void @__kmpc_omp_task_affinity({{.+}}, i32 3, i64 %{{.+}}, i64 32, i32 0)
#pragma omp task affinity(data: rows[n])
  body();
  // CHECK: call void @__kmpc_omp_task_affinity({{.+}}, i32 3, i64 %{{.+}}, i64 8, i32 0)
#pragma omp task affinity(data: s->member)
  body();
  // CHECK: call void @__kmpc_omp_task_affinity({{.+}}, i32 3, i64 %{{.+}}, i64 40, i32 0)
#pragma omp task affinity(data: *s->next)
  body();
  // CHECK: call void @__kmpc_omp_task_affinity({{.+}}, i32 3, i64 %{{.+}}, i64 12, i32 0)
#pragma omp task affinity(data: (int[]){n, 2, 3})
  body();
  // CHECK: call void @__kmpc_omp_task_affinity({{.+}}, i32 3, i64 %{{.+}}, i64 0, i32 0)
#pragma omp task affinity(data: get() + n)
  body();
  // CHECK: call void @__kmpc_omp_task_affinity({{.+}}, i32 3, i64 %{{.+}}, i64 0, i32 0)
#pragma omp task affinity(data: n ? p : local)
  body();
  // CHECK: call void @__kmpc_omp_task_affinity({{.+}}, i32 3, i64 %{{.+}}, i64 %{{.+}}, i32 0)
#pragma omp task affinity(data: rows[1:n][2:4])
  body();
  // CHECK: call void @__kmpc_omp_task_affinity({{.+}}, i32 3, i64 %{{.+}}, i64 %{{.+}}, i32 %{{.+}})
#pragma omp task affinity(data: s->array[:n], n)
  body();
  // CHECK: call void @__kmpc_omp_task_affinity({{.+}}, i32 3, i64 %{{.+}}, i64 %{{.+}}, i32 0)
#pragma omp task affinity(data: ([n][4])p)
  body();
}

#endif
