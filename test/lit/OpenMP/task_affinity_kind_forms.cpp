// RUN: %clang_cc1 -verify -fopenmp -std=c++20 -triple x86_64-unknown-linux-gnu -emit-llvm %s -o - | FileCheck %s
// RUN: %clang_cc1 -fopenmp -x c++ -std=c++20 -triple x86_64-unknown-linux-gnu -emit-pch -o %t %s
// RUN: %clang_cc1 -fopenmp -x c++ -std=c++20 -triple x86_64-unknown-linux-gnu -include-pch %t -verify %s -emit-llvm -o - | FileCheck %s
// RUN: %clang_cc1 -verify -fopenmp-simd -std=c++20 -triple x86_64-unknown-linux-gnu -emit-llvm %s -o - | FileCheck %s --check-prefix=SIMD
// SIMD-NOT: __kmpc
// expected-no-diagnostics

// What the expressions can be made of: structured bindings, constants, members,
// captures of lambdas, what templates depend on, packs.

#ifndef HEADER
#define HEADER

void body();

struct Parts {
  int *ptr;
  int arr[4];
  int n;
};
Parts make();

// Clang does not print structured bindings.
#ifndef ROUND_TRIP
// CHECK-LABEL: define {{.*}}@_Z8bindingsv(
void bindings() {
  auto [ptr, arr, n] = make();
  // CHECK: call void @__kmpc_omp_task_affinity({{.+}}, i32 3, i64 %{{.+}}, i64 0, i32 0)
#pragma omp task affinity(data: ptr)
  body();
  // CHECK: call void @__kmpc_omp_task_affinity({{.+}}, i32 3, i64 %{{.+}}, i64 16, i32 0)
#pragma omp task affinity(data: arr)
  body();
  // CHECK: call void @__kmpc_omp_task_affinity({{.+}}, i32 3, i64 %{{.+}}, i64 %{{.+}}, i32 0)
#pragma omp task affinity(data: arr[1:n])
  body();
  // CHECK: call void @__kmpc_omp_task_affinity({{.+}}, i32 2, i64 %{{.+}}, i64 0, i32 0)
#pragma omp task affinity(node: n)
  body();
  // Captured.
  auto lambda = [&, n = n] {
#pragma omp task affinity(data: arr[n])
    body();
#pragma omp task affinity(data: ptr[0:n])
    body();
  };
  lambda();
  auto generic = [&](auto q) {
#pragma omp task affinity(data: arr[q:n], n)
    body();
  };
  generic(1);
  auto only = [&](auto q) {
#pragma omp task affinity(node: q + n)
    body();
  };
  only(1);
}
// CHECK-LABEL: define internal {{.*}}@"_ZZ8bindingsvENK3$_{{[0-9]}}clEv"(
// CHECK: call void @__kmpc_omp_task_affinity({{.+}}, i32 3, i64 %{{.+}}, i64 4, i32 0)
// CHECK: call void @__kmpc_omp_task_affinity({{.+}}, i32 3, i64 %{{.+}}, i64 %{{.+}}, i32 0)
// CHECK-LABEL: define internal {{.*}}@"_ZZ8bindingsvENK3$_{{[0-9]}}clIiEEDaT_"(
// CHECK: call void @__kmpc_omp_task_affinity({{.+}}, i32 3, i64 %{{.+}}, i64 %{{.+}}, i32 %{{.+}})
// CHECK-LABEL: define internal {{.*}}@"_ZZ8bindingsvENK3$_{{[0-9]}}clIiEEDaT_"(
// CHECK: call void @__kmpc_omp_task_affinity({{.+}}, i32 2, i64 %{{.+}}, i64 0, i32 0)
#endif

constexpr int Three = 3;
consteval int plusOne(int n) { return n + 1; }
constexpr int plusTwo(int n) { return n + 2; }

// CHECK-LABEL: define {{.*}}@_Z9constantsv(
void constants() {
  static int a[8];
  // CHECK: call void @__kmpc_omp_task_affinity({{.+}}, i32 2, i64 3, i64 0, i32 0)
#pragma omp task affinity(node: Three)
  body();
  // CHECK: call void @__kmpc_omp_task_affinity({{.+}}, i32 2, i64 4, i64 0, i32 0)
#pragma omp task affinity(node: plusOne(Three), plusOne(-1))
  body();
  // CHECK: call void @__kmpc_omp_task_affinity({{.+}}, i32 2, i64 %{{.+}}, i64 0, i32 1)
#pragma omp task affinity(node: plusTwo(1), strict)
  body();
  // CHECK: call void @__kmpc_omp_task_affinity({{.+}}, i32 3, i64 ptrtoint (ptr getelementptr inbounds nuw ([8 x i32], ptr @_ZZ9constantsvE1a, i64 0, i64 1) to i64), i64 {{.+}}, i32 0)
#pragma omp task affinity(data: a[plusOne(0):plusOne(1)])
  body();
  constexpr int local = 2;
  // CHECK: call void @__kmpc_omp_task_affinity({{.+}}, i32 2, i64 2, i64 0, i32 0)
  if constexpr (local > 1) {
#pragma omp task affinity(node: local)
    body();
  } else {
#pragma omp task affinity(node: 999)
    body();
  }
  // CHECK-NOT: i64 999
  // CHECK: ret void
  auto lambda = [] { // Captures nothing for a constant.
#pragma omp task affinity(node: local + 1, local)
    body();
  };
  lambda();
}
// CHECK-LABEL: define internal {{.*}}@"_ZZ9constantsvENK3$_{{[0-9]}}clEv"(
// CHECK: call void @__kmpc_omp_task_affinity({{.+}}, i32 2, i64 3, i64 0, i32 1)

