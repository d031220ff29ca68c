// RUN: %clang_cc1 -verify -triple x86_64-unknown-linux-gnu -fopenmp -Wall -Wextra -Wsign-conversion -Wconversion -x c++ -emit-llvm %s -o - | FileCheck %s
// RUN: %clang_cc1 -fopenmp -x c++ -triple x86_64-unknown-linux-gnu -emit-pch -o %t %s
// RUN: %clang_cc1 -fopenmp -x c++ -triple x86_64-unknown-linux-gnu -include-pch %t -verify %s -emit-llvm -o - | FileCheck %s
// expected-no-diagnostics

// The number of iterations of an empty range is negative before it is made 0:
// it sizes arrays on the stack and on the heap. test/lit/Runtime runs them.

#ifndef HEADER
#define HEADER

void body();

// CHECK-LABEL: define {{.*}}@_Z8affinityiiPi(
void affinity(int begin, int end, int *a) {
  // CHECK: [[N:%.+]] = sub nsw i32 %{{.+}}, %{{.+}}
  // CHECK: [[POSITIVE:%.+]] = icmp sgt i32 [[N]], 0
  // CHECK: [[MAX:%.+]] = select i1 [[POSITIVE]], i32 [[N]], i32 0
  // CHECK: [[SIZE:%.+]] = zext i32 [[MAX]] to i64
  // CHECK: alloca %struct.kmp_task_affinity_info_t, i64
  // CHECK: call i32 @__kmpc_omp_reg_task_with_affinity(
#pragma omp task affinity(iterator(i = begin:end) : a[i])
  body();
  // CHECK: call i32 @__kmpc_omp_reg_task_with_affinity({{.+}}, i32 0, ptr %{{.+}})
#pragma omp task affinity(iterator(i = 4:2) : a[i])
  body();
}

// An unsigned difference would wrap.
// CHECK-LABEL: define {{.*}}@_Z9unsigned_jjPi(
void unsigned_(unsigned begin, unsigned end, int *a) {
  // CHECK: [[E:%.+]] = zext i32 %{{.+}} to i64
  // CHECK: [[B:%.+]] = zext i32 %{{.+}} to i64
  // CHECK: [[N:%.+]] = sub nsw i64 [[E]], [[B]]
  // CHECK: [[POSITIVE:%.+]] = icmp sgt i64 [[N]], 0
  // CHECK: select i1 [[POSITIVE]], i64 [[N]], i64 0
  // CHECK: alloca %struct.kmp_task_affinity_info_t, i64
  // CHECK: icmp slt i64
#pragma omp task affinity(iterator(unsigned i = begin:end) : a[i])
  body();
}

// CHECK-LABEL: define {{.*}}@_Z6dependmmPi(
void depend(unsigned long begin, unsigned long step, int *a) {
  // CHECK: [[N:%.+]] = sdiv i64
  // CHECK: [[POSITIVE:%.+]] = icmp sgt i64 %{{.+}}, 0
  // CHECK: select i1 [[POSITIVE]], i64 %{{.+}}, i64 0
  // CHECK: alloca %struct.kmp_depend_info, i64
#pragma omp task depend(iterator(unsigned long i = begin:0:step), in : a[i])
  body();
}

typedef void *omp_depend_t;
// CHECK-LABEL: define {{.*}}@_Z6depobjiPi(
void depobj(int n, int *a) {
  omp_depend_t d;
  // CHECK: [[POSITIVE:%.+]] = icmp sgt i32 %{{.+}}, 0
  // CHECK: select i1 [[POSITIVE]], i32 %{{.+}}, i32 0
  // CHECK: call ptr @__kmpc_alloc(
#pragma omp depobj(d) depend(iterator(i = 0:n), in : a[i])
}

#endif
