// The first part of an untied task begins its body: it did nothing but queue the
// task again. Each task scheduling point ends a part. The parts behind the first
// are numbered from 2: with part 1, code of earlier versions begins the body.

// RUN: %clang_cc1 -verify -triple x86_64-unknown-linux-gnu -fopenmp -emit-llvm %s -o - | FileCheck %s
// expected-no-diagnostics

void body(int *);

// One part, which queues nothing.
// CHECK-LABEL: define internal i32 @.omp_task_entry.(
// CHECK: [[IS_FIRST:%.+]] = icmp eq i32 %{{.+}}, 0
// CHECK: br i1 [[IS_FIRST]], label %[[FIRST:.+]], label %{{.+}}
// CHECK-NOT: @__kmpc_omp_task(
// CHECK: [[FIRST]]:
// CHECK-NOT: @__kmpc_omp_task(
// CHECK: call void @body(
// CHECK-NOT: @__kmpc_omp_task(
// CHECK: ret i32 0
void one(void) {
#pragma omp task untied
  body(0);
}

// Three parts.
// CHECK-LABEL: define internal i32 @.omp_task_entry..{{[0-9]+}}(
// CHECK: switch i32 %{{.+}}, label %{{.+}} [
// CHECK-NEXT: i32 0, label %[[FIRST:.+]]
// CHECK-NEXT: i32 2, label %[[SECOND:.+]]
// CHECK-NEXT: i32 3, label %[[THIRD:.+]]
// CHECK-NEXT: ]
// CHECK: [[FIRST]]:
// CHECK: call void @body(
// CHECK: call i32 @__kmpc_omp_taskyield(
// CHECK: store i32 2, ptr
// CHECK: call i32 @__kmpc_omp_task(
// CHECK: [[SECOND]]:
// CHECK: call void @body(
// CHECK: call i32 @__kmpc_omp_taskwait(
// CHECK: store i32 3, ptr
// CHECK: call i32 @__kmpc_omp_task(
// CHECK: [[THIRD]]:
// CHECK: call void @body(
// CHECK-NOT: @__kmpc_omp_task(
// CHECK: ret i32 0
void three(int n) {
#pragma omp task untied firstprivate(n)
  {
    int Local = n;
    body(&Local);
#pragma omp taskyield
    body(&Local);
#pragma omp taskwait
    body(&Local);
  }
}
