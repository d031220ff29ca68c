// RUN: %clang_cc1 -verify -triple x86_64-unknown-linux-gnu -fopenmp -fopenmp-version=60 -O1 -disable-llvm-passes -emit-llvm %s -o - | FileCheck %s
// expected-no-diagnostics

// A task for the threads of the pool is not run in place: it may be meant for
// one that is not of the team. The flag 0x80 says so to the runtime. One for the
// team's threads is as without the clause.

void body(void);

// CHECK-LABEL: define {{.*}}@pool(
// CHECK-NOT: @__kmpc_task_inline
// CHECK: call ptr @__kmpc_omp_task_alloc(ptr {{.+}}, i32 {{.+}}, i32 129,
// CHECK-NOT: @__kmpc_task_inline
// CHECK: ret void
void pool(void) {
#pragma omp task threadset(omp_pool)
  body();
}

// CHECK-LABEL: define {{.*}}@untied_pool(
// CHECK-NOT: @__kmpc_task_inline
// CHECK: call ptr @__kmpc_omp_task_alloc(ptr {{.+}}, i32 {{.+}}, i32 128,
// CHECK-NOT: @__kmpc_task_inline
// CHECK: ret void
void untied_pool(void) {
#pragma omp task untied threadset(omp_pool)
  body();
}

// CHECK-LABEL: define {{.*}}@team(
// CHECK: call {{.*}}@llvm.threadlocal.address.p0({{.*}}@__kmpc_task_inline)
// CHECK: omp.task.create:
// CHECK: call ptr @__kmpc_omp_task_alloc(ptr {{.+}}, i32 {{.+}}, i32 1,
// CHECK: omp.task.inline:
// CHECK: ret void
void team(void) {
#pragma omp task threadset(omp_team)
  body();
}
