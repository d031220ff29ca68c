// Tasks that may run in place: one thread-local load and a branch decide; the
// one side calls nothing of the runtime, the other is the ordinary one.

// RUN: %clang_cc1 -verify -triple x86_64-unknown-linux-gnu -fopenmp -O1 -disable-llvm-passes -fexceptions -fcxx-exceptions -mrelocation-model static -x c++ -emit-llvm %s -o - | FileCheck %s
// RUN: %clang_cc1 -fopenmp -x c++ -triple x86_64-unknown-linux-gnu -O1 -fexceptions -fcxx-exceptions -emit-pch -o %t %s
// RUN: %clang_cc1 -fopenmp -x c++ -triple x86_64-unknown-linux-gnu -O1 -disable-llvm-passes -fexceptions -fcxx-exceptions -mrelocation-model static -include-pch %t -verify %s -emit-llvm -o - | FileCheck %s

// An object of its own for each kind of code: an executable owns the variable,
// a library shares it.
// RUN: %clang_cc1 -triple x86_64-unknown-linux-gnu -fopenmp -O1 -disable-llvm-passes -pic-level 2 -pic-is-pie -x c++ -emit-llvm %s -o - | FileCheck %s --check-prefix=LOCAL
// RUN: %clang_cc1 -triple x86_64-unknown-linux-gnu -fopenmp -O1 -disable-llvm-passes -pic-level 2 -fvisibility=hidden -x c++ -emit-llvm %s -o - | FileCheck %s --check-prefix=SHARED
// LOCAL: @__kmpc_task_inline = linkonce dso_local thread_local(initialexec) global
// SHARED: @__kmpc_task_inline = linkonce thread_local(initialexec) global

// Off: by option, without optimization, where nothing can know the variable,
// and where there are no tasks.
// RUN: %clang_cc1 -triple x86_64-unknown-linux-gnu -fopenmp -O1 -mllvm -openmp-task-inline=false -x c++ -emit-llvm %s -o - | FileCheck %s --check-prefix=OFF
// RUN: %clang_cc1 -triple x86_64-unknown-linux-gnu -fopenmp -O0 -x c++ -emit-llvm %s -o - | FileCheck %s --check-prefix=OFF
// RUN: %clang_cc1 -triple x86_64-unknown-linux-gnu -fopenmp -fopenmp-enable-irbuilder -O1 -x c++ -emit-llvm %s -o - | FileCheck %s --check-prefix=OFF
// RUN: %clang_cc1 -triple x86_64-unknown-linux-gnu -fopenmp -O1 -femulated-tls -x c++ -emit-llvm %s -o - | FileCheck %s --check-prefix=OFF
// RUN: %clang_cc1 -triple x86_64-apple-macosx -fopenmp -O1 -x c++ -emit-llvm %s -o - | FileCheck %s --check-prefix=OFF
// RUN: %clang_cc1 -triple x86_64-unknown-linux-gnu -fopenmp-simd -O1 -x c++ -emit-llvm %s -o - | FileCheck %s --check-prefix=OFF
// OFF-NOT: __kmpc_task_inline
// OFF-NOT: .omp.task.thread_num
// expected-no-diagnostics

#ifndef HEADER
#define HEADER

void body(int);

// CHECK: [[NEVER:@__kmpc_task_inline.never]] = private constant i32 0
// CHECK: @__kmpc_task_inline = linkonce dso_local thread_local(initialexec) global { ptr, ptr, i32, i32 } { ptr [[NEVER]], ptr null, i32 0, i32 0 }, comdat, align 8

