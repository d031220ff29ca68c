// RUN: %clang_cc1 -verify -fopenmp -std=c++17 -triple x86_64-unknown-linux-gnu -emit-llvm %s -o - | FileCheck %s
// RUN: %clang_cc1 -fopenmp -x c++ -std=c++17 -triple x86_64-unknown-linux-gnu -emit-pch -o %t %s
// RUN: %clang_cc1 -fopenmp -x c++ -std=c++17 -triple x86_64-unknown-linux-gnu -include-pch %t -verify %s -emit-llvm -o - | FileCheck %s
// expected-no-diagnostics

// Where the clause may stand: parallel regions, lambdas, templates, methods.
// Its variables are those of the encountering task, and it captures nothing
// for the task itself.

#ifndef HEADER
#define HEADER

void body();

// shareds of the task: none (i64 1 is an empty struct).
// CHECK-LABEL: define {{.*}}@_Z7capturei(
void capture(int n) {
  // CHECK: call ptr @__kmpc_omp_task_alloc(ptr @{{.+}}, i32 %{{.+}}, i32 1, i64 40, i64 1, ptr @{{.+}})
  // CHECK: call void @__kmpc_omp_task_affinity({{.+}}, i32 2, i64 %{{.+}}, i64 0, i32 0)
#pragma omp task default(none) affinity(node: n)
  body();
}

// A task's own private copy is not what the clause means.
// CHECK-LABEL: define {{.*}}@_Z8private_i(
void private_(int n) {
  // CHECK: [[N:%.+]] = load i32, ptr %n.addr
  // CHECK: [[V:%.+]] = sext i32 [[N]] to i64
  // CHECK: call ptr @__kmpc_omp_task_alloc(
  // CHECK: call void @__kmpc_omp_task_affinity({{.+}}, i32 2, i64 [[V]], i64 0, i32 0)
#pragma omp task private(n) affinity(node: n)
  {
    n = 1;
    body();
  }
}

// In an outlined region the variable is captured by that region.
// CHECK-LABEL: define {{.*}}@_Z8parallelPi(
void parallel(int *p) {
  // CHECK: call void (ptr, i32, ptr, ...) @__kmpc_fork_call({{.+}}, i32 2, ptr @[[OUTLINED:.+]], ptr %p.addr, ptr %i)
  int i = 0;
#pragma omp parallel default(none) shared(p, i)
#pragma omp task default(none) affinity(data: p[i], i)
  body();
}
// CHECK: define internal void @[[OUTLINED]](ptr {{.*}}, ptr {{.*}}, ptr {{.*}}%p, ptr {{.*}}%i)
// CHECK: call void @__kmpc_omp_task_affinity({{.+}}, i32 3, i64 %{{.+}}, i64 4, i32 %{{.+}})

// CHECK-LABEL: define {{.*}}@_Z7lambdasiPd(
// CHECK: ret void
void lambdas(int n, double *p) {
  auto by_value = [=] {
#pragma omp task affinity(node: n, strict)
    body();
  };
  auto by_reference = [&] {
#pragma omp task affinity(data: p)
    body();
  };
  auto generic = [](auto x) { // Instantiated when called.
#pragma omp task affinity(thread: x)
    body();
  };
  by_value();
  by_reference();
  generic(1L);
}
// CHECK-LABEL: define internal {{.*}}@"_ZZ7lambdasiPdENK3$_{{[0-9]}}clEv"(
// CHECK: call void @__kmpc_omp_task_affinity({{.+}}, i32 2, i64 %{{.+}}, i64 0, i32 1)
// CHECK-LABEL: define internal {{.*}}@"_ZZ7lambdasiPdENK3$_{{[0-9]}}clEv"(
// CHECK: call void @__kmpc_omp_task_affinity({{.+}}, i32 3, i64 %{{.+}}, i64 0, i32 0)
// CHECK-LABEL: define internal {{.*}}@"_ZZ7lambdasiPdENK3$_{{[0-9]}}clIlEEDaT_"(
// CHECK: [[V:%.+]] = load i64, ptr %x.addr
// CHECK: call void @__kmpc_omp_task_affinity({{.+}}, i32 1, i64 [[V]], i64 0, i32 0)

// What data means depends on the type that a template is given.
template <typename T, int N> void templ(T t) {
#pragma omp task affinity(data: t)
  body();
#pragma omp task affinity(thread: N, N > 3)
  body();
#pragma omp task affinity(node: sizeof(T))
  body();
}
void instantiate(int *p) {
  templ<int *, 2>(p);
  templ<double, 4>(1.0);
}
// CHECK-LABEL: define {{.*}}@_Z5templIPiLi2EEvT_(
// CHECK: call void @__kmpc_omp_task_affinity({{.+}}, i32 3, i64 %{{.+}}, i64 0, i32 0)
// CHECK: call void @__kmpc_omp_task_affinity({{.+}}, i32 1, i64 2, i64 0, i32 0)
// CHECK: call void @__kmpc_omp_task_affinity({{.+}}, i32 2, i64 8, i64 0, i32 0)
// CHECK-LABEL: define {{.*}}@_Z5templIdLi4EEvT_(
// CHECK: call void @__kmpc_omp_task_affinity({{.+}}, i32 3, i64 %{{.+}}, i64 8, i32 0)
// CHECK: call void @__kmpc_omp_task_affinity({{.+}}, i32 1, i64 4, i64 0, i32 1)
// CHECK: call void @__kmpc_omp_task_affinity({{.+}}, i32 2, i64 8, i64 0, i32 0)

// A generic lambda captures what only a section or a shaping names: no
// diagnostic is expected.
void genericSections(int *p, int n) {
  int a[8];
  auto l = [&](auto q) {
#pragma omp task affinity(data: a[q:2])
    body();
#pragma omp task affinity(data: ([q][n])p)
    body();
  };
  l(1);
}

#endif
