// RUN: %clang_cc1 -verify -fopenmp %s
// RUN: %clang_cc1 -verify -fopenmp -x c++ %s
// RUN: not %clang_cc1 -fopenmp -fdiagnostics-parseable-fixits %s 2>&1 | FileCheck %s

// The fixes make it right.
// RUN: cp %s %t.c
// RUN: not %clang_cc1 -fopenmp -DFIXED -fixit %t.c
// RUN: %clang_cc1 -fopenmp -DFIXED -Werror %t.c

void body(void);

void misspelled(int n, int *p) {
// CHECK: fix-it:"{{.+}}":{[[#@LINE+1]]:27-[[#@LINE+1]]:32}:"node"
#pragma omp task affinity(nodes: n) // expected-error {{expected 'thread', 'node' or 'data' in OpenMP clause 'affinity'}}
  body();
// CHECK: fix-it:"{{.+}}":{[[#@LINE+1]]:27-[[#@LINE+1]]:33}:"thread"
#pragma omp task affinity(Thread: n, strict) // expected-error {{expected 'thread', 'node' or 'data' in OpenMP clause 'affinity'}}
  body();
// CHECK: fix-it:"{{.+}}":{[[#@LINE+1]]:27-[[#@LINE+1]]:31}:"data"
#pragma omp task affinity(date: p[0:n]) // expected-error {{expected 'thread', 'node' or 'data' in OpenMP clause 'affinity'}}
  body();
// The API has omp_affinity_numa.
// CHECK: fix-it:"{{.+}}":{[[#@LINE+1]]:27-[[#@LINE+1]]:31}:"node"
#pragma omp task affinity(numa: n) // expected-error {{expected 'thread', 'node' or 'data' in OpenMP clause 'affinity'}}
  body();
}

void punctuation(int n, int *p) {
// CHECK: fix-it:"{{.+}}":{[[#@LINE+1]]:31-[[#@LINE+1]]:31}:":"
#pragma omp task affinity(node n) // expected-error {{expected ':' after 'node'}}
  body();
// CHECK: fix-it:"{{.+}}":{[[#@LINE+1]]:34-[[#@LINE+1]]:34}:","
#pragma omp task affinity(data: p strict) // expected-error {{expected ','}}
  body();
}

#ifndef FIXED
void other(int n, int *p) {
  // The recovery goes on with the kind that was meant.
#pragma omp task affinity(thraed: p) // expected-error {{expected 'thread', 'node' or 'data' in OpenMP clause 'affinity'}} expected-error {{expression must have integral or unscoped enumeration type, not 'int *'}}
  body();
  // These are not close to a kind.
#pragma omp task affinity(in: n) // expected-error {{use of undeclared identifier 'in'}}
  body();
#pragma omp task affinity(iterator: n) // expected-error {{expected '(' after 'iterator'}} expected-error 0-2 {{}}
  body();
}
#endif
