// A task scheduling point in an inner region of an untied task ends no part: the
// task's record does not have the region's variables, and a critical region must
// not be left in the middle.

// RUN: %clang_cc1 -verify -triple x86_64-unknown-linux-gnu -fopenmp -emit-llvm %s -o - | FileCheck %s
// expected-no-diagnostics

void body(int *);

// Two parts: the second begins behind the regions.
// CHECK-LABEL: define internal i32 @.omp_task_entry.(
// CHECK: switch i32 %{{.+}}, label %{{.+}} [
// CHECK-NEXT: i32 0, label %[[FIRST:.+]]
// CHECK-NEXT: i32 2, label %[[SECOND:.+]]
// CHECK-NEXT: ]
// CHECK: [[FIRST]]:
// CHECK: call void @__kmpc_critical(
// CHECK-NOT: @__kmpc_omp_task(
// CHECK: call i32 @__kmpc_omp_taskyield(
// CHECK-NOT: @__kmpc_omp_task(
// CHECK: call void @__kmpc_end_critical(
// CHECK: call void @__kmpc_taskgroup(
// CHECK: call i32 @__kmpc_omp_task(
// CHECK-NOT: @__kmpc_omp_task(
// CHECK: call void @__kmpc_end_taskgroup(
// CHECK: call i32 @__kmpc_omp_taskwait(
// CHECK: store i32 2, ptr
// CHECK: call i32 @__kmpc_omp_task(
// CHECK: [[SECOND]]:
// CHECK: call void @body(
// CHECK: ret i32 0
void regions(void) {
#pragma omp task untied
  {
#pragma omp critical
    {
      int Local = 1;
#pragma omp taskyield
      body(&Local);
    }
#pragma omp taskgroup
    {
      int Local = 2;
#pragma omp task firstprivate(Local)
      body(&Local);
      body(&Local);
    }
#pragma omp taskwait
    body(0);
  }
}
