// RUN: %clang_cc1 -verify -triple x86_64-unknown-linux-gnu -fopenmp -x c++ -emit-llvm %s -o - | FileCheck %s
// RUN: %clang_cc1 -fopenmp -x c++ -triple x86_64-unknown-linux-gnu -emit-pch -o %t %s
// RUN: %clang_cc1 -fopenmp -x c++ -triple x86_64-unknown-linux-gnu -include-pch %t -verify %s -emit-llvm -o - | FileCheck %s

// RUN: %clang_cc1 -verify -triple x86_64-unknown-linux-gnu -fopenmp-simd -x c++ -emit-llvm %s -o - | FileCheck --check-prefix SIMD-ONLY0 %s
// SIMD-ONLY0-NOT: {{__kmpc|__tgt}}
// RUN: %clang_cc1 -triple x86_64-unknown-linux-gnu -fopenmp -O1 -debug-info-kind=standalone -fprofile-instrument=clang -x c++ -emit-llvm %s -o /dev/null
// RUN: %clang_cc1 -triple i386-unknown-linux-gnu -fopenmp -x c++ -emit-llvm %s -o - | FileCheck --check-prefix BITS32 %s
// expected-no-diagnostics

// The questions to a loop: which are asked, with which arguments, and where.
// What is answered is tested in Runtime/taskloop_places.cpp.

#ifndef HEADER
#define HEADER

void body(long);
int index(long);

// The whole of it.
// CHECK-LABEL: define {{.*}}@_Z5wholePdi(
// BITS32-LABEL: define {{.*}}@_Z5wholePdi(
void whole(double *a, int n) {
  // CHECK: [[PLACES:%taskloop.places]] = alloca ptr
  // CHECK: store ptr null, ptr [[PLACES]]
  // Only if there is an iteration.
  // CHECK: [[ANY:%.+]] = icmp slt i32 0, %{{.+}}
  // CHECK: br i1 [[ANY]], label %taskloop.ask, label %taskloop.asked
  // CHECK: taskloop.ask:
  // CHECK: [[UB:%.+]] = sext i32 %{{.+}} to i64
  // CHECK: [[P:%.+]] = call ptr @__kmpc_taskloop_places(ptr @{{.+}}, i32 %{{.+}}, i32 3, i64 0, i64 [[UB]], i64 1, i32 0, i64 0, i32 0)
  // CHECK: store ptr [[P]], ptr [[PLACES]]
  // CHECK: taskloop.next:
  // CHECK: [[MORE:%.+]] = call i32 @__kmpc_taskloop_places_next(ptr [[P]], ptr [[FIRST:%.+]], ptr [[LAST:%.+]])
  // CHECK: [[HAS:%.+]] = icmp ne i32 [[MORE]], 0
  // CHECK: br i1 [[HAS]], label %taskloop.part, label %taskloop.asked
  // CHECK: taskloop.part:
  // CHECK: store i64 -1, ptr [[BEGIN:%.+]],
  // CHECK: store i64 0, ptr [[END:%.+]],
  // CHECK: [[F:%.+]] = load i64, ptr [[FIRST]]
  // CHECK: store i64 [[F]], ptr [[CURRENT:%.+]],
  // CHECK: taskloop.evaluate:
  // CHECK: getelementptr inbounds double, ptr
  // CHECK: call i64 @llvm.umin.i64(
  // CHECK: store i64 %{{.+}}, ptr [[BEGIN]]
  // CHECK: call i64 @llvm.umax.i64(
  // CHECK: store i64 %{{.+}}, ptr [[END]]
  // CHECK: taskloop.evaluated:
  // CHECK: [[C:%.+]] = load i64, ptr [[CURRENT]]
  // CHECK: [[L:%.+]] = load i64, ptr [[LAST]]
  // CHECK: [[DONE:%.+]] = icmp eq i64 [[C]], [[L]]
  // CHECK: br i1 [[DONE]], label %taskloop.set, label %taskloop.evaluate.last
  // CHECK: taskloop.evaluate.last:
  // CHECK: br label %taskloop.evaluate
  // CHECK: taskloop.set:
  // CHECK: [[LEN:%.+]] = sub i64
  // CHECK: call void @__kmpc_taskloop_places_set(ptr [[P]], i64 %{{.+}}, i64 [[LEN]], i32 %{{.+}})
  // CHECK: br label %taskloop.next
  // CHECK: taskloop.asked:
  // CHECK: [[RESULT:%.+]] = load ptr, ptr [[PLACES]]
  // The task comes after the questions.
  // CHECK: [[TASK:%.+]] = call ptr @__kmpc_omp_task_alloc(
  // CHECK-NOT: @__kmpc_omp_task_affinity
  // CHECK: call void @__kmpc_taskloop_placed(ptr @{{.+}}, i32 %{{.+}}, ptr [[TASK]], i32 1, ptr %{{.+}}, ptr %{{.+}}, i64 %{{.+}}, i32 1, i32 0, i64 0, i32 0, ptr null, ptr [[RESULT]])
  // BITS32: call void @__kmpc_taskloop_places_set(ptr %{{.+}}, i32 %{{.+}}, i32 %{{.+}}, i32 %{{.+}})
#pragma omp taskloop affinity(data: a[i])
  for (int i = 0; i < n; ++i)
    body(i);
}

