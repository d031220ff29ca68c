// RUN: %clang_cc1 -verify -triple x86_64-unknown-linux-gnu -fopenmp -x c++ -emit-llvm %s -o - | FileCheck %s
// RUN: %clang_cc1 -fopenmp -x c++ -triple x86_64-unknown-linux-gnu -emit-pch -o %t %s
// RUN: %clang_cc1 -fopenmp -x c++ -triple x86_64-unknown-linux-gnu -include-pch %t -verify %s -emit-llvm -o - | FileCheck %s

// RUN: %clang_cc1 -verify -triple x86_64-unknown-linux-gnu -fopenmp-simd -x c++ -emit-llvm %s -o - | FileCheck --check-prefix SIMD-ONLY0 %s
// RUN: %clang_cc1 -fopenmp-simd -x c++ -triple x86_64-unknown-linux-gnu -emit-pch -o %t %s
// RUN: %clang_cc1 -fopenmp-simd -x c++ -triple x86_64-unknown-linux-gnu -include-pch %t -verify %s -emit-llvm -o - | FileCheck --check-prefix SIMD-ONLY0 %s
// SIMD-ONLY0-NOT: {{__kmpc|__tgt}}
// expected-no-diagnostics

// The call to the runtime for thread and node: kinds, width and sign of the
// value, strictness, and the place of the call between the allocation of the
// task and its submission.

#ifndef HEADER
#define HEADER

void body();

// CHECK-LABEL: define {{.*}}@_Z5kindsi(
void kinds(int i) {
  // CHECK: [[I:%.+]] = load i32, ptr %i.addr
  // CHECK: [[V:%.+]] = sext i32 [[I]] to i64
  // CHECK: [[TASK:%.+]] = call ptr @__kmpc_omp_task_alloc(
  // CHECK: call void @__kmpc_omp_task_affinity(ptr @{{.+}}, i32 %{{.+}}, ptr [[TASK]], i32 1, i64 [[V]], i64 0, i32 0)
  // CHECK: call i32 @__kmpc_omp_task(ptr @{{.+}}, i32 %{{.+}}, ptr [[TASK]])
#pragma omp task affinity(thread: i)
  body();
  // CHECK: [[TASK:%.+]] = call ptr @__kmpc_omp_task_alloc(
  // CHECK: call void @__kmpc_omp_task_affinity(ptr @{{.+}}, i32 %{{.+}}, ptr [[TASK]], i32 2, i64 5, i64 0, i32 1)
  // CHECK: call i32 @__kmpc_omp_task(ptr @{{.+}}, i32 %{{.+}}, ptr [[TASK]])
#pragma omp task affinity(node: 5, strict)
  body();
  // CHECK: [[V:%.+]] = ptrtoint ptr %i.addr to i64
  // CHECK: [[TASK:%.+]] = call ptr @__kmpc_omp_task_alloc(
  // CHECK: call void @__kmpc_omp_task_affinity(ptr @{{.+}}, i32 %{{.+}}, ptr [[TASK]], i32 3, i64 [[V]], i64 4, i32 0)
#pragma omp task affinity(data: i)
  body();
}

enum E { A, B };

