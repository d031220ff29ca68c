// RUN: %clang_cc1 -verify -triple x86_64-unknown-linux-gnu -fopenmp -emit-llvm %s -o - | FileCheck %s
// expected-no-diagnostics

// The last iteration is -1 where a loop has none. Where it certainly has some,
// nothing is asked.

void body(long);

// CHECK-LABEL: define {{.*}}@_Z5knownii(
// CHECK: call void @__kmpc_taskgroup(
// CHECK: call ptr @__kmpc_omp_task_alloc(
// CHECK: store i64 9,
// CHECK-NOT: select
// CHECK: call void @__kmpc_taskloop(
void known(int from, int to) {
#pragma omp taskloop
  for (int i = 0; i < 10; ++i)
    body(i);
}

// CHECK-LABEL: define {{.*}}@_Z3sgnii(
// CHECK: call ptr @__kmpc_omp_task_alloc(
// CHECK: [[UB:%.+]] = load i64, ptr [[ADDR:%.+]], align 8
// CHECK: [[HAS:%.+]] = icmp slt i32
// CHECK: [[LAST:%.+]] = select i1 [[HAS]], i64 [[UB]], i64 -1
// CHECK: store i64 [[LAST]], ptr [[ADDR]], align 8
// CHECK: call void @__kmpc_taskloop(
void sgn(int from, int to) {
#pragma omp taskloop
  for (int i = from; i < to; ++i)
    body(i);
}

// CHECK-LABEL: define {{.*}}@_Z3unsjj(
// CHECK: call ptr @__kmpc_omp_task_alloc(
// CHECK: [[HAS:%.+]] = icmp ugt i32
// CHECK: select i1 [[HAS]], i64 {{%.+}}, i64 -1
// CHECK: call void @__kmpc_taskloop_5(
void uns(unsigned from, unsigned to) {
#pragma omp parallel masked taskloop simd grainsize(strict : 2)
  for (unsigned i = to; i > from; --i)
    body(i);
}

// CHECK-LABEL: define {{.*}}@_Z5neverv(
// CHECK: call ptr @__kmpc_omp_task_alloc(
// CHECK: select i1 false, i64 {{%.+}}, i64 -1
// CHECK: call void @__kmpc_taskloop(
void never() {
#pragma omp taskloop
  for (unsigned i = 5; i < 5; ++i)
    body(i);
}
