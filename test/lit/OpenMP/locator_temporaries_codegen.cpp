// RUN: %clang_cc1 -verify -triple x86_64-unknown-linux-gnu -fopenmp -x c++ -emit-llvm %s -o - | FileCheck %s
// RUN: %clang_cc1 -fopenmp -x c++ -triple x86_64-unknown-linux-gnu -emit-pch -o %t %s
// RUN: %clang_cc1 -fopenmp -x c++ -triple x86_64-unknown-linux-gnu -include-pch %t -verify %s -emit-llvm -o - | FileCheck %s
// RUN: %clang_cc1 -triple x86_64-unknown-linux-gnu -fopenmp -O1 -fexceptions -fcxx-exceptions -x c++ -emit-llvm %s -o /dev/null
// expected-no-diagnostics

// Temporaries of a locator are destroyed where it has been evaluated: in the
// loop of an iterator in each iteration. test/lit/Runtime counts them.

#ifndef HEADER
#define HEADER

struct Temporary {
  Temporary(int);
  ~Temporary();
  int &cell() const;
};
typedef void *omp_depend_t;
struct Object {
  Object(int);
  ~Object();
  omp_depend_t &get() const;
};
void body();

// CHECK-LABEL: define {{.*}}@_Z6dependi(
void depend(int n) {
  // CHECK: iter.body:
  // CHECK: call void @_ZN9TemporaryC1Ei(
  // CHECK: call {{.*}}ptr @_ZNK9Temporary4cellEv(
  // CHECK: call void @_ZN9TemporaryD1Ev(
  // CHECK: iter.exit:
  // CHECK-NOT: call void @_ZN9TemporaryD1Ev(
  // CHECK: call {{.*}} @__kmpc_omp_task_with_deps(
  // CHECK-NOT: call void @_ZN9TemporaryD1Ev(
  // CHECK: ret void
#pragma omp task depend(iterator(k = 0 : n), in : Temporary(k).cell())
  body();
}

// CHECK-LABEL: define {{.*}}@_Z6depobji(
void depobj(int n) {
  // The sizes, and then the dependences.
  // CHECK: iter.body:
  // CHECK: call void @_ZN6ObjectC1Ei(
  // CHECK: call void @_ZN6ObjectD1Ev(
  // CHECK: iter.exit:
  // CHECK-NOT: call void @_ZN6ObjectD1Ev(
  // CHECK: iter.body{{[0-9]+}}:
  // CHECK: call void @_ZN6ObjectC1Ei(
  // CHECK: call void @llvm.memcpy
  // CHECK: call void @_ZN6ObjectD1Ev(
  // CHECK: iter.exit{{[0-9]+}}:
  // CHECK-NOT: call void @_ZN6ObjectD1Ev(
  // CHECK: ret void
#pragma omp task depend(iterator(k = 0 : n), depobj : Object(k).get())
  body();
}

// CHECK-LABEL: define {{.*}}@_Z8affinityi(
void affinity(int n) {
  // CHECK: call void @_ZN9TemporaryC1Ei({{.+}}, i32 noundef 7)
  // CHECK: call void @_ZN9TemporaryD1Ev(
  // CHECK: iter.body:
  // CHECK: call void @_ZN9TemporaryC1Ei(
  // CHECK: call void @_ZN9TemporaryD1Ev(
  // CHECK: iter.exit:
  // CHECK-NOT: call void @_ZN9TemporaryD1Ev(
  // CHECK: call {{.*}} @__kmpc_omp_reg_task_with_affinity(
  // CHECK-NOT: call void @_ZN9TemporaryD1Ev(
  // CHECK: ret void
#pragma omp task affinity(Temporary(7).cell()) affinity(iterator(k = 0 : n) : Temporary(k).cell())
  body();
}

#endif