// CHECK-LABEL: define {{.*}}@_Z9schedulesPdii(
void schedules(double *a, int n, int g) {
  // CHECK: call ptr @__kmpc_taskloop_places({{.+}}, i32 2, i64 0, i64 9, i64 1, i32 1, i64 %{{.+}}, i32 0)
  // A node takes one evaluation for a part.
  // CHECK: taskloop.evaluated{{[0-9]*}}:
  // CHECK-NEXT: br label %taskloop.set
  // CHECK: call void @__kmpc_taskloop_places_set(ptr %{{.+}}, i64 %{{.+}}, i64 0, i32 %{{.+}})
  // CHECK: call void @__kmpc_taskloop_placed({{.+}}, i32 1, i64 %{{.+}}, i32 0, ptr null, ptr %{{.+}})
#pragma omp taskloop affinity(node: i) grainsize(g)
  for (int i = 0; i < 10; ++i)
    body(i);
  // CHECK: call ptr @__kmpc_taskloop_places({{.+}}, i32 1, i64 0, i64 9, i64 1, i32 1, i64 4, i32 1)
  // CHECK: call void @__kmpc_taskloop_placed({{.+}}, i32 1, i64 4, i32 1, ptr null, ptr %{{.+}})
#pragma omp taskloop affinity(thread: index(i)) grainsize(strict: 4)
  for (int i = 0; i < 10; ++i)
    body(i);
  // CHECK: call ptr @__kmpc_taskloop_places({{.+}}, i32 3, i64 0, i64 9, i64 1, i32 2, i64 8, i32 0)
  // CHECK: call void @__kmpc_taskloop_placed({{.+}}, i32 2, i64 8, i32 0, ptr null, ptr %{{.+}})
#pragma omp taskloop affinity(data: a[i:2], strict) num_tasks(8)
  for (int i = 0; i < 10; ++i)
    body(i);
  // CHECK: call ptr @__kmpc_taskloop_places({{.+}}, i32 3, i64 0, i64 9, i64 1, i32 2, i64 8, i32 1)
  // CHECK: call void @__kmpc_taskloop_placed({{.+}}, i32 0, ptr %{{.+}}, ptr %{{.+}}, i64 %{{.+}}, i32 1, i32 2, i64 8, i32 1, ptr null, ptr %{{.+}})
#pragma omp taskloop affinity(data: &a[i], strict) num_tasks(strict: 8) nogroup if(0)
  for (int i = 0; i < 10; ++i)
    body(i);
}

