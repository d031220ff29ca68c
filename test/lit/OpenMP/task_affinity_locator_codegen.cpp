// RUN: %clang_cc1 -verify -triple x86_64-unknown-linux-gnu -fopenmp -x c++ -emit-llvm %s -o - | FileCheck %s
// RUN: %clang_cc1 -fopenmp -x c++ -triple x86_64-unknown-linux-gnu -emit-pch -o %t %s
// RUN: %clang_cc1 -fopenmp -x c++ -triple x86_64-unknown-linux-gnu -include-pch %t -verify %s -emit-llvm -o - | FileCheck %s
// expected-no-diagnostics

// The standard clause: the array of locators has an element for each locator
// and iteration, and all its fields are set.

#ifndef HEADER
#define HEADER

void body();

// kmp_task_affinity_info_t affs[2]; each with base, len and flags.
// CHECK-LABEL: define {{.*}}@_Z5plainPiRi(
void plain(int *a, int &b) {
  // CHECK: %.affs.arr.addr = alloca [2 x %struct.kmp_task_affinity_info_t]
  // CHECK: [[BASE:%.+]] = getelementptr {{.*}}%struct.kmp_task_affinity_info_t, ptr %{{.+}}, i32 0, i32 0
  // CHECK: store i64 %{{.+}}, ptr [[BASE]]
  // CHECK: [[LEN:%.+]] = getelementptr {{.*}}%struct.kmp_task_affinity_info_t, ptr %{{.+}}, i32 0, i32 1
  // CHECK: store i64 4, ptr [[LEN]]
  // CHECK: [[FLAGS:%.+]] = getelementptr {{.*}}%struct.kmp_task_affinity_info_t, ptr %{{.+}}, i32 0, i32 2
  // CHECK: store i32 0, ptr [[FLAGS]]
  // CHECK: [[FLAGS:%.+]] = getelementptr {{.*}}%struct.kmp_task_affinity_info_t, ptr %{{.+}}, i32 0, i32 2
  // CHECK: store i32 0, ptr [[FLAGS]]
  // CHECK: call i32 @__kmpc_omp_reg_task_with_affinity({{.+}}, i32 2, ptr %{{.+}})
#pragma omp task affinity(a[3], b)
  body();
}

// Two locators in n iterations: 2 * n elements.
// CHECK-LABEL: define {{.*}}@_Z10two_listediPiS_(
void two_listed(int n, int *a, int *b) {
  // CHECK: [[N:%.+]] = zext i32 %{{.+}} to i64
  // CHECK: [[SIZE:%.+]] = mul nuw i64 [[N]], 2
  // CHECK: [[TOTAL:%.+]] = add nuw i64 0, [[SIZE]]
  // CHECK: alloca %struct.kmp_task_affinity_info_t, i64 [[TOTAL]]
  // CHECK: [[COUNT:%.+]] = trunc i64 [[TOTAL]] to i32
  // CHECK: [[FLAGS:%.+]] = getelementptr {{.*}}%struct.kmp_task_affinity_info_t, ptr %{{.+}}, i32 0, i32 2
  // CHECK: store i32 0, ptr [[FLAGS]]
  // CHECK: [[FLAGS:%.+]] = getelementptr {{.*}}%struct.kmp_task_affinity_info_t, ptr %{{.+}}, i32 0, i32 2
  // CHECK: store i32 0, ptr [[FLAGS]]
  // CHECK: call i32 @__kmpc_omp_reg_task_with_affinity({{.+}}, i32 [[COUNT]], ptr %{{.+}})
#pragma omp task affinity(iterator(i = 0:n) : a[i], b[i])
  body();
}

// Two clauses of n and m iterations and a plain one: n + m + 1 elements.
// CHECK-LABEL: define {{.*}}@_Z11two_clausesiiPiS_(
void two_clauses(int n, int m, int *a, int *b) {
  // CHECK: [[N:%.+]] = zext i32 %{{.+}} to i64
  // CHECK: [[M:%.+]] = zext i32 %{{.+}} to i64
  // CHECK: [[SIZE:%.+]] = add nuw i64 [[N]], [[M]]
  // CHECK: [[TOTAL:%.+]] = add nuw i64 1, [[SIZE]]
  // CHECK: alloca %struct.kmp_task_affinity_info_t, i64 [[TOTAL]]
#pragma omp task affinity(iterator(i = 0:n) : a[i]) affinity(iterator(j = 0:m) : b[j]) affinity(a[0])
  body();
}

// Nested iterators multiply.
// CHECK-LABEL: define {{.*}}@_Z6nestediiPA8_i(
void nested(int n, int m, int (*a)[8]) {
  // CHECK: [[N:%.+]] = zext i32 %{{.+}} to i64
  // CHECK: [[M:%.+]] = zext i32 %{{.+}} to i64
  // CHECK: [[SIZE:%.+]] = mul nuw i64 [[N]], [[M]]
  // CHECK: [[TOTAL:%.+]] = add nuw i64 0, [[SIZE]]
  // CHECK: alloca %struct.kmp_task_affinity_info_t, i64 [[TOTAL]]
#pragma omp task affinity(iterator(i = 0:n, j = 0:m) : a[i][j])
  body();
}

// An empty list of iterators is one iteration.
// CHECK-LABEL: define {{.*}}@_Z5emptyi(
void empty(int x) {
  // CHECK: alloca %struct.kmp_task_affinity_info_t, i64 1
  // CHECK: call i32 @__kmpc_omp_reg_task_with_affinity({{.+}}, i32 1, ptr %{{.+}})
#pragma omp task affinity(iterator() : x)
  body();
}

#endif
