// The body of an untied task is compiled in parts, each of which queues the
// next one. In place it runs at one go: part -1 stands for all.

// RUN: %clang_cc1 -verify -triple x86_64-unknown-linux-gnu -fopenmp -O1 -disable-llvm-passes -x c++ -emit-llvm %s -o - | FileCheck %s
// RUN: %clang_cc1 -fopenmp -x c++ -triple x86_64-unknown-linux-gnu -O1 -emit-pch -o %t %s
// RUN: %clang_cc1 -fopenmp -x c++ -triple x86_64-unknown-linux-gnu -O1 -disable-llvm-passes -include-pch %t -verify %s -emit-llvm -o - | FileCheck %s

// RUN: %clang_cc1 -triple x86_64-unknown-linux-gnu -fopenmp -O1 -mllvm -openmp-task-inline=false -x c++ -emit-llvm %s -o - | FileCheck %s --check-prefix=OFF
// RUN: %clang_cc1 -triple x86_64-unknown-linux-gnu -fopenmp -O0 -x c++ -emit-llvm %s -o - | FileCheck %s --check-prefix=OFF
// OFF-NOT: i32 -1
// expected-no-diagnostics

#ifndef HEADER
#define HEADER

void body(int *);
enum omp_allocator_handle_t : __UINTPTR_TYPE__ {
  omp_null_allocator,
  omp_default_mem_alloc,
  omp_large_cap_mem_alloc,
  omp_const_mem_alloc,
  omp_high_bw_mem_alloc,
  omp_low_lat_mem_alloc,
  omp_cgroup_mem_alloc,
  omp_pteam_mem_alloc,
  omp_thread_mem_alloc
};

// CHECK-LABEL: define {{.*}}@_Z6untiedi(
// CHECK: load atomic i32, {{.*}} monotonic
// CHECK: call ptr @__kmpc_omp_task_alloc(ptr {{.+}}, i32 {{%.+}}, i32 0, i64 48, i64 1, ptr [[ENTRY:@.omp_task_entry.+]])
// CHECK: [[PART:%.+]] = getelementptr inbounds nuw %struct.kmp_task_t, ptr {{%.+}}, i32 0, i32 2
// CHECK: store i32 0, ptr [[PART]]
// CHECK: call i32 @__kmpc_omp_task(
// CHECK: [[PART:%.+]] = getelementptr inbounds nuw %struct.kmp_task_t, ptr {{%.+}}, i32 0, i32 2
// CHECK: store i32 -1, ptr [[PART]]
// CHECK: call i32 [[ENTRY]](i32 {{%.+}}, ptr %.omp.inline.task)
void untied(int n) {
#pragma omp task untied firstprivate(n)
  {
    int Local = n;
    body(&Local);
#pragma omp taskwait
    body(&Local);
  }
}

// CHECK: define internal void @.omp_outlined.
// CHECK: [[ALL:%.+]] = icmp eq i32 [[PART:%.+]], -1
// CHECK: [[FIRST:%.+]] = select i1 [[ALL]], i32 0, i32 [[PART]]
// CHECK: switch i32 [[FIRST]], label
// CHECK-NOT: @__kmpc_omp_task(
// CHECK: call void @_Z4bodyPi(
// CHECK: call i32 @__kmpc_omp_taskwait(
// CHECK: br i1 [[ALL]], label %[[NEXT:.+]], label %[[QUEUE:.+]]
// CHECK: [[QUEUE]]:
// CHECK: call i32 @__kmpc_omp_task(
// CHECK: [[NEXT]]:
// CHECK: call void @_Z4bodyPi(
// CHECK: ret void

// The variables of the body count: the task has them on the creator's stack.
// CHECK-LABEL: define {{.*}}@_Z5largev(
// CHECK-NOT: load atomic
// CHECK: ret void
void large() {
#pragma omp task untied
  {
    int Local[129];
    body(Local);
  }
}

// CHECK-LABEL: define {{.*}}@_Z5alongi(
// CHECK-NOT: load atomic
// CHECK: ret void
void along(int n) {
#pragma omp task untied depend(out : n)
  body(&n);
#pragma omp task untied final(n)
  body(&n);
}

// There is one body, whatever it has: a table of labels, a temporary that lives
// on, an assembler's label, allocated memory, a kernel.
// CHECK-LABEL: define {{.*}}@_Z4oncei(
// CHECK-COUNT-7: store i32 -1, ptr
// CHECK: ret void
void once(int n) {
#pragma omp task untied
  {
    static const void *const Table[] = {&&first, &&second};
    goto *Table[n];
  first:
    body(&n);
  second:;
  }
#pragma omp task untied
  {
    static const int &Reference = n + 1;
    n = Reference;
  }
#pragma omp task untied
  {
    thread_local const int &Reference = n + 1;
    n = Reference;
  }
#pragma omp task untied
  {
#pragma omp parallel num_threads(({ static const int &R = n + 1; R; }))
    body(&n);
  }
#pragma omp task untied
  asm volatile("once: nop");
#pragma omp task untied
  {
    int Local = 1;
#pragma omp allocate(Local) allocator(omp_const_mem_alloc)
    body(&Local);
  }
#pragma omp task untied
  {
#pragma omp taskgroup
#pragma omp target
    ++n;
  }
}

// Each level has one body.
// CHECK-LABEL: define {{.*}}@_Z4deepv(
// CHECK: store i32 -1, ptr
// CHECK-COUNT-3: [[ALL:%.+]] = icmp eq i32 %{{.+}}, -1
// CHECK: define {{.*}}@_Z3endv(
// CHECK-NOT: icmp eq i32 %{{.+}}, -1
void deep() {
#pragma omp task untied
#pragma omp task untied
#pragma omp task untied
  body(nullptr);
}
void end() {}

#endif
