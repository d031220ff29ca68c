// RUN: %clang_cc1 -verify -triple x86_64-unknown-linux-gnu -fopenmp -emit-llvm %s -o - | FileCheck %s
// expected-no-diagnostics

// The record of a task has its private copies aligned as types and attributes say. Where
// that is more than 64 bytes, four bits of the flags say how much.

void use(void *);

// A variable that is an array of 16 bytes or more is aligned to 16, its field to 8.
// CHECK-LABEL: define {{.*}}@array(
// CHECK: call ptr @__kmpc_omp_task_alloc(ptr {{.+}}, i32 %{{.+}}, i32 1, i64 72, i64 {{[0-9]+}},
void array(void) {
  long r[4] = {0};
#pragma omp task firstprivate(r)
  r[0] = 7;
}

// CHECK: store i64 7, ptr %{{.+}}, align 8

// 64 bytes is what all tasks have.
// CHECK-LABEL: define {{.*}}@line(
// CHECK: call ptr @__kmpc_omp_task_alloc(ptr {{.+}}, i32 %{{.+}}, i32 1, i64 128, i64 {{[0-9]+}},
void line(void) {
  _Alignas(64) char r = 0;
#pragma omp task firstprivate(r)
  use(&r);
}

// 1 | 6 << 12: a tied task that is aligned to 64 << 6.
// CHECK-LABEL: define {{.*}}@page(
// CHECK: call ptr @__kmpc_omp_task_alloc(ptr {{.+}}, i32 %{{.+}}, i32 24577, i64 8192, i64 {{[0-9]+}},
void page(void) {
  _Alignas(4096) char r;
#pragma omp taskloop private(r)
  for (int i = 0; i < 9; ++i)
    use(&r);
}

// 1 << 12, of a local variable.
// CHECK-LABEL: define {{.*}}@local(
// CHECK: call ptr @__kmpc_omp_task_alloc(ptr {{.+}}, i32 %{{.+}}, i32 4096, i64 256, i64 {{[0-9]+}},
void local(void) {
#pragma omp task untied
  {
    _Alignas(128) char r = 0;
#pragma omp taskyield
    use(&r);
  }
}
