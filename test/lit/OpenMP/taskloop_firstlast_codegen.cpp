// RUN: %clang_cc1 -verify -triple x86_64-unknown-linux-gnu -fopenmp -emit-llvm %s -o - | FileCheck %s
// expected-no-diagnostics

// A variable that is firstprivate and lastprivate: the tasks are told which one
// has the last iteration, and objects are copied from the task that is
// duplicated, not from the variable.

struct S {
  S();
  S(const S &);
  S &operator=(const S &);
  ~S();
  int value;
};

// CHECK-LABEL: define {{.*}}@_Z6scalari(
// CHECK: call void @__kmpc_taskloop({{.*}}, ptr @.omp_task_dup.)
int scalar(int n) {
  int a = 0;
#pragma omp taskloop firstprivate(a) lastprivate(a)
  for (int i = 0; i < n; ++i)
    a = i;
  return a;
}

// CHECK: define internal void @.omp_task_dup.(
// CHECK: [[LAST:%.+]] = load i32, ptr %{{.+}}, align 4
// CHECK: store i32 [[LAST]], ptr %{{.+}}, align 8

// CHECK-LABEL: define {{.*}}@_Z6objecti(
// CHECK: call void @__kmpc_taskloop({{.*}}, ptr [[DUP:@.omp_task_dup.+]])
int object(int n) {
  S s;
#pragma omp taskloop firstprivate(s) lastprivate(s)
  for (int i = 0; i < n; ++i)
    s.value = i;
  return s.value;
}

// CHECK: define internal void [[DUP]](
// CHECK: [[DST:%.+]] = load ptr, ptr %.addr
// CHECK: [[SRC:%.+]] = load ptr, ptr %.addr1
// CHECK: [[TO:%.+]] = getelementptr {{.*}}%struct..kmp_privates.t{{.*}}, ptr %{{.+}}, i32 0, i32 0
// CHECK: [[PRIVATES:%.+]] = getelementptr {{.*}}%struct.kmp_task_t_with_privates{{.*}}, ptr [[SRC]], i32 0, i32 1
// CHECK: [[FROM:%.+]] = getelementptr {{.*}}%struct..kmp_privates.t{{.*}}, ptr [[PRIVATES]], i32 0, i32 0
// CHECK: call void @_ZN1SC1ERKS_(ptr {{.*}}[[TO]], ptr {{.*}}[[FROM]])