struct Members {
  int m;
  int a[3];
  Members *next;
  int &r;
  static short s;
  int *begin();
  void method(int i);
};
// CHECK-LABEL: define {{.*}}@_ZN7Members6methodEi(
void Members::method(int i) {
  // CHECK: call void @__kmpc_omp_task_affinity({{.+}}, i32 3, i64 %{{.+}}, i64 4, i32 0)
#pragma omp task affinity(data: m)
  body();
  // CHECK: call void @__kmpc_omp_task_affinity({{.+}}, i32 3, i64 %{{.+}}, i64 4, i32 0)
#pragma omp task affinity(data: this->a[i])
  body();
  // CHECK: call void @__kmpc_omp_task_affinity({{.+}}, i32 3, i64 %{{.+}}, i64 0, i32 0)
#pragma omp task affinity(data: next->next)
  body();
  // CHECK: call void @__kmpc_omp_task_affinity({{.+}}, i32 3, i64 ptrtoint (ptr @_ZN7Members1sE to i64), i64 2, i32 0)
#pragma omp task affinity(data: s)
  body();
  // CHECK: call void @__kmpc_omp_task_affinity({{.+}}, i32 3, i64 %{{.+}}, i64 4, i32 0)
#pragma omp task affinity(data: r)
  body();
  // CHECK: call {{.*}}ptr @_ZN7Members5beginEv(
  // CHECK-NOT: call {{.*}}ptr @_ZN7Members5beginEv(
  // CHECK: call void @__kmpc_omp_task_affinity({{.+}}, i32 3, i64 %{{.+}}, i64 %{{.+}}, i32 %{{.+}})
#pragma omp task affinity(data: begin()[0:m], a[0])
  body();
  // CHECK: call void @__kmpc_omp_task_affinity({{.+}}, i32 3, i64 %{{.+}}, i64 %{{.+}}, i32 %{{.+}})
#pragma omp task affinity(data: a[:], m)
  body();
  // CHECK: call void @__kmpc_omp_task_affinity({{.+}}, i32 2, i64 %{{.+}}, i64 0, i32 0)
#pragma omp task affinity(node: next->m)
  body();
  auto by_this = [this, i] {
#pragma omp task affinity(data: a[i:2])
    body();
  };
  by_this();
  auto by_copy = [*this](auto k) mutable {
#pragma omp task affinity(data: a[k:2], m)
    body();
  };
  by_copy(1);
}
// CHECK-LABEL: define internal {{.*}}@"_ZZN7Members6methodEiENK3$_{{[0-9]}}clEv"(
// CHECK: call void @__kmpc_omp_task_affinity({{.+}}, i32 3, i64 %{{.+}}, i64 %{{.+}}, i32 0)
// CHECK-LABEL: define internal {{.*}}@"_ZZN7Members6methodEiEN3$_{{[0-9]}}clIiEEDaT_"(
// CHECK: call void @__kmpc_omp_task_affinity({{.+}}, i32 3, i64 %{{.+}}, i64 %{{.+}}, i32 %{{.+}})

struct Value {
  char c[6];
  static const int value = 4;
};
template <typename T> struct Templ {
  T t;
  T *q;
  void method() {
#pragma omp task affinity(data: t)
    body();
#pragma omp task affinity(data: this->q[0:3], sizeof(T) > 2)
    body();
#pragma omp task affinity(node: T::value)
    body();
  }
};
void instantiate(Templ<Value> &t) { t.method(); }
// CHECK-LABEL: define {{.*}}@_ZN5TemplI5ValueE6methodEv(
// CHECK: call void @__kmpc_omp_task_affinity({{.+}}, i32 3, i64 %{{.+}}, i64 6, i32 0)
// CHECK: call void @__kmpc_omp_task_affinity({{.+}}, i32 3, i64 %{{.+}}, i64 %{{.+}}, i32 1)
// CHECK: call void @__kmpc_omp_task_affinity({{.+}}, i32 2, i64 4, i64 0, i32 0)

template <typename T> concept Big = sizeof(T) > 4;
template <typename T> void constrained(T t) requires Big<T> {
#pragma omp task affinity(data: t)
  body();
}
template <typename... Ts> void pack(Ts... ts) {
#pragma omp task affinity(node: (ts + ...), sizeof...(Ts))
  body();
  (
      [&] {
#pragma omp task affinity(thread: ts)
        body();
      }(),
      ...);
}
#ifndef ROUND_TRIP // Clang prints instances of these that do not compile.
void instantiate() {
  constrained(3.0);
  pack(1, 2L);
}
#endif
// CHECK-LABEL: define {{.*}}@_Z11constrainedId
// CHECK: call void @__kmpc_omp_task_affinity({{.+}}, i32 3, i64 %{{.+}}, i64 8, i32 0)
// CHECK-LABEL: define {{.*}}@_Z4packIJilEEvDpT_(
// CHECK: call void @__kmpc_omp_task_affinity({{.+}}, i32 2, i64 %{{.+}}, i64 0, i32 1)

#endif
