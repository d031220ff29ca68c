// RUN: %clang_cc1 -verify -fopenmp %s
// RUN: %clang_cc1 -verify -fopenmp -x c++ %s
// RUN: %clang_cc1 -fopenmp -DVALID -emit-llvm %s -o - | FileCheck %s

// A locator of incomplete type has no size: this was a crash.

struct S; // expected-note 0-4 {{forward declaration of}}
extern struct S incomplete;
extern int unbounded[];
void body(void);

void test(struct S *p) {
#ifndef VALID
#pragma omp task affinity(incomplete) // expected-error {{expression has incomplete class type 'struct S'}}
  body();
#pragma omp task affinity(*p) // expected-error {{expression has incomplete class type 'struct S'}}
  body();
#endif
#pragma omp task affinity(unbounded, p)
  body();
  // CHECK: call i32 @__kmpc_omp_reg_task_with_affinity({{.+}}, i32 2, ptr
}
