// RUN: %clang_cc1 -verify -triple x86_64-unknown-linux-gnu -fopenmp -emit-llvm %s -o - | FileCheck %s
// expected-no-diagnostics

// A task with an event and dependences: the runtime gets it even if it is
// undeferred, with flag 4.

typedef void *omp_event_handle_t;

// CHECK-LABEL: define {{.*}}@known(
// CHECK: call ptr @__kmpc_omp_task_alloc(ptr {{.+}}, i32 %{{.+}}, i32 69,
// CHECK-NOT: __kmpc_omp_taskwait_deps_51
// CHECK: call i32 @__kmpc_omp_task_with_deps(
// CHECK-NOT: __kmpc_omp_task_begin_if0
// CHECK: ret void
void known(int *x) {
  omp_event_handle_t e;
#pragma omp task if (0) detach(e) depend(out : *x)
  *x = 1;
}

// CHECK-LABEL: define {{.*}}@asked(
// CHECK: [[FLAG:%.+]] = select i1 %{{.+}}, i32 0, i32 4
// CHECK: [[FLAGS:%.+]] = or i32 65, [[FLAG]]
// CHECK: call ptr @__kmpc_omp_task_alloc(ptr {{.+}}, i32 %{{.+}}, i32 [[FLAGS]],
// CHECK-NOT: __kmpc_omp_taskwait_deps_51
// CHECK: call i32 @__kmpc_omp_task_with_deps(
// CHECK-NOT: __kmpc_omp_task_begin_if0
// CHECK: ret void
void asked(int *x, int c) {
  omp_event_handle_t e;
#pragma omp task if (task : c) detach(e) depend(out : *x)
  *x = 1;
}

// Without dependences nobody but those who wait for all waits for the event.
// CHECK-LABEL: define {{.*}}@alone(
// CHECK: call void @__kmpc_omp_task_begin_if0(
void alone(int *x) {
  omp_event_handle_t e;
#pragma omp task if (0) detach(e)
  *x = 1;
}
