// RUN: %clang_cc1 -verify -triple x86_64-unknown-linux-gnu -fopenmp -x c++ -emit-llvm %s -o - | FileCheck %s
// RUN: %clang_cc1 -fopenmp -x c++ -triple x86_64-unknown-linux-gnu -emit-pch -o %t %s
// RUN: %clang_cc1 -fopenmp -x c++ -triple x86_64-unknown-linux-gnu -include-pch %t -verify %s -emit-llvm -o - | FileCheck %s
// expected-no-diagnostics

// The sizes of depend objects are summed up over the iterations of an iterator:
// the sums are 0 before the first one. test/lit/Runtime runs it.

#ifndef HEADER
#define HEADER

typedef void *omp_depend_t;
void body();

// CHECK-LABEL: define {{.*}}@_Z7iteratePPvS0_i(
void iterate(omp_depend_t *o, omp_depend_t *p, int n) {
  // CHECK: store i64 0, ptr [[O:%depobj.size.addr[0-9]*]]
  // CHECK: store i64 0, ptr [[P:%depobj.size.addr[0-9]*]]
  // CHECK: iter.body:
  // CHECK-NOT: store i64 0
  // CHECK: [[OLD_O:%.+]] = load i64, ptr [[O]]
  // CHECK: [[NEW_O:%.+]] = add nuw i64 [[OLD_O]], %{{.+}}
  // CHECK: store i64 [[NEW_O]], ptr [[O]]
  // CHECK-NOT: store i64 0
  // CHECK: [[OLD_P:%.+]] = load i64, ptr [[P]]
  // CHECK: [[NEW_P:%.+]] = add nuw i64 [[OLD_P]], %{{.+}}
  // CHECK: store i64 [[NEW_P]], ptr [[P]]
  // CHECK: iter.exit:
  // CHECK: [[SIZE_O:%.+]] = load i64, ptr [[O]]
  // CHECK: [[SIZE_P:%.+]] = load i64, ptr [[P]]
  // CHECK: add nuw i64 0, [[SIZE_O]]
  // CHECK: add nuw i64 %{{.+}}, [[SIZE_P]]
  // CHECK: alloca %struct.kmp_depend_info, i64 %{{.+}}
#pragma omp task depend(iterator(k = 0 : n), depobj : o[k], p[k])
  body();
}

#endif