// The value is extended by the signedness of its type.
// CHECK-LABEL: define {{.*}}@_Z5widthbchsjmlxn1E(
void width(bool b, char c, unsigned char uc, short s, unsigned u,
           unsigned long ul, long l, long long ll, __int128 wide, E e) {
  // CHECK: [[B:%.+]] = trunc i8 %{{.+}} to i1
  // CHECK: [[V:%.+]] = zext i1 [[B]] to i64
  // CHECK: call void @__kmpc_omp_task_affinity({{.+}}, i32 1, i64 [[V]], i64 0, i32 0)
#pragma omp task affinity(thread: b)
  body();
  // CHECK: [[V:%.+]] = sext i8 %{{.+}} to i64
  // CHECK: call void @__kmpc_omp_task_affinity({{.+}}, i32 1, i64 [[V]], i64 0, i32 0)
#pragma omp task affinity(thread: c)
  body();
  // CHECK: [[V:%.+]] = zext i8 %{{.+}} to i64
  // CHECK: call void @__kmpc_omp_task_affinity({{.+}}, i32 1, i64 [[V]], i64 0, i32 0)
#pragma omp task affinity(thread: uc)
  body();
  // CHECK: [[V:%.+]] = sext i16 %{{.+}} to i64
  // CHECK: call void @__kmpc_omp_task_affinity({{.+}}, i32 1, i64 [[V]], i64 0, i32 0)
#pragma omp task affinity(thread: s)
  body();
  // CHECK: [[V:%.+]] = zext i32 %{{.+}} to i64
  // CHECK: call void @__kmpc_omp_task_affinity({{.+}}, i32 2, i64 [[V]], i64 0, i32 0)
#pragma omp task affinity(node: u)
  body();
  // CHECK: [[V:%.+]] = load i64, ptr %ul.addr
  // CHECK: call void @__kmpc_omp_task_affinity({{.+}}, i32 2, i64 [[V]], i64 0, i32 0)
#pragma omp task affinity(node: ul)
  body();
  // CHECK: [[L:%.+]] = load i64, ptr %l.addr
  // CHECK: [[V:%.+]] = sub nsw i64 0, [[L]]
  // CHECK: call void @__kmpc_omp_task_affinity({{.+}}, i32 2, i64 [[V]], i64 0, i32 0)
#pragma omp task affinity(node: -l)
  body();
  // CHECK: [[V:%.+]] = load i64, ptr %ll.addr
  // CHECK: call void @__kmpc_omp_task_affinity({{.+}}, i32 2, i64 [[V]], i64 0, i32 0)
#pragma omp task affinity(node: ll)
  body();
  // CHECK: [[V:%.+]] = trunc i128 %{{.+}} to i64
  // CHECK: call void @__kmpc_omp_task_affinity({{.+}}, i32 2, i64 [[V]], i64 0, i32 0)
#pragma omp task affinity(node: wide)
  body();
  // CHECK: [[V:%.+]] = zext i32 %{{.+}} to i64
  // CHECK: call void @__kmpc_omp_task_affinity({{.+}}, i32 2, i64 [[V]], i64 0, i32 0)
#pragma omp task affinity(node: e)
  body();
}

// CHECK-LABEL: define {{.*}}@_Z6stricti(
void strict(int flag) {
  // CHECK: call void @__kmpc_omp_task_affinity({{.+}}, i32 2, i64 0, i64 0, i32 1)
#pragma omp task affinity(node: 0, 1)
  body();
  // CHECK: call void @__kmpc_omp_task_affinity({{.+}}, i32 2, i64 1, i64 0, i32 0)
#pragma omp task affinity(node: 1, 0)
  body();
  // Not the low bits, but nonzero or not.
  // CHECK: call void @__kmpc_omp_task_affinity({{.+}}, i32 2, i64 2, i64 0, i32 1)
#pragma omp task affinity(node: 2, 0x100000000)
  body();
  // CHECK: call void @__kmpc_omp_task_affinity({{.+}}, i32 2, i64 3, i64 0, i32 1)
#pragma omp task affinity(node: 3, -1)
  body();
  // CHECK: [[FLAG:%.+]] = load i32, ptr %flag.addr
  // CHECK: [[NONZERO:%.+]] = icmp ne i32 [[FLAG]], 0
  // CHECK: [[STRICT:%.+]] = zext i1 [[NONZERO]] to i32
  // CHECK: call void @__kmpc_omp_task_affinity({{.+}}, i32 2, i64 4, i64 0, i32 [[STRICT]])
#pragma omp task affinity(node: 4, flag)
  body();
  {
    // The mark wins over a variable of the same name, unless that is
    // parenthesized.
    int strict = 0;
    // CHECK: call void @__kmpc_omp_task_affinity({{.+}}, i32 2, i64 5, i64 0, i32 1)
#pragma omp task affinity(node: 5, strict)
    body();
    // CHECK: [[VAR:%.+]] = load i32, ptr %strict
    // CHECK: [[NONZERO:%.+]] = icmp ne i32 [[VAR]], 0
    // CHECK: [[STRICT:%.+]] = zext i1 [[NONZERO]] to i32
    // CHECK: call void @__kmpc_omp_task_affinity({{.+}}, i32 2, i64 6, i64 0, i32 [[STRICT]])
#pragma omp task affinity(node: 6, (strict))
    body();
  }
}

int next();