// Kind 4: all locators, of all clauses; each has its memory.
// CHECK-LABEL: define {{.*}}@_Z5listsPdi(
void lists(double *a, int n) {
  // CHECK: call ptr @__kmpc_taskloop_places({{.+}}, i32 4,
  // CHECK: taskloop.evaluate:
  // The iterator's, at each of the two iterations.
  // CHECK: iter.body:
  // CHECK: call void @__kmpc_taskloop_places_set(ptr [[P:%.+]], i64 %{{.+}}, i64 8, i32 0)
  // CHECK: taskloop.set:
  // CHECK: call void @__kmpc_taskloop_places_set(ptr [[P]],
  // CHECK: call void @__kmpc_taskloop_places_set(ptr [[P]],
  // CHECK: call void @__kmpc_taskloop_places_set(ptr [[P]],
  // CHECK-NOT: call void @__kmpc_taskloop_places_set
  // CHECK-NOT: @__kmpc_omp_reg_task_with_affinity
  // CHECK: call void @__kmpc_taskloop_placed(
#pragma omp taskloop affinity(a[i])
  for (int i = 0; i < n; ++i)
#pragma omp task_iteration affinity(iterator(k = 0:i) : a[k]) affinity(a[i + 1], n)
    body(i);
  // Beside a placement they say nothing.
  // CHECK: call ptr @__kmpc_taskloop_places({{.+}}, i32 2,
  // CHECK: call void @__kmpc_taskloop_places_set(
  // CHECK-NOT: call void @__kmpc_taskloop_places_set
  // CHECK: call void @__kmpc_taskloop_placed(
#pragma omp taskloop affinity(a[i]) affinity(node: i)
  for (int i = 0; i < n; ++i)
    body(i);
}

// A part of a nest that is not rectangular may have neither iteration.
// CHECK-LABEL: define {{.*}}@_Z8trianglePA9_di(
void triangle(double (*a)[9], int n) {
  // CHECK: store i8 0, ptr [[SEEN:%.+]],
  // CHECK: br i1 %{{.+}}, label %taskloop.exists, label %taskloop.evaluated
  // CHECK: store i8 1, ptr [[SEEN]]
  // CHECK: taskloop.set:
  // CHECK: load i8, ptr [[SEEN]]
  // CHECK: br i1 %{{.+}}, label %taskloop.seen{{.*}}, label %taskloop.next
#pragma omp taskloop affinity(data: a[i][j]) collapse(2)
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < i; ++j)
      body(i);
}

struct Temporary {
  Temporary(int);
  ~Temporary();
  operator int() const;
};

// Temporaries live as long as the evaluation.
// CHECK-LABEL: define {{.*}}@_Z11temporariesi(
void temporaries(int n) {
  // CHECK: taskloop.evaluate:
  // CHECK: call void @_ZN9TemporaryC1Ei(
  // CHECK: call {{.*}}@_ZNK9TemporarycviEv(
  // CHECK: call void @_ZN9TemporaryD1Ev(
  // CHECK: taskloop.evaluated:
#pragma omp taskloop affinity(node: Temporary(i))
  for (int i = 0; i < n; ++i)
    body(i);
}

// No question without a clause.
// CHECK-LABEL: define {{.*}}@_Z7withouti(
// CHECK-NOT: __kmpc_taskloop_place
// CHECK: call void @__kmpc_taskloop(
// CHECK-LABEL: define {{.*}}@_Z3endv(
void without(int n) {
#pragma omp taskloop
  for (int i = 0; i < n; ++i)
    body(i);
}
void end() {}

#ifndef ROUND_TRIP // See taskloop_affinity_ast_print.cpp for templates.
// CHECK-LABEL: define {{.*}}@_Z5templIlLi3EEvPT_S0_(
template <typename T, int N> void templ(T *p, T n) {
  // CHECK: call ptr @__kmpc_taskloop_places({{.+}}, i32 3,
  // CHECK: call void @__kmpc_taskloop_placed(
#pragma omp taskloop affinity(data: p[i:N], n > 3)
  for (T i = n; i > 0; i -= N)
    body(i);
  // CHECK: call ptr @__kmpc_taskloop_places({{.+}}, i32 1,
  // CHECK: call void @__kmpc_taskloop_placed(
#pragma omp taskloop collapse(2)
  for (T i = 0; i < n; ++i)
    for (T j = 0; j < N; ++j)
#pragma omp task_iteration affinity(thread: i * N + j)
      body(j);
}
template void templ<long, 3>(long *, long);
#endif

#endif