// CHECK-LABEL: define {{.*}}@_Z6simplei(
// The thread number is not looked up where it is not needed.
// CHECK-NOT: call i32 @__kmpc_global_thread_num
// CHECK: [[ALLOWED:%.+]] = load ptr, ptr {{%.+}}, align 8
// CHECK: [[LIMIT:%.+]] = load atomic i32, ptr [[ALLOWED]] monotonic, align 4
// CHECK: [[NOW:%.+]] = load i32, ptr
// CHECK: [[COND:%.+]] = icmp slt i32 [[NOW]], [[LIMIT]]
// CHECK: br i1 [[COND]], label %[[INLINE:.+]], label %[[CREATE:[^,]+]], !prof
// CHECK: [[CREATE]]:
// CHECK: [[GTID:%.+]] = call i32 @.omp.task.thread_num(ptr
// CHECK: [[TASK:%.+]] = call ptr @__kmpc_omp_task_alloc(ptr {{.+}}, i32 [[GTID]], i32 1, i64 48, i64 1, ptr [[ENTRY:@.omp_task_entry.+]])
// CHECK: call i32 @__kmpc_omp_task(ptr {{.+}}, i32 [[GTID]], ptr [[TASK]])
// CHECK: br label %[[DONE:.+]]
// CHECK: [[INLINE]]:
// CHECK-NOT: call {{.*}}@__kmpc{{.*}}(
// The body's parameter has to be defined.
// CHECK: [[SHAREDS:%.+]] = getelementptr inbounds nuw %struct.kmp_task_t, ptr {{%.+}}, i32 0, i32 0
// CHECK: store ptr null, ptr [[SHAREDS]], align 8
// CHECK: [[DEPTH:%.+]] = load i32, ptr [[DEPTHP:%.+]], align 8
// CHECK: [[DEEPER:%.+]] = add nuw i32 [[DEPTH]], 1
// CHECK: store i32 [[DEEPER]],
// CHECK: [[ME:%.+]] = load i32, ptr
// CHECK: call i32 [[ENTRY]](i32 [[ME]], ptr %.omp.inline.task)
// CHECK: [[NOW:%.+]] = load i32, ptr
// CHECK: [[UNKNOWN:%.+]] = icmp ne i32 [[NOW]], 0
// CHECK: br i1 [[UNKNOWN]], label %[[POP:.+]], label %[[LEAVE:[^,]+]], !prof
// CHECK: [[LEAVE]]:
// CHECK: [[END:%.+]] = load ptr, ptr
// CHECK: call void [[END]]()
// CHECK: [[POP]]:
// CHECK: store i32 [[DEPTH]],
// CHECK: [[DONE]]:
// CHECK: ret void
void simple(int i) {
#pragma omp task firstprivate(i)
  body(i);
}

// CHECK-LABEL: define {{.*}}@_Z4waitv(
// CHECK: [[DEPTH:%.+]] = load i32, ptr
// CHECK: [[NONE:%.+]] = icmp ne i32 [[DEPTH]], 0
// CHECK: br i1 [[NONE]], label %[[DONE:.+]], label %[[WAIT:[^,]+]], !prof
// CHECK: [[WAIT]]:
// CHECK: [[GTID:%.+]] = call i32 @.omp.task.thread_num(
// CHECK: call i32 @__kmpc_omp_taskwait(ptr {{.+}}, i32 [[GTID]])
// CHECK: [[DONE]]:
// CHECK-NEXT: ret void
void wait() {
#pragma omp taskwait
}

struct S {
  S();
  S(const S &);
  ~S();
  int Value;
};

// Private data lives in the task's data on the stack, and dies before the task
// ends.
// CHECK-LABEL: define {{.*}}@_Z7objectsv(
// CHECK: br i1 {{%.+}}, label %[[INLINE:.+]], label %[[CREATE:[^,]+]], !prof
// CHECK: [[INLINE]]:
// CHECK-DAG: invoke void @_ZN1SC1ERKS_(ptr {{.+}}, ptr
// CHECK-DAG: invoke void @_ZN1SC1Ev(ptr
// CHECK: add nuw i32 {{%.+}}, 1
// CHECK: call i32 @.omp_task_entry
// CHECK: call i32 @[[DESTROY:.omp_task_destructor[^(]+]](
// CHECK: icmp ne i32 {{%.+}}, 0
// CHECK: define internal {{.+}} @[[DESTROY]](
// CHECK-COUNT-2: call void @_ZN1SD1Ev(
void objects() {
  S First, Second;
#pragma omp task firstprivate(First) private(Second)
  body(First.Value);
}

// These have to be made known to the runtime.
// CHECK-LABEL: define {{.*}}@_Z5neveriPi(
// CHECK-NOT: load atomic
// CHECK: ret void
void never(int i, int *p) {
#pragma omp task depend(out : p[0])
  body(1);
#pragma omp task priority(i)
  body(2);
#pragma omp task final(i)
  body(3);
#pragma omp task affinity(p[0 : i])
  body(4);
#pragma omp task affinity(thread : i)
  body(5);
#pragma omp task final(0)
  body(6);
  __UINTPTR_TYPE__ Event;
#pragma omp taskloop
  for (int j = 0; j < i; ++j)
    body(j);
#pragma omp taskwait depend(in : p[0])
}

// Where the thread number is known it is used.
// CHECK-LABEL: define {{.*}}@_Z8parallelv(
// CHECK: define internal void @_Z8parallelv.omp_outlined(
// CHECK-NOT: @.omp.task.thread_num
// CHECK: ret void
void parallel() {
#pragma omp parallel
#pragma omp task
  body(0);
}

// An undeferred task may run in place as well.
// CHECK-LABEL: define {{.*}}@_Z3if_i(
// CHECK: load atomic
// CHECK: call void @__kmpc_omp_task_begin_if0(
void if_(int i) {
#pragma omp task if (i)
  body(0);
}

#endif