// The expressions are evaluated once, by the encountering task, before the new
// task counts as its child, whether the
// task is deferred or not.
// CHECK-LABEL: define {{.*}}@_Z4oncei(
void once(int cnt) {
  // CHECK: [[OLD:%.+]] = load i32, ptr %cnt.addr
  // CHECK: [[NEW:%.+]] = add nsw i32 [[OLD]], 1
  // CHECK: store i32 [[NEW]], ptr %cnt.addr
  // CHECK: [[V:%.+]] = sext i32 [[OLD]] to i64
  // CHECK: [[S:%.+]] = call noundef i32 @_Z4nextv()
  // CHECK-NOT: store i32 %{{.+}}, ptr %cnt.addr
  // CHECK-NOT: call noundef i32 @_Z4nextv()
  // CHECK: [[TASK:%.+]] = call ptr @__kmpc_omp_task_alloc(
  // CHECK: call void @__kmpc_omp_task_affinity(ptr @{{.+}}, i32 %{{.+}}, ptr [[TASK]], i32 2, i64 [[V]], i64 0, i32 %{{.+}})
  // CHECK-NOT: store i32 %{{.+}}, ptr %cnt.addr
  // CHECK-NOT: call noundef i32 @_Z4nextv()
  // CHECK: call void @__kmpc_omp_task_begin_if0(ptr @{{.+}}, i32 %{{.+}}, ptr [[TASK]])
  // CHECK-NOT: call noundef i32 @_Z4nextv()
  // CHECK: call void @__kmpc_omp_task_complete_if0(ptr @{{.+}}, i32 %{{.+}}, ptr [[TASK]])
#pragma omp task if(0) affinity(node: cnt++, next())
  body();
  // CHECK: [[N:%.+]] = call noundef i32 @_Z4nextv()
  // CHECK-NOT: call noundef i32 @_Z4nextv()
  // CHECK: [[TASK:%.+]] = call ptr @__kmpc_omp_task_alloc(
  // CHECK: call void @__kmpc_omp_task_affinity(ptr @{{.+}}, i32 %{{.+}}, ptr [[TASK]], i32 1,
  // CHECK: br i1 %{{.+}}, label %[[THEN:.+]], label %[[ELSE:.+]]
  // CHECK: [[THEN]]:
  // CHECK-NOT: call noundef i32 @_Z4nextv()
  // CHECK: call i32 @__kmpc_omp_task(ptr @{{.+}}, i32 %{{.+}}, ptr [[TASK]])
  // CHECK: [[ELSE]]:
  // CHECK-NOT: call noundef i32 @_Z4nextv()
  // CHECK: call void @__kmpc_omp_task_begin_if0(
#pragma omp task if(cnt) final(cnt) mergeable affinity(thread: next())
  body();
  // With dependences: before the task can start.
  // CHECK: [[N:%.+]] = call noundef i32 @_Z4nextv()
  // CHECK: [[TASK:%.+]] = call ptr @__kmpc_omp_task_alloc(
  // CHECK: call void @__kmpc_omp_task_affinity(ptr @{{.+}}, i32 %{{.+}}, ptr [[TASK]], i32 1,
  // CHECK-NOT: call noundef i32 @_Z4nextv()
  // CHECK: call i32 @__kmpc_omp_task_with_deps(ptr @{{.+}}, i32 %{{.+}}, ptr [[TASK]],
#pragma omp task depend(inout: cnt) affinity(thread: next())
  body();
}

// Standard clauses beside it are registered first; without them nothing is.
// CHECK-LABEL: define {{.*}}@_Z6besideRiS_(
void beside(int &a, int &b) {
  // CHECK: [[TASK:%.+]] = call ptr @__kmpc_omp_task_alloc(
  // CHECK: call i32 @__kmpc_omp_reg_task_with_affinity(ptr @{{.+}}, i32 %{{.+}}, ptr [[TASK]], i32 2, ptr %{{.+}})
  // CHECK: call void @__kmpc_omp_task_affinity(ptr @{{.+}}, i32 %{{.+}}, ptr [[TASK]], i32 2, i64 1, i64 0, i32 0)
  // CHECK: call i32 @__kmpc_omp_task(
#pragma omp task affinity(a) affinity(node: 1) affinity(b)
  body();
  // CHECK-NOT: call i32 @__kmpc_omp_reg_task_with_affinity
  // CHECK: call void @__kmpc_omp_task_affinity({{.+}}, i32 2, i64 2, i64 0, i32 0)
#pragma omp task affinity(node: 2)
  body();
  // CHECK: ret void
}

// The kinds are names of variables where no ':' follows.
// CHECK-LABEL: define {{.*}}@_Z5namesv(
void names() {
  int node[4], data[8], thread = 0;
  // CHECK-NOT: call void @__kmpc_omp_task_affinity(
  // CHECK: call i32 @__kmpc_omp_reg_task_with_affinity({{.+}}, i32 3, ptr
#pragma omp task affinity(node, data[0:3], thread)
  body();
  // CHECK: [[T:%.+]] = load i32, ptr %thread
  // CHECK: [[V:%.+]] = sext i32 [[T]] to i64
  // CHECK: call void @__kmpc_omp_task_affinity({{.+}}, i32 1, i64 [[V]], i64 0, i32 0)
#pragma omp task affinity(thread: thread)
  body();
  // CHECK: ret void
}

#endif
